// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Result t of a row of the prime-field unit, digit by digit, with t corrected by the modulus: d = t
// - m or t + m.
//
// Parameters DigitBits in {16, 32, 64}; IndexBits: width of a digit's number.
// Requires   stage_i, sum_i and m_i come from eccel_gfp_row. Digit j + 1 of its sum is digit j of
//            t.
// Guarantees With pair_we_o, t_o and d_o are digit pair_addr_o of t and d, digit 0 first; the last
//            pair comes at stage SumStage + 1 of digit s. carry_o is the carry out of the highest
//            digit of d, valid at stage keep_stage(DigitBits) of digit s; 1 if t - m does not
//            borrow.

module eccel_gfp_correct
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5
) (
    input logic clk_i,

    input digit_t               stage_i[0:SumStage+1],
    input logic [DigitBits-1:0] sum_i,
    input logic [DigitBits-1:0] m_i,

    output logic                 pair_we_o,
    output logic [IndexBits-1:0] pair_addr_o,
    output logic [DigitBits-1:0] t_o,
    output logic [DigitBits-1:0] d_o,
    output logic                 carry_o
);

  logic [DigitBits:0] corrected;
  logic carry_q;
  logic second_q;  // digit 1 of the sum: digit 0 of t
  logic d_add_q;  // not d_neg
  logic [IndexBits-1:0] addr_q, addr_next;

  eccel_add #(
      .Width(DigitBits)
  ) u_add_corr (
      .a_i  (sum_i),
      .b_i  (m_i),
      .add_i(d_add_q),
      .sub_i(stage_i[SumStage].d_neg),
      .c_i  (carry_q),
      .sum_o(corrected)
  );

  eccel_inc #(.Width(IndexBits)) u_inc (.d_i(addr_q), .q_o(addr_next));

  always_ff @(posedge clk_i) begin
    d_add_q  <= !stage_i[SumStage-1].d_neg;
    second_q <= stage_i[SumStage].first;
    addr_q   <= second_q ? '0 : addr_next;
    t_o      <= sum_i;
    d_o      <= corrected[DigitBits-1:0];
    carry_q  <= stage_i[SumStage].first ? stage_i[SumStage].d_neg : corrected[DigitBits];
  end

  assign pair_we_o   = stage_i[SumStage+1].valid && !stage_i[SumStage+1].first;
  assign pair_addr_o = addr_q;
  assign carry_o     = keep_stage(DigitBits) == SumStage ? corrected[DigitBits] : carry_q;

endmodule
