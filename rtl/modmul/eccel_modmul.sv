// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Modular product from a multiplier of any kind.
//
// Parameters Kind, Bits, Levels, Word, Lanes, Pipelined: the multiplier, see eccel_mul. Reduction:
//            1 Montgomery, for any odd modulus; 2 Solinas, for a prime of eccel_solinas_pkg; 3
//            Montgomery for a constant prime. Prime: number of the prime, in eccel_solinas_pkg or
//            eccel_fixed_pkg::fixed_modulus; Bits is its number of bits. Multipliers: of
//            Montgomery products, 1 or 3. Digit: of the constant modulus, see eccel_fixed_reduce.
// Requires   a_i, b_i are below the modulus m. Reduction 1: m = modulus_i is odd, and inverse_i is
//            -m^-1 mod 2^Bits; both are stable. Other reductions do not read these inputs. Operands
//            are taken in a cycle with valid_i and ready_o.
// Guarantees valid_o is high for one cycle with r_o, latency_o cycles after the operands were
//            taken: a b mod m for Solinas, else a b 2^-Bits mod m, in [0, m). ready_o is low for
//            interval_o - 1 cycles after that cycle. A unit whose multiplier makes several passes
//            has fixed slots for them, so that ready_o can stay low longer after a gap. rst_i
//            forgets all products on the way. No timing depends on data.
// Latency    eccel_modmul_pkg::latency(..), also on latency_o
// Interval   eccel_modmul_pkg::interval(..), also on interval_o

module eccel_modmul #(
    parameter int Kind        = eccel_mul_pkg::ShiftAdd,
    parameter int Bits        = 256,
    parameter int Levels      = 0,
    parameter int Word        = 16,
    parameter int Lanes       = 1,
    parameter bit Pipelined   = 1'b0,
    parameter int Reduction   = eccel_modmul_pkg::Montgomery,
    parameter int Prime       = 0,
    parameter int Multipliers = 1,
    parameter int Digit       = eccel_fixed_pkg::FixedDigit
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] a_i,
    input  logic [Bits-1:0] b_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] inverse_i,
    output logic            valid_o,
    output logic [Bits-1:0] r_o,
    output logic [    15:0] latency_o,
    output logic [    15:0] interval_o
);

  localparam int MulLatency = eccel_mul_pkg::latency(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int MulInterval = eccel_mul_pkg::interval(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int Latency = eccel_modmul_pkg::latency(
      MulLatency, MulInterval, Reduction, Prime, Multipliers, Digit, Bits, Pipelined
  );

  if (Reduction == eccel_modmul_pkg::Montgomery) begin : gen_montgomery
    eccel_montgomery #(
        .Kind       (Kind),
        .Bits       (Bits),
        .Levels     (Levels),
        .Word       (Word),
        .Lanes      (Lanes),
        .Pipelined  (Pipelined),
        .Multipliers(Multipliers)
    ) u_montgomery (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .modulus_i,
        .inverse_i,
        .valid_o,
        .r_o,
        .latency_o,
        .interval_o
    );
  end else begin : gen_reduce
    localparam int After = Latency - MulLatency;  // cycles of the reduction

    logic [15:0] unused_latency, unused_interval;  // the package has them
    logic done, unused;
    logic [2*Bits-1:0] t;
    logic [After-1:0] done_q;

    assign latency_o  = 16'(Latency);
    assign interval_o = 16'(MulInterval);
    assign unused     = ^{modulus_i, inverse_i};

    eccel_mul #(
        .Kind     (Kind),
        .Bits     (Bits),
        .Levels   (Levels),
        .Word     (Word),
        .Lanes    (Lanes),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o   (done),
        .p_o       (t),
        .latency_o (unused_latency),
        .interval_o(unused_interval)
    );

    if (Reduction == eccel_modmul_pkg::Solinas) begin : gen_solinas
      if (Bits != eccel_solinas_pkg::field(Prime).bits) begin : gen_bits
        $error("eccel_modmul: Bits is not the size of the prime");
      end else begin : gen_fits
        eccel_solinas_reduce #(
            .Prime    (Prime),
            .Pipelined(Pipelined)
        ) u_reduce (
            .clk_i,
            .t_i(t),
            .r_o
        );
      end
    end else if (Reduction == eccel_modmul_pkg::FixedModulus) begin : gen_fixed
      eccel_fixed_reduce #(
          .Bits     (Bits),
          .Modulus  (Bits'(eccel_fixed_pkg::fixed_modulus(Prime))),
          .Digit    (Digit),
          .Pipelined(Pipelined)
      ) u_reduce (
          .clk_i,
          .t_i(t),
          .r_o
      );
    end else begin : gen_unknown
      $error("eccel_modmul: Reduction is 1 to 3; a plain product comes from eccel_mul");
    end

    always_ff @(posedge clk_i) begin
      done_q <= After'({done_q, done});
      if (rst_i) done_q <= '0;
    end
    assign valid_o = done_q[After-1];
  end

endmodule
