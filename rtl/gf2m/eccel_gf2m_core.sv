// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the binary field unit: (a * b + c)^(2^n) in one of several named fields, and a * b by the way.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg); DigitBits, Part, Leaf, OperandStage: see eccel_gf2m_mul.
// Requires   field_i < number of fields, constant from two cycles before start_i while anything is under way. start_i with
//            operands: where each comes from (the file's word, or a register as it is in this cycle); b from nowhere
//            without start_i. Starts are at least digits(m) cycles apart.
//            In the cycle of addend_o: where c comes from, likewise, and from nowhere without it; squares_i = n and
//            many_i, n > 1. The next addend_o is at least max(1, n) cycles behind. Elements are 0 above the field's degree.
// Guarantees result_o = a * b from the cycle behind addend_o to the next addend_o; after_o = (a * b + c)^(2^n) from
//            after_valid_o to the next; after_soon_o comes a cycle before, after_next_o and addend_next_o each a cycle
//            before after_soon_o and addend_o. product_o: in the cycle of addend_o what result_o becomes; whole_o: in that
//            of after_soon_o what after_o becomes. zero_o: the newest after_o is 0, from three cycles behind
//            its operation's addend_o to the next addend_o.
// Latency    addend_o digits(m) + 2 cycles behind start_i; after_valid_o 1 + max(1, n) behind addend_o. With OperandStage
//            one more each, and zero_o as well: operands are registered before they are used.

module eccel_gf2m_core
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter int Part = 16,
    parameter int Leaf = 16,
    parameter bit OperandStage = 1'b0,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [IndexBits-1:0] field_i,

    input logic             start_i,
    input from_t            a_from_i,
    input from_t            b_from_i,
    input logic [Width-1:0] a_i[2],
    input logic [Width-1:0] b_i[2],

    output logic                   addend_next_o,
    output logic                   addend_o,
    input  from_t                  c_from_i,
    input  logic [      Width-1:0] c_i[2],
    input  logic [SquaresBits-1:0] squares_i,
    input  logic                   many_i,

    output logic [Width-1:0] result_o,
    output logic             after_next_o,
    output logic             after_soon_o,
    output logic             after_valid_o,
    output logic [Width-1:0] after_o,
    output logic [Width-1:0] product_o,
    output logic [Width-1:0] whole_o,
    output logic             zero_o
);

  logic [Count-1:0] select_q;
  // What is added to the product, and when.
  typedef struct packed {
    logic valid;
    logic [Width-1:0] c;
    logic [SquaresBits-1:0] squares;
    logic many;
  } addition_t;

  logic [Width-1:0] a, b, c, product, summand, sum, sum_q, square, whole, after_q;
  addition_t taken, adding;
  logic [SquaresBits-1:0] left_q;
  logic any_q, more_q, two_q, active_q, again, after_soon_q, after_valid_q;

  assign after_o = after_q;
  assign product_o = product;
  assign whole_o = whole;
  assign after_soon_o = after_soon_q;
  assign after_valid_o = after_valid_q;

  eccel_gf2m_operand #(
      .Width(Width)
  ) u_a (
      .from_i  (a_from_i),
      .file_i  (a_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   (Width'(1'b1)),
      .value_o (a)
  );
  eccel_gf2m_operand #(
      .Width(Width)
  ) u_b (
      .from_i  (b_from_i),
      .file_i  (b_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   (Width'(1'b1)),
      .value_o (b)
  );
  eccel_gf2m_operand #(
      .Width(Width)
  ) u_c (
      .from_i  (c_from_i),
      .file_i  (c_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   (Width'(1'b1)),
      .value_o (c)
  );

  eccel_gf2m_mul #(
      .Fields(Fields),
      .DigitBits(DigitBits),
      .Part(Part),
      .Leaf(Leaf),
      .OperandStage(OperandStage)
  ) u_mul (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .field_i(field_i),
      .start_i(start_i),
      .a_i(a),
      .b_i(b),
      .sooner_o(addend_next_o),
      .soon_o(addend_o),
      .next_o(product),
      .result_o(result_o)
  );

  // ---- sum and squares: the sum with the product, or behind its register; the first square in the cycle behind the sum

  for (genvar f = 0; f < Count; f++) begin : gen_select
    always_ff @(posedge clk_i) select_q[f] <= field_i == unsigned'(IndexBits'(f));
  end

  eccel_gf2m_square #(
      .Fields(Fields)
  ) u_square (
      .clk_i,
      .enable_i(adding.valid || again),
      .select_i(select_q),
      .value_i (sum),
      .square_o(square)
  );

  // The square under way and those behind it: left_q counts them; more_q: more than one; two_q: two.
  assign whole = any_q ? square : sum_q;
  assign again = active_q && more_q;
  // c last: it comes from far away.
  assign sum = (adding.valid ? summand : square) ^ adding.c;
  assign after_next_o = adding.valid && !adding.many || again && two_q;

  assign taken = '{
          valid: addend_o,
          c: c,
          squares: squares_i,
          many: many_i
      };

  if (OperandStage) begin : gen_stage
    addition_t taken_q;

    always_ff @(posedge clk_i) begin
      taken_q <= taken;
      if (!rst_ni) taken_q.valid <= 1'b0;
    end

    // The product is in the multiplier's register by then.
    assign adding = taken_q;
    assign summand = result_o;
  end else begin : gen_none
    assign adding = taken;
    assign summand = product;
  end

  always_ff @(posedge clk_i) begin
    if (adding.valid || again) sum_q <= sum;
    if (adding.valid) any_q <= adding.squares != '0;
    if (adding.valid) begin
      left_q <= adding.squares;
      more_q <= adding.many;
      two_q  <= adding.squares == unsigned'(SquaresBits'(2));
    end else if (again) begin
      left_q <= left_q - 1'b1;
      more_q <= !two_q;
      two_q  <= left_q == unsigned'(SquaresBits'(3));
    end
    if (after_soon_q) after_q <= whole;
  end

  // A square is 0 where its root is, so this may come from any of them.
  eccel_gf2m_zero #(
      .Width(Width)
  ) u_zero (
      .clk_i,
      .value_i(sum_q),
      .zero_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      after_soon_q <= 1'b0;
      after_valid_q <= 1'b0;
    end else begin
      active_q <= adding.valid || again;
      after_soon_q <= after_next_o;
      after_valid_q <= after_soon_q;
    end
  end

endmodule
