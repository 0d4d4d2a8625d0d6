// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What all boards have in common: the engine behind its UART bridge, reset after power-up and by
// a button, a button to zeroise, lamps.
//
// Parameters AddrBits 8..12: of the bridge's buffers. SmallRam: the buffer of entropy is in
//            single-port memory. ExternalEntropy: entropy comes from ext_ent_i, and not from the
//            host. ResetBits, BeatBits: lengths of reset and heartbeat, 2^n cycles.
// Requires   clk_i runs before locked_i is 1. Registers start with their initial values.
// Guarantees The engine is reset until 2^ResetBits cycles after locked_i is 1 and reset_i is 0. On
//            iCE40 that is longer than block RAM needs after configuration, 3 us. Buttons, locked_i
//            and rxd_i may be asynchronous. The outputs of the lamps are 1 when they shine: alive_o
//            blinks, lost_o shines for a beat or less after a lost frame.

module eccel_board
  import eccel_packet_pkg::*;
  import eccel_board_pkg::*;
#(
    parameter int AddrBits = 9,
    parameter bit SmallRam = 1'b0,
    parameter bit ExternalEntropy = 1'b0,
    parameter int ResetBits = 10,
    parameter int BeatBits = 25
) (
    input  logic     clk_i,
    input  logic     locked_i,
    input  logic     reset_i,
    input  logic     zeroise_i,
    input  logic     rxd_i,
    output logic     txd_o,
    input  entropy_t ext_ent_i,
    output logic     ext_ent_ready_o,
    output logic     alive_o,
    output logic     busy_o,
    output logic     lost_o
);

  typedef logic [ResetBits:0] wait_t;
  typedef logic [BeatBits-1:0] beat_t;

  /* verilator lint_off PROCASSINIT */
  logic [1:0] halt_q = '1;
  wait_t wait_q = '0;
  /* verilator lint_on PROCASSINIT */
  logic [1:0] zeroise_q;
  logic rst_n;

  assign rst_n = wait_q[ResetBits];

  always_ff @(posedge clk_i) begin
    halt_q <= {halt_q[0], reset_i || !locked_i};
    if (halt_q[1]) wait_q <= '0;
    else if (!rst_n) wait_q <= wait_q + wait_t'(1);
    zeroise_q <= {zeroise_q[0], zeroise_i};
  end

  packet_t req, rsp;
  entropy_t ent;
  logic eng_rst_n, req_ready, rsp_ready, ent_ready, zeroise, eng_busy, lost, unused_alarm;
  logic board_busy  /* verilator public_flat_rd */;

  eccel_uart_bridge #(
      .Step(Step),
      .AddrBits(AddrBits),
      .DigitBits(DigitBits),
      .MaxWords(MaxWords),
      .ClockKhz(ClockKhz),
      .Name(Name),
      .SmallRam(SmallRam),
      .ExternalEntropy(ExternalEntropy)
  ) u_bridge (
      .clk_i,
      .rst_ni     (rst_n),
      .rxd_i,
      .txd_o,
      .zeroise_i  (zeroise_q[1]),
      .ext_ent_i,
      .ext_ent_ready_o,
      .eng_rst_no (eng_rst_n),
      .req_o      (req),
      .req_ready_i(req_ready),
      .rsp_i      (rsp),
      .rsp_ready_o(rsp_ready),
      .ent_o      (ent),
      .ent_ready_i(ent_ready),
      .zeroise_o  (zeroise),
      .busy_i     (eng_busy),
      .busy_o     (board_busy),
      .lost_o     (lost)
  );

  eccel_board_engine u_engine (
      .clk_i,
      .rst_ni     (eng_rst_n),
      .req_i      (req),
      .req_ready_o(req_ready),
      .rsp_o      (rsp),
      .rsp_ready_i(rsp_ready),
      .ent_i      (ent),
      .ent_ready_o(ent_ready),
      .zeroise_i  (zeroise),
      .busy_o     (eng_busy),
      .alarm_o    (unused_alarm)
  );

  // ---- lamps ----

  beat_t beat_q;
  logic lost_q;

  always_ff @(posedge clk_i) begin
    beat_q <= beat_q + beat_t'(1);
    if (!rst_n) lost_q <= 1'b0;
    else if (lost) lost_q <= 1'b1;
    else if (&beat_q) lost_q <= 1'b0;
  end

  assign busy_o  = board_busy;
  assign alive_o = beat_q[BeatBits-1];
  assign lost_o  = lost_q;

endmodule
