// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One of several words, chosen one-hot.
//
// Parameters Width, Words >= 1.
// Requires   At most one bit of sel_i is 1.
// Guarantees one cycle later, word_o is the selected word, or 0 if none was selected.
// Latency    1 cycle
//
// Each word has a register that is reset unless it is selected, and the registers are joined by OR:
// eight words take three LUTs for a bit, a multiplexer takes five.

module eccel_mul_select #(
    parameter int Width = 16,
    parameter int Words = 8
) (
    input  logic                   clk_i,
    input  logic [      Words-1:0] sel_i,
    input  logic [Words*Width-1:0] words_i,
    output logic [      Width-1:0] word_o
);

  logic [Width-1:0] gated_q[Words];

  for (genvar i = 0; i < Words; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (sel_i[i]) gated_q[i] <= words_i[Width*i+:Width];
      else gated_q[i] <= '0;
    end
  end

  always_comb begin
    word_o = '0;
    for (int i = 0; i < Words; i++) word_o |= gated_q[i];
  end

endmodule
