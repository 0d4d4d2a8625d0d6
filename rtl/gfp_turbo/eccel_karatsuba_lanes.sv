// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of half operands for eccel_karatsuba_array: one multiplier block for each digit of a,
// which takes one digit of b in a cycle. A stream of the low columns, and then one of the others.
//
// Parameters FactorBits <= 18: bits of a digit; Lanes: digits of a; Digits >= Lanes: digits of b;
//            SumBits: columns are modulo 2^SumBits.
// Requires   first_i comes at most every Digits cycles. b_i is digit 0 of b with it, and the others
//            in the cycles after it. a_i is all of a one cycle after first_i. more_i belongs to
//            upper_o and comes only from Digits + 5 cycles after a first_i with another one
//            then.
// Guarantees lower_o: columns 0 .. Digits - 1; upper_o: columns Digits .. Digits + Lanes - 2 and
//            then 0. With more_i column Digits + k of a product is also added to the product that
//            has begun in the meantime, at its column Lanes + k. Timing does not depend on data.
// Latency    Column t comes 5 + t cycles after first_i.
// Interval   Digits
// After      eccel_comba_array: the accumulators form a chain that moves towards lane 0.

module eccel_karatsuba_lanes #(
    parameter int FactorBits = 17,
    parameter int Lanes = 8,
    parameter int Digits = 8,
    parameter int SumBits = 36
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                        first_i,
    input logic [Lanes*FactorBits-1:0] a_i,
    input logic [      FactorBits-1:0] b_i,
    input logic                        more_i,

    output logic [SumBits-1:0] lower_o,
    output logic [SumBits-1:0] upper_o
);

  typedef logic [SumBits-1:0] sum_t;

  logic [Digits+3:1] at_q;  // first_i, as many cycles ago
  logic [FactorBits-1:0] b_q;
  logic move_q, load_q;  // not the first column; the last lower column
  sum_t acc_q[Lanes+1], upper_q[Lanes];

  always_ff @(posedge clk_i) begin
    at_q   <= {at_q[Digits+2:1], first_i};
    b_q    <= b_i;
    move_q <= !at_q[3];
    load_q <= at_q[Digits+3];
    if (!rst_ni) at_q <= '0;
  end

  assign acc_q[Lanes]     = upper_q[0];
  assign upper_q[Lanes-1] = '0;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic [2*FactorBits-1:0] product, product_q;  // the output wires of the block are long
    logic [SumBits:0] sum;

    eccel_mul18 #(
        .WidthA(FactorBits),
        .WidthB(FactorBits)
    ) u_mul (
        .clk_i,
        .a_en_i (at_q[1]),
        .a_clr_i(1'b0),
        .a_i    (a_i[FactorBits*i+:FactorBits]),
        .b_en_i (1'b1),
        .b_i    (b_q),
        .p_o    (product)
    );
    eccel_add #(
        .Width(SumBits)
    ) u_add (
        .a_i  (sum_t'(product_q)),
        .b_i  (acc_q[i+1]),
        .add_i(i == Lanes - 1 ? more_i : move_q),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) begin
      product_q <= product;
      acc_q[i]  <= sum[SumBits-1:0];
    end
  end

  for (genvar i = 0; i < Lanes - 1; i++) begin : gen_upper
    always_ff @(posedge clk_i) upper_q[i] <= load_q ? acc_q[i+1] : upper_q[i+1];
  end

  assign lower_o = acc_q[0];
  assign upper_o = upper_q[0];

endmodule
