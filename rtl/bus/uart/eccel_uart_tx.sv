// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sender of a serial port: 8 data bits, no parity, one stop bit, least significant bit first.
//
// Parameters Step (1..65536): 2^19 * baud / clock, rounded. A bit therefore takes at least 8
//            cycles.
// Guarantees A byte is taken when valid_i and ready_o are both 1, and sent to its end. The line is
//            1 at rest. Bits of a byte differ by at most one cycle in length.
// Latency    The start bit begins 2 cycles after the byte is taken. ready_o is 0 for 10 bits.

module eccel_uart_tx #(
    parameter int Step = 65536
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       valid_i,
    output logic       ready_o,
    input  logic [7:0] data_i,
    output logic       txd_o
);

  if (Step < 1 || Step > 65536) begin : gen_bad_step
    $error("eccel_uart_tx: Step must be 1..65536: a bit takes at least 8 cycles");
  end

  logic [18:0] part_q;  // of a bit
  logic [19:0] part;
  logic tick;
  logic [3:0] left_q;  // bits to be sent, with the start bit and the stop bit
  logic [8:0] bits_q;
  logic txd_q, active;

  localparam logic [19:0] Add = 20'(Step);

  assign active = left_q != 4'd0;
  assign part   = {1'b0, part_q} + Add;
  assign tick   = active && part[19];

  always_ff @(posedge clk_i) begin
    part_q <= active ? part[18:0] : '0;

    if (!rst_ni) left_q <= '0;
    else if (!active) left_q <= valid_i ? 4'd10 : '0;
    else if (tick) left_q <= left_q - 4'd1;

    if (!active) bits_q <= {data_i, 1'b0};
    else if (tick) bits_q <= {1'b1, bits_q[8:1]};

    if (!rst_ni) txd_q <= 1'b1;
    else txd_q <= bits_q[0] || !active;
  end

  assign ready_o = !active;
  assign txd_o   = txd_q;

endmodule
