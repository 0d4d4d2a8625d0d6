// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operands of a sum, from the streams of the register file: words of x and y at the same time.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg.
// Requires   issue_i comes at most every `words` cycles, rounded up to even. rdata_i[j] is word j
//            of x 2 + j cycles after issue_i, and word j of y one cycle later. op_i is constant
//            from issue_i to the next one. With op_i.load word j of x is port_i 4 + j cycles after
//            issue_i, and op_i.take_y is 0. In all other cycles port_i is 0. end_i comes `words`
//            cycles after issue_i.
// Guarantees x_o and y_o come one word in a cycle from first_o on, with op_o; pass_o is the
//            complement of first_o. In other cycles op_o.add and op_o.sub are 0, x_o is 0, and so
//            is y_o, except after canon. With take_y x_o is y, too; y is 2^n - p with canon.
//            x_soon_o: x one cycle before x_o, and 0 with load. last_op_o: op_o one cycle later.
// Latency    first_o comes 5 cycles after issue_i.
//
// y comes one bank after x: one of the two comes from an even and one from an odd bank, so that
// half the multiplexers serve both. take_y can be a secret: words of x and y pass the same
// registers for both of its values, up to x_o, which gets a word in either case. add and sub can be
// secret, too. Between operations the words are 0, and none is added or subtracted: what is read
// there often belongs to the next operation, which then finds its word in x_o for one value of
// take_y, or it is twice the same register, of which the difference does not change.

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
    input logic                end_i,

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
  logic [4:1] end_q;  // end_i, as many cycles ago

  always_ff @(posedge clk_i) begin
    at_q <= {at_q[4:1], issue_i};
    if (!rst_ni) at_q <= '0;
    pass_o  <= !at_q[4];
    op_q[1] <= op_i;
    for (int i = 2; i <= 4; i++) op_q[i] <= op_q[i-1];
    if (at_q[4]) op_q[5] <= op_q[4];
    else if (end_q[4]) {op_q[5].add, op_q[5].sub} <= '0;
    op_q[6] <= op_q[5];
    end_q   <= {end_q[3:1], end_i};
  end

  // ------------------------------------------------------------------ words of even and of odd
  // banks

  // x: word 2 * even + x_odd; y is one word behind x, one cycle later.
  logic x_odd_q, x_odd_next, swap_q, even_drop_q, odd_drop_q;
  logic x_due, x_due_q, y_due_q, drop_x, drop_y;  // words are to be read; they are dropped
  pair_t even_q, even_next, odd_q;
  word_t even_word_q, odd_word_q;
  word_t even_bank[2**PairBits], odd_bank[2**PairBits];

  for (genvar i = 0; i < 2 ** PairBits; i++) begin : gen_pair
    assign even_bank[i] = rdata_i[2*i < Words ? 2 * i : 0];
    assign odd_bank[i]  = rdata_i[2*i+1 < Words ? 2 * i + 1 : 1];
  end

  eccel_inc #(.Width(PairBits)) u_inc (.d_i(even_q), .q_o(even_next));

  assign x_odd_next = !at_q[1] && !x_odd_q;
  assign x_due      = at_q[1] || x_due_q;
  assign drop_x     = !x_due || op_q[1].load;
  assign drop_y     = !y_due_q || op_q[2].canon;

  always_ff @(posedge clk_i) begin
    x_odd_q <= x_odd_next;
    if (at_q[1]) even_q <= '0;
    else if (x_odd_q) even_q <= even_next;
    odd_q <= even_q;

    x_due_q     <= x_due && !end_i;
    y_due_q     <= x_due;
    even_drop_q <= x_odd_next ? drop_y : drop_x;
    odd_drop_q  <= x_odd_next ? drop_x : drop_y;
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

  word_t fold_q, y_soon;

  assign y_soon = swap_q ? even_word_q : odd_word_q;

  always_ff @(posedge clk_i) begin
    x_soon_o <= swap_q ? odd_word_q : even_word_q;
    x_o      <= (op_q[4].take_y ? y_soon : x_soon_o) | port_i;
    fold_q <= '0;
    for (int j = 0; j < Words; j++) begin
      if (op_q[3].canon && int'({odd_q, swap_q}) == j) fold_q <= Fold[WordBits*j+:WordBits];
    end
    y_o <= y_soon | fold_q;
  end

  assign first_o   = at_q[5];
  assign op_o      = op_q[5];
  assign last_op_o = op_q[6];

endmodule
