// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Staging register of a generic build, between the port's words and a register of the unit. Words
// come and leave least significant first; in the registers, elements are at the upper end.
//
// Requires   degree_i = m, 1 <= m <= Width, constant from two cycles before a transfer. To write:
//            begin_i, then shift_i with each word wdata_i of a value below z^m, as many words as
//            Width takes. To read: read_i with value_i, then shift_i after each word that was used.
//            At most one of the three comes in a cycle.
// Guarantees After the words of a value, value_o is the value times z^(Width - m). After read_i
//            rdata_o is the lowest word of value_i z^(m - Width), after each shift_i the next one,
//            and 0 after the last one.

module eccel_gf2m_generic_stage
  import eccel_gf2m_pkg::DegreeBits;
#(
    parameter int Width = 255,
    localparam int WordBits = 32,
    localparam int Words = (Width + WordBits - 1) / WordBits
) (
    input logic clk_i,

    input logic [DegreeBits-1:0] degree_i,

    input  logic                begin_i,
    input  logic                shift_i,
    input  logic                read_i,
    input  logic [WordBits-1:0] wdata_i,
    output logic [WordBits-1:0] rdata_o,
    input  logic [   Width-1:0] value_i,
    output logic [   Width-1:0] value_o
);

  localparam int WordBitsLog = $clog2(WordBits);
  localparam int StageBits = Words * WordBits;
  localparam int ByteBitsLog = 3;
  localparam int NearBits = WordBits + 2 ** ByteBitsLog - 1;

  logic [DegreeBits-WordBitsLog-1:0] words_q, empty_q, count_q;  // words of m; unused; received
  logic [WordBitsLog-1:0] bits_q;  // unused bits of the last word of m
  logic [StageBits-1:0] stage_q, stage_read;
  logic [WordBits-1:0] last_q, word;
  logic [2*WordBits-1:0] window;
  logic [NearBits-1:0] near_q;
  logic reading_q;

  always_ff @(posedge clk_i) begin
    words_q <= (DegreeBits - WordBitsLog)'((degree_i + unsigned'(DegreeBits'(WordBits - 1))) >> WordBitsLog);
    empty_q <= unsigned'((DegreeBits - WordBitsLog)'(Words)) - words_q;
    bits_q  <= -degree_i[WordBitsLog-1:0];
  end

  // To write, the upper word of a pair is moved up. To read, the lower word of a pair is moved
  // down: by whole bytes before a register, by bits after it.
  assign word = WordBits'({wdata_i, last_q} << bits_q >> WordBits);
  assign rdata_o = WordBits'(near_q >> bits_q[ByteBitsLog-1:0]);
  assign value_o = stage_q[StageBits-1-:Width];
  assign stage_read = read_i ? StageBits'(value_i) << StageBits - Width : shift_i ? stage_q >> WordBits : stage_q;

  always_comb begin
    window = '0;
    for (int i = 0; i < Words; i++) begin
      if (empty_q == unsigned'((DegreeBits - WordBitsLog)'(i))) begin
        window = (2 * WordBits)'(stage_read >> i * WordBits);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    near_q <= NearBits'(window >> {bits_q[WordBitsLog-1:ByteBitsLog], ByteBitsLog'(0)});
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      stage_q <= '0;
      last_q <= '0;
      count_q <= '0;
      reading_q <= 1'b0;
    end else if (read_i) begin
      stage_q <= stage_read;
      reading_q <= 1'b1;
    end else if (shift_i && reading_q) begin
      stage_q <= stage_read;
    end else if (shift_i && count_q != words_q) begin
      stage_q <= StageBits'({word, stage_q} >> WordBits);
      last_q  <= wdata_i;
      count_q <= count_q + 1'b1;
    end
  end

endmodule
