// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ECP5 twin of rtl/prim/eccel_add_invert.sv, which has the contract: a row of CCU2C cells whose
// LUTs hold the inverters.
//
// LUT4 = A ^ (C ? B : D ? ~B : 0). Its low half (C = D = 0) is A: where LUT4 = 0 the carry is A, as
// an adder needs. C and D are constants. A bit of weight 1/2 below the lowest bit, c + c, brings
// the carry in; one above the highest bit brings it out.

module eccel_add_invert #(
    parameter int Width = 16,
    parameter logic [Width-1:0] Invert = '0
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             c_i,
    output logic [  Width:0] sum_o
);

  localparam int Cells = (Width + 3) / 2;
  localparam logic [15:0] Init = 16'h696A;

  logic [2*Cells-1:0] a, b, add, sub, sum;
  logic [Cells:1] carry;

  assign a     = (2 * Cells)'({a_i, c_i});
  assign b     = (2 * Cells)'({b_i, c_i});
  assign add   = (2 * Cells)'({~Invert, 1'b1});
  assign sub   = (2 * Cells)'({Invert, 1'b0});
  assign sum_o = sum[Width+1:1];
  // The first half cell never propagates, so its carry input does not matter. Leaving it open saves
  // the cell that would bring a constant into the chain.
  CCU2C #(
      .INIT0    (Init),
      .INIT1    (Init),
      .INJECT1_0("NO"),
      .INJECT1_1("NO")
  ) u_first (
      /* verilator lint_off PINCONNECTEMPTY */
      .CIN (),
      /* verilator lint_on PINCONNECTEMPTY */
      .A0  (a[0]),
      .B0  (b[0]),
      .C0  (add[0]),
      .D0  (sub[0]),
      .A1  (a[1]),
      .B1  (b[1]),
      .C1  (add[1]),
      .D1  (sub[1]),
      .S0  (sum[0]),
      .S1  (sum[1]),
      .COUT(carry[1])
  );

  for (genvar i = 1; i < Cells; i++) begin : gen_cell
    CCU2C #(
        .INIT0    (Init),
        .INIT1    (Init),
        .INJECT1_0("NO"),
        .INJECT1_1("NO")
    ) u_carry (
        .CIN (carry[i]),
        .A0  (a[2*i]),
        .B0  (b[2*i]),
        .C0  (add[2*i]),
        .D0  (sub[2*i]),
        .A1  (a[2*i+1]),
        .B1  (b[2*i+1]),
        .C1  (add[2*i+1]),
        .D1  (sub[2*i+1]),
        .S0  (sum[2*i]),
        .S1  (sum[2*i+1]),
        .COUT(carry[i+1])
    );
  end

endmodule
