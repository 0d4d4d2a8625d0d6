// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Turbo elliptic-curve processor (ECP) for one sparse prime: eccel_lockstep_control, the field unit
// with one multiplier array and one adder for all threads, and the table of the base point.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg; Threads (1, 2, 4, 8): jobs of a group;
//            WaitClocks: an incomplete group waits so long for others; UcodeFile: microcode image
//            of UcodeDepth words; WatchdogBits: a group of jobs that runs 2^WatchdogBits cycles is
//            ended with TIMEOUT (0: never); CombFile: table of the base point of the prime's curve
//            (eccelerate/model/comb.py), "" for an engine without one; HealthTest, StartupWords:
//            tests of the entropy port, see eccel_entropy_health; Hedged: draws pass through
//            eccel_hedge. Karatsuba: three quarters of the multipliers, see eccel_gfp_turbo.
// Ports      Packets as docs/architecture.md describes them; responses come in the order of
//            completion. ent_*: entropy; zeroise_i: level or pulse.
// Guarantees Every packet gets one response. The number of cycles depends on operation, curve and
//            flags, and on which jobs come together.
// Memory     Block RAM holds 64 registers and a mailbox for each thread, the microcode and the
//            table.

module eccel_ecp_turbo
  import eccel_engine_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Prime = eccel_solinas_pkg::P256,
    parameter int Threads = 4,
    parameter int WaitClocks = 1023,
    parameter UcodeFile = "ucode_turbo.hex",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 22,
    parameter CombFile = "",
    parameter bit HealthTest = 1'b1,
    parameter int StartupWords = 1024,
    parameter bit Hedged = 1'b0,
    parameter bit Guarded = 1'b1,
    parameter bit Karatsuba = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input  logic zeroise_i,
    output logic busy_o,
    output logic alarm_o
);

  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);
  localparam int Words = Field.words;
  localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1;
  localparam int Columns = (Field.bits + 23) / 24;
  typedef logic [Threads-1:0] mask_t;

  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  unit_op_t fu;
  logic fu_idle, fu_take;
  mask_t fu_sel, fu_zero, fu_carry;
  logic [5:0] unused_rd;
  logic [ThreadBits-1:0] unused_thread;
  logic rst_n, rst_field_q, unused_rst_n;

  logic rf_start, rf_we;
  logic [ThreadBits-1:0] rf_thread;
  logic [5:0] rf_reg;
  logic [31:0] rf_wdata, rf_rdata;

  comb_command_t comb;
  comb_status_t comb_status;
  comb_mailbox_t comb_mb;
  mask_t comb_bit, comb_keep, comb_serves;

  assign fu_valid = fu.valid;
  assign fu_op    = fu.op;

  always_ff @(posedge clk_i) rst_field_q <= !rst_n;

  eccel_lockstep_control #(
      .Threads   (Threads),
      .WaitClocks(WaitClocks),
      .Words     (Words),
      .Columns   (Columns),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .WatchdogBits(WatchdogBits),
      .HealthTest(HealthTest),
      .StartupWords(StartupWords),
      .Hedged(Hedged),
      .Guarded(Guarded)
  ) u_control (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .ent_i,
      .ent_ready_o,
      .zeroise_i,
      .busy_o,
      .alarm_o,
      .rst_no       (unused_rst_n),
      .unit_rst_no  (rst_n),
      .fu_o         (fu),
      .fu_ready_i   (fu_ready),
      .fu_sel_o     (fu_sel),
      .fu_idle_i    (fu_idle),
      .fu_zero_i    (fu_zero),
      .fu_carry_i   (fu_carry),
      .rf_start_o   (rf_start),
      .rf_we_o      (rf_we),
      .rf_thread_o  (rf_thread),
      .rf_reg_o     (rf_reg),
      .rf_wdata_o   (rf_wdata),
      .rf_rdata_i   (rf_rdata),
      .comb_o       (comb),
      .comb_i       (comb_status),
      .comb_bit_o   (comb_bit),
      .comb_mb_i    (comb_mb),
      .comb_keep_i  (comb_keep),
      .comb_serves_i(comb_serves)
  );

  if (CombFile != "") begin : gen_comb
    eccel_comb #(
        .Threads  (Threads),
        .Words    (Words),
        .Columns  (Columns),
        .TableFile(CombFile)
    ) u_comb (
        .clk_i,
        .rst_ni  (rst_n),
        .rewind_i(comb.rewind),
        .scan_i  (comb.scan),
        .wait_i  (comb.await),
        .stop_i  (comb.stop),
        .busy_o  (comb_status.busy),
        .pos_o   (comb_status.position),
        .due_o   (comb_status.due),
        .bit_i   (comb_bit),
        .take_i  (fu.valid && fu_ready && eccel_turbo_pkg::takes(eccel_turbo_isa_pkg::op_e'(fu.op), fu.rb[0])),
        .issue_i (fu_take),
        .serves_o(comb_serves),
        .on_o    (comb_mb.on),
        .half_o  (comb_mb.half),
        .word_o  (comb_mb.word),
        .keep_o  (comb_keep),
        .we_o    (comb_mb.we),
        .wdata_o (comb_mb.wdata)
    );
  end else begin : gen_no_comb
    logic unused_comb;
    assign unused_comb = ^{comb, comb_bit, fu_take};
    assign {comb_status, comb_mb, comb_keep, comb_serves} = '0;
  end

  eccel_gfp_turbo #(
      .Prime    (Prime),
      .Threads  (Threads),
      .Karatsuba(Karatsuba)
  ) u_field (
      .clk_i,
      .rst_ni       (!rst_field_q),
      .valid_i      (fu.valid),
      .op_i         (fu.op),
      .sel_i        (fu_sel),
      .rd_i         (fu.rd),
      .ra_i         (fu.ra),
      .rb_i         (fu.rb),
      .ready_o      (fu_ready),
      .idle_o       (fu_idle),
      .zero_o       (fu_zero),
      .carry_o      (fu_carry),
      .port_start_i (rf_start),
      .port_we_i    (rf_we),
      .port_thread_i(rf_thread),
      .port_reg_i   (rf_reg),
      .port_wdata_i (rf_wdata),
      .port_rdata_o (rf_rdata),
      .take_o       (fu_take),
      .done_o       (fu_done),
      .rd_o         (unused_rd),
      .thread_o     (unused_thread)
  );

endmodule
