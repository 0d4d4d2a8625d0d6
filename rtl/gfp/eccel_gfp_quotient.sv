// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The two digits by which the next row of a Montgomery product multiplies: b_i, and the quotient digit
// q = (t_0 + a_0 b_i) m' mod 2^DigitBits, m' = -m^-1. Both products on one multiplier, while the row before still runs.
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   digit_i = b_i two cycles behind prefetch_i, a_0 three behind; t_i = t_0, the lowest digit of the row before,
//            six behind (five for 32-bit digits); first_row_i (t = 0 instead) with prefetch_i, half_i two behind it.
//            At least 9 cycles (8 for 64-bit digits) from one prefetch_i to the next. minv_i with minv_set_i, between
//            operations.
// Guarantees b_o = b_i, or 2^(DigitBits - 1) with first_row_i and half_i, from three cycles behind prefetch_i on; behind
//            single_i 1 with x_en_i, else 0. q_o is stable until the next second product.
// Latency    b_o 3 cycles behind prefetch_i, q_o 9; for 64 bits q_o 8, out of two sums.

module eccel_gfp_quotient #(
    parameter int DigitBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                 prefetch_i,   // b_i of the next row is being addressed
    input logic                 first_row_i,
    input logic                 half_i,       // the operation is half: a row of a product by 2^(DigitBits - 1)
    input logic [DigitBits-1:0] digit_i,
    input logic                 single_i,     // a single-row operation: x passes the multiplier as x * 1, or x * 0
    input logic                 x_en_i,
    input logic [DigitBits-1:0] t_i,

    input logic                 minv_set_i,  // take m'
    input logic [DigitBits-1:0] minv_i,

    output logic [DigitBits-1:0] b_o,
    output logic [DigitBits-1:0] q_o
);

  // From the prefetch to the second product. Where rows are long enough the quotient has one register more: in front of
  // that product (16 bits) or behind it (32 bits).
  localparam int Delay = DigitBits == 16 ? 7 : 6;

  typedef logic [DigitBits-1:0] word_t;
  localparam word_t Half = {1'b1, {(DigitBits - 1) {1'b0}}};

  logic [Delay:1] pf_q;  // cycles behind the prefetch
  logic first_q, use_t_q, by_half;
  word_t b_q, minv_q, alpha_q, product, addend, arg;
  logic [DigitBits:0] sum;
  logic addend_en;

  assign by_half = pf_q[2] && first_q && half_i;

  always_ff @(posedge clk_i) begin
    pf_q <= {pf_q[Delay-1:1], prefetch_i};
    if (prefetch_i) first_q <= first_row_i;
    use_t_q <= !first_q;
    if (single_i || by_half) b_q <= {by_half, {(DigitBits - 2) {1'b0}}, single_i && x_en_i};
    else if (pf_q[2]) b_q <= digit_i;
    if (minv_set_i) minv_q <= minv_i;
    if (!rst_ni) pf_q <= '0;
  end

  // First product alpha = a_0 * b_i, second (t_0 + alpha) * m'; t = 0 before the first row.
  eccel_add #(
      .Width(DigitBits)
  ) u_add_alpha (
      .a_i  (alpha_q),
      .b_i  (addend),
      .add_i(addend_en),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(sum)
  );

  // With 16 bits a register lies between the sum and the multiplier, and an operand is selected behind it. Otherwise
  // b_i takes the way of t_0 (32 bits) or of alpha (64 bits), the other one being 0, so that no selection lies between
  // the sum and the multiplier: it is where the path to the register in front of the sum is shorter.
  if (DigitBits == 16) begin : gen_argument_reg
    word_t sum_q;
    always_ff @(posedge clk_i) begin
      alpha_q <= product;
      sum_q   <= sum[DigitBits-1:0];
    end
    assign addend    = t_i;
    assign addend_en = use_t_q;
    assign arg       = pf_q[3] ? b_q : sum_q;
    assign q_o       = product;
  end else if (DigitBits == 32) begin : gen_addend
    word_t addend_q;
    logic addend_en_q;
    always_ff @(posedge clk_i) begin
      alpha_q     <= pf_q[2] ? '0 : product;
      addend_en_q <= pf_q[2] || use_t_q;
      addend_q    <= pf_q[2] ? digit_i : t_i;
      if (by_half) addend_q <= Half;
    end
    assign addend    = addend_q;
    assign addend_en = addend_en_q;
    assign arg       = sum[DigitBits-1:0];
    assign q_o       = alpha_q;
  end else begin : gen_alpha
    logic addend_en_q;
    always_ff @(posedge clk_i) begin
      addend_en_q <= !pf_q[2] && use_t_q;
      alpha_q     <= pf_q[2] ? digit_i : product;
      if (by_half) alpha_q <= Half;
    end
    assign addend    = t_i;
    assign addend_en = addend_en_q;
    assign arg       = sum[DigitBits-1:0];
    assign q_o       = product;
  end

  eccel_digit_mul_low #(
      .DigitBits(DigitBits)
  ) u_mul (
      .clk_i,
      .en_i (pf_q[3] || pf_q[Delay]),
      .a_i  (arg),
      .b_i  (pf_q[3] ? digit_i : minv_q),
      .p_o  (product)
  );

  assign b_o = b_q;

endmodule
