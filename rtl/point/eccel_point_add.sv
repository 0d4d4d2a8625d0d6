// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Complete addition of two points of a short Weierstrass curve, from modular multipliers of any
// kind.
//
// Parameters Kind, Bits, Levels, Word, Lanes, Pipelined, Reduction, Prime, Passes: the modular
//            multiplier, see eccel_modmul (Passes: its Multipliers, 1 or 3). Units: so many modular
//            multipliers, 1 to 8. Algorithm: 1 for any a, 4 for a = -3.
// Requires   Points are projective: (X : Y : Z), infinity is (0 : Y : 0) with any Y but 0. All
//            numbers are below the modulus; with Montgomery reduction they are in Montgomery form
//            (times 2^Bits), also a_i and b_i. The curve y^2 = x^3 + a x + b has no point of order
//            2, as all curves of odd order. b_i is 3 b for algorithm 1, b for algorithm 4, which
//            does not read a_i. modulus_i is the modulus, also of a constant reduction; inverse_i
//            is that of eccel_modmul. Constants are stable. Points are taken in a cycle with
//            valid_i and ready_o.
// Guarantees valid_o is high for one cycle with the sum of the two points, latency_o cycles after
//            they were taken: for all points, also equal and opposite ones, and infinity. ready_o
//            is low until the cycle after valid_o. rst_i ends the addition. No timing depends on
//            data.
// Latency    eccel_point_pkg::latency(..), also on latency_o
// Interval   Latency + 1
// After      Renes, Costello, Batina 2016, algorithms 1 and 4
//
// The steps of a program (eccel_point_program_pkg) issue in order, at most one in a cycle, as soon
// as their operands are there. Products and sums have a memory each, which only their unit writes.

module eccel_point_add
  import eccel_point_program_pkg::*;
#(
    parameter int Kind      = eccel_mul_pkg::ShiftAdd,
    parameter int Bits      = 256,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0,
    parameter int Reduction = eccel_modmul_pkg::Montgomery,
    parameter int Prime     = 0,
    parameter int Passes    = 1,
    parameter int Units     = 1,
    parameter int Algorithm = 1
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] x1_i,
    input  logic [Bits-1:0] y1_i,
    input  logic [Bits-1:0] z1_i,
    input  logic [Bits-1:0] x2_i,
    input  logic [Bits-1:0] y2_i,
    input  logic [Bits-1:0] z2_i,
    input  logic [Bits-1:0] a_i,
    input  logic [Bits-1:0] b_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] inverse_i,
    output logic            valid_o,
    output logic [Bits-1:0] x3_o,
    output logic [Bits-1:0] y3_o,
    output logic [Bits-1:0] z3_o,
    output logic [    15:0] latency_o,
    output logic [    15:0] interval_o
);

  localparam int MulLatency = eccel_mul_pkg::latency(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int MulInterval = eccel_mul_pkg::interval(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int ProductLatency = eccel_modmul_pkg::latency(
      MulLatency, MulInterval, Reduction, Prime, Passes, eccel_fixed_pkg::FixedDigit, Bits, Pipelined
  );
  localparam int ProductInterval = eccel_modmul_pkg::interval(
      MulLatency, MulInterval, Reduction, Passes
  );
  localparam int Busy = eccel_modmul_pkg::busy(MulLatency, MulInterval, Reduction, Passes);
  localparam int SumLatency = eccel_adder_pkg::mod_add_latency(Bits, Pipelined);
  localparam int Latency = eccel_point_pkg::latency(
      Algorithm, Units, ProductLatency, ProductInterval, Busy, SumLatency
  );
  localparam int Steps = step_count(Algorithm);

  typedef logic [Bits-1:0] value_t;

  if (Algorithm != 1 && Algorithm != 4) begin : gen_algorithm
    $error("eccel_point_add: Algorithm is 1 or 4");
  end
  if (Units < 1 || Units > eccel_point_pkg::MaxMultipliers) begin : gen_units
    $error("eccel_point_add: Units is 1 to 8");
  end

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Latency + 1);

  // ------------------------------------------------------------------ control

  logic take, load_q, loaded_all, run_q, last, issue, done;
  logic [3:0] load_place_q;
  logic [$clog2(Steps+1)-1:0] number_q;
  step_t step_q;

  assign take = valid_i && ready_o;
  assign loaded_all = int'(load_place_q) == eccel_point_pkg::LoadCycles - 1;
  assign last = int'(number_q) == Steps;

  always_ff @(posedge clk_i) begin
    if (take) ready_o <= 1'b0;
    else if (valid_o) ready_o <= 1'b1;

    load_q <= take || load_q && !loaded_all;
    load_place_q <= load_q ? load_place_q + 4'd1 : 4'd0;

    // The step in step_q waits until it issues; the next one follows.
    if (load_q && loaded_all) begin
      run_q    <= 1'b1;
      number_q <= $bits(number_q)'(1);
      step_q   <= step(Algorithm, 0);
    end else if (issue) begin
      run_q    <= !last;
      number_q <= number_q + 1'b1;
      step_q   <= step(Algorithm, int'(number_q));
    end
    if (rst_i) begin
      ready_o <= 1'b1;
      load_q  <= 1'b0;
      run_q   <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ operands on the way

  logic [15:0] product_wait_q, sum_wait_q;
  logic product_write, sum_write, sum_keep, left_there, right_there, request_q, request_free;
  logic [3:0] product_place, sum_place;
  logic [1:0] sum_result;

  assign left_there = !(step_q.left_sum ? sum_wait_q[step_q.left] : product_wait_q[step_q.left]);
  assign right_there = !(step_q.right_sum ? sum_wait_q[step_q.right] : product_wait_q[step_q.right]);
  assign issue = run_q && left_there && right_there && (!step_q.product || request_free);
  assign sum_keep = sum_write && sum_result == '0;

  always_ff @(posedge clk_i) begin
    if (product_write) product_wait_q[product_place] <= 1'b0;
    if (sum_keep) sum_wait_q[sum_place] <= 1'b0;
    if (issue && step_q.product) product_wait_q[step_q.target] <= 1'b1;
    if (issue && !step_q.product && step_q.result == '0) sum_wait_q[step_q.target] <= 1'b1;
    if (rst_i) begin
      product_wait_q <= '0;
      sum_wait_q     <= '0;
    end
  end

  // ------------------------------------------------------------------ memories

  value_t operand_q[6];  // the points, next coordinate first
  value_t loaded, product, sum, left, right;
  value_t product_mem[16], sum_mem[16];

  always_comb begin
    unique case (load_place_q)
      4'd6: loaded = a_i;
      4'd7: loaded = b_i;
      default: loaded = operand_q[0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 5; i++) operand_q[i] <= operand_q[i+1];
    if (take) operand_q <= '{x1_i, y1_i, z1_i, x2_i, y2_i, z2_i};
  end
  always_ff @(posedge clk_i) if (product_write) product_mem[product_place] <= product;
  always_ff @(posedge clk_i) begin
    if (load_q || sum_keep) sum_mem[load_q ? load_place_q : sum_place] <= load_q ? loaded : sum;
  end

  assign left  = step_q.left_sum ? sum_mem[step_q.left] : product_mem[step_q.left];
  assign right = step_q.right_sum ? sum_mem[step_q.right] : product_mem[step_q.right];

  // ------------------------------------------------------------------ products

  value_t factor_a_q, factor_b_q;
  logic accept;

  assign request_free = !request_q || accept;

  always_ff @(posedge clk_i) begin
    if (issue && step_q.product) begin
      factor_a_q <= left;
      factor_b_q <= right;
    end
    if (request_free) request_q <= issue && step_q.product;
    if (rst_i) request_q <= 1'b0;
  end

  eccel_point_products #(
      .Kind     (Kind),
      .Bits     (Bits),
      .Levels   (Levels),
      .Word     (Word),
      .Lanes    (Lanes),
      .Pipelined(Pipelined),
      .Reduction(Reduction),
      .Prime    (Prime),
      .Passes   (Passes),
      .Units    (Units)
  ) u_products (
      .clk_i,
      .rst_i,
      .valid_i (request_q),
      .accept_o(accept),
      .a_i     (factor_a_q),
      .b_i     (factor_b_q),
      .modulus_i,
      .inverse_i,
      .valid_o (product_write),
      .r_o     (product)
  );

  // Products come back in the order of their issue.
  logic [3:0] place_mem[16];
  logic [3:0] place_write_q, place_read_q;

  always_ff @(posedge clk_i) if (issue && step_q.product) place_mem[place_write_q] <= step_q.target;

  always_ff @(posedge clk_i) begin
    if (issue && step_q.product) place_write_q <= place_write_q + 4'd1;
    if (product_write) place_read_q <= place_read_q + 4'd1;
    if (rst_i) begin
      place_write_q <= '0;
      place_read_q  <= '0;
    end
  end
  assign product_place = place_mem[place_read_q];

  // ------------------------------------------------------------------ sums

  value_t term_a_q, term_b_q;
  logic sub_q;
  logic [SumLatency:0] sum_valid_q;
  logic [6:0] sum_tag_q[SumLatency+1];  // last step, result, place

  always_ff @(posedge clk_i) begin
    term_a_q    <= left;
    term_b_q    <= right;
    sub_q       <= step_q.sub;
    sum_valid_q <= {sum_valid_q[SumLatency-1:0], issue && !step_q.product};
    sum_tag_q[0] <= {last, step_q.result, step_q.target};
    for (int i = 0; i < SumLatency; i++) sum_tag_q[i+1] <= sum_tag_q[i];
    if (rst_i) sum_valid_q <= '0;
  end

  eccel_mod_add #(
      .Width    (Bits),
      .Pipelined(Pipelined)
  ) u_sum (
      .clk_i,
      .a_i  (term_a_q),
      .b_i  (term_b_q),
      .c_i  (1'b0),
      .sub_i(sub_q),
      .modulus_i,
      .r_o  (sum)
  );

  assign sum_write = sum_valid_q[SumLatency];
  assign {done, sum_result, sum_place} = sum_tag_q[SumLatency];

  always_ff @(posedge clk_i) begin
    valid_o <= sum_write && done;
    if (sum_write && sum_result == 2'd1) x3_o <= sum;
    if (sum_write && sum_result == 2'd2) y3_o <= sum;
    if (sum_write && sum_result == 2'd3) z3_o <= sum;
    if (rst_i) valid_o <= 1'b0;
  end

endmodule
