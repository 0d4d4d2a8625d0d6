// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One step of the divide-and-conquer multiplier, which contains three smaller ones: p = a * b.
//
// Parameters Bits, Scale: the operands are below Scale * 2^Bits. Levels: how often they are halved.
//            Leaf, Segment: see eccel_mul_karatsuba_pkg.
// Requires   2^(Levels + 1) <= Bits, or Levels = 0.
// Guarantees p_o = a_i * b_i, all skewed.
// Latency    eccel_mul_karatsuba_pkg::node_latency for the lowest segments
// After      Karatsuba, Ofman 1962; Bernstein 2009 (the sum of z0 and z2 is formed once).
//
// With a = a1 2^m + a0, b likewise, z0 = a0 b0, z2 = a1 b1:
//
//   sums          z1 = (a0 + a1) (b0 + b1)   W = z0 - 2^m z2   E = W + 2^m z1   p = E - 2^m W
//   differences   z1 = (a0 - a1) (b1 - b0)   W = z0 + 2^m z2   E = W + 2^m z1   p = E + 2^m W
//
// The last split takes differences, because they fit a signed block. W, E and p are one adder row
// each: positions m to m + |z2| - 1 of W (as X 2^2m + U 2^m + l0, where X and U are complements for
// sums), positions m up of E, and positions m up of p. Bits 3m up of p are the upper part h2 of z2
// plus a small number that is never negative: f - 1 + c, where c is the carry of the row. So h2
// needs no sign: the operand is max(f - 1, 0), and the carry passes if f > 0. A position of its own
// in the row does that.

module eccel_mul_karatsuba_node #(
    parameter int Bits    = 32,
    parameter int Scale   = 1,
    parameter int Levels  = 1,
    parameter int Leaf    = 17,
    parameter int Segment = 32,
    localparam int Width = eccel_mul_karatsuba_pkg::wide(Bits, Scale)
) (
    input  logic               clk_i,
    input  logic [  Width-1:0] a_i,
    input  logic [  Width-1:0] b_i,
    output logic [2*Width-1:0] p_o
);

  if (Levels == 0) begin : gen_leaf
    eccel_mul_karatsuba_school #(
        .Width  (Width),
        .Leaf   (Leaf),
        .Segment(Segment)
    ) u_school (
        .clk_i,
        .a_i,
        .b_i,
        .p_o
    );
  end else begin : gen_split
    localparam int Low = eccel_mul_karatsuba_pkg::low(Bits, Scale, Levels);
    localparam int HighScale = eccel_mul_karatsuba_pkg::high_scale(Bits, Scale, Levels);
    localparam bit Differ = eccel_mul_karatsuba_pkg::differs(Bits, Scale, Levels, Leaf);
    localparam int High = Width - Low;
    localparam int Middle = eccel_mul_karatsuba_pkg::middle(Bits, Scale, Levels, Leaf);
    localparam int Guard = eccel_mul_karatsuba_pkg::guard(Bits, Scale, Levels, Leaf);
    localparam int Upper = 2 * High - Low;  // bits of h2
    localparam int Top = 2 * Width;
    // Row W has a bit above z2 where h2 can be all ones.
    localparam int WidthW = eccel_mul_karatsuba_pkg::joined(Bits, Scale, Levels);
    localparam int TopW = Low + WidthW;
    localparam int TopE = 3 * Low + Guard;
    localparam int Step = Segment == 0 ? 0 : 1;
    localparam int Latency0 = eccel_mul_karatsuba_pkg::node_latency(
        Low, 1, Levels - 1, Leaf, Segment
    );
    localparam int Latency2 = eccel_mul_karatsuba_pkg::node_latency(
        Bits - Low, Scale, Levels - 1, Leaf, Segment
    );
    localparam int BlockLatency = Segment == 0 ? 0 :
        eccel_mul_karatsuba_pkg::at(Low, Low + 1, Segment) + eccel_mul_karatsuba_pkg::BlockCycles;
    localparam int Latency1 = Differ ? BlockLatency :
        eccel_mul_karatsuba_pkg::node_latency(Low, 1 + HighScale, Levels - 1, Leaf, Segment);
    localparam eccel_mul_karatsuba_pkg::times_t T = eccel_mul_karatsuba_pkg::schedule(
        Bits, Scale, Levels, Leaf, Segment, Latency0, Latency1, Latency2
    );
    localparam int Last = eccel_mul_karatsuba_pkg::at(3 * Low - 1, Top, Segment);

    if (Upper < 1) begin : gen_too_short
      $error("eccel_mul_karatsuba_node: the operands are too short for so many levels");
    end

    // ------------------------------------------------------------ three products

    logic [2*Low-1:0] z0;
    logic [2*High-1:0] z2;
    logic [2*Middle-1:0] z1;
    logic [1:0][Middle-1:0] sums;  // or differences, of the halves of a and of b

    logic [1:0][Width-1:0] ab;
    logic [1:0][Low-1:0] lower;
    logic [1:0][High-1:0] upper;
    assign ab = {b_i, a_i};

    for (genvar k = 0; k < 2; k++) begin : gen_operand
      logic [Low-1:0] late_lower;
      logic [High-1:0] late_upper;
      logic [Middle-1:0] x, y;
      logic unused_carry;

      eccel_mul_karatsuba_align #(
          .Width  (Low),
          .Segment(Segment),
          .FromTop(Width),
          .To     (T.lower)
      ) u_lower (
          .clk_i,
          .d_i(ab[k][Low-1:0]),
          .d_o(lower[k])
      );
      eccel_mul_karatsuba_align #(
          .Width  (High),
          .Segment(Segment),
          .FromLow(Low),
          .FromTop(Width),
          .To     (T.upper)
      ) u_upper (
          .clk_i,
          .d_i(ab[k][Width-1:Low]),
          .d_o(upper[k])
      );
      eccel_mul_karatsuba_align #(
          .Width  (Low),
          .Segment(Segment),
          .FromTop(Width),
          .To     (T.sum),
          .ToTop  (Middle)
      ) u_late_lower (
          .clk_i,
          .d_i(ab[k][Low-1:0]),
          .d_o(late_lower)
      );
      eccel_mul_karatsuba_align #(
          .Width  (High),
          .Segment(Segment),
          .FromLow(Low),
          .FromTop(Width),
          .To     (T.sum),
          .ToTop  (Middle)
      ) u_late_upper (
          .clk_i,
          .d_i(ab[k][Width-1:Low]),
          .d_o(late_upper)
      );

      // Differences: a0 - a1, but b1 - b0.
      localparam bit Swap = Differ && k == 1;
      assign x = Swap ? Middle'(late_upper) : Middle'(late_lower);
      assign y = Swap ? Middle'(late_lower) : Middle'(late_upper);
      eccel_mul_karatsuba_row #(
          .Width  (Middle),
          .Segment(Segment),
          .Invert ({Middle{Differ}})
      ) u_sum (
          .clk_i,
          .a_i    (x),
          .b_i    (y),
          .c_i    (Differ),
          .sum_o  (sums[k]),
          .carry_o(unused_carry)
      );
    end

    eccel_mul_karatsuba_node #(
        .Bits   (Low),
        .Scale  (1),
        .Levels (Levels - 1),
        .Leaf   (Leaf),
        .Segment(Segment)
    ) u_lower (
        .clk_i,
        .a_i(lower[0]),
        .b_i(lower[1]),
        .p_o(z0)
    );
    eccel_mul_karatsuba_node #(
        .Bits   (Bits - Low),
        .Scale  (Scale),
        .Levels (Levels - 1),
        .Leaf   (Leaf),
        .Segment(Segment)
    ) u_upper (
        .clk_i,
        .a_i(upper[0]),
        .b_i(upper[1]),
        .p_o(z2)
    );
    if (Differ) begin : gen_differences
      logic [1:0][Middle-1:0] whole;  // all bits at the time of the sign
      logic [2*Middle-1:0] product;
      for (genvar k = 0; k < 2; k++) begin : gen_operand
        eccel_mul_karatsuba_align #(
            .Width  (Middle),
            .Segment(Segment),
            .To     (BlockLatency - (Segment == 0 ? 0 : eccel_mul_karatsuba_pkg::BlockCycles)),
            .ToTop  (1)
        ) u_whole (
            .clk_i,
            .d_i(sums[k]),
            .d_o(whole[k])
        );
      end
      eccel_mul_karatsuba_block #(
          .WidthA   (Middle),
          .WidthB   (Middle),
          .Signed   (1'b1),
          .Registers(Segment != 0)
      ) u_mul (
          .clk_i,
          .a_i(whole[0]),
          .b_i(whole[1]),
          .p_o(product)
      );
      eccel_mul_karatsuba_align #(
          .Width   (2 * Middle),
          .Segment (Segment),
          .FromSkew(1'b0),
          .From    (BlockLatency),
          .To      (BlockLatency)
      ) u_skew (
          .clk_i,
          .d_i(product),
          .d_o(z1)
      );
    end else begin : gen_sums
      eccel_mul_karatsuba_node #(
          .Bits   (Low),
          .Scale  (1 + HighScale),
          .Levels (Levels - 1),
          .Leaf   (Leaf),
          .Segment(Segment)
      ) u_middle (
          .clk_i,
          .a_i(sums[0]),
          .b_i(sums[1]),
          .p_o(z1)
      );
    end

    // ------------------------------------------------------------ row W

    // U = l2 +- h0, X = h2 + its carry; the carry also leaves by itself.
    logic [2*High-1:0] w_z2;
    logic [Low-1:0] w_h0;
    logic [WidthW:0] w_sum;
    logic [WidthW-1:0] w;
    logic w_carry, unused_w;

    eccel_mul_karatsuba_align #(
        .Width  (2 * High),
        .Segment(Segment),
        .From   (T.upper + Latency2),
        .To     (T.joined),
        .ToLow  (Low),
        .ToTop  (TopW)
    ) u_w_z2 (
        .clk_i,
        .d_i(z2),
        .d_o(w_z2)
    );
    eccel_mul_karatsuba_align #(
        .Width  (Low),
        .Segment(Segment),
        .From   (T.lower + Latency0),
        .FromLow(Low),
        .FromTop(2 * Low),
        .To     (T.joined),
        .ToLow  (Low),
        .ToTop  (TopW)
    ) u_w_h0 (
        .clk_i,
        .d_i(z0[2*Low-1:Low]),
        .d_o(w_h0)
    );
    eccel_mul_karatsuba_row #(
        .Width  (WidthW + 1),
        .Low    (Low),
        .Top    (TopW),
        .Gap    (2 * Low),
        .Passes (1'b1),
        .Segment(Segment),
        .Invert ((WidthW + 1)'({Low{!Differ}}))
    ) u_w (
        .clk_i,
        .a_i    ({(WidthW - Low)'(w_z2[2*High-1:Low]), 1'b0, w_z2[Low-1:0]}),
        .b_i    ((WidthW + 1)'({1'b1, w_h0})),
        .c_i    (!Differ),
        .sum_o  (w_sum),
        .carry_o(unused_w)
    );
    assign w = {w_sum[WidthW:Low+1], w_sum[Low-1:0]};
    assign w_carry = !w_sum[Low];

    // ------------------------------------------------------------ row E

    localparam int WidthE = TopE - Low;
    logic [WidthE-1:0] e_z1, e_w, e;
    logic unused_e;

    logic [WidthE-1:0] z1_own;
    logic [WidthW-1:0] w_late;
    // Bit 2m of the product of differences is its sign, which counts as 1 - sign.
    if (Differ) begin : gen_sign
      logic w_carry_late, unused_z1;
      assign unused_z1 = ^z1[2*Middle-1:2*Low+1];
      assign z1_own = {1'b0, !z1[2*Low], z1[2*Low-1:0]};
      assign e_w    = {1'b0, w_carry_late, (2 * Low)'(w_late)};
      eccel_mul_karatsuba_align #(
          .Width  (1),
          .Segment(Segment),
          .From   (T.joined + Step),
          .FromLow(2 * Low - 1),
          .FromTop(TopW),
          .To     (T.middle),
          .ToLow  (3 * Low),
          .ToTop  (TopE)
      ) u_e_carry (
          .clk_i,
          .d_i(w_carry),
          .d_o(w_carry_late)
      );
    end else begin : gen_plain
      assign z1_own = WidthE'(z1);
      assign e_w    = WidthE'(w_late);
    end
    eccel_mul_karatsuba_align #(
        .Width  (WidthE),
        .Segment(Segment),
        .From   (T.sum + Step + Latency1),
        .FromTop(2 * Middle),
        .To     (T.middle),
        .ToLow  (Low),
        .ToTop  (TopE)
    ) u_e_z1 (
        .clk_i,
        .d_i(z1_own),
        .d_o(e_z1)
    );
    eccel_mul_karatsuba_align #(
        .Width  (WidthW),
        .Segment(Segment),
        .From   (T.joined + Step),
        .FromLow(Low),
        .FromTop(TopW),
        .To     (T.middle),
        .ToLow  (Low),
        .ToTop  (TopE)
    ) u_e_w (
        .clk_i,
        .d_i(w),
        .d_o(w_late)
    );
    eccel_mul_karatsuba_row #(
        .Width  (WidthE),
        .Low    (Low),
        .Top    (TopE),
        .Segment(Segment),
        .Invert ({WidthE{!Differ}})
    ) u_e (
        .clk_i,
        .a_i    (e_z1),
        .b_i    (e_w),
        .c_i    (!Differ),
        .sum_o  (e),
        .carry_o(unused_e)
    );

    // ------------------------------------------------------------ row of the product

    logic [2*Low-1:0] r_e, r_w;
    logic [Upper-1:0] r_h2, r_more;
    logic [Guard-1:0] guard, more, more_late;
    logic passes, passes_late, unused_r;
    logic [Top-Low:0] sum;

    eccel_mul_karatsuba_align #(
        .Width  (2 * Low),
        .Segment(Segment),
        .From   (T.middle + Step),
        .FromLow(Low),
        .FromTop(TopE),
        .To     (T.result),
        .ToLow  (Low),
        .ToTop  (Top)
    ) u_r_e (
        .clk_i,
        .d_i(e[2*Low-1:0]),
        .d_o(r_e)
    );
    eccel_mul_karatsuba_align #(
        .Width  (Low),
        .Segment(Segment),
        .From   (T.joined + Step),
        .FromLow(Low),
        .FromTop(TopW),
        .To     (T.result),
        .ToLow  (2 * Low),
        .ToTop  (Top)
    ) u_r_w (
        .clk_i,
        .d_i(w[Low-1:0]),
        .d_o(r_w[2*Low-1:Low])
    );
    eccel_mul_karatsuba_align #(
        .Width  (Low),
        .Segment(Segment),
        .From   (T.lower + Latency0),
        .FromTop(2 * Low),
        .To     (T.result),
        .ToLow  (Low),
        .ToTop  (Top)
    ) u_r_l0 (
        .clk_i,
        .d_i(z0[Low-1:0]),
        .d_o(r_w[Low-1:0])
    );
    eccel_mul_karatsuba_align #(
        .Width  (Upper),
        .Segment(Segment),
        .From   (T.upper + Latency2),
        .FromLow(Low),
        .FromTop(2 * High),
        .To     (T.result),
        .ToLow  (3 * Low),
        .ToTop  (Top)
    ) u_r_h2 (
        .clk_i,
        .d_i(z2[2*High-1:Low]),
        .d_o(r_h2)
    );
    eccel_mul_karatsuba_align #(
        .Width  (Guard),
        .Segment(Segment),
        .From   (T.middle + Step),
        .FromLow(3 * Low),
        .FromTop(TopE),
        .To     (T.result + Last - Step),
        .ToTop  (1)
    ) u_guard (
        .clk_i,
        .d_i(e[WidthE-1:2*Low]),
        .d_o(guard)
    );

    // f - 1 or 0, and whether f > 0, with a register before the chain.
    if (Differ) begin : gen_small
      assign passes = |guard;  // f = guard, which is at most 2
      assign more   = Guard'(guard[1]);
    end else begin : gen_signed
      logic w_carry_r;
      eccel_mul_karatsuba_align #(
          .Width  (1),
          .Segment(Segment),
          .From   (T.joined + Step),
          .FromLow(2 * Low - 1),
          .FromTop(TopW),
          .To     (T.result + Last - Step),
          .ToTop  (1)
      ) u_carry (
          .clk_i,
          .d_i(w_carry),
          .d_o(w_carry_r)
      );
      // f = guard + w_carry, where guard is signed and f is not negative.
      assign passes = w_carry_r ? !guard[Guard-1] : |guard;
      assign more   = passes ? guard - Guard'(!w_carry_r) : '0;
    end
    eccel_mul_karatsuba_align #(
        .Width   (Guard),
        .Segment (Segment),
        .FromSkew(1'b0),
        .From    (T.result + Last - Step),
        .To      (T.result),
        .ToLow   (3 * Low),
        .ToTop   (Top)
    ) u_more (
        .clk_i,
        .d_i(more),
        .d_o(more_late)
    );
    assign r_more = Upper'(more_late);
    eccel_mul_karatsuba_align #(
        .Width   (1),
        .Segment (Segment),
        .FromSkew(1'b0),
        .From    (T.result + Last - Step),
        .To      (T.result),
        .ToLow   (3 * Low - 1),
        .ToTop   (Top)
    ) u_passes (
        .clk_i,
        .d_i(passes),
        .d_o(passes_late)
    );

    eccel_mul_karatsuba_row #(
        .Width  (Top - Low + 1),
        .Low    (Low),
        .Top    (Top),
        .Gap    (3 * Low),
        .Segment(Segment),
        .Invert ((Top - Low + 1)'({Low{!Differ}}))
    ) u_r (
        .clk_i,
        .a_i    ({r_h2, 1'b0, r_e}),
        .b_i    ({r_more, passes_late, r_w}),
        .c_i    (!Differ),
        .sum_o  (sum),
        .carry_o(unused_r)
    );
    assign p_o[Top-1:Low] = {sum[Top-Low:2*Low+1], sum[2*Low-1:0]};
    eccel_mul_karatsuba_align #(
        .Width  (Low),
        .Segment(Segment),
        .From   (T.lower + Latency0),
        .FromTop(2 * Low),
        .To     (T.latency),
        .ToTop  (Top)
    ) u_low (
        .clk_i,
        .d_i(z0[Low-1:0]),
        .d_o(p_o[Low-1:0])
    );
  end

endmodule
