// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum of a row of the prime-field unit, digit by digit, digit 0 first:
//   of a Montgomery product    t + a * b + q * m, with one digit of b and of q
//   of any other operation     x * b + y or x * b - y, with b = 1 or 0
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   stage_i[k] says what happens to the digit that was addressed k cycles before (see
//            eccel_gfp_pkg). Its parts come at fixed stages: a_i (a or x) and m_i at stage 2, t_i
//            and y_i at stage RowStage - 1. b_i and q_i are valid with stage_i[2].first.
// Guarantees sum_o is the digit of the sum at stage SumStage. m_o is the digit of m at stage
//            SumStage + 1, so that digit j of m comes with digit j + 1 of the sum: digit 0 of a
//            product's sum is 0 and is dropped. top_o is the bit of the sum above its highest
//            digit; after a subtraction 1 means that it did not borrow. It is valid from stage
//            SumStage of the highest digit until that of the next row.
//
// Each adder is one digit wide and has one flip-flop for its carry. No cycle has more than two
// adders in series.

module eccel_gfp_row
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32
) (
    input logic clk_i,

    input digit_t stage_i[0:SumStage+1],

    input logic [DigitBits-1:0] a_i,
    input logic [DigitBits-1:0] m_i,
    input logic [DigitBits-1:0] b_i,
    input logic [DigitBits-1:0] q_i,
    input logic [DigitBits-1:0] t_i,
    input logic [DigitBits-1:0] y_i,

    output logic [DigitBits-1:0] sum_o,
    output logic [DigitBits-1:0] m_o,
    output logic                 top_o
);

  localparam int ProdStage = DigitBits == 64 ? 6 : 5;  // digits of the products

  typedef logic [DigitBits-1:0] word_t;

  word_t ab, qm, both, addend_q;
  logic [DigitBits:0] both_sum, row_sum;
  word_t m_dly_q[3:SumStage+1];
  logic both_top, both_c, both_c_q, carry, carry_q;
  logic [2:0] top, top_q;  // carries out of the highest digit; the top bit is 1 if one of them is
  logic y_add_q;  // not y_neg

  eccel_digit_mul #(
      .DigitBits(DigitBits)
  ) u_mul_ab (
      .clk_i,
      .a_clr_i(!stage_i[2].product),
      .a_i,
      .b_en_i (stage_i[2].first),
      .b_i,
      .p_o    (ab)
  );

  // ---- a * b + q * m

  eccel_add #(
      .Width(DigitBits)
  ) u_add_both (
      .a_i  (ab),
      .b_i  (qm),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (both_c),
      .sum_o(both_sum)
  );

  if (DigitBits == 64) begin : gen_both
    assign both     = both_sum[DigitBits-1:0];
    assign both_top = both_sum[DigitBits];
    assign both_c   = both_c_q;
    always_ff @(posedge clk_i) begin
      both_c_q <= both_sum[DigitBits];
      if (stage_i[ProdStage-1].first) both_c_q <= 1'b0;
    end
  end else begin : gen_both_reg
    always_ff @(posedge clk_i) begin
      both     <= both_sum[DigitBits-1:0];
      both_c_q <= both_sum[DigitBits];
    end
    assign both_top = both_c_q;
    assign both_c   = both_c_q && !stage_i[ProdStage].first;
  end

  // q is kept in rows without a reduction: what the quotient's multiplier then makes depends on
  // which register a selection took, and would come twice for one of the two.

  // ---- with t or y

  always_ff @(posedge clk_i) begin
    y_add_q  <= !stage_i[RowStage-1].y_neg;
    addend_q <= (stage_i[RowStage-1].t_en ? t_i : '0) | (stage_i[RowStage-1].y_en ? y_i : '0);
    if (stage_i[RowStage-1].t_top) addend_q <= word_t'(top_o);
  end

  if (DigitBits == 64) begin : gen_row_64
    // The adders that form q and the wires to the multipliers are slow. The upper half of q is
    // therefore used one cycle later, and what it contributes is added to t or y first.
    logic [31:0] q_high_q;
    word_t high;
    logic [64:0] upper;
    logic row_c_q;
    eccel_digit_mul_skew u_mul_qm (
        .clk_i,
        .a_clr_i     (!stage_i[2].reduce),
        .a_i         (m_i),
        .b_en_i      (stage_i[2].first && stage_i[2].reduce),
        .b_i         (q_i[31:0]),
        .late_a_clr_i(!stage_i[3].reduce),
        .late_a_i    (m_dly_q[3]),
        .late_b_en_i (stage_i[3].first && stage_i[3].reduce),
        .late_b_i    (q_high_q),
        .low_o       (qm),
        .high_o      (high)
    );
    eccel_add #(
        .Width(64)
    ) u_add_upper (
        .a_i  (high),
        .b_i  (addend_q),
        .add_i(y_add_q),
        .sub_i(stage_i[RowStage].y_neg),
        .c_i  (carry_q),
        .sum_o(upper)
    );
    eccel_add #(
        .Width(64)
    ) u_add_row (
        .a_i  (both),
        .b_i  (upper[63:0]),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (row_c_q),
        .sum_o(row_sum)
    );
    always_ff @(posedge clk_i) begin
      q_high_q <= q_i[63:32];
      row_c_q  <= row_sum[64];
      if (stage_i[RowStage-1].first) row_c_q <= 1'b0;
    end
    assign carry = upper[64];
    // Two adders in series leave no time for a LUT before the register.
    assign top   = {both_top, upper[64], row_sum[64]};
  end else begin : gen_row
    eccel_digit_mul #(
        .DigitBits(DigitBits)
    ) u_mul_qm (
        .clk_i,
        .a_clr_i(!stage_i[2].reduce),
        .a_i    (m_i),
        .b_en_i (stage_i[2].first && stage_i[2].reduce),
        .b_i    (q_i),
        .p_o    (qm)
    );
    eccel_add #(
        .Width(DigitBits)
    ) u_add_row (
        .a_i  (both),
        .b_i  (addend_q),
        .add_i(y_add_q),
        .sub_i(stage_i[RowStage].y_neg),
        .c_i  (carry_q),
        .sum_o(row_sum)
    );
    assign carry = row_sum[DigitBits];
    assign top   = 3'(both_top | row_sum[DigitBits]);
  end

  always_ff @(posedge clk_i) begin
    sum_o   <= row_sum[DigitBits-1:0];
    carry_q <= stage_i[RowStage-1].first ? stage_i[RowStage-1].y_neg : carry;
    if (stage_i[RowStage].top) top_q <= top;
    m_dly_q[3] <= m_i;
    for (int i = 4; i <= SumStage + 1; i++) m_dly_q[i] <= m_dly_q[i-1];
  end

  assign m_o = m_dly_q[SumStage+1];
  assign top_o = top_q != 0;

endmodule
