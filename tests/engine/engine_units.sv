// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Modules of rtl/engine next to each other, for test_units.py: one library for all their tests.
// Decoder and counters are connected as in eccel_useq_core. The job port has a mailbox, which the
// test reads and writes at peek_addr_i while the port leaves it free. The thread gets the same
// packets and the same accesses.

module engine_units
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    // eccel_timeout
    input  logic begin_i,
    input  logic taken_i,
    input  logic failed_i,
    input  logic run_i,
    output logic soon_o,
    output logic over_o,

    // eccel_recoder
    input  logic       clear_i,
    input  logic       step_i,
    input  logic       bit_i,
    output logic       due_o,
    output logic       sign_o,
    output logic [2:0] window_o,

    // eccel_decode, eccel_counters
    input  logic                    decode_i,
    input  logic                    index_i,
    input  logic                    execute_i,
    input  logic [   WORD_BITS-1:0] fetched_i,
    input  logic [             3:0] x_i,
    input  logic [             4:0] words_i,
    input  logic [             9:0] pbits_i,
    input  logic [             9:0] nbits_i,
    output logic [   WORD_BITS-1:0] instr_o,
    output logic                    field_o,
    output logic                    indexed_o,
    output logic                    control_o,  // any control instruction
    output logic                    on_unit_o,
    output logic                    from_flags_o,
    output logic [COUNTER_BITS-1:0] count_o,
    output logic [COUNTER_BITS-1:0] last_o,
    output logic                    counter_bad_o,

    // eccel_job_port
    input  packet_t      req_i,
    output logic         req_ready_o,
    output packet_t      rsp_o,
    input  logic         rsp_ready_i,
    input  logic         zeroise_i,
    output logic         start_o,
    output logic         wipe_o,
    output job_t         job_o,
    input  logic         finish_i,
    input  logic         wiped_i,
    input  outcome_t     outcome_i,
    input  logic         timeout_i,
    input  logic         fault_i,
    output logic         port_bad_o,
    output logic         thread_bad_o,
    input  curve_t       curve_i,
    output logic         busy_o,
    input  logic         poke_i,
    input  logic  [ 8:0] peek_addr_i,
    input  logic  [31:0] poke_data_i,
    output logic  [31:0] peek_data_o,

    // eccel_job_thread
    input  logic           member_i,
    output logic           thread_ready_o,
    output packet_t        thread_rsp_o,
    output logic           thread_start_o,
    output logic    [31:0] thread_mover_o,
    output logic    [31:0] thread_useq_o
);

  control_t is;
  mailbox_t mb;
  logic mb_free;
  logic [8:0] mb_addr;

  assign control_o = is != '0;
  assign mb_addr = mb_free ? peek_addr_i : {mb.slot, mb.word};

  eccel_timeout u_timeout (
      .clk_i,
      .begin_i,
      .taken_i,
      .failed_i,
      .run_i,
      .soon_o,
      .over_o
  );

  eccel_recoder u_recoder (
      .clk_i,
      .clear_i,
      .step_i,
      .bit_i,
      .due_o,
      .sign_o,
      .window_o
  );

  eccel_decode u_decode (
      .clk_i,
      .rst_ni,
      .decode_i,
      .fetched_i,
      .index_i,
      .x_i,
      .instr_o,
      .field_o,
      .indexed_o,
      .is_o(is),
      .on_unit_o,
      .from_flags_o
  );

  eccel_counters u_counters (
      .clk_i,
      .decode_i,
      .fetched_i,
      .execute_i,
      .instr_i(instr_o),
      .setc_i (is.setc),
      .loop_i (is.loop),
      .words_i,
      .pbits_i,
      .nbits_i,
      .read_i   (execute_i && is.loop),
      .count_o,
      .last_o,
      .bad_o    (counter_bad_o)
  );

  eccel_job_port u_job_port (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .mb_o      (mb),
      .mb_free_o (mb_free),
      .mb_rdata_i(peek_data_o),
      .zeroise_i,
      .start_o,
      .wipe_o,
      .job_o,
      .finish_i,
      .wiped_i,
      .outcome_i,
      .timeout_i,
      .fault_i,
      .bad_o     (port_bad_o),
      .curve_i,
      .busy_o
  );

  eccel_ram_1p #(
      .Width(32),
      .Depth(512)
  ) u_mailbox (
      .clk_i,
      .we_i   (mb_free ? poke_i : mb.we),
      .waddr_i(mb_addr),
      .wdata_i(mb_free ? poke_data_i : mb.wdata),
      .raddr_i(mb_addr),
      .rdata_o(peek_data_o)
  );

  logic unused_wipe, unused_busy;
  job_t unused_job;
  mailbox_t access;

  assign access = '{we: poke_i, slot: peek_addr_i[8:5], word: peek_addr_i[4:0], wdata: poke_data_i};

  eccel_job_thread u_thread (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o(thread_ready_o),
      .rsp_o      (thread_rsp_o),
      .rsp_ready_i,
      .zeroise_i,
      .start_o    (thread_start_o),
      .wipe_o     (unused_wipe),
      .job_o      (unused_job),
      .finish_i,
      .wiped_i,
      .outcome_i,
      .timeout_i,
      .fault_i,
      .bad_o      (thread_bad_o),
      .curve_i,
      .busy_o     (unused_busy),
      .member_i,
      .mb_i       (access),
      .mb_mover_o (thread_mover_o),
      .mb_useq_o  (thread_useq_o)
  );

endmodule
