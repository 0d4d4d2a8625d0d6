// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction modulo a sparse prime p = 2^n - d: constants of eccel_solinas_reduce, and its latency.
//
// Everything follows from the words of d in eccel_solinas_pkg. h is a product above 2^n; word i
// of h is worth 2^(n + 32 i). Modulo p this is the sum of matrix[j][i] 2^(32 j) over j, with small
// signed integers. eccelerate/model/fold_rows.py computes the same.

package eccel_fold_pkg;

  import eccel_solinas_pkg::*;
  import eccel_adder_pkg::wide_add_latency;

  localparam int WordBits = 32;
  localparam int FoldBits = MaxWords * WordBits + 32;
  localparam int Digits = 16;  // of a coefficient

  typedef logic [FoldBits-1:0] fold_t;
  typedef logic signed [MaxWords-1:0][MaxWords-1:0][Digits-1:0] matrix_t;

  function automatic matrix_t matrix(int prime);
    field_t f;
    matrix_t found;
    int column[MaxWords];
    int top;
    f = field(prime);
    found = '0;
    for (int j = 0; j < MaxWords; j++) column[j] = fold_word(prime, j);
    for (int i = 0; i < f.words; i++) begin
      for (int j = 0; j < f.words; j++) found[j][i] = $unsigned(Digits'(column[j]));
      top = column[f.words-1] << (WordBits * f.words - f.bits);
      for (int j = f.words - 1; j > 0; j--) column[j] = column[j-1];
      column[0] = 0;
      for (int j = 0; j < f.words; j++) column[j] += top * fold_word(prime, j);
    end
    return found;
  endfunction

  // The digits of a coefficient in non-adjacent form: those that are 1, and those that are -1.
  function automatic logic [Digits-1:0] naf(logic [Digits-1:0] value, bit negative);
    logic signed [Digits:0] left;
    logic [Digits-1:0] found;
    left  = $signed({value[Digits-1], value});
    found = '0;
    for (int s = 0; s < Digits; s++) begin
      if (left[0]) begin
        found[s] = left[1] == negative;
        left += left[1] ? (Digits + 1)'(1) : -(Digits + 1)'(1);
      end
      left = left >>> 1;
    end
    return found;
  endfunction

  // The highest digit of all coefficients.
  function automatic int max_shift(matrix_t m);
    logic [Digits-1:0] digits;
    int found;
    digits = '0;
    found  = 0;
    for (int j = 0; j < MaxWords; j++)
      for (int i = 0; i < MaxWords; i++)
        if (m[j][i] != '0) digits |= naf(m[j][i], 0) | naf(m[j][i], 1);
    for (int s = 0; s < Digits; s++) if (digits[s]) found = s;
    return found;
  endfunction

  // Bits of the highest word below 2^n.
  function automatic int top_bits(int prime);
    field_t f;
    f = field(prime);
    return f.bits - WordBits * (f.words - 1);
  endfunction

  function automatic fold_t word_max(int prime, int word);
    field_t f;
    f = field(prime);
    return (fold_t'(1) << (word == f.words - 1 ? top_bits(prime) : WordBits)) - fold_t'(1);
  endfunction

  // d = 2^n - p
  function automatic fold_t fold(int prime);
    fold_t found;
    found = '0;
    for (int j = 0; j < MaxWords; j++)
      found += fold_t'(signed'(fold_word(prime, j))) << (WordBits * j);
    return found;
  endfunction

  // A word that is subtracted is added as its complement, which is 2^32 - 1 minus the word. This
  // constant, below p, makes up for that modulo p.
  function automatic fold_t complement_constant(int prime, matrix_t m);
    field_t f;
    fold_t excess, found, p;
    f = field(prime);
    p = (fold_t'(1) << f.bits) - fold(prime);
    excess = '0;
    found = '0;
    for (int j = 0; j < f.words; j++)
      for (int i = 0; i < f.words; i++)
        if (m[j][i] != '0)
          excess += (word_max(prime, i) * fold_t'(naf(m[j][i], 1))) << (WordBits * j);
    while (found < excess) found += p;
    return found - excess;
  endfunction

  // Terms of row j before digit `shift` of the coefficient of word i: the word of the product, and
  // earlier digits.
  function automatic int terms_before(matrix_t m, int row, int word, int shift);
    logic [Digits-1:0] digits;
    int found;
    found = 1;
    for (int i = 0; i < MaxWords && i <= word; i++) begin
      if (m[row][i] != '0) begin
        digits = naf(m[row][i], 0) | naf(m[row][i], 1);
        for (int s = 0; s < Digits; s++) if (digits[s] && (i < word || s < shift)) found++;
      end
    end
    return found;
  endfunction

  // Terms of row j, with the constant if there is one.
  function automatic int row_terms(matrix_t m, int row, bit constant);
    return terms_before(m, row, MaxWords, 0) + int'(constant);
  endfunction

  function automatic int max_terms(matrix_t m, bit constant);
    int found, terms;
    found = 1;
    for (int j = 0; j < MaxWords; j++) begin
      terms = row_terms(m, j, constant);
      if (terms > found) found = terms;
    end
    return found;
  endfunction

  // Largest k = floor(sum of the rows / 2^n).
  function automatic int overflow_max(int prime, matrix_t m);
    field_t f;
    fold_t most;
    f = field(prime);
    most = complement_constant(prime, m);
    for (int j = 0; j < f.words; j++) begin
      most += word_max(prime, j) << (WordBits * j);
      for (int i = 0; i < f.words; i++)
        if (m[j][i] != '0)
          most += (word_max(prime, i) * (fold_t'(naf(m[j][i], 0)) + fold_t'(naf(m[j][i], 1)))) << (WordBits * j);
    end
    return int'(most >> f.bits);
  endfunction

  // Bits of k + 1.
  function automatic int quotient_bits(int prime, matrix_t m);
    return $clog2(overflow_max(prime, m) + 2);
  endfunction

  function automatic int solinas_latency(int prime, bit pipelined);
    field_t f;
    matrix_t m;
    int levels;
    f = field(prime);
    m = matrix(prime);
    levels = $clog2(max_terms(m, complement_constant(prime, m) != '0));
    return (pipelined ? levels : 0) + wide_add_latency(f.bits + quotient_bits(prime, m), pipelined)
        + 2 + wide_add_latency(f.bits, pipelined) + 1;
  endfunction

endpackage
