// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Joins limbs with signs to a number.
//
// Parameters Limbs; Limb: bits between limbs; LimbBits: of a limb, with its sign, Limb < LimbBits <
//            2 Limb. Width: of the result.
// Guarantees sum_o = sum of limb_i[j] * 2^(Limb * j), modulo 2^Width.
// Latency    eccel_fixed_pkg::resolve_latency(Width, Pipelined)
// Interval   1
//
// Each limb but the last gets 2^(LimbBits-1), which makes it positive, and the next one gives that
// back. The rest is one long addition: of what lies inside the limbs, and of what lies above.

module eccel_limb_resolve #(
    parameter int Limbs     = 2,
    parameter int Limb      = 32,
    parameter int LimbBits  = 40,
    parameter int Width     = 64,
    parameter bit Pipelined = 1'b1
) (
    input  logic                            clk_i,
    input  logic [Limbs-1:0][LimbBits-1:0]  limb_i,
    output logic [Width-1:0]                sum_o
);

  localparam int Guard = LimbBits - Limb;
  localparam int AllBits = Limbs * Limb + LimbBits;  // enough for all limbs in their places

  typedef logic [AllBits-1:0] all_t;

  if (LimbBits >= 2 * Limb) begin : gen_guard
    $error("eccel_limb_resolve: limbs are too short for what is above them");
  end

  logic [Limbs-1:0][LimbBits:0] positive;
  all_t lower, upper;
  logic unused;

  for (genvar j = 0; j < Limbs; j++) begin : gen_limb
    localparam logic [LimbBits:0] Own = j + 1 < Limbs ? {2'b01, (LimbBits - 1)'(0)} : '0;
    localparam logic [LimbBits:0] Back = j > 0 ? (LimbBits + 1)'(1) << (Guard - 1) : '0;
    logic [LimbBits:0] biased;
    assign biased = {limb_i[j][LimbBits-1], limb_i[j]} + (Own - Back);
    if (Pipelined) begin : gen_register
      always_ff @(posedge clk_i) positive[j] <= biased;
    end else begin : gen_wire
      assign positive[j] = biased;
    end
  end

  always_comb begin
    lower = '0;
    upper = '0;
    for (int j = 0; j < Limbs - 1; j++) begin
      lower |= all_t'(positive[j][Limb-1:0]) << (Limb * j);
      upper |= all_t'(positive[j][LimbBits:Limb]) << (Limb * (j + 1));
    end
    lower |= all_t'(signed'(positive[Limbs-1])) << (Limb * (Limbs - 1));
  end

  eccel_wide_add #(
      .Width    (Width),
      .Pipelined(Pipelined)
  ) u_add (
      .clk_i,
      .a_i  (Width'(lower)),
      .b_i  (Width'(upper)),
      .c_i  (1'b0),
      .sum_o({unused, sum_o})
  );

endmodule
