// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Montgomery product for any odd modulus: r = a * b * R^-1 mod m, R = 2^Bits.
//
// Parameters Kind, Bits, Levels, Word, Lanes, Pipelined: the multiplier, see eccel_mul.
//            Multipliers: 3, or 1 that makes the three products in turn.
// Requires   m = modulus_i is odd, and a_i * b_i < R m: a_i, b_i < m, or one of them any number
//            below R. inverse_i = -m^-1 mod R. Both are stable. Operands are taken in a cycle with
//            valid_i and ready_o.
// Guarantees valid_o is high for one cycle with r_o in [0, m), latency_o cycles after the operands
//            were taken. ready_o is low for interval_o - 1 cycles after that cycle. rst_i forgets
//            all products on the way. No timing depends on data.
// Latency    eccel_modmul_pkg::montgomery_latency(..)
// Interval   eccel_modmul_pkg::montgomery_interval(..)
// After      Montgomery 1985: t = a b; q = t m' mod R; r = (t + q m) / R, at most one m too large.
//
// The low halves of t and q m add up to 0 modulo R: to R, or to 0 if the low half of t is 0. So
// only the upper halves are added, with a carry that says whether the low half of t is not 0.

module eccel_montgomery #(
    parameter int Kind        = eccel_mul_pkg::ShiftAdd,
    parameter int Bits        = 256,
    parameter int Levels      = 0,
    parameter int Word        = 16,
    parameter int Lanes       = 1,
    parameter bit Pipelined   = 1'b0,
    parameter int Multipliers = 1
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
  localparam int Latency = eccel_modmul_pkg::montgomery_latency(
      MulLatency, MulInterval, Multipliers, Bits, Pipelined
  );
  localparam int Interval = eccel_modmul_pkg::montgomery_interval(
      MulLatency, MulInterval, Multipliers
  );
  localparam int AddLatency = eccel_adder_pkg::mod_add_latency(Bits, Pipelined);
  // Cycles from t to q m, and so the most values that wait.
  localparam int Wait = Multipliers == 3 ? 2 * MulLatency : 2 * eccel_modmul_pkg::pass_gap(
      MulLatency, MulInterval
  );
  localparam int Waiting = Wait / Interval + 1;

  typedef logic [Bits-1:0] value_t;

  logic t_valid, u_valid, low_valid_q;
  value_t t_low, t_high, u_high, u_high_q, t_waited;
  logic low, low_waited;  // the low half of t is not 0
  logic [AddLatency:0] done_q;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Interval);

  if (Multipliers == 3) begin : gen_three
    eccel_montgomery_row #(
        .Kind     (Kind),
        .Bits     (Bits),
        .Levels   (Levels),
        .Word     (Word),
        .Lanes    (Lanes),
        .Pipelined(Pipelined)
    ) u_passes (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .modulus_i,
        .inverse_i,
        .t_valid_o(t_valid),
        .t_low_o  (t_low),
        .t_high_o (t_high),
        .u_valid_o(u_valid),
        .u_high_o (u_high)
    );
  end else begin : gen_shared
    eccel_montgomery_passes #(
        .Kind     (Kind),
        .Bits     (Bits),
        .Levels   (Levels),
        .Word     (Word),
        .Lanes    (Lanes),
        .Pipelined(Pipelined)
    ) u_passes (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .modulus_i,
        .inverse_i,
        .t_valid_o(t_valid),
        .t_low_o  (t_low),
        .t_high_o (t_high),
        .u_valid_o(u_valid),
        .u_high_o (u_high)
    );
  end

  if (Multipliers != 1 && Multipliers != 3) begin : gen_unknown
    $error("eccel_montgomery: Multipliers is 1 or 3");
  end

  // ------------------------------------------------------------------ t waits for q m

  localparam int Groups = (Bits + 15) / 16;
  logic [Groups-1:0] group_q;

  for (genvar i = 0; i < Groups; i++) begin : gen_group
    localparam int At = 16 * i;
    always_ff @(posedge clk_i) group_q[i] <= |t_low[At+:(At + 16 > Bits ? Bits - At : 16)];
  end
  assign low = |group_q;

  eccel_word_queue #(
      .Width(Bits),
      .Depth(Waiting)
  ) u_waiting_high (
      .clk_i,
      .rst_i,
      .push_i(t_valid),
      .data_i(t_high),
      .pop_i (u_valid),
      .data_o(t_waited)
  );
  eccel_word_queue #(
      .Width(1),
      .Depth(Waiting)
  ) u_waiting_low (
      .clk_i,
      .rst_i,
      .push_i(low_valid_q),
      .data_i(low),
      .pop_i (u_valid),
      .data_o(low_waited)
  );

  // ------------------------------------------------------------------ result

  always_ff @(posedge clk_i) begin
    low_valid_q <= t_valid;
    u_high_q    <= u_high;
    done_q      <= {done_q[AddLatency-1:0], u_valid};
    if (rst_i) begin
      low_valid_q <= 1'b0;
      done_q      <= '0;
    end
  end

  eccel_mod_add #(
      .Width    (Bits),
      .Pipelined(Pipelined)
  ) u_add (
      .clk_i,
      .a_i      (t_waited),
      .b_i      (u_high_q),
      .c_i      (low_waited),
      .sub_i    (1'b0),
      .modulus_i,
      .r_o
  );

  assign valid_o = done_q[AddLatency];

endmodule
