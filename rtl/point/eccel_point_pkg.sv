// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Latency of eccel_point_add, in cycles: its steps, one after the other, as the RTL issues them.
//
// eccelerate/timing/point_timing.py has the same function.

package eccel_point_pkg;

  import eccel_point_program_pkg::*;

  localparam int LoadCycles = 8;  // operands and constants
  localparam int MaxMultipliers = 8;

  // mul_latency: of a modular product. period: cycles between two products of one modular
  // multiplier. busy: if it has a schedule of its own, cycles from a product to the cycle in which
  // the schedule begins anew; else 0. sum_latency: of a modular sum.
  function automatic int latency(int algorithm, int multipliers, int mul_latency, int period,
                                 int busy, int sum_latency);
    int there[32];  // cycle from which a place can be read
    int taken[MaxMultipliers];  // cycle of the last product of a multiplier
    int now, free_from, unit, done;
    bit ready;
    step_t s;
    for (int i = 0; i < 32; i++) there[i] = 0;
    for (int i = 0; i < MaxMultipliers; i++) taken[i] = -1000000;
    now = LoadCycles;
    free_from = 0;  // the next product can be requested
    done = 0;
    for (int i = 0; i < step_count(algorithm); i++) begin
      s = step(algorithm, i);
      now++;
      if (there[{s.left_sum, s.left}] > now) now = there[{s.left_sum, s.left}];
      if (there[{s.right_sum, s.right}] > now) now = there[{s.right_sum, s.right}];
      if (s.product) begin
        if (free_from > now) now = free_from;
        free_from = now;
        ready = 1'b0;
        while (!ready) begin
          free_from++;
          for (int m = 0; m < multipliers; m++) begin
            if (!ready && is_ready(free_from - taken[m], period, busy)) begin
              ready = 1'b1;
              unit  = m;
            end
          end
        end
        taken[unit] = free_from;
        there[{1'b0, s.target}] = free_from + mul_latency + 1;
      end else begin
        there[{1'b1, s.target}] = now + 1 + sum_latency + 1;
        done = now + 1 + sum_latency + 1;
      end
    end
    return done;
  endfunction

  // Whether a multiplier can take a product so many cycles after the last one.
  function automatic bit is_ready(int since, int period, int busy);
    if (busy != 0 && since < busy) return since % period == 0;
    return since >= period;
  endfunction

endpackage
