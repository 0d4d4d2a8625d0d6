// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product in one of several named fields, DigitBits of b a cycle.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg); DigitBits >= 1, of any use up to the largest degree;
//            Leaf: see eccel_gf2m_product.
// Requires   field_i < number of fields, the same until the last valid_o; start_i with a_i and b_i, elements of the field, 0
//            above its degree m. Starts are at least digits(m) = ceil(m / DigitBits) cycles apart.
// Guarantees result_o = a * b mod the field's polynomial, 0 above m, from valid_o on until the next valid_o.
//            No data-dependent timing.
// Latency    valid_o is digits(m) + 3 cycles behind start_i, soon_o the cycle before it: digit i is multiplied in cycle i + 1 and added in i + 2; the
//            sum is reduced in cycle digits(m) + 2. Results come in the order of starts.
//
// Digits come least significant first, so that all fields start with the same ones: the sum moves down by a digit before the
// next one is added, and what leaves it below is kept. Reduction once, of the whole product, keeps it out of that loop.

module eccel_gf2m_mul
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 24'h000144,
    parameter int DigitBits = 64,
    parameter int Leaf = 8,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [IndexBits-1:0] field_i,
    input logic                 start_i,
    input logic [    Width-1:0] a_i,
    input logic [    Width-1:0] b_i,

    output logic             soon_o,
    output logic             valid_o,
    output logic [Width-1:0] result_o
);

  localparam int Digit = DigitBits < Width ? DigitBits : Width;
  localparam int Digits = (Width + Digit - 1) / Digit;
  localparam int CountBits = Digits > 1 ? $clog2(Digits) : 1;
  localparam int LowBits = Digits > 1 ? (Digits - 1) * Digit : 1;
  localparam int SumBits = Width + Digit - 1;

  logic [Width-1:0] a_q, b_q, reduced;
  logic [SumBits-1:0] product, sum_q;
  logic [LowBits-1:0] low_q;
  logic [CountBits-1:0] left_d, left_q, last_digit;
  logic busy_d, busy_q, first_q, first_sum_q, sum_valid_q, product_valid_q, valid_q;
  logic [Width-1:0] result_q;
  logic [Width-1:0] results[Count];

  assign soon_o   = sum_valid_q;
  assign valid_o  = valid_q;
  assign result_o = result_q;

  // ---- digits

  always_comb begin
    last_digit = '0;
    for (int f = 0; f < Count; f++) begin
      if (field_i == unsigned'(IndexBits'(f))) begin
        last_digit = unsigned'(CountBits'((polynomial(Fields, f).m - 1) / Digit));
      end
    end
  end

  always_comb begin
    busy_d = busy_q;
    left_d = left_q;
    if (busy_q) begin
      left_d = left_q - 1'b1;
      busy_d = left_q != '0;
    end
    if (start_i) begin
      left_d = last_digit;
      busy_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) a_q <= a_i;
    b_q <= start_i ? b_i : b_q >> Digit;
    left_q <= left_d;
    first_q <= start_i;
    first_sum_q <= first_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      product_valid_q <= 1'b0;
      sum_valid_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      product_valid_q <= busy_q && left_q == '0;
      sum_valid_q <= product_valid_q;
      valid_q <= sum_valid_q;
    end
  end

  // ---- product of a digit, sum

  eccel_gf2m_product #(
      .WidthA(Width),
      .WidthB(Digit),
      .Leaf  (Leaf),
      .Piped (1'b1)
  ) u_product (
      .clk_i(clk_i),
      .a_i(a_q),
      .b_i(b_q[Digit-1:0]),
      .product_o(product)
  );

  always_ff @(posedge clk_i) sum_q <= product ^ (first_sum_q ? '0 : sum_q >> Digit);

  if (Digits > 1) begin : gen_low
    always_ff @(posedge clk_i) low_q <= LowBits'({sum_q[Digit-1:0], low_q} >> Digit);
  end else begin : gen_no_low
    assign low_q = '0;
  end

  // ---- reduction

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    localparam int Below = (Poly.m - 1) / Digit * Digit;  // digits that have left the sum
    localparam int Whole = 2 * Poly.m - 1;
    logic [Whole-1:0] whole;
    logic [Poly.m-1:0] low;

    if (Below > 0) begin : gen_below
      assign whole = Whole'({sum_q, low_q[LowBits-1-:Below]});
    end else begin : gen_sum
      assign whole = Whole'(sum_q);
    end

    eccel_gf2m_reduce #(
        .Poly(Poly)
    ) u_reduce (
        .value_i(whole),
        .reduced_o(low)
    );

    assign results[f] = Width'(low);
  end

  always_comb begin
    reduced = '0;
    for (int f = 0; f < Count; f++) begin
      if (field_i == unsigned'(IndexBits'(f))) reduced = reduced | results[f];
    end
  end

  always_ff @(posedge clk_i) begin
    if (sum_valid_q) result_q <= reduced;
  end

endmodule
