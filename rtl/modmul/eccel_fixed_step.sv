// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One digit of a Montgomery reduction by a constant p = 1 modulo 2^Digit, on numbers in limbs.
//
// Parameters Bits: of Modulus = p. Digit: bits between limbs. InBits <= Digit: of the digit that
//            this step removes. Last: the digit is removed, but the limbs stay in their places.
//            Limbs, LimbBits: of x_i, with a sign.
// Requires   The limbs of x and of the result fit LimbBits.
// Guarantees With q the low InBits bits of x: y_o = (x - q p) / 2^Digit, or with Last x - q p,
//            which is a multiple of 2^InBits. Limb j is worth 2^(Digit * j).
// Latency    eccel_fixed_pkg::step_latency(Modulus, Digit, Window, InBits, Pipelined)
// Interval   1
//
// x - q is what is left of limb 0 above its digit; q (p - 1) begins one limb higher. No limb gives
// carries to another one, except for limb 0 whose digit is next.

module eccel_fixed_step
  import eccel_fixed_pkg::*;
#(
    parameter int Bits = 16,
    parameter logic [Bits-1:0] Modulus = '1,
    parameter int Digit = 4,
    parameter int InBits = 4,
    parameter int Window = 5,
    parameter bit Last = 1'b0,
    parameter int Limbs = 8,
    parameter int LimbBits = 8,
    parameter bit Pipelined = 1'b1,
    localparam int OutLimbs = Limbs - (Last ? 0 : 1)
) (
    input  logic                               clk_i,
    input  logic [Limbs-1:0][LimbBits-1:0]     x_i,
    output logic [OutLimbs-1:0][LimbBits-1:0]  y_o
);

  localparam int Span = InBits + Window - 1;
  localparam int ConstBits = Bits - Digit;
  localparam logic [ConstBits-1:0] Constant = Modulus[Bits-1:Digit];
  localparam int Products = (ConstBits + Span + Digit) / Digit;  // limbs of q (p - 1) / 2^Digit
  localparam int SumBits = Digit + $clog2(max_rows(constant_t'(Constant), Window, Span));
  localparam int Wait = limbs_latency(constant_t'(Constant), Window, InBits, Pipelined);

  typedef logic [LimbBits-1:0] limb_t;  // in two's complement

  logic [Products-1:0][SumBits-1:0] plus, minus;
  logic unused;

  eccel_const_limbs #(
      .ConstBits(ConstBits),
      .Constant (Constant),
      .InBits   (InBits),
      .Limb     (Digit),
      .Window   (Window),
      .Pipelined(Pipelined)
  ) u_product (
      .clk_i,
      .a_i    (x_i[0][InBits-1:0]),
      .plus_o (plus),
      .minus_o(minus)
  );

  for (genvar j = 1; j < Limbs; j++) begin : gen_limb
    limb_t own, own_later, less, sum;

    if (j == 1 && !Last) begin : gen_carry
      assign own = x_i[1] + limb_t'(signed'(x_i[0][LimbBits-1:Digit]));
    end else begin : gen_plain
      assign own = x_i[j];
    end
    eccel_delay #(
        .Width (LimbBits),
        .Cycles(Pipelined ? Wait + 1 : 0)
    ) u_own (
        .clk_i,
        .d_i(own),
        .q_o(own_later)
    );
    if (j <= Products) begin : gen_product
      limb_t difference;
      assign difference = limb_t'(minus[j-1]) - limb_t'(plus[j-1]);
      eccel_delay #(
          .Width (LimbBits),
          .Cycles(Pipelined ? 1 : 0)
      ) u_less (
          .clk_i,
          .d_i(difference),
          .q_o(less)
      );
    end else begin : gen_none
      assign less = '0;
    end
    assign sum = own_later + less;
    always_ff @(posedge clk_i) y_o[j-(Last ? 0 : 1)] <= sum;
  end

  if (Last) begin : gen_rest
    logic [LimbBits-1:0] rest;
    eccel_delay #(
        .Width (LimbBits),
        .Cycles(Pipelined ? Wait + 2 : 1)
    ) u_rest (
        .clk_i,
        .d_i({x_i[0][LimbBits-1:InBits], InBits'(0)}),
        .q_o(rest)
    );
    assign y_o[0] = rest;
  end

  // The sums above the limbs of x are 0, and are not used.
  assign unused = ^{plus, minus, x_i[0]};

endmodule
