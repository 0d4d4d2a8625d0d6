// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Latencies of the adders of modular multiplication, in cycles.
//
// eccelerate/timing/modmul_timing.py has the same functions.

package eccel_adder_pkg;

  // Longest carry chain of pipelined units.
  localparam int Segment = 32;

  function automatic int wide_add_latency(int width, bit pipelined);
    return pipelined && width > Segment ? 4 : 1;
  endfunction

  function automatic int correct_latency(int width, bit pipelined);
    return wide_add_latency(width + 1, pipelined) + 1;
  endfunction

  function automatic int mod_add_latency(int width, bit pipelined);
    return wide_add_latency(width, pipelined) + correct_latency(width, pipelined);
  endfunction

endpackage
