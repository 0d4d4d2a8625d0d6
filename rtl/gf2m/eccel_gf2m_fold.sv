// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register for a value of up to Over coefficients above a field's degree, followed by the reduction
// in one of several named fields.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). Over: coefficients above
//            the field's degree m.
// Requires   select_i has one bit for each field. Only that of the field in use is 1, constant from
//            two cycles before enable_i. value_i comes with enable_i; its coefficients are 0 from m
//            + Over and from 2 m - 1 upwards.
// Guarantees reduced_o = the last value_i with enable_i mod the polynomial of the field, 0 from
//            coefficient m upwards.
// Depth      Two LUT4 for one digit above the trinomials and pentanomials of three fields; see
//            eccel_gf2m_reduce.
//
// Each field has a register of its own for what is above its degree. It is cleared while another
// field is selected, so that the sums after it need no multiplexer; the reset input of a flip-flop
// costs nothing.

module eccel_gf2m_fold
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int Over = 64,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input  logic                  clk_i,
    input  logic                  enable_i,
    input  logic [     Count-1:0] select_i,
    input  logic [Width+Over-1:0] value_i,
    output logic [     Width-1:0] reduced_o
);

  logic [Width-1:0] low_q, above;
  logic [Width-1:0] aboves[Count], changes[Count];

  always_comb begin
    above = '0;
    for (int f = 0; f < Count; f++) above |= aboves[f];
  end

  for (genvar i = 0; i < Width; i++) begin : gen_low
    always_ff @(posedge clk_i) begin
      if (above[i]) low_q[i] <= 1'b0;
      else if (enable_i) low_q[i] <= value_i[i];
    end
  end

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    localparam int Whole = Poly.m + (Over < Poly.m ? Over : Poly.m - 1);
    localparam logic [Width-1:0] Low = Width'({Poly.m{1'b1}});
    logic [Whole-1:Poly.m] high_q;
    logic [Poly.m-1:0] reduced;

    always_ff @(posedge clk_i) begin
      if (!select_i[f]) high_q <= '0;
      else if (enable_i) high_q <= value_i[Whole-1:Poly.m];
    end

    eccel_gf2m_reduce #(
        .Poly (Poly),
        .Width(Whole)
    ) u_reduce (
        .value_i({high_q, Poly.m'(0)}),
        .reduced_o(reduced)
    );

    assign aboves[f] = select_i[f] ? ~Low : '0;
    assign changes[f] = Width'(reduced);
  end

  always_comb begin
    reduced_o = low_q;
    for (int f = 0; f < Count; f++) reduced_o = reduced_o ^ changes[f];
  end

endmodule
