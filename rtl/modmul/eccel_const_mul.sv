// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A number times a constant, in LUTs only.
//
// Parameters Constant >= 1, below 2^ConstBits. InBits >= 1. Window, 2 to 5: see eccel_fixed_pkg.
//            Limb: bits of a carry chain, about.
// Guarantees p_o = a_i * Constant.
// Latency    eccel_fixed_pkg::const_mul_latency(..)
// Interval   1
// Cost       See eccel_const_limbs, and about 3 (ConstBits + InBits) bits of adders that join
//            limbs.

module eccel_const_mul
  import eccel_fixed_pkg::*;
#(
    parameter int ConstBits = 8,
    parameter logic [ConstBits-1:0] Constant = '1,
    parameter int InBits = 8,
    parameter int Limb = 32,
    parameter int Window = 5,
    parameter bit Pipelined = 1'b1,
    localparam int OutBits = ConstBits + InBits
) (
    input  logic               clk_i,
    input  logic [ InBits-1:0] a_i,
    output logic [OutBits-1:0] p_o
);

  localparam int Span = InBits + Window - 1;
  localparam int Limbs = (ConstBits + Span + Limb) / Limb;
  localparam int SumBits = Limb + $clog2(max_rows(constant_t'(Constant), Window, Span));

  logic [Limbs-1:0][SumBits-1:0] plus, minus;
  logic [Limbs-1:0][SumBits:0] limb;

  eccel_const_limbs #(
      .ConstBits(ConstBits),
      .Constant (Constant),
      .InBits   (InBits),
      .Limb     (Limb),
      .Window   (Window),
      .Pipelined(Pipelined)
  ) u_limbs (
      .clk_i,
      .a_i,
      .plus_o (plus),
      .minus_o(minus)
  );

  for (genvar j = 0; j < Limbs; j++) begin : gen_limb
    logic [SumBits:0] difference;
    assign difference = {1'b0, plus[j]} - {1'b0, minus[j]};
    if (Pipelined) begin : gen_register
      always_ff @(posedge clk_i) limb[j] <= difference;
    end else begin : gen_wire
      assign limb[j] = difference;
    end
  end

  eccel_limb_resolve #(
      .Limbs    (Limbs),
      .Limb     (Limb),
      .LimbBits (SumBits + 1),
      .Width    (OutBits),
      .Pipelined(Pipelined)
  ) u_resolve (
      .clk_i,
      .limb_i(limb),
      .sum_o (p_o)
  );

endmodule
