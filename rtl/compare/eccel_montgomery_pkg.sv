// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sizes of the bit-serial Montgomery multiplier, as functions of its parameters.

package eccel_montgomery_pkg;

  // Segments of a value below 2^(bits + 3).
  function automatic int segments(int bits, int segment);
    return (bits + 3 + segment - 1) / segment;
  endfunction

  // Cycles in which bits of the first factor are taken.
  function automatic int iterations(int bits, int unroll);
    return (bits + 3 + unroll - 1) / unroll;
  endfunction

  // Cycles of a product, from one to the next: the first word, the bits, the words of the product.
  function automatic int pass_cycles(int bits, int segment, int unroll);
    return 1 + iterations(bits, unroll) + segments(bits, segment);
  endfunction

endpackage
