// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One round of SHA-512, combinational: five additions of 64 bits, at most three in a row.
//
// Requires   first_i = h + K + W of this round.
// Guarantees state_o is the state after the round. Word 0 is a, and word 7 is h.

module eccel_sha512_round
  import eccel_sha512_pkg::*;
(
    input  word_t state_i[8],
    input  word_t first_i,
    output word_t state_o[8]
);

  word_t from_e, from_a, t1;

  eccel_sum u_from_e (
      .a_i  (big_sigma1(state_i[4])),
      .b_i  (choose(state_i[4], state_i[5], state_i[6])),
      .sum_o(from_e)
  );
  eccel_sum u_t1 (
      .a_i  (first_i),
      .b_i  (from_e),
      .sum_o(t1)
  );
  eccel_sum u_from_a (
      .a_i  (big_sigma0(state_i[0])),
      .b_i  (majority(state_i[0], state_i[1], state_i[2])),
      .sum_o(from_a)
  );
  eccel_sum u_a (
      .a_i  (t1),
      .b_i  (from_a),
      .sum_o(state_o[0])
  );
  eccel_sum u_e (
      .a_i  (state_i[3]),
      .b_i  (t1),
      .sum_o(state_o[4])
  );

  for (genvar i = 0; i < 8; i++) begin : gen_word
    if (i != 0 && i != 4) begin : gen_moved
      assign state_o[i] = state_i[i-1];
    end
  end

  logic unused_h;
  assign unused_h = &{1'b0, state_i[7]};

endmodule
