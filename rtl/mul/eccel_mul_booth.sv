// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier in LUTs with Booth's digits of radix 4, two bits of b in each cycle: p = a * b.
//
// Parameters Bits >= 4. Pipelined: the sum is kept in carry-save form, so that no carry chain is
//            longer than Segment.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    Steps + 1; Pipelined: Steps + 5 + ceil((2 * Bits - 2 * Steps) / Segment)
// Interval   Steps = floor(Bits / 2) + 1
// After      Booth 1951, MacSorley 1961 (radix 4).
//
// A digit is 2 b[2t+1] .. b[2t-1] recoded to -2 .. 2: its multiple of a needs no addition. In each
// step two bits of the sum are final and move out.

module eccel_mul_booth #(
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

  localparam int Interval = eccel_mul_pkg::booth_interval(Bits);
  localparam int Latency = eccel_mul_pkg::booth_latency(Bits, Pipelined, Segment);
  localparam int LowBits = 2 * Interval;

  if (Bits < 4) begin : gen_too_small
    $error("eccel_mul_booth: Bits is at least 4");
  end

  logic start, first, last;
  logic [Bits-1:0] a_q;
  logic [LowBits-1:0] b_q;  // its low end has the bits of the next digit
  logic below_q;  // the bit below them
  logic zero, two, negative;  // the digit: 0; 2 or -2; below 0
  logic [1:0] bits_out;

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

  assign zero     = (b_q[1] == b_q[0]) && (b_q[0] == below_q);
  assign two      = b_q[0] == below_q;
  assign negative = b_q[1] && !zero;

  always_ff @(posedge clk_i) begin
    if (start) a_q <= a_i;
    below_q <= !start && b_q[1];
    b_q <= start ? LowBits'(b_i) : {bits_out, b_q[LowBits-1:2]};
  end

  if (!Pipelined) begin : gen_chain
    // |acc| <= 2 / 3 * a, so the sum is within (-2^(Bits + 2), 2^(Bits + 2)).
    localparam int SumBits = Bits + 3;
    logic [SumBits-3:0] acc_q;
    logic [SumBits:0] sum;
    logic unused_first;

    assign unused_first = first;
    assign bits_out     = sum[1:0];

    eccel_add #(
        .Width(SumBits)
    ) u_add (
        .a_i  ({{2{acc_q[SumBits-3]}}, acc_q}),
        .b_i  (two ? {2'b0, a_q, 1'b0} : {3'b0, a_q}),
        .add_i(!zero && !b_q[1]),
        .sub_i(negative),
        .c_i  (negative),
        .sum_o(sum)
    );

    always_ff @(posedge clk_i) begin
      if (start) acc_q <= '0;
      else acc_q <= sum[SumBits-1:2];
      if (last) p_o <= (2 * Bits)'({sum[SumBits-1:0], b_q[LowBits-1:2]});
    end
  end else begin : gen_carry_save
    // Cycle 1 + t recodes digit t, cycle 2 + t makes its row, cycle 3 + t adds the row, and cycle 4
    // + t adds what leaves the sum.
    //
    // A row is below 0 or not: its bit of weight 2^(Bits + 1) is inverted instead of extended. Each
    // row is then too large by 2^(Bits + 1), which another bit above it, and a first value of
    // 2^(Bits + 1), complete to a multiple of the weight above the product.
    localparam int RowBits = Bits + 3;
    localparam int HighBits = 2 * Bits - LowBits;
    logic zero_q, two_q, negative_q;
    logic [Bits-1:0] a_late_q;
    logic [Bits:0] row_q;
    logic row_negative_q;
    logic [4:2] first_q;  // first, as many cycles after the start
    logic [4:1] last_q;  // last, as many cycles ago
    logic [RowBits-1:0] row, s_q, c_q, sum, carry;
    logic [1:0] sum_q;
    logic carry_q, correct_q, out_carry_q;
    logic [2:0] out;
    logic [LowBits-1:0] out_q;
    logic [RowBits-1:0] high_s, high_c;

    assign bits_out = '0;
    assign row      = {1'b1, !row_negative_q, row_q};
    assign sum      = s_q ^ c_q ^ row;
    assign carry    = (s_q & c_q) | (s_q & row) | (c_q & row);
    assign out      = {1'b0, sum_q} + {1'b0, carry_q, correct_q} + {2'b0, out_carry_q && !first_q[4]};

    always_ff @(posedge clk_i) begin
      {zero_q, two_q, negative_q} <= {zero, two, negative};
      if (first) a_late_q <= a_q;
      if (zero_q) row_q <= '0;
      else row_q <= (two_q ? {a_late_q, 1'b0} : {1'b0, a_late_q}) ^ {(Bits + 1) {negative_q}};
      row_negative_q <= negative_q;
      first_q        <= {first_q[3:2], first};
      last_q         <= {last_q[3:1], last};
      if (first_q[2]) begin
        s_q <= RowBits'(1) << (Bits + 1);
        c_q <= '0;
      end else begin
        s_q <= high_s;
        c_q <= high_c;
      end
      sum_q       <= sum[1:0];
      carry_q     <= carry[0];
      correct_q   <= row_negative_q;
      out_carry_q <= out[2];
      out_q       <= {out[1:0], out_q[LowBits-1:2]};
    end

    assign high_s = sum >> 2;
    assign high_c = carry >> 1;

    eccel_mul_resolve #(
        .Width  (HighBits),
        .Low    (LowBits),
        .Segment(Segment),
        .Early  (2)
    ) u_resolve (
        .clk_i,
        .load_i(last_q[4]),
        .s_i   (high_s[HighBits-1:0]),
        .c_i   (high_c[HighBits-1:0]),
        .cin_i (out_carry_q),
        .low_i (out_q),
        .p_o
    );
  end

endmodule
