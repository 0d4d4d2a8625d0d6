// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the binary field unit in builds of named fields: (a * b + c)^(2^n), with a * b as
//            well.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). DigitBits, Part, Leaf,
//            OperandStage: see eccel_gf2m_mul.
// Requires   field_i < number of fields, constant from two cycles before start_i until the last
//            result. start_i comes with the operands: a_from_i and b_from_i say where each one
//            comes from (a word of the register file, or a result register as it is in this cycle).
//            b_from_i is 0 without start_i. Starts are at least digits(m) cycles apart, m the
//            degree of the field. With addend_o, c_from_i says where c comes from; it is 0 without
//            addend_o. squares_i = n and many_i = (n > 1) come with addend_o, too. The next
//            addend_o comes at least max(1, n) cycles later. Elements are 0 above the degree of the
//            field.
// Guarantees result_o = a * b from the cycle after addend_o until the next addend_o. after_o = (a *
//            b + c)^(2^n) from after_valid_o until the next after_valid_o. after_soon_o comes one
//            cycle before after_valid_o, after_next_o one cycle before after_soon_o, addend_next_o
//            one cycle before addend_o. With addend_o, product_o is the next value of result_o;
//            with after_soon_o, whole_o is the next value of after_o. zero_o: the newest after_o is
//            0; it is valid from three cycles after the addend_o of its operation until the next
//            addend_o.
// Latency    addend_o comes digits(m) + 2 cycles after start_i, after_valid_o 1 + max(1, n) cycles
//            after addend_o. With OperandStage operands are registered first; then each of the two,
//            and zero_o, takes one cycle more.

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

  // ---- sum and squares: the sum is made with the product, or one cycle later with OperandStage;
  // the first square follows one cycle after the sum

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

  // left_q: squares still to come, the current one included; more_q: more than one; two_q: two.
  assign whole = any_q ? square : sum_q;
  assign again = active_q && more_q;
  // c enters last: its wires are the longest.
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

    // By then the product is in the register of the multiplier.
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

  // A square is 0 exactly if its root is 0, so that any of them may be tested.
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
