// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ECP5 twin of rtl/prim/eccel_add_mux.sv, which has the contract: a row of CCU2C cells whose LUTs
// hold the multiplexer.
//
// LUT4 = A ^ (D ? B : C). Its low half (C = D = 0) is A: where LUT4 = 0 the carry is A, as an adder
// needs.

module eccel_add_mux #(
    parameter int Width = 16
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic [Width-1:0] c_i,
    input  logic             sel_i,
    output logic [Width-1:0] sum_o
);

  localparam int Cells = (Width + 1) / 2;
  localparam logic [15:0] Init = 16'h665A;

  logic [2*Cells-1:0] a, b, c, sum;
  logic [Cells:0] carry;

  assign a        = (2 * Cells)'(a_i);
  assign b        = (2 * Cells)'(b_i);
  assign c        = (2 * Cells)'(c_i);
  assign sum_o    = sum[Width-1:0];
  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    CCU2C #(
        .INIT0    (Init),
        .INIT1    (Init),
        .INJECT1_0("NO"),
        .INJECT1_1("NO")
    ) u_carry (
        .CIN (carry[i]),
        .A0  (a[2*i]),
        .B0  (b[2*i]),
        .C0  (c[2*i]),
        .D0  (sel_i),
        .A1  (a[2*i+1]),
        .B1  (b[2*i+1]),
        .C1  (c[2*i+1]),
        .D1  (sel_i),
        .S0  (sum[2*i]),
        .S1  (sum[2*i+1]),
        .COUT(carry[i+1])
    );
  end

endmodule
