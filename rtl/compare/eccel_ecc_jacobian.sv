// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Yardstick ECC-256 Jacobian: k P by double-and-add in Jacobian coordinates, with one bit-serial
// Montgomery multiplier and one adder. The result stays in Jacobian coordinates.
//
// Parameters Bits: of the prime and the scalar. A: the coefficient a of the curve.
// Requires, Guarantees, Latency: as eccel_ecc_core. A doubling has 8 products because a z^4 is kept
//            from one to the next. An addition has 11, because P has affine coordinates, and 3
//            for a z^4.

module eccel_ecc_jacobian #(
    parameter int                   Bits = 256,
    parameter logic signed [Bits:0] A    = -3
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] p_i,
    input  logic [Bits-1:0] x_i,
    input  logic [Bits-1:0] y_i,
    input  logic            infinity_i,
    input  logic [Bits-1:0] k_i,
    output logic            valid_o,
    output logic [Bits-1:0] x_o,
    output logic [Bits-1:0] y_o,
    output logic [Bits-1:0] z_o,
    output logic            infinity_o
);

  eccel_ecc_core #(
      .Bits  (Bits),
      .A     (A),
      .Affine(1'b0)
  ) u_core (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .p_i,
      .x_i,
      .y_i,
      .infinity_i,
      .k_i,
      .valid_o,
      .x_o,
      .y_o,
      .z_o,
      .infinity_o
  );

endmodule
