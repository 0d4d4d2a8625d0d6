// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Receiver of a serial port: 8 data bits, no parity, one stop bit, least significant bit first.
//
// Parameters Step (1..65536): 2^19 * baud / clock, rounded. A bit therefore takes at least 8
//            cycles.
// Guarantees valid_o is 1 for a cycle with each byte. data_o is the byte until the next one's first
//            data bit, at least 8 cycles later. ok_o comes with valid_o: the stop bit was 1. A bit
//            is the majority of three samples, an eighth of a bit apart, around its middle. A low
//            pulse of less than half a bit is no start bit. After a byte without a stop bit, the
//            receiver waits until the line is 1: a break gives one byte.
// Tolerance  The bits of the sender may be 2 % longer or shorter if a bit takes 16 cycles or more:
//            the stop bit is sampled 9.5 bits after the edge of the start bit, 3/8 of a bit from
//            its ends, less one cycle and the rounding of Step.
// Latency    valid_o comes 5/8 of a bit and 4 cycles after the stop bit begins.

module eccel_uart_rx #(
    parameter int Step = 65536
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       rxd_i,
    output logic       valid_o,
    output logic       ok_o,
    output logic [7:0] data_o
);

  if (Step < 1 || Step > 65536) begin : gen_bad_step
    $error("eccel_uart_rx: Step must be 1..65536: a bit takes at least 8 cycles");
  end

  // The line is asynchronous to the clock.
  logic meta_q, line_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {line_q, meta_q} <= '1;
    else {line_q, meta_q} <= {meta_q, rxd_i};
  end

  // ---- time: eighths of a bit since the edge of the start bit ----

  logic active_q, broken_q, valid_q;
  logic [15:0] part_q;
  logic [16:0] part;
  logic [2:0] eighth_q;
  logic tick, decide;

  localparam logic [16:0] Add = 17'(Step);

  assign part   = {1'b0, part_q} + Add;
  assign tick   = active_q && part[16];
  assign decide = tick && eighth_q == 3'd4;

  always_ff @(posedge clk_i) begin
    part_q <= active_q ? part[15:0] : '0;
    if (!active_q) eighth_q <= '0;
    else if (tick) eighth_q <= eighth_q + 3'd1;
  end

  // ---- bits ----

  logic [1:0] samples_q;
  logic [3:0] bit_q;  // 0 start, 1..8 data, 9 stop
  logic [7:0] data_q;
  logic value, start, stop, ok_q;

  assign value = samples_q[0] && samples_q[1] || line_q && (samples_q[0] || samples_q[1]);
  assign start = bit_q == 4'd0;
  assign stop  = bit_q == 4'd9;

  always_ff @(posedge clk_i) begin
    if (tick) samples_q <= {samples_q[0], line_q};
    if (decide && !start && !stop) data_q <= {value, data_q[7:1]};
    if (!active_q) bit_q <= '0;
    else if (decide) bit_q <= bit_q + 4'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      broken_q <= 1'b0;
      valid_q  <= 1'b0;
    end else begin
      if (!active_q) active_q <= !line_q && !broken_q;
      else if (decide) active_q <= !(start && value) && !stop;

      if (decide && stop) broken_q <= !value;
      else if (line_q) broken_q <= 1'b0;

      valid_q <= decide && stop;
    end
    if (decide) ok_q <= value;
  end

  assign valid_o = valid_q;
  assign ok_o    = ok_q;
  assign data_o  = data_q;

endmodule
