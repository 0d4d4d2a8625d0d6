// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the full-width field unit: one product in each cycle, sums, squares, and registers
//            for the state of the ladder.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). Levels, Leaf: see
//            eccel_gf2m_digit_product.
// Requires   select_i has one bit for each field; only that of the field in use is 1, constant from
//            one cycle before. control_i (see eccel_gf2m_wide_pkg) selects values as they are in
//            this cycle. Words of the register file are 0 from the degree of the field upwards.
// Guarantees A product takes these cycles. i: its operands are selected (control_i.a, .b). i + 1:
//            it is multiplied. i + 2: it is reduced, and c is added (control_i.result_we, .sum_we,
//            .c). The product and the sum are in their registers from i + 3, squares of the sum
//            from i + 4. value_o is the value that control_i.write named one cycle before. zero_o:
//            sum was 0 two cycles before.

module eccel_gf2m_wide_core
  import eccel_gf2m_pkg::*;
  import eccel_gf2m_wide_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int Levels = 2,
    parameter int Leaf = 8,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,

    input logic          [Count-1:0] select_i,
    input wide_control_t             control_i,

    input  logic [Width-1:0] a_i[2],
    input  logic [Width-1:0] b_i[2],
    input  logic [Width-1:0] c_i[2],
    output logic [Width-1:0] value_o,
    output logic             zero_o
);

  wide_write_t write_q;
  logic [Width-1:0] a, b, c, product, after, result_q, sum_q, after_q, xs_q, zs_q, xd_q, zd_q;
  logic [Width-1:0] squares[MostSquares+1];
  logic [2*Width-1:0] whole;

  // ---- operands

  assign a = (control_i.a.lower ? a_i[0] : '0) ^ (control_i.a.upper ? a_i[1] : '0)
      ^ (control_i.a.result ? result_q : '0) ^ (control_i.a.sum ? sum_q : '0) ^ (control_i.a.after ? after_q : '0)
      ^ (control_i.a.product ? product : '0) ^ (control_i.a.xs ? xs_q : '0) ^ (control_i.a.zs ? zs_q : '0)
      ^ (control_i.a.xd ? xd_q : '0) ^ (control_i.a.square ? squares[1] : '0);
  assign b = (control_i.b.lower ? b_i[0] : '0) ^ (control_i.b.upper ? b_i[1] : '0)
      ^ (control_i.b.result ? result_q : '0) ^ (control_i.b.sum ? sum_q : '0) ^ (control_i.b.after ? after_q : '0)
      ^ Width'(control_i.b.one) ^ (control_i.b.square ? squares[1] : '0) ^ (control_i.b.zs ? zs_q : '0)
      ^ (control_i.b.xd ? xd_q : '0) ^ (control_i.b.zd ? zd_q : '0);
  assign c = (control_i.c.lower ? c_i[0] : '0) ^ (control_i.c.upper ? c_i[1] : '0)
      ^ (control_i.c.result ? result_q : '0) ^ (control_i.c.sum ? sum_q : '0) ^ (control_i.c.after ? after_q : '0)
      ^ (control_i.c.xd ? xd_q : '0);

  // ---- product

  eccel_gf2m_digit_product #(
      .Width (Width),
      .Digit (Width),
      .Levels(Levels),
      .Leaf  (Leaf)
  ) u_product (
      .clk_i,
      .a_we_i   (1'b1),
      .a_i      (a),
      .digit_i  (b),
      .keep_i   (1'b1),
      .product_o(whole)
  );

  eccel_gf2m_residue #(
      .Fields(Fields)
  ) u_residue (
      .select_i (select_i),
      .value_i  (whole[2*Width-2:0]),
      .residue_o(product)
  );

  // ---- squares

  assign squares[0] = sum_q;

  for (genvar i = 0; i < MostSquares; i++) begin : gen_square
    logic [2*Width-2:0] spread;

    for (genvar j = 0; j < Width; j++) begin : gen_spread
      assign spread[2*j] = squares[i][j];
      if (j != 0) begin : gen_between
        assign spread[2*j-1] = 1'b0;
      end
    end

    eccel_gf2m_residue #(
        .Fields(Fields)
    ) u_residue (
        .select_i (select_i),
        .value_i  (spread),
        .residue_o(squares[i+1])
    );
  end

  always_comb begin
    after = '0;
    for (int i = 0; i < MostSquares; i++) after = after ^ (control_i.after_count[i] ? squares[i+1] : '0);
  end

  // ---- registers

  always_ff @(posedge clk_i) begin
    write_q <= control_i.write;
    if (control_i.result_we) result_q <= product;
    if (control_i.sum_we) sum_q <= product ^ c;
    else if (control_i.sum_squares_we) sum_q <= squares[MostSquares];
    if (control_i.after_we) after_q <= after;
    if (control_i.load || control_i.xs_we) xs_q <= control_i.load ? a_i[0] : sum_q;
    if (control_i.load || control_i.xd_we) xd_q <= control_i.load ? a_i[1] : squares[2];
    if (control_i.load || control_i.zs_we) zs_q <= control_i.load ? b_i[0] : squares[1];
    if (control_i.load || control_i.zd_we) zd_q <= control_i.load ? b_i[1] : squares[1];
  end

  assign value_o = (write_q.result ? result_q : '0) ^ (write_q.sum ? sum_q : '0) ^ (write_q.after ? after_q : '0)
      ^ (write_q.xs ? xs_q : '0) ^ (write_q.zs ? zs_q : '0) ^ (write_q.xd ? xd_q : '0) ^ (write_q.zd ? zd_q : '0);

  // A square is 0 exactly if its root is 0, so that any of them may be tested.
  eccel_gf2m_zero #(
      .Width(Width)
  ) u_zero (
      .clk_i,
      .value_i(sum_q),
      .zero_o
  );

  logic unused_whole;
  assign unused_whole = whole[2*Width-1];

endmodule
