// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sizes and times of the divide-and-conquer multiplier.
//
// For others: Interval and latency(bits, levels, pipelined).
// eccelerate/timing/karatsuba_timing.py has the same functions.
//
// A number of the unit is skewed: it consists of segments, and segment k is valid k cycles after
// segment 0. So a carry that leaves a segment is registered and arrives with the next segment.
// `at` says to which segment a bit belongs. `segment` is the number of bits of a segment, or 0 for
// a unit without registers, where all times are 0.
//
// An operand of a node is below scale * 2^bits. The sum of two halves has the bits of the lower
// half and a larger scale, so that widths grow by less than one bit a level.

package eccel_mul_karatsuba_pkg;

  // Bits of a carry chain, and of the operands of a multiplier block without their sign.
  localparam int Segment = 32;
  localparam int Leaf = 17;
  // Cycles of eccel_mul_karatsuba_block.
  localparam int BlockCycles = 4;

  function automatic int larger(int a, int b);
    return a > b ? a : b;
  endfunction

  // ------------------------------------------------------------------ segments

  // Segment of bit `index` in a number of `width` bits. The highest segment has up to an eighth
  // more bits than the others instead of a short one above it.
  function automatic int at(int index, int width, int segment);
    int last;
    if (segment == 0) return 0;
    last = (width + segment - 1 - segment / 8) / segment - 1;
    if (last < 0) last = 0;
    return index / segment < last ? index / segment : last;
  endfunction

  // The least time at which a number can begin as positions low2.. of one with top2 bits, if it
  // began at time 0 as positions low1.. of one with top1 bits.
  function automatic int shift(int width, int low1, int top1, int low2, int top2, int segment);
    int most;
    most = -4096;
    for (int i = 0; i < width; i++) begin
      most = larger(most, at(low1 + i, top1, segment) - at(low2 + i, top2, segment));
    end
    return most;
  endfunction

  // Segment of position `index` of an adder whose lowest position is `low`. Before position `gap`
  // of the number, the adder has a position of its own, in the segment of the one below it.
  function automatic int row_at(int index, int low, int top, int gap, int segment);
    return at(low + index - (index >= gap - low ? 1 : 0), top, segment);
  endfunction

  // ------------------------------------------------------------------ split

  function automatic int wide(int bits, int scale);
    return bits + $clog2(scale);
  endfunction

  // Bits of the lower half. The last split halves the actual width, for the sake of the blocks.
  function automatic int low(int bits, int scale, int levels);
    return ((levels == 1 ? wide(bits, scale) : bits) + 1) / 2;
  endfunction

  // Scale of the upper half, if it counts as a number with as many bits as the lower half.
  function automatic int high_scale(int bits, int scale, int levels);
    int less;
    less = 2 * low(bits, scale, levels) - bits;
    return (scale + (1 << less) - 1) / (1 << less);
  endfunction

  // The middle product is one of differences if these fit a signed block.
  function automatic bit differs(int bits, int scale, int levels, int leaf);
    return levels == 1 && low(bits, scale, levels) <= leaf;
  endfunction

  // Width of the sum, or of the signed difference, of two halves.
  function automatic int middle(int bits, int scale, int levels, int leaf);
    int m;
    m = low(bits, scale, levels);
    if (differs(bits, scale, levels, leaf)) return m + 1;
    return wide(m, 1 + high_scale(bits, scale, levels));
  endfunction

  // Width of row W: one more than the product of the upper halves if these are shorter.
  function automatic int joined(int bits, int scale, int levels);
    int m, wh;
    m  = low(bits, scale, levels);
    wh = wide(bits, scale) - m;
    return 2 * wh + (wh < m ? 1 : 0);
  endfunction

  // Bits of the part of E above position 3 m (see eccel_mul_karatsuba_node).
  function automatic int guard(int bits, int scale, int levels, int leaf);
    if (differs(bits, scale, levels, leaf)) return 2;
    return $clog2(2 * high_scale(bits, scale, levels) + 4) + 1;
  endfunction

  // ------------------------------------------------------------------ times

  // Time at which each step of a node begins, relative to its lowest operand segment.
  typedef struct packed {
    int lower;   // product of the lower halves
    int upper;   // product of the upper halves
    int sum;     // sums of the halves; their product begins one step later
    int joined;  // row W
    int middle;  // row E
    int result;  // row R
    int latency; // lowest segment of the product
  } times_t;

  function automatic int digits(int width, int leaf);
    return (width + leaf - 1) / leaf;
  endfunction

  function automatic int school_latency(int width, int leaf, int segment);
    if (segment == 0) return 0;
    return at(width - 1, width, segment) + BlockCycles + 2 * digits(width, leaf) - 2;
  endfunction

  // The times of a node whose three products have latencies lat0 (lower), lat1, lat2 (upper).
  function automatic times_t schedule(int bits, int scale, int levels, int leaf, int segment,
                                      int lat0, int lat1, int lat2);
    times_t t;
    int n, m, wh, w1, top, topw, tope, step, last;
    n = wide(bits, scale);
    m = low(bits, scale, levels);
    wh = n - m;
    w1 = middle(bits, scale, levels, leaf);
    top = 2 * n;
    topw = m + joined(bits, scale, levels);
    tope = 3 * m + guard(bits, scale, levels, leaf);
    step = segment == 0 ? 0 : 1;
    t.lower = shift(m, 0, n, 0, m, segment);
    t.upper = shift(wh, m, n, 0, wh, segment);
    t.sum = larger(shift(m, 0, n, 0, w1, segment), shift(wh, m, n, 0, w1, segment));
    t.joined = larger(t.lower + lat0 + shift(2 * m, 0, 2 * m, 0, topw, segment),
                      t.upper + lat2 + shift(2 * wh, 0, 2 * wh, m, topw, segment));
    t.middle = larger(t.joined + step + shift(topw - m, m, topw, m, tope, segment),
                      t.sum + step + lat1 + shift(tope - m < 2 * w1 ? tope - m : 2 * w1, 0, 2 * w1,
                                                  m, tope, segment));
    last = at(3 * m - 1, top, segment);
    t.result = larger(t.middle + step + shift(2 * m, m, tope, m, top, segment),
                      t.middle + 2 * step + at(tope - 1, tope, segment) - last);
    t.result = larger(t.result, t.joined + step + shift(m, m, topw, 2 * m, top, segment));
    t.result = larger(t.result, t.joined + 2 * step + at(2 * m - 1, topw, segment) - last);
    t.result = larger(t.result, t.lower + lat0 + shift(m, 0, 2 * m, 0, top, segment));
    t.result = larger(t.result,
                      t.upper + lat2 + shift(2 * wh - m, m, 2 * wh, 3 * m, top, segment));
    t.latency = t.result + step;
    return t;
  endfunction

  function automatic int node_latency(int bits, int scale, int levels, int leaf, int segment);
    int m, n, lat0, lat1, lat2;
    /* verilator lint_off UNUSEDSIGNAL */
    times_t t;  // its latency counts here
    /* verilator lint_on UNUSEDSIGNAL */
    n = wide(bits, scale);
    if (levels == 0) return school_latency(n, leaf, segment);
    m    = low(bits, scale, levels);
    lat0 = node_latency(m, 1, levels - 1, leaf, segment);
    lat2 = node_latency(bits - m, scale, levels - 1, leaf, segment);
    if (differs(bits, scale, levels, leaf)) begin
      lat1 = segment == 0 ? 0 : at(m, m + 1, segment) + BlockCycles;
    end else begin
      lat1 = node_latency(m, 1 + high_scale(bits, scale, levels), levels - 1, leaf, segment);
    end
    t = schedule(bits, scale, levels, leaf, segment, lat0, lat1, lat2);
    return t.latency;
  endfunction

  // ------------------------------------------------------------------ the unit

  // A product begins in each cycle.
  localparam int Interval = 1;

  function automatic int latency(int bits, int levels, bit pipelined, int leaf = Leaf,
                                 int segment = Segment);
    if (!pipelined) return 2;
    return 1 + node_latency(bits, 1, levels, leaf, segment) + at(2 * bits - 1, 2 * bits, segment);
  endfunction

endpackage
