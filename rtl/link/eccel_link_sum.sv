// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// a + b + carry - c - d of wide values, word by word, as the words of a packet. It keeps up with a
// link of the same width, and no carry chain is longer than a word.
//
// Parameters Width: bits of a word. Words >= 2: of the values and of the result.
// Guarantees Values are taken with valid_i && ready_o. The words are those of the result modulo
//            2^(Width * Words), lowest first; last_o marks the last one. negative_o is 1 with the
//            last word if the result is negative; it counts if a + b + carry < 2^(Width * Words)
//            and c + d as well.
// Latency    3 cycles to the first word. A word in each cycle, also from one sum to the next.

module eccel_link_sum #(
    parameter int Width = 64,
    parameter int Words = 4
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [Words*Width-1:0] a_i,
    input  logic [Words*Width-1:0] b_i,
    input  logic                   carry_i,
    input  logic [Words*Width-1:0] c_i,
    input  logic [Words*Width-1:0] d_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [      Width-1:0] data_o,
    output logic                   last_o,
    output logic                   negative_o
);

  typedef logic [$clog2(Words+1)-1:0] count_t;
  count_t left_q;
  logic [Words*Width-1:0] a_q, b_q, c_q, d_q;
  logic [Width-1:0] plus_q, minus_q;
  logic plus_carry_q, minus_carry_q, borrow_q;
  logic begin_q, valid_q, first_q, last_q, go, take;

  assign go      = !valid_o || ready_i;
  assign ready_o = left_q == 0 || left_q == count_t'(1) && go;
  assign take    = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (take) begin
      {a_q, b_q, c_q, d_q} <= {a_i, b_i, c_i, d_i};
    end else if (go) begin
      a_q <= {Width'(0), a_q[Words*Width-1:Width]};
      b_q <= {Width'(0), b_q[Words*Width-1:Width]};
      c_q <= {Width'(0), c_q[Words*Width-1:Width]};
      d_q <= {Width'(0), d_q[Words*Width-1:Width]};
    end
    if (go) begin
      {plus_carry_q, plus_q} <= (Width + 1)'(a_q[Width-1:0]) + (Width + 1)'(b_q[Width-1:0]) +
          (Width + 1)'(plus_carry_q);
      {minus_carry_q, minus_q} <= (Width + 1)'(c_q[Width-1:0]) + (Width + 1)'(d_q[Width-1:0]) +
          (Width + 1)'(minus_carry_q);
      valid_q <= left_q != 0;
      first_q <= begin_q;
      last_q  <= left_q == count_t'(1);
      begin_q <= 1'b0;
      {borrow_q, data_o} <= (Width + 1)'(plus_q) - (Width + 1)'(minus_q) -
          (Width + 1)'(borrow_q && !first_q);
      valid_o <= valid_q;
      last_o  <= last_q;
    end
    if (take) begin
      plus_carry_q  <= carry_i;
      minus_carry_q <= 1'b0;
      begin_q       <= 1'b1;
    end
    if (rst_i) begin
      left_q <= '0;
      {valid_q, valid_o} <= '0;
    end else if (take) begin
      left_q <= count_t'(Words);
    end else if (go && left_q != 0) begin
      left_q <= left_q - 1'b1;
    end
  end

  assign negative_o = borrow_q;

endmodule
