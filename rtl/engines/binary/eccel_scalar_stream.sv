// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adds a scalar to a constant and gives the bits of the sum to the steps of a ladder, the top one
// first.
//
// Requires   While loading_i, words come in order from number 0: at_i is the number of the word
//            that comes as word_i with we_i in the next cycle. constant_i, stable from loading_i to
//            two cycles after the last we_i: they are those of the constant, otherwise those of a
//            scalar, as many as the constant has. loading_i comes not from start_i to last_o, and
//            we_i not with clearing_o. start_i asks for bits count_i to 0 of the sum, not before
//            last_o; count_i has been stable for three cycles, and the last we_i was at least seven
//            cycles before. take_i comes only with valid_o.
// Guarantees valid_o: bit_o is the next bit XOR the bit before it (0 before the first), until
//            take_i. last_o comes with the take_i of bit 0, or of the bit that waits when zeroise_i
//            comes. After last_o, zeroise_i or reset the words of the sum become 0 while
//            clearing_o; bits that are asked for meanwhile are 0, and wait. The constant stays. No
//            timing depends on the words.
// Interval   valid_o comes again in the cycle after take_i, if four cycles have passed since the
//            previous take_i.

module eccel_scalar_stream #(
    localparam int WordBits = 32,
    localparam int AtBits = 5,
    localparam int CountBits = AtBits + $clog2(WordBits)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroise_i,

    output logic clearing_o,

    input logic                loading_i,
    input logic                constant_i,
    input logic                we_i,
    input logic [  AtBits-1:0] at_i,
    input logic [WordBits-1:0] word_i,

    input  logic                 start_i,
    input  logic [CountBits-1:0] count_i,
    output logic                 valid_o,
    output logic                 bit_o,
    input  logic                 take_i,
    output logic                 last_o
);

  logic running_q, stop_q, valid_q, bit_q, next_q, before_q, clear_q, advance;
  logic [2:0] wait_q;  // until next_q is bit number index_q
  logic [CountBits-1:0] index, index_q, number_q;
  logic [AtBits-1:0] at_q, clear_at_q;
  logic [WordBits-1:0] word;
  // The word that came, two cycles after at_i, when `word` is that of the constant. Both are added
  // one cycle later. The carry of the last word is written after it, and replaced if another word
  // comes.
  logic came_q, add_q, after_q, carry_q, carry;
  logic [AtBits-1:0] now_at_q, came_at_q, add_at_q, after_at_q;
  logic [WordBits-1:0] came_word_q, add_word_q, add_constant_q, sum;

  assign clearing_o = clear_q;
  assign valid_o = valid_q;
  assign bit_o = bit_q ^ before_q;
  assign last_o = take_i && (stop_q || number_q == '0);
  assign advance = running_q && (take_i || !valid_q) && wait_q == '0;
  // The first bit is there when it is asked for.
  assign index = running_q ? index_q : count_i;

  assign {carry, sum} = {1'b0, add_word_q} + {1'b0, add_constant_q} + (WordBits + 1)'(carry_q);

  // The sum, and above it the constant.
  eccel_ram #(
      .Width(WordBits),
      .Depth(2 ** (AtBits + 1))
  ) u_words (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (add_q || after_q || clear_q),
      .waddr_i(clear_q ? {1'b0, clear_at_q} : add_q ? {constant_i, add_at_q} : {1'b0, after_at_q}),
      .wdata_i(clear_q ? '0 : add_q ? sum : WordBits'(carry_q)),
      .raddr_i(loading_i ? {1'b1, at_i} : {1'b0, index[CountBits-1-:AtBits]}),
      .rdata_o(word)
  );

  always_ff @(posedge clk_i) begin
    now_at_q       <= at_i;
    came_at_q      <= now_at_q;
    add_at_q       <= came_at_q;
    after_at_q     <= add_at_q + 1'b1;
    came_word_q    <= word_i;
    add_word_q     <= came_word_q;
    add_constant_q <= constant_i ? '0 : word;
    came_q         <= we_i && !clear_q;
    add_q          <= came_q && !clear_q;
    after_q        <= add_q && !constant_i && !clear_q;
    if (add_q) carry_q <= carry;
    if (came_q && came_at_q == '0) carry_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    at_q   <= index[AtBits-1:0];
    next_q <= word[at_q];
    // start_i comes late in its cycle: what a run begins with is prepared while there is none.
    if (!running_q) number_q <= count_i;
    else if (take_i) number_q <= number_q - 1'b1;
    if (!running_q) before_q <= 1'b0;
    else if (take_i) before_q <= bit_q;
    if (!running_q && !clear_q || advance) begin
      bit_q   <= next_q;
      index_q <= index - 1'b1;
      wait_q  <= '1;
    end else if (clear_q && !stop_q) wait_q <= '1;  // then all words are 0, whichever comes
    else wait_q <= wait_q >> 1;
    clear_at_q <= clear_at_q + 1'b1;
    if (!clear_q) clear_at_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      valid_q   <= 1'b0;
      stop_q    <= 1'b0;
      clear_q   <= 1'b1;
    end else begin
      running_q <= start_i || running_q && !last_o;
      valid_q   <= start_i && !clear_q || running_q && !last_o && (advance || valid_q && !take_i);
      stop_q    <= running_q && !last_o && (stop_q || zeroise_i);
      clear_q   <= last_o || zeroise_i || clear_q && clear_at_q != '1;
    end
  end

endmodule
