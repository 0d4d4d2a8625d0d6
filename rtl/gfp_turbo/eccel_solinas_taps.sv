// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// First pass of the reduction modulo a sparse prime: from the words of a product to words V_j and
// an overflow.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg.
// Requires   The streams of eccel_comba_array, of the product of two values below 2^bits. half_i is
//            valid from low_first_i for 2 * words cycles.
// Guarantees A value congruent to the product: V_j in [0, 2^w), w the bits of a word, one in a
//            cycle from first_o on; with the last one over_o (signed) plus over_c_o, the part above
//            it. eccelerate/model/solinas.py has the bounds of both for each prime. With half_i V
//            is the lower or the upper half of the product, split at 2^bits, or first the lower
//            half and `words` cycles later the upper one; raw_o comes with first_o then.
// Latency    Word 0 comes last_position + 2 cycles after high word 0.
// Interval   2 * words
//
// Row j is low word j plus the sum of small multiples of the high words. The rows move down a chain
// of adders, each of which adds one high word. Row j passes stage s in cycle s + j, when high word
// s - delay + j is available, so that high words are used as they come. Those that a row needs from
// before come again in the second pass. The carry into the next row is split. The part of a row
// above its word is signed and enters the adder of the next row as an operand; it is corrected
// outside the carry loop, because a negative operand makes a carry that is 1 too large. The loop
// itself is one bit.

module eccel_solinas_taps
  import eccel_solinas_pkg::*;
#(
    parameter int Prime = P256,
    localparam field_t Field = field(Prime),
    localparam int WordBits = 2 * Field.digit_bits,
    localparam int OverBits = Field.quotient_bits
) (
    input logic clk_i,
    input logic rst_ni,

    input half_e               half_i,
    input logic                low_first_i,
    input logic                low_valid_i,
    input logic [WordBits-1:0] low_i,
    input logic                soon_i,
    input logic [WordBits-1:0] high_i,

    output logic                       first_o,
    output logic                       raw_o,
    output logic [       WordBits-1:0] word_o,
    output logic signed [OverBits-1:0] over_o,
    output logic                       over_c_o
);

  localparam int First = Field.first_position;
  localparam int Last = Field.last_position;
  localparam int Stages = Last - First + 1;
  localparam int GuardBits = Field.guard_bits;
  localparam int RowBits = WordBits + GuardBits;
  localparam int IndexBits = $clog2(Field.words);
  localparam int SplitShift = WordBits * Field.words - Field.bits;  // from 2^bits to the end
  localparam int FirstDelay = Last + 5;  // from soon to row 0 after the chain
  localparam bit Registered = Field.words > (First < 0 ? 4 : 3);
  localparam int SoonDelay = FirstDelay > Field.words ? FirstDelay : Field.words;

  typedef logic [IndexBits-1:0] index_t;
  typedef logic [RowBits-1:0] row_t;

  // ------------------------------------------------------------------ memory of low words

  logic [SoonDelay:1] soon_q;
  index_t write_q, write_next, read_q, read_next, write_at;
  logic [WordBits-1:0] low, row_low;  // the output wires of the memory are long
  logic soon_late_q, soon, again_early_q, again_q, both_q;  // again: the upper one of both halves
  logic read_start, read_upper;

  always_ff @(posedge clk_i) begin
    soon_q  <= {soon_q[SoonDelay-1:1], soon};
    soon_late_q   <= soon_i;
    again_early_q <= soon_q[Field.words-2] && both_q;
    again_q       <= again_early_q;
    if (soon_late_q) both_q <= half_i == BothHalves;
    else if (again_q) both_q <= 1'b0;
    if (!rst_ni) begin
      soon_q        <= '0;
      soon_late_q   <= 1'b0;
      again_early_q <= 1'b0;
      again_q       <= 1'b0;
      both_q        <= 1'b0;
    end
  end

  index_t row;
  half_e read_half_q, row_half;  // of the row being read, of the row that enters the chain

  // If both halves are wanted, the upper one comes second, with the second pass of the high words.
  assign soon     = soon_late_q || again_q;
  assign write_at = low_first_i ? '0 : write_q;

  // The last low word comes just in time: with few words there is no cycle for a register after the
  // memory.
  if (Registered && First < 0) begin : gen_read_first
    assign read_start = soon_i || again_early_q;
    assign read_upper = again_early_q;
  end else if (Registered || First < 0) begin : gen_read_early
    assign read_start = soon;
    assign read_upper = again_q;
  end else begin : gen_read
    logic again_late_q;
    always_ff @(posedge clk_i) again_late_q <= again_q;
    assign read_start = soon_q[1];
    assign read_upper = again_late_q;
  end

  if (Registered) begin : gen_registered
    always_ff @(posedge clk_i) begin
      row      <= read_q;
      row_half <= read_half_q;
      row_low  <= low;
    end
  end else begin : gen_direct
    assign row      = read_q;
    assign row_half = read_half_q;
    assign row_low  = low;
  end

  eccel_inc #(.Width(IndexBits)) u_inc_write (.d_i(write_at), .q_o(write_next));
  eccel_inc #(.Width(IndexBits)) u_inc_read (.d_i(read_q), .q_o(read_next));

  always_ff @(posedge clk_i) begin
    if (low_valid_i) write_q <= write_next;
    read_q <= read_start ? '0 : read_next;
    if (read_start) begin
      read_half_q <= read_upper ? HighHalf : half_i == BothHalves ? LowHalf : half_i;
    end
    if (!rst_ni) begin
      write_q     <= '0;
      read_half_q <= Reduced;
    end
  end

  // The upper half of the memory holds zeros, which serve as the low words of an upper half. They
  // are written when the port is free and none is read: word 0 after reset, word m + 1 between low
  // words m and m + 1.

  eccel_ram #(
      .Width(WordBits),
      .Depth(2 << IndexBits)
  ) u_low (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (low_valid_i || read_half_q != HighHalf),
      .waddr_i({!low_valid_i, write_at}),
      .wdata_i(low_i & {WordBits{low_valid_i}}),
      .raddr_i({read_half_q == HighHalf, read_q}),
      .rdata_o(low)
  );

  // ------------------------------------------------------------------ chain

  logic [WordBits-1:0] high[Field.max_delay+1];
  index_t index_q[Stages];  // row that reaches stage k in the next cycle
  half_e half_q[Stages+3];
  row_t chain[Stages+1];

  assign high[0]  = high_i;

  if (SplitShift == 0) begin : gen_split_at_word
    assign chain[0] = row_t'(row_low);
  end else begin : gen_split_inside
    // The upper half begins with the top of the last low word, which is available when row 0
    // passes.
    logic [SplitShift-1:0] left_q;
    logic left_en_q;
    always_ff @(posedge clk_i) begin
      if (low_valid_i && write_at == index_t'(Field.words - 1)) left_q <= low_i[WordBits-1-:SplitShift];
      left_en_q <= index_q[0] == '0 && half_q[0] == HighHalf;
    end
    assign chain[0] = row_t'(row_low) | (left_en_q ? row_t'(left_q) : '0);
  end

  for (genvar d = 1; d <= Field.max_delay; d++) begin : gen_delay
    always_ff @(posedge clk_i) high[d] <= high[d-1];
  end

  for (genvar k = 0; k < Stages; k++) begin : gen_stage
    localparam stage_t Stage = stage(Prime, First + k);
    // Row j gets high word j as a word of the upper half of the product.
    localparam bit Diagonal = Stage.active && Stage.delay == First + k && Stage.shift == SplitShift;

    if (k == 0) begin : gen_first
      always_ff @(posedge clk_i) begin
        index_q[0] <= row;
        half_q[0]  <= row_half;
      end
    end else begin : gen_next
      always_ff @(posedge clk_i) begin
        index_q[k] <= index_q[k-1];
        half_q[k]  <= half_q[k-1];
      end
    end

    if (Stage.active) begin : gen_add
      logic add_q, sub_q;
      logic [RowBits:0] sum;

      always_ff @(posedge clk_i) begin
        add_q <= 1'b0;
        sub_q <= 1'b0;
        for (int j = 0; j < Field.words; j++) begin
          if (index_q[k] == index_t'(j)) begin
            add_q <= Stage.add[j];
            sub_q <= Stage.sub[j];
          end
        end
        if (half_q[k] != Reduced) begin
          add_q <= Diagonal && half_q[k] == HighHalf;
          sub_q <= 1'b0;
        end
      end
      eccel_add #(
          .Width(RowBits)
      ) u_add (
          .a_i  (chain[k]),
          .b_i  (row_t'(high[Stage.delay]) << Stage.shift),
          .add_i(add_q),
          .sub_i(sub_q),
          .c_i  (sub_q),
          .sum_o(sum)
      );
      always_ff @(posedge clk_i) chain[k+1] <= sum[RowBits-1:0];
    end else begin : gen_wait
      always_ff @(posedge clk_i) chain[k+1] <= chain[k];
    end
  end

  // ------------------------------------------------------------------ carries

  logic row_next, c_q, first_q;  // row 0 comes next
  logic signed [GuardBits-1:0] upper_q;
  logic [WordBits-1:0] word_q;
  logic [WordBits:0] sum;

  assign row_next = soon_q[FirstDelay-1];

  eccel_add #(
      .Width(WordBits)
  ) u_add (
      .a_i  (chain[Stages][WordBits-1:0]),
      .b_i  (unsigned'(WordBits'(upper_q))),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (c_q),
      .sum_o(sum)
  );

  always_ff @(posedge clk_i) begin
    {c_q, word_q} <= sum;
    upper_q <= signed'(chain[Stages][RowBits-1:WordBits] - GuardBits'(upper_q[GuardBits-1]));
    first_q <= soon_q[FirstDelay];
    half_q[Stages+:3] <= half_q[Stages-1+:3];
    if (row_next) begin  // row 0 has no carry; the rows of a product fill half of its cycles
      c_q     <= 1'b0;
      upper_q <= '0;
    end
    if (!rst_ni) first_q <= 1'b0;
  end

  assign first_o  = first_q;
  assign raw_o    = half_q[Stages+2] != Reduced;
  assign word_o   = word_q;
  assign over_o   = OverBits'(upper_q);
  assign over_c_o = c_q;

endmodule
