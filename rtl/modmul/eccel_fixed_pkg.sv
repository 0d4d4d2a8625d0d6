// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Recoding of a constant factor, and constants that are moduli.
//
// A number times a constant is a sum of shifted small odd multiples of the number: one for each
// digit of the constant in non-adjacent form of width w. Its digits are odd, below 2^(w-1) in
// magnitude, and at least w places apart; on average one place in w + 1 has one. Width 2 is the
// canonical signed-digit form.
//
// The shifted multiples are packed into rows: a row holds several that do not overlap. Positive and
// negative digits have rows of their own. eccelerate/timing/modmul_timing.py has the same
// functions.

package eccel_fixed_pkg;

  localparam int MaxBits = 576;  // of a constant
  localparam int MaxWindow = 5;
  localparam int FixedDigit = 46;  // BLS12-377

  typedef logic [MaxBits-1:0] constant_t;
  typedef logic [MaxBits-1:0][MaxWindow-2:0] digits_t;  // magnitudes; 0: no digit
  typedef logic [MaxBits-1:0][4:0] rows_t;

  // Moduli of eccel_modmul for Reduction = FixedModulus.
  function automatic constant_t fixed_modulus(int number);
    case (number)
      // BLS12-377: p = 1 mod 2^46 (Bowe, Chiesa, Green, Miers, Mishra, Wu 2018)
      0: return constant_t'(
          384'h01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001);
      default: return '0;
    endcase
  endfunction

  // The positive or the negative digits of a constant.
  function automatic digits_t recode(constant_t value, int window, bit negative);
    digits_t found;
    constant_t left;
    logic [MaxWindow-1:0] low;
    found = '0;
    left  = value;
    for (int i = 0; left != '0; i++) begin
      if (left[0]) begin
        low = left[MaxWindow-1:0] & $unsigned(MaxWindow'((1 << window) - 1));
        if (low[window-1]) begin
          // Of low - 2^window; the difference is added to the rest.
          low = $unsigned(MaxWindow'((1 << window) - int'(low)));
          if (negative) found[i] = low[MaxWindow-2:0];
          left += constant_t'(low);
        end else begin
          if (!negative) found[i] = low[MaxWindow-2:0];
          left -= constant_t'(low);
        end
      end
      left = left >> 1;
    end
    return found;
  endfunction

  // The row of every digit: the first row that is free there. span: bits of a multiple.
  function automatic rows_t pack(digits_t digits, int span);
    rows_t found;
    int free_from[32];
    int row;
    found = '0;
    for (int r = 0; r < 32; r++) free_from[r] = 0;
    for (int i = 0; i < MaxBits; i++) begin
      if (digits[i] != '0) begin
        row = 0;
        while (free_from[row] > i) row++;
        found[i] = $unsigned(5'(row));
        free_from[row] = i + span;
      end
    end
    return found;
  endfunction

  // The place of the first digit of a row from a place on; `last` if there is none.
  function automatic int next_place(digits_t digits, rows_t rows, int row, int from, int last);
    for (int i = from; i < MaxBits; i++)
      if (digits[i] != '0 && int'(rows[i]) == row) return i;
    return last;
  endfunction

  // Number of rows that `pack` needs for the digits of a sign, at least 1: without the tables,
  // which take tools long to compute.
  function automatic int row_count(constant_t value, int window, int span, bit negative);
    constant_t left;
    int free_from[32];
    int found, row, low, rest;
    for (int r = 0; r < 32; r++) free_from[r] = 0;
    found = 1;
    left  = value;
    for (int i = 0; left != '0; i++) begin
      if (left[0]) begin
        low = int'(left[MaxWindow-1:0]) & ((1 << window) - 1);
        rest = (1 << window) - low;
        if (low >= 1 << (window - 1)) left += constant_t'(rest);
        else left -= constant_t'(low);
        if ((low >= 1 << (window - 1)) == negative) begin
          row = 0;
          while (free_from[row] > i) row++;
          free_from[row] = i + span;
          if (row >= found) found = row + 1;
        end
      end
      left = left >> 1;
    end
    return found;
  endfunction

  // Rows of the sign that has more of them.
  function automatic int max_rows(constant_t value, int window, int span);
    int plus, minus;
    plus  = row_count(value, window, span, 1'b0);
    minus = row_count(value, window, span, 1'b1);
    return plus > minus ? plus : minus;
  endfunction

  // ------------------------------------------------------------------ latencies

  // in_bits: of the other factor.
  function automatic int limbs_latency(constant_t value, int window, int in_bits, bit pipelined);
    return pipelined ? 2 + $clog2(max_rows(value, window, in_bits + window - 1)) : 0;
  endfunction

  function automatic int resolve_latency(int width, bit pipelined);
    return (pipelined ? 1 : 0) + eccel_adder_pkg::wide_add_latency(width, pipelined);
  endfunction

  function automatic int const_mul_latency(constant_t value, int window, int in_bits, int out_bits,
                                           bit pipelined);
    return limbs_latency(value, window, in_bits, pipelined) + (pipelined ? 1 : 0)
        + resolve_latency(out_bits, pipelined);
  endfunction

  // One digit of a reduction.
  function automatic int step_latency(constant_t modulus, int digit, int window, int in_bits,
                                      bit pipelined);
    return pipelined ? limbs_latency(modulus >> digit, window, in_bits, 1'b1) + 2 : 1;
  endfunction

  function automatic int reduce_steps(int bits, int digit);
    return (bits + digit - 1) / digit;
  endfunction

  function automatic int reduce_latency(constant_t modulus, int bits, int digit, int window,
                                        bit pipelined);
    int steps, last;
    steps = reduce_steps(bits, digit);
    last  = bits - digit * (steps - 1);
    return (steps - 1) * step_latency(modulus, digit, window, digit, pipelined)
        + step_latency(modulus, digit, window, last, pipelined)
        + resolve_latency(bits + last + 1, pipelined)
        + eccel_adder_pkg::correct_latency(bits, pipelined);
  endfunction

endpackage
