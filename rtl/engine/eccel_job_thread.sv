// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One thread of a lock-step engine: its job port and its mailbox.
//
// Parameters Words: the only W that the port accepts. Guarded: the address of the mailbox has
//            parity bits, and bad_o also comes a clock after it was found changed.
// Requires   The word of a packet (req_i.data) stays for a clock after the one in which the port
//            accepts it. finish_i comes one clock after the last clock of outcome_i.
// Guarantees The job port keeps the contract of eccel_job_port, but rsp_o.data is valid two clocks
//            after rsp_o.valid rises. The mailbox has one user at a time: the port before and after
//            a job, mb_i during it. In the clock in which the mailbox changes hands it has no user.
//            mb_i writes only while member_i is 1.
// Latency    mb_mover_o is the addressed word three clocks after mb_i, mb_useq_o four clocks after
//            it. A word that is read while another one is written must not be used.

module eccel_job_thread
  import eccel_engine_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Words = 8,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    // sequencer and group, as eccel_job_port says
    input  logic     zeroise_i,
    output logic     start_o,
    output logic     wipe_o,
    output job_t     job_o,
    input  logic     finish_i,
    input  logic     wiped_i,
    input  outcome_t outcome_i,
    input  logic     timeout_i,
    input  logic     fault_i,
    output logic     bad_o,
    input  curve_t   curve_i,
    output logic     busy_o,

    // mailbox during a job
    input  logic            member_i,   // the job belongs to the group that runs
    input  mailbox_t        mb_i,
    output logic     [31:0] mb_mover_o,
    output logic     [31:0] mb_useq_o
);

  mailbox_t port_mb;
  outcome_t outcome_q;
  logic free, free_q, ours_q, we, we_q, port_bad;
  logic [8:0] addr, addr_q;
  logic [31:0] wdata_q;

  assign addr = free_q ? {mb_i.slot, mb_i.word} : {port_mb.slot, port_mb.word};
  assign we = port_mb.we || ours_q && mb_i.we;

  always_ff @(posedge clk_i) begin
    outcome_q <= outcome_i;  // finish_i comes as late
    free_q    <= free;
    ours_q    <= free && member_i;
    addr_q    <= addr;
    wdata_q   <= free_q ? mb_i.wdata : req_i.data;
    we_q      <= we;
    mb_useq_o <= mb_mover_o;
  end

  if (Guarded) begin : gen_guard
    // Reading or writing another word would change an operand, the scalar or a result. Three parity
    // bits instead of one: the address comes late in the clock.
    logic [2:0] parity_q;
    logic bad_q;
    always_ff @(posedge clk_i) begin
      parity_q <= {^addr[3:0], ^addr[7:4], addr[8] ^ we};
      bad_q    <= ^{addr_q, we_q, parity_q};
    end
    assign bad_o = port_bad || bad_q;
  end else begin : gen_unguarded
    assign bad_o = port_bad;
  end

  eccel_job_port #(
      .MinWords(Words),
      .MaxWords(Words),
      .Guarded (Guarded)
  ) u_job_port (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .mb_o      (port_mb),
      .mb_free_o (free),
      .mb_rdata_i(mb_useq_o),
      .zeroise_i,
      .start_o,
      .wipe_o,
      .job_o,
      .finish_i,
      .wiped_i,
      .outcome_i (outcome_q),
      .timeout_i,
      .fault_i,
      .bad_o     (port_bad),
      .curve_i,
      .busy_o
  );

  eccel_ram_1p #(
      .Width(32),
      .Depth(512)
  ) u_mailbox (
      .clk_i,
      .we_i   (we_q),
      .waddr_i(addr_q),
      .wdata_i(wdata_q),
      .raddr_i(addr_q),
      .rdata_o(mb_mover_o)
  );

endmodule
