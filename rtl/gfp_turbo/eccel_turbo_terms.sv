// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operands of a sum, from the streams of the register file: words of x and y at the same time.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg.
// Requires   issue_i comes at most every `words` cycles, rounded up to even. rdata_i[j] is word j
//            of x 2 + j cycles after issue_i, and word j of y one cycle later. op_i is constant
//            from issue_i to the next one. op_i.load comes with op_i.drop_x; then word j of x is
//            port_i 4 + j cycles after issue_i. In all other cycles port_i is 0.
// Guarantees x_o and y_o come one word in a cycle from first_o on, with op_o; pass_o is the
//            complement of first_o. x is 0 with drop_x; y is 2^n - p with canon. x_soon_o: x_o one
//            cycle earlier, without port_i. last_op_o: op_o one cycle later.
// Latency    first_o comes 5 cycles after issue_i.
//
// y comes one bank after x: one of the two comes from an even and one from an odd bank, so that
// half the multiplexers serve both.

module eccel_turbo_terms
  import eccel_solinas_pkg::*;
  import eccel_turbo_pkg::sum_t;
#(
    parameter int Prime = P256,
    localparam field_t Field = field(Prime),
    localparam int WordBits = 2 * Field.digit_bits,
    localparam int Words = Field.words
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                issue_i,
    input sum_t                op_i,
    input logic [WordBits-1:0] rdata_i[Words],
    input logic [WordBits-1:0] port_i,

    output logic                first_o,
    output logic                pass_o,
    output sum_t                op_o,
    output sum_t                last_op_o,
    output logic [WordBits-1:0] x_soon_o,
    output logic [WordBits-1:0] x_o,
    output logic [WordBits-1:0] y_o
);

  localparam int Pairs = (Words + 1) / 2;
  localparam int PairBits = $clog2(Pairs);

  typedef logic [WordBits-1:0] word_t;
  typedef logic [PairBits-1:0] pair_t;

  logic [5:1] at_q;  // issue_i, as many cycles ago
  sum_t op_q[1:6];

  always_ff @(posedge clk_i) begin
    at_q <= {at_q[4:1], issue_i};
    if (!rst_ni) at_q <= '0;
    pass_o  <= !at_q[4];
    op_q[1] <= op_i;
    for (int i = 2; i <= 6; i++) op_q[i] <= op_q[i-1];
  end

  // ------------------------------------------------------------------ words of even and of odd
  // banks

  // x: word 2 * even + x_odd; y is one word behind x, one cycle later.
  logic x_odd_q, x_odd_next, swap_q, even_drop_q, odd_drop_q;
  pair_t even_q, even_next, odd_q;
  word_t even_word_q, odd_word_q;
  word_t even_bank[2**PairBits], odd_bank[2**PairBits];

  for (genvar i = 0; i < 2 ** PairBits; i++) begin : gen_pair
    assign even_bank[i] = rdata_i[2*i < Words ? 2 * i : 0];
    assign odd_bank[i]  = rdata_i[2*i+1 < Words ? 2 * i + 1 : 1];
  end

  eccel_inc #(.Width(PairBits)) u_inc (.d_i(even_q), .q_o(even_next));

  assign x_odd_next = !at_q[1] && !x_odd_q;

  always_ff @(posedge clk_i) begin
    x_odd_q <= x_odd_next;
    if (at_q[1]) even_q <= '0;
    else if (x_odd_q) even_q <= even_next;
    odd_q <= even_q;

    even_drop_q <= x_odd_next ? op_q[2].canon : op_q[1].drop_x;
    odd_drop_q  <= x_odd_next ? op_q[1].drop_x : op_q[2].canon;
    even_word_q <= even_bank[even_q];
    odd_word_q  <= odd_bank[odd_q];
    if (even_drop_q) even_word_q <= '0;
    if (odd_drop_q) odd_word_q <= '0;
    swap_q <= x_odd_q;
  end

  // ------------------------------------------------------------------ x and y

  // Words of 2^n - p in two's complement, from small signed coefficients.
  typedef logic [WordBits*Words-1:0] value_t;

  function automatic value_t fold_value();
    value_t value = '0;
    for (int j = Words - 1; j >= 0; j--) begin
      value = (value << WordBits) + value_t'(signed'(fold_word(Prime, j)));
    end
    return value;
  endfunction

  localparam value_t Fold = fold_value();

  word_t fold_q;

  always_ff @(posedge clk_i) begin
    x_soon_o <= swap_q ? odd_word_q : even_word_q;
    x_o      <= x_soon_o | port_i;
    fold_q <= '0;
    for (int j = 0; j < Words; j++) begin
      if (op_q[3].canon && int'({odd_q, swap_q}) == j) fold_q <= Fold[WordBits*j+:WordBits];
    end
    y_o <= (swap_q ? even_word_q : odd_word_q) | fold_q;
  end

  assign first_o   = at_q[5];
  assign op_o      = op_q[5];
  assign last_op_o = op_q[6];

endmodule
