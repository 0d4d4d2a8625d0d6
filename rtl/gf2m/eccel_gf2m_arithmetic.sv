// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the binary field unit in either kind of build: (a * b + c)^(2^n), with a * b as
//            well.
// A build of named fields uses eccel_gf2m_core. A generic build, whose polynomial is given at run
// time, uses eccel_gf2m_generic_core, which has no squarer: n is 0 there.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg); DigitBits, Part, Leaf,
//            OperandStage: see eccel_gf2m_mul. Generic builds have no OperandStage.
// Requires   as the core of the build requires. Starts are at least interval_o cycles apart.
//            field_i is used by builds of named fields; degree_i = m and low_i, the polynomial
//            without its highest term, are used by generic builds.
// Guarantees as the core of the build guarantees. interval_o is a register; it follows field_i or
//            degree_i.

module eccel_gf2m_arithmetic
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

    input  logic [  IndexBits-1:0] field_i,
    input  logic [ DegreeBits-1:0] degree_i,
    input  logic [      Width-1:0] low_i,
    output logic [SquaresBits-1:0] interval_o,

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

    output logic             after_next_o,
    output logic             after_soon_o,
    output logic             after_valid_o,
    output logic [Width-1:0] product_o,
    output logic [Width-1:0] whole_o,
    output logic             zero_o
);

  localparam int LeastInterval = 3;

  logic [Width-1:0] unused_result, unused_after;
  logic [SquaresBits-1:0] interval_q;

  assign interval_o = interval_q;

  if (generic_build(Fields)) begin : gen_generic
    logic [DegreeBits-1:0] interval;
    logic unused_field;

    assign unused_field = field_i != '0 || squares_i != '0 || many_i;

    always_ff @(posedge clk_i) begin
      interval_q <= interval;
      if (interval < unsigned'(SquaresBits'(LeastInterval))) begin
        interval_q <= unsigned'(SquaresBits'(LeastInterval));
      end
    end

    eccel_gf2m_generic_core #(
        .Width(Width),
        .DigitBits(DigitBits),
        .Part(Part),
        .Leaf(Leaf)
    ) u_core (
        .clk_i,
        .rst_ni,
        .degree_i,
        .low_i,
        .interval_o(interval),
        .start_i,
        .a_from_i,
        .b_from_i,
        .a_i,
        .b_i,
        .addend_o,
        .c_from_i,
        .c_i,
        .addend_next_o,
        .after_next_o,
        .result_o(unused_result),
        .after_soon_o,
        .after_valid_o,
        .after_o(unused_after),
        .product_o,
        .whole_o,
        .zero_o
    );
  end else begin : gen_named
    localparam int Digit = DigitBits < Width ? DigitBits : Width;
    logic unused_generic;

    assign unused_generic = degree_i != '0 || low_i != '0;

    always_ff @(posedge clk_i) begin
      interval_q <= SquaresBits'(LeastInterval);
      for (int f = 0; f < Count; f++) begin
        if (field_i == unsigned'(IndexBits'(f)) && (polynomial(Fields, f).m + Digit - 1) / Digit > LeastInterval) begin
          interval_q <= unsigned'(SquaresBits'((polynomial(Fields, f).m + Digit - 1) / Digit));
        end
      end
    end

    eccel_gf2m_core #(
        .Fields(Fields),
        .DigitBits(DigitBits),
        .Part(Part),
        .Leaf(Leaf),
        .OperandStage(OperandStage)
    ) u_core (
        .clk_i,
        .rst_ni,
        .field_i,
        .start_i,
        .a_from_i,
        .b_from_i,
        .a_i,
        .b_i,
        .addend_o,
        .c_from_i,
        .c_i,
        .squares_i,
        .many_i,
        .addend_next_o,
        .after_next_o,
        .result_o(unused_result),
        .after_soon_o,
        .after_valid_o,
        .after_o(unused_after),
        .product_o,
        .whole_o,
        .zero_o
    );
  end

endmodule
