// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the binary field unit in a generic build, whose polynomial is given at run time: a
//            * b + c, with a * b as well. There is no squarer: squares are products.
//
// Parameters Width, DigitBits, Part, Leaf, and low_i, degree_i, interval_o: see
//            eccel_gf2m_generic_mul, also for the place of an element in its register.
// Requires   start_i comes with the operands: a_from_i and b_from_i say where each one comes from
//            (a word of the register file, or a result register as it is in this cycle). b_from_i
//            is 0 without start_i, and only b may be the value 1. Starts are at least interval_o
//            cycles and at least 3 cycles apart. With addend_o, c_from_i says where c comes from.
// Guarantees result_o = a * b from the cycle after addend_o until the next addend_o. after_o = a *
//            b + c from after_valid_o until the next after_valid_o. after_next_o, after_soon_o and
//            after_valid_o come in three successive cycles; addend_next_o comes one cycle before
//            addend_o. With addend_o, product_o is the next value of result_o; with after_soon_o,
//            whole_o is the next value of after_o. zero_o: the newest after_o is 0; it is valid
//            from three cycles after the addend_o of its operation until the next addend_o.
// Latency    addend_o comes interval_o + 5 cycles after start_i, after_valid_o 2 cycles after
//            addend_o.

module eccel_gf2m_generic_core
  import eccel_gf2m_pkg::*;
#(
    parameter int Width = 255,
    parameter int DigitBits = 64,
    parameter int Part = 16,
    parameter int Leaf = 8
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [DegreeBits-1:0] degree_i,
    input  logic [     Width-1:0] low_i,
    output logic [DegreeBits-1:0] interval_o,

    input logic             start_i,
    input from_t            a_from_i,
    input from_t            b_from_i,
    input logic [Width-1:0] a_i[2],
    input logic [Width-1:0] b_i[2],

    output logic             addend_next_o,
    output logic             addend_o,
    input  from_t            c_from_i,
    input  logic [Width-1:0] c_i[2],

    output logic [Width-1:0] result_o,
    output logic             after_next_o,
    output logic             after_soon_o,
    output logic             after_valid_o,
    output logic [Width-1:0] after_o,
    output logic [Width-1:0] product_o,
    output logic [Width-1:0] whole_o,
    output logic             zero_o
);

  logic [Width-1:0] a, b, c, product, sum_q, after_q;
  logic after_soon_q, after_valid_q;

  // The multiplier adds the value 1 itself, where it knows the field's lowest place.
  eccel_gf2m_operand #(
      .Width(Width)
  ) u_a (
      .from_i  (a_from_i),
      .file_i  (a_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   ('0),
      .value_o (a)
  );
  eccel_gf2m_operand #(
      .Width(Width)
  ) u_b (
      .from_i  (b_from_i),
      .file_i  (b_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   ('0),
      .value_o (b)
  );
  eccel_gf2m_operand #(
      .Width(Width)
  ) u_c (
      .from_i  (c_from_i),
      .file_i  (c_i),
      .result_i(result_o),
      .after_i (after_q),
      .one_i   ('0),
      .value_o (c)
  );

  eccel_gf2m_generic_mul #(
      .Width(Width),
      .DigitBits(DigitBits),
      .Part(Part),
      .Leaf(Leaf)
  ) u_mul (
      .clk_i,
      .rst_ni,
      .degree_i,
      .low_i,
      .interval_o,
      .start_i,
      .a_i(a),
      .b_i(b),
      .one_i(b_from_i.one),
      .sooner_o(addend_next_o),
      .soon_o(addend_o),
      .next_o(product),
      .result_o
  );

  assign after_o = after_q;
  assign product_o = product;
  assign whole_o = sum_q;
  assign after_next_o = addend_o;
  assign after_soon_o = after_soon_q;
  assign after_valid_o = after_valid_q;

  eccel_gf2m_zero #(
      .Width(Width)
  ) u_zero (
      .clk_i,
      .value_i(sum_q),
      .zero_o
  );

  always_ff @(posedge clk_i) begin
    if (addend_o) sum_q <= product ^ c;
    if (after_soon_q) after_q <= sum_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      after_soon_q  <= 1'b0;
      after_valid_q <= 1'b0;
    end else begin
      after_soon_q  <= after_next_o;
      after_valid_q <= after_soon_q;
    end
  end

endmodule
