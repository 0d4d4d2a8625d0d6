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
  // Bits of a digit of comba.
  localparam int DigitBits = 16;

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

  // ------------------------------------------------------------------ carry-save

  function automatic int carry_save_interval(int bits, int word);
    return ceil_div(bits, word);
  endfunction

  // Bits of a chain: it needs no more steps than a product has.
  function automatic int carry_save_segment(int word, int segment);
    return word > segment ? word : segment;
  endfunction

  function automatic int carry_save_latency(int bits, int word, bit pipelined, int segment);
    int steps = ceil_div(bits, word);
    int high = 2 * bits - steps * word;
    if (!pipelined) return steps == 1 ? 2 : steps + 2;
    if (steps == 1) return 3 + bits;
    return steps + 3 + word + ceil_div(high, carry_save_segment(word, segment));
  endfunction

  // ------------------------------------------------------------------ booth

  function automatic int booth_interval(int bits);
    return bits / 2 + 1;
  endfunction

  function automatic int booth_latency(int bits, bit pipelined, int segment);
    int steps = booth_interval(bits);
    return pipelined ? steps + 5 + ceil_div(2 * bits - 2 * steps, segment) : steps + 1;
  endfunction

  // ------------------------------------------------------------------ broadcast, comba

  // From the operands of a word product to its lower half.
  function automatic int word_latency(int width, bit pipelined);
    return !pipelined ? 1 : width <= 18 ? 3 : 4;
  endfunction

  // From the first step of a pass to the first step of the next. With several passes, the high
  // words of a pass must have left when the next one needs them.
  function automatic int array_period(int bits, int width, int lanes);
    int words = ceil_div(bits, width);
    return lanes >= words || words > lanes + 4 ? words : lanes + 4;
  endfunction

  function automatic int array_interval(int bits, int width, int lanes);
    return ceil_div(ceil_div(bits, width), lanes) * array_period(bits, width, lanes);
  endfunction

  function automatic int array_latency(int bits, int width, int lanes, bit pipelined);
    int words = ceil_div(bits, width);
    int passes = ceil_div(words, lanes);
    int sum = (pipelined ? 2 : 1) + word_latency(width, pipelined);
    int extra = pipelined || passes > 1 ? 1 : 0;
    return (passes - 1) * array_period(bits, width, lanes) + words + sum + lanes + extra + 4;
  endfunction

  function automatic int broadcast_interval(int bits, int word);
    return ceil_div(bits, word);
  endfunction

  function automatic int broadcast_latency(int bits, int word, bit pipelined);
    return array_latency(bits, word, ceil_div(bits, word), pipelined);
  endfunction

  // The blocks that comba has if it may have `lanes`.
  function automatic int comba_lanes(int bits, int lanes, int digit);
    int digits = ceil_div(bits, digit);
    return ceil_div(digits, ceil_div(digits, lanes));
  endfunction

  function automatic int comba_interval(int bits, int lanes, int digit);
    return array_interval(bits, digit, comba_lanes(bits, lanes, digit));
  endfunction

  function automatic int comba_latency(int bits, int lanes, int digit, bit pipelined);
    return array_latency(bits, digit, comba_lanes(bits, lanes, digit), pipelined);
  endfunction

  // ------------------------------------------------------------------ all kinds

  function automatic int interval(int kind, int bits, int levels, int word, int lanes,
                                  bit pipelined);
    case (kind)
      ShiftAdd:  return shift_add_interval(bits);
      CarrySave: return carry_save_interval(bits, word);
      Booth:     return booth_interval(bits);
      Karatsuba: return eccel_mul_karatsuba_pkg::Interval;
      Broadcast: return broadcast_interval(bits, word);
      Comba:     return comba_interval(bits, lanes, DigitBits);
      default:   return 0;
    endcase
  endfunction

  function automatic int latency(int kind, int bits, int levels, int word, int lanes,
                                 bit pipelined);
    case (kind)
      ShiftAdd:  return shift_add_latency(bits, pipelined, SegmentBits);
      CarrySave: return carry_save_latency(bits, word, pipelined, SegmentBits);
      Booth:     return booth_latency(bits, pipelined, SegmentBits);
      Karatsuba: return eccel_mul_karatsuba_pkg::latency(bits, levels, pipelined);
      Broadcast: return broadcast_latency(bits, word, pipelined);
      Comba:     return comba_latency(bits, lanes, DigitBits, pipelined);
      default:   return 0;
    endcase
  endfunction

endpackage
