// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Latencies and intervals of modular multiplication, in cycles.
//
// latency and interval of a multiplier come from eccel_mul_pkg. eccelerate/timing/modmul_timing.py
// has the same functions.

package eccel_modmul_pkg;

  // Values of the parameter Reduction of eccel_modmul.
  localparam int Montgomery = 1;
  localparam int Solinas = 2;
  localparam int FixedModulus = 3;

  // ------------------------------------------------------------------ Montgomery, three passes

  // Whether products overlap when three passes share a multiplier: this gains a third of the rate
  // or more.
  function automatic bit passes_overlap(int latency, int interval);
    return 3 * (latency + 1) >= 4 * interval;
  endfunction

  // Cycles from one pass of a product to its next pass. If products overlap, this is a multiple of
  // the interval, and the three passes of a product fall into different thirds of the period.
  function automatic int pass_gap(int latency, int interval);
    int slots;
    if (!passes_overlap(latency, interval)) return latency + 1;
    slots = (latency + interval) / interval;  // of (latency + 1) / interval, rounded up
    return interval * (slots % 3 == 0 ? slots + 1 : slots);
  endfunction

  // Cycles between two products.
  function automatic int pass_period(int latency, int interval);
    return 3 * (passes_overlap(latency, interval) ? interval : latency + 1);
  endfunction

  // latency and interval: those of the multiplier. multipliers: 1 or 3.
  function automatic int montgomery_latency(int latency, int interval, int multipliers, int bits,
                                            bit pipelined);
    int products;
    products = multipliers == 3 ? 3 * latency : 2 * pass_gap(latency, interval) + latency + 1;
    return products + 1 + eccel_adder_pkg::mod_add_latency(bits, pipelined);
  endfunction

  function automatic int montgomery_interval(int latency, int interval, int multipliers);
    return multipliers == 3 ? interval : pass_period(latency, interval);
  endfunction

  // ------------------------------------------------------------------ all reductions

  // Parameters as in eccel_modmul; mul_latency and mul_interval: those of the multiplier.
  function automatic int latency(int mul_latency, int mul_interval, int reduction, int prime,
                                 int multipliers, int digit, int bits, bit pipelined);
    case (reduction)
      Montgomery: return montgomery_latency(mul_latency, mul_interval, multipliers, bits, pipelined);
      Solinas: return mul_latency + eccel_fold_pkg::solinas_latency(prime, pipelined);
      FixedModulus: return mul_latency + eccel_fixed_pkg::reduce_latency(
              eccel_fixed_pkg::fixed_modulus(prime), bits, digit, eccel_fixed_pkg::MaxWindow,
              pipelined);
      default: return 0;
    endcase
  endfunction

  function automatic int interval(int mul_latency, int mul_interval, int reduction, int multipliers);
    if (reduction != Montgomery) return mul_interval;
    return montgomery_interval(mul_latency, mul_interval, multipliers);
  endfunction

  // If products overlap in three passes, products are taken at multiples of the interval after the
  // last one, up to this number of cycles, and then in any cycle. Else 0.
  function automatic int busy(int mul_latency, int mul_interval, int reduction, int multipliers);
    if (reduction != Montgomery || multipliers == 3) return 0;
    if (!passes_overlap(mul_latency, mul_interval)) return 0;
    return 2 * pass_gap(mul_latency, mul_interval) + mul_latency + 3;
  endfunction

endpackage
