// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Several modular multipliers as one: a product goes to the first that is ready.
//
// Parameters Units: number of multipliers; the others: see eccel_modmul (Passes: its Multipliers).
// Requires   A product is offered with valid_i until accept_o.
// Guarantees Products come back with valid_o, in the order in which they were accepted, each after
//            the latency of the multiplier. At most one is accepted in a cycle, so that two never
//            come back together.

module eccel_point_products #(
    parameter int Kind      = eccel_mul_pkg::ShiftAdd,
    parameter int Bits      = 256,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0,
    parameter int Reduction = eccel_modmul_pkg::Montgomery,
    parameter int Prime     = 0,
    parameter int Passes    = 1,
    parameter int Units     = 1
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            accept_o,
    input  logic [Bits-1:0] a_i,
    input  logic [Bits-1:0] b_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] inverse_i,
    output logic            valid_o,
    output logic [Bits-1:0] r_o
);

  logic [Units-1:0] ready, chosen, done;
  logic [Units-1:0][15:0] unused_latency, unused_interval;  // the package has them
  logic [Bits-1:0] result[Units];

  assign chosen   = ready & (~ready + Units'(1'b1));  // the lowest bit that is set
  assign accept_o = valid_i && ready != '0;
  assign valid_o  = done != '0;

  for (genvar i = 0; i < Units; i++) begin : gen_unit
    eccel_modmul #(
        .Kind       (Kind),
        .Bits       (Bits),
        .Levels     (Levels),
        .Word       (Word),
        .Lanes      (Lanes),
        .Pipelined  (Pipelined),
        .Reduction  (Reduction),
        .Prime      (Prime),
        .Multipliers(Passes)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i   (valid_i && chosen[i]),
        .ready_o   (ready[i]),
        .a_i,
        .b_i,
        .modulus_i,
        .inverse_i,
        .valid_o   (done[i]),
        .r_o       (result[i]),
        .latency_o (unused_latency[i]),
        .interval_o(unused_interval[i])
    );
  end

  always_comb begin
    r_o = '0;
    for (int i = 0; i < Units; i++) r_o |= result[i] & {Bits{done[i]}};
  end

endmodule
