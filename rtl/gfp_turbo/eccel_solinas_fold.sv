// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Last pass of the reduction modulo a sparse prime p: from words and an overflow k to a value below
// 2^n, n the number of bits of p.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg.
// Requires   word_i comes one in a cycle from first_i on, `words` of them. over_i (signed) +
//            over_c_i, the part above the last word, comes with the last word. canon_i, raw_i and
//            whole_i come with first_i. The value is k * 2^n + V with 0 <= V < 2^n and k within the
//            bounds of eccelerate/model/solinas.py. With canon_i the value is x + d, 0 <= x < 2^n,
//            d = 2^n - p. With raw_i it may be any.
// Guarantees The words of r come one in a cycle from first_o on: r = value mod p, 0 <= r < 2^n.
//            With canon_i r = x mod p, 0 <= r < p. With raw_i r = V, and with whole_i as well the
//            words are not changed. Timing does not depend on data.
// Latency    words + 3 cycles for each word.
// Interval   words
//
// r = V + q * d with q = k - 1, k or k + 1. d is 2^(w e) plus or minus something much smaller, so
// that k * d changes U = V >> (w e) by k and little more. q differs from k only if U + k leaves the
// range of U or is at its edge. That is possible only if the words above word e and most bits of
// word e are all ones or all zeros; then the low bits of word e plus k decide. The generator of
// eccel_solinas_pkg proves this for every k. A canonical result is found in the same way: if x >=
// p, then x + d overflows (k = 1) and V = x - p is right; else d has to be subtracted again: q = k
// - 1.

module eccel_solinas_fold
  import eccel_solinas_pkg::*;
#(
    parameter int Prime = P256,
    localparam field_t Field = field(Prime),
    localparam int WordBits = 2 * Field.digit_bits,
    localparam int OverBits = Field.quotient_bits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                       first_i,
    input logic                       canon_i,
    input logic                       raw_i,
    input logic                       whole_i,
    input logic [       WordBits-1:0] word_i,
    input logic signed [OverBits-1:0] over_i,
    input logic                       over_c_i,

    output logic                first_o,
    output logic [WordBits-1:0] word_o
);

  localparam int Words = Field.words;
  localparam int TopBits = Field.bits - WordBits * (Words - 1);
  localparam int Edge = Field.fold_top;
  localparam int EdgeBits = Edge == Words - 1 ? TopBits : WordBits;
  localparam int GuessBits = Field.guess_bits;
  localparam int PartBits = Field.product_bits;
  localparam int Marks = 2 * Words + 1;

  typedef logic signed [OverBits-1:0] over_t;
  typedef logic signed [PartBits-1:0] part_t;
  typedef logic signed [GuessBits+1:0] guess_t;

  logic [Marks:0] mark;  // first_i, as many cycles ago
  logic [Marks:1] mark_q;

  assign mark = {mark_q, first_i};
  always_ff @(posedge clk_i) begin
    mark_q <= mark[Marks-1:0];
    if (!rst_ni) mark_q <= '0;
  end

  // ------------------------------------------------------------------ overflow and edge of V

  over_t over, k_q, k_more_q, k_less_q, q_q;
  guess_t guess_q;
  logic canon_q, raw_q, whole_q;
  // All ones, all zeros: bits i with the same i % Parts are combined before a register, the parts
  // after it. There are as few parts as two levels of logic before the registers allow, since the
  // path after them is the longer one.
  localparam int Parts = Edge == Words - 1 ? 2 : 4;
  logic [Parts-1:0] ones_q, zeros_q, edge_ones, edge_zeros;
  logic [GuessBits-1:0] edge_low;

  // The bits from .. to - 1 that belong to a part.
  function automatic logic [WordBits-1:0] bits_of(int part, int from, int to);
    bits_of = '0;
    for (int i = from; i < to; i++) bits_of[i] = i % Parts == part;
  endfunction

  assign over = over_i + over_t'({1'b0, over_c_i});
  for (genvar p = 0; p < Parts; p++) begin : gen_edge
    localparam logic [WordBits-1:0] Bits = bits_of(p, GuessBits, EdgeBits);
    assign edge_ones[p]  = &(word_i | ~Bits);
    assign edge_zeros[p] = ~|(word_i & Bits);
  end

  if (Edge == Words - 1) begin : gen_edge_last
    assign edge_low = word_i[GuessBits-1:0];
    always_ff @(posedge clk_i) begin
      ones_q  <= edge_ones;
      zeros_q <= edge_zeros;
    end
  end else begin : gen_edge_inside
    logic [GuessBits-1:0] edge_low_q;
    logic [Parts-1:0] word_ones, word_zeros;
    assign edge_low = edge_low_q;
    for (genvar p = 0; p < Parts; p++) begin : gen_word
      localparam logic [WordBits-1:0] Bits = bits_of(p, 0, WordBits), Below = bits_of(p, 0, TopBits);
      logic [WordBits-1:0] bits;
      assign bits = mark[Words-1] ? Below : Bits;  // Below: only bits below 2^n
      assign word_ones[p]  = &(word_i | ~bits);
      assign word_zeros[p] = ~|(word_i & bits);
    end
    always_ff @(posedge clk_i) begin
      if (mark[Edge]) edge_low_q <= word_i[GuessBits-1:0];
      ones_q  <= mark[Edge] ? edge_ones : ones_q & word_ones;
      zeros_q <= mark[Edge] ? edge_zeros : zeros_q & word_zeros;
    end
  end

  // k - 1 and k + 1 are formed at the same time as k, since the selection that follows must be
  // fast. So must the guess, which uses the two parts of the overflow directly where their sum is
  // k.
  over_t k, k_more, k_less;
  guess_t guess;
  if (TopBits == WordBits) begin : gen_aligned
    assign k = over;
    assign k_more = over_i + over_t'({1'b0, over_c_i, !over_c_i});
    assign k_less = over_i - over_t'({1'b0, !over_c_i});

    logic [GuessBits+2:0] sum;

    eccel_add #(
        .Width(GuessBits + 2)
    ) u_guess (
        .a_i  ({2'b0, edge_low}),
        .b_i  (unsigned'(guess_t'(over_i))),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (over_c_i),
        .sum_o(sum)
    );
    assign guess = guess_t'(sum);
  end else begin : gen_inside
    assign k = over_t'({over, word_i[WordBits-1:TopBits]});
    assign k_more = k + over_t'(1);
    assign k_less = k - over_t'(1);
    assign guess = guess_t'({2'b0, edge_low}) + guess_t'(k);
  end

  localparam guess_t Limit = guess_t'(2 ** GuessBits - Field.bias);
  localparam guess_t Bias = guess_t'(Field.bias);
  logic up, down;

  assign up   = &ones_q && guess_q >= Limit;
  assign down = canon_q || &zeros_q && guess_q < Bias;

  always_ff @(posedge clk_i) begin
    if (first_i) {canon_q, raw_q, whole_q} <= {canon_i, raw_i, whole_i};
    k_q      <= k;
    k_more_q <= k_more;
    k_less_q <= k_less;
    guess_q  <= guess;
    if (mark[Words]) begin
      q_q <= down ? k_less_q : up ? k_more_q : k_q;
      if (raw_q) q_q <= '0;
    end
  end

  // ------------------------------------------------------------------ words of q * d

  // In two's complement each word has the borrow of the words below: the sign of the highest one
  // that is not 0.
  part_t part[Words];  // registered but for word 0; q is constant until the next stream
  part_t multiple[Words];  // coefficient * q
  part_t part_d, part_q;

  function automatic int lower(int word);  // the next lower word in which d is not 0
    for (int j = word - 1; j >= 0; j--) if (fold_word(Prime, j) != 0) return j;
    return -1;
  endfunction

  for (genvar j = 0; j < Words; j++) begin : gen_part
    localparam int Factor = fold_word(Prime, j);
    localparam int Size = Factor < 0 ? -Factor : Factor;
    localparam int Lower = lower(j);

    always_comb begin  // by shifts: synthesis would use a multiplier block
      multiple[j] = '0;
      for (int i = 0; i < 16; i++) if (Size[i]) multiple[j] = multiple[j] + (part_t'(q_q) <<< i);
      if (Factor < 0) multiple[j] = -multiple[j];
    end
    if (Lower < 0) begin : gen_lowest
      assign part[j] = multiple[j];
    end else begin : gen_higher
      always_ff @(posedge clk_i) part[j] <= multiple[j] - part_t'({1'b0, multiple[Lower][PartBits-1]});
    end
  end

  always_comb begin
    part_d = '0;
    for (int j = 0; j < Words; j++) begin
      if (mark[Words+1+j]) part_d |= part[j];
    end
  end
  always_ff @(posedge clk_i) part_q <= part_d;

  // ------------------------------------------------------------------ sum

  logic keep_q, cut_q;  // with the last word: clear the bits above 2^n

  always_ff @(posedge clk_i) begin
    if (mark[Words]) keep_q <= whole_q;  // the last word leaves one cycle after the next mark
    cut_q <= mark[2*Words] && !keep_q;
  end

  logic [WordBits-1:0] wait_q[1:Words+2];
  logic [WordBits+1:0] sum;
  logic c_q, go_q;  // go: not word 0

  // The carry enters as a bit of weight 1/2 and passes with go, so that there is no gate in the
  // carry loop.
  eccel_add #(
      .Width(WordBits + 1)
  ) u_add (
      .a_i  ({wait_q[Words+2], c_q}),
      .b_i  ({unsigned'(WordBits'(part_q)), go_q}),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(sum)
  );

  always_ff @(posedge clk_i) begin
    wait_q[1] <= word_i;
    for (int i = 2; i <= Words + 2; i++) wait_q[i] <= wait_q[i-1];
    go_q <= !mark[Words+1];
    {c_q, word_o} <= sum[WordBits+1:1];
    if (TopBits < WordBits && cut_q) word_o <= WordBits'(sum[TopBits:1]);
  end

  assign first_o = mark[Words+3];

endmodule
