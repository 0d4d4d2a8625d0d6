// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier in LUTs that adds `Word` rows in each cycle, in carry-save form: p = a * b.
//
// Parameters Bits >= 2. Word: 1 .. Bits. Word = Bits is the full array, for at most 64 bits.
//            Pipelined: registers after every row; below the full array, no carry chain is longer
//            than Segment or Word, whichever is more.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    eccel_mul_pkg::carry_save_latency
// Interval   Steps = ceil(Bits / Word)
// After      Knuth, The Art of Computer Programming 2, section 4.3.1 (school method).
//
// In each step the lowest Word bits of the sum are final and move out. With Pipelined, the rows of
// a step are added by themselves first, so that only four numbers are added in a cycle; the words
// that move out are then still two numbers, which a short adder joins.

module eccel_mul_carry_save #(
    parameter int Bits      = 32,
    parameter int Word      = 8,
    parameter bit Pipelined = 1'b0,
    parameter int Segment   = 32
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  localparam int Steps = (Bits + Word - 1) / Word;
  localparam int Latency = eccel_mul_pkg::carry_save_latency(Bits, Word, Pipelined, Segment);
  localparam int LowBits = Steps * Word;
  localparam int HighBits = 2 * Bits - LowBits;
  localparam int Chain = Pipelined && Steps > 1 ? eccel_mul_pkg::carry_save_segment(Word, Segment)
      : HighBits;

  if (Word < 1 || Word > Bits) begin : gen_bad_word
    $error("eccel_mul_carry_save: Word is 1 to Bits");
  end
  if (Word == Bits && Bits > 64) begin : gen_too_large
    $error("eccel_mul_carry_save: the full array has at most 64 bits; choose a smaller Word");
  end

  logic start, first, last;
  logic [Bits-1:0] a_q;
  logic [LowBits-1:0] b_q;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Steps);

  eccel_mul_pace #(
      .Interval(Steps),
      .Latency (Latency)
  ) u_pace (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .start_o(start),
      .first_o(first),
      .last_o (last),
      .valid_o
  );

  always_ff @(posedge clk_i) begin
    if (start) a_q <= a_i;
    b_q <= start ? LowBits'(b_i) : b_q >> (Steps == 1 ? 0 : Word);
  end

  logic load, carry;
  logic [Bits-1:0] s, c;
  logic [LowBits-1:0] low;

  if (Steps == 1) begin : gen_array
    logic unused_first;

    assign unused_first = first;
    assign load         = 1'b1;
    assign carry        = 1'b0;

    eccel_mul_row_pipe #(
        .Bits     (Bits),
        .Rows     (Bits),
        .Registers(Pipelined)
    ) u_rows (
        .clk_i,
        .a_i  (a_q),
        .b_i  (b_q),
        .low_o(low),
        .s_o  (s),
        .c_o  (c)
    );
  end else if (!Pipelined) begin : gen_steps
    logic [Bits-1:0] s_q, c_q;
    logic [LowBits-1:0] low_q;
    logic [Word-1:0] word;
    logic unused_first;

    assign unused_first = first;
    assign load         = last;
    assign carry        = 1'b0;
    assign low          = LowBits'({word, low_q} >> Word);

    eccel_mul_rows #(
        .Bits(Bits),
        .Rows(Word)
    ) u_rows (
        .s_i  (s_q),
        .c_i  (c_q),
        .a_i  (a_q),
        .b_i  (b_q[Word-1:0]),
        .low_o(word),
        .s_o  (s),
        .c_o  (c)
    );
    always_ff @(posedge clk_i) begin
      if (start) begin
        s_q <= '0;
        c_q <= '0;
      end else begin
        s_q <= s;
        c_q <= c;
      end
      low_q <= low;
    end
  end else begin : gen_pipelined
    // Rows is the latency of the rows of a step. Step t is added to the sum in cycle Rows + 1 + t,
    // and its word joined in the cycle after.
    localparam int Rows = Word;
    localparam int SumBits = Bits + Word;
    logic [Rows+2:1] first_at;  // high in this cycle
    logic [Rows+2:0] last_ago;  // last, as many cycles ago
    logic [Word-1:0] row_low;
    logic [Bits-1:0] row_s, row_c, s_q, c_q;
    logic [SumBits-1:0] rows_s, rows_c, old_s, old_c, sum1, carry1, sum2, carry2;
    logic [Word-1:0] word_s_q, word_c_q;
    logic [Word:0] word;
    logic carry_q;
    logic [LowBits-1:0] low_q;

    eccel_mul_row_pipe #(
        .Bits     (Bits),
        .Rows     (Word),
        .Registers(1'b1)
    ) u_rows (
        .clk_i,
        .a_i  (a_q),
        .b_i  (b_q[Word-1:0]),
        .low_o(row_low),
        .s_o  (row_s),
        .c_o  (row_c)
    );

    assign first_at[1] = first;
    assign last_ago[0] = last;

    assign rows_s = {row_s, row_low};
    assign rows_c = {row_c, Word'(0)};
    assign old_s  = SumBits'(s_q);
    assign old_c  = SumBits'(c_q);
    assign sum1   = rows_s ^ old_s ^ old_c;
    assign carry1 = ((rows_s & old_s) | (rows_s & old_c) | (old_s & old_c)) << 1;
    assign sum2   = rows_c ^ sum1 ^ carry1;
    assign carry2 = ((rows_c & sum1) | (rows_c & carry1) | (sum1 & carry1)) << 1;
    assign s      = sum2[SumBits-1:Word];
    assign c      = carry2[SumBits-1:Word];

    eccel_add #(
        .Width(Word)
    ) u_word (
        .a_i  (word_s_q),
        .b_i  (word_c_q),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (carry_q && !first_at[Rows+2]),
        .sum_o(word)
    );
    always_ff @(posedge clk_i) begin
      first_at[Rows+2:2] <= first_at[Rows+1:1];
      last_ago[Rows+2:1] <= last_ago[Rows+1:0];
      if (first_at[Rows]) begin
        s_q <= '0;
        c_q <= '0;
      end else begin
        s_q <= s;
        c_q <= c;
      end
      word_s_q <= sum2[Word-1:0];
      word_c_q <= carry2[Word-1:0];
      carry_q  <= word[Word];
      low_q    <= LowBits'({word[Word-1:0], low_q} >> Word);
    end
    assign load  = last_ago[Rows+2];
    assign carry = carry_q;
    assign low   = low_q;
  end

  if (Steps == 1 && !Pipelined) begin : gen_one_cycle
    logic [Bits:0] high;
    eccel_add #(
        .Width(Bits)
    ) u_add (
        .a_i  (s),
        .b_i  (c),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (carry),
        .sum_o(high)
    );
    always_ff @(posedge clk_i) if (load) p_o <= {high[Bits-1:0], low};
  end else begin : gen_resolve
    eccel_mul_resolve #(
        .Width  (HighBits),
        .Low    (LowBits),
        .Segment(Chain),
        .Early  (Pipelined && Steps > 1 ? 2 : 0)
    ) u_resolve (
        .clk_i,
        .load_i(load),
        .s_i   (s[HighBits-1:0]),
        .c_i   (c[HighBits-1:0]),
        .cin_i (carry),
        .low_i (low),
        .p_o
    );
  end

endmodule
