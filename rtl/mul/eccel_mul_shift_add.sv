// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier in LUTs that adds one shifted row in each cycle: p = a * b.
//
// Parameters Bits >= 2. Pipelined: the sum of the rows is kept in carry-save form, so that no carry
//            chain is longer than Segment.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    Bits + 1; Pipelined: Bits + 2 + ceil(Bits / Segment)
// Interval   Bits
//
// In each step the lowest bit of the sum is final and moves out. It takes the place of the bit of b
// that is no longer needed.

module eccel_mul_shift_add #(
    parameter int Bits      = 32,
    parameter bit Pipelined = 1'b0,
    parameter int Segment   = 32
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  localparam int Interval = eccel_mul_pkg::shift_add_interval(Bits);
  localparam int Latency = eccel_mul_pkg::shift_add_latency(Bits, Pipelined, Segment);

  logic start, first, last;
  logic [Bits-1:0] a_q, low_q;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Interval);

  eccel_mul_pace #(
      .Interval(Interval),
      .Latency (Latency)
  ) u_pace (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .start_o(start),
      .first_o(first),
      .last_o (last),
      .valid_o
  );

  always_ff @(posedge clk_i) if (start) a_q <= a_i;

  if (!Pipelined) begin : gen_chain
    logic [Bits-1:0] acc_q;
    logic [Bits:0] sum;
    logic unused_first;

    assign unused_first = first;

    eccel_add #(
        .Width(Bits)
    ) u_add (
        .a_i  (acc_q),
        .b_i  (a_q),
        .add_i(low_q[0]),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );

    always_ff @(posedge clk_i) begin
      if (start) acc_q <= '0;
      else acc_q <= sum[Bits:1];
      low_q <= start ? b_i : {sum[0], low_q[Bits-1:1]};
      if (last) p_o <= {sum, low_q[Bits-1:1]};
    end
  end else begin : gen_carry_save
    // The row passes a register whose reset is the bit of b: this net may have any fan-out.
    logic [Bits-1:0] row_q, s_q, c_q, s, c;
    logic [Bits-1:0] out_q;  // final bits
    logic bit_out, last_q;

    eccel_mul_rows #(
        .Bits(Bits),
        .Rows(1)
    ) u_row (
        .s_i  (s_q),
        .c_i  (c_q),
        .a_i  (row_q),
        .b_i  (1'b1),
        .low_o(bit_out),
        .s_o  (s),
        .c_o  (c)
    );
    eccel_mul_resolve #(
        .Width  (Bits),
        .Low    (Bits),
        .Segment(Segment)
    ) u_resolve (
        .clk_i,
        .load_i(last_q),
        .s_i   (s),
        .c_i   (c),
        .cin_i (1'b0),
        .low_i ({bit_out, out_q[Bits-1:1]}),
        .p_o
    );

    always_ff @(posedge clk_i) begin
      low_q <= start ? b_i : low_q >> 1;
      if (low_q[0]) row_q <= a_q;
      else row_q <= '0;
      if (first) begin
        s_q <= '0;
        c_q <= '0;
      end else begin
        s_q <= s;
        c_q <= c;
      end
      out_q  <= {bit_out, out_q[Bits-1:1]};
      last_q <= last;
    end
  end

endmodule
