// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Latency and interval of the multipliers, in cycles, as functions of their parameters.
//
// latency: from the cycle in which operands are taken to the cycle of their product. interval: the
// least number of cycles between two products. Each kind has its own functions; `latency` and
// `interval` take the parameters of eccel_mul. eccelerate/timing/multiplier_timing.py has the same
// functions.

package eccel_mul_pkg;

  // The kinds of eccel_mul.
  localparam int ShiftAdd = 0;
  localparam int CarrySave = 1;
  localparam int Booth = 2;
  localparam int Karatsuba = 3;
  localparam int Broadcast = 4;
  localparam int Comba = 5;

  // Bits of a carry chain in the last addition of pipelined units without multiplier blocks.
  localparam int SegmentBits = 32;

  function automatic int ceil_div(int a, int b);
    return (a + b - 1) / b;
  endfunction

  // ------------------------------------------------------------------ shift-add

  function automatic int shift_add_interval(int bits);
    return bits;
  endfunction

  function automatic int shift_add_latency(int bits, bit pipelined, int segment);
    return pipelined ? bits + 2 + ceil_div(bits, segment) : bits + 1;
  endfunction

  // ------------------------------------------------------------------ all kinds

  function automatic int interval(int kind, int bits, int levels, int word, int lanes,
                                  bit pipelined);
    case (kind)
      ShiftAdd: return shift_add_interval(bits);
      default:  return 0;
    endcase
  endfunction

  function automatic int latency(int kind, int bits, int levels, int word, int lanes,
                                 bit pipelined);
    case (kind)
      ShiftAdd: return shift_add_latency(bits, pipelined, SegmentBits);
      default:  return 0;
    endcase
  endfunction

endpackage
