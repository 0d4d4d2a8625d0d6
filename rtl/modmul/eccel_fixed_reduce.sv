// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Montgomery reduction by a constant prime p = 1 modulo 2^Digit: r = t * R^-1 mod p, R = 2^Bits.
// One in each cycle, in LUTs only.
//
// Parameters Bits: of Modulus = p. Digit: bits that a step removes. Window: of the digits of p, see
//            eccel_fixed_pkg.
// Requires   t_i < R p.
// Guarantees r_o is in [0, p). No timing depends on data.
// Latency    eccel_fixed_pkg::reduce_latency(Modulus, Bits, Digit, Window, Pipelined)
// Interval   1
// Cost       Bits / Digit products of a digit and of the constant, see eccel_const_limbs.
//
// -p^-1 is -1 modulo 2^Digit. So the lowest digit q of t is itself the multiple of p to subtract,
// and it costs no product. After all digits, t - Q p with Q < R is a multiple of R, so that the
// quotient lies between -p and p.

module eccel_fixed_reduce
  import eccel_fixed_pkg::*;
#(
    parameter int Bits = 16,
    parameter logic [Bits-1:0] Modulus = '1,
    parameter int Digit = 4,
    parameter int Window = 5,
    parameter bit Pipelined = 1'b1
) (
    input  logic              clk_i,
    input  logic [2*Bits-1:0] t_i,
    output logic [  Bits-1:0] r_o
);

  localparam int Steps = reduce_steps(Bits, Digit);
  localparam int LastBits = Bits - Digit * (Steps - 1);
  localparam int Limbs = 2 * Bits / Digit + 1;
  // A limb is below 2^Digit at first. Each step adds to it the rows of one sign at most, and once a
  // carry.
  localparam int Rows = max_rows(constant_t'(Modulus) >> Digit, Window, Digit + Window - 1);
  localparam int LimbBits = Digit + $clog2(2 + Steps * (Rows + 1)) + 1;
  localparam int LastLimbs = Limbs - (Steps - 1);
  localparam int TotalBits = Bits + LastBits + 1;

  if (Modulus[Digit-1:0] != {{(Digit - 1) {1'b0}}, 1'b1}) begin : gen_modulus
    $error("eccel_fixed_reduce: the modulus has to be 1 modulo 2^Digit");
  end
  if (Steps < 2) begin : gen_steps
    $error("eccel_fixed_reduce: Digit has to be below Bits");
  end

  // Limbs before each step; step i leaves one less.
  logic [Steps-1:0][Limbs-1:0][LimbBits-1:0] x;
  logic [LastLimbs-1:0][LimbBits-1:0] y;
  logic [TotalBits-1:0] total;
  logic unused;

  for (genvar j = 0; j < Limbs; j++) begin : gen_limb
    if (Digit * (j + 1) <= 2 * Bits) begin : gen_whole
      assign x[0][j] = LimbBits'(t_i[Digit*j+:Digit]);
    end else if (Digit * j < 2 * Bits) begin : gen_part
      assign x[0][j] = LimbBits'(t_i[2*Bits-1:Digit*j]);
    end else begin : gen_zero
      assign x[0][j] = '0;
    end
  end

  for (genvar i = 0; i < Steps - 1; i++) begin : gen_step
    assign x[i+1][Limbs-1:Limbs-1-i] = '0;
    eccel_fixed_step #(
        .Bits     (Bits),
        .Modulus  (Modulus),
        .Digit    (Digit),
        .InBits   (Digit),
        .Window   (Window),
        .Last     (1'b0),
        .Limbs    (Limbs - i),
        .LimbBits (LimbBits),
        .Pipelined(Pipelined)
    ) u_step (
        .clk_i,
        .x_i(x[i][Limbs-i-1:0]),
        .y_o(x[i+1][Limbs-i-2:0])
    );
  end

  eccel_fixed_step #(
      .Bits     (Bits),
      .Modulus  (Modulus),
      .Digit    (Digit),
      .InBits   (LastBits),
      .Window   (Window),
      .Last     (1'b1),
      .Limbs    (LastLimbs),
      .LimbBits (LimbBits),
      .Pipelined(Pipelined)
  ) u_last (
      .clk_i,
      .x_i(x[Steps-1][LastLimbs-1:0]),
      .y_o(y)
  );
  eccel_limb_resolve #(
      .Limbs    (LastLimbs),
      .Limb     (Digit),
      .LimbBits (LimbBits),
      .Width    (TotalBits),
      .Pipelined(Pipelined)
  ) u_resolve (
      .clk_i,
      .limb_i(y),
      .sum_o (total)
  );
  eccel_mod_correct #(
      .Width    (Bits),
      .Pipelined(Pipelined)
  ) u_correct (
      .clk_i,
      .x_i         (total[TotalBits-1:LastBits]),
      .difference_i(1'b1),
      .modulus_i   (Modulus),
      .r_o
  );

  assign unused = ^{x, total};

endmodule
