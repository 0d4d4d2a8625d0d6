// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Yardstick ECC-256 affine: k P by double-and-add in affine coordinates, with one bit-serial
// Montgomery multiplier, one adder, and a divider by the extended Euclidean algorithm.
//
// Parameters Bits: of the prime and the scalar. A: the coefficient a of the curve.
// Requires, Guarantees, Latency: as eccel_ecc_core. A doubling has a division and 4 products, an
//            addition a division and 3 products.

module eccel_ecc_affine #(
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
    output logic            infinity_o
);

  logic [Bits-1:0] unused;

  eccel_ecc_core #(
      .Bits  (Bits),
      .A     (A),
      .Affine(1'b1)
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
      .z_o    (unused),
      .infinity_o
  );

endmodule
