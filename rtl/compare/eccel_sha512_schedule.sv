// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The next word of the message schedule of SHA-512, combinational.
//
// Guarantees next_o is W of round t, if w2_i, w7_i, w15_i, w16_i are W of rounds t - 2, t - 7, ...

module eccel_sha512_schedule
  import eccel_sha512_pkg::*;
(
    input  word_t w2_i,
    input  word_t w7_i,
    input  word_t w15_i,
    input  word_t w16_i,
    output word_t next_o
);

  word_t old, sum;

  eccel_sum u_old (
      .a_i  (small_sigma0(w15_i)),
      .b_i  (w16_i),
      .sum_o(old)
  );
  eccel_sum u_sum (
      .a_i  (old),
      .b_i  (w7_i),
      .sum_o(sum)
  );
  eccel_sum u_next (
      .a_i  (small_sigma1(w2_i)),
      .b_i  (sum),
      .sum_o(next_o)
  );

endmodule
