// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eccel_field_adder with a clock, for the harness of tests/module.py.

module field_adder_top #(
    parameter int Bits = 4
) (
    input  logic            clk_i,
    input  logic [Bits+1:0] x_i,
    input  logic [  Bits:0] y_i,
    input  logic            add_i,
    input  logic            sub_i,
    input  logic            carry_i,
    input  logic            signed_i,
    input  logic [Bits-1:0] modulus_i,
    output logic [  Bits:0] r_o,
    output logic            negative_o
);

  logic [Bits:0] r;
  logic negative;

  eccel_field_adder #(
      .Bits(Bits)
  ) u_adder (
      .x_i,
      .y_i,
      .add_i,
      .sub_i,
      .carry_i,
      .signed_i,
      .modulus_i,
      .r_o       (r),
      .negative_o(negative)
  );
  always_ff @(posedge clk_i) {r_o, negative_o} <= {r, negative};

endmodule
