// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Compression function of SHA-512: one block.
//
// Parameters Unroll: rounds in a cycle; 1, 2 or 4.
// Requires   See the interface in README.md.
// Guarantees chain_o is the chaining value after block_i, if chain_i is that before it. The first
//            word of each is the most significant. No timing depends on data.
// Latency    80 / Unroll + 1; interval: the same.
// After      FIPS 180-4.
//
// h + K + W of the first round of a cycle is added up in the cycle before, and so is K + W of the
// others. The last addition, of the chaining value, is between registers and chain_o.

module eccel_sha512
  import eccel_sha512_pkg::*;
#(
    parameter int Unroll = 1
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          valid_i,
    output logic          ready_o,
    input  logic [1023:0] block_i,
    input  logic [ 511:0] chain_i,
    output logic          valid_o,
    output logic [ 511:0] chain_o
);

  localparam int Steps = Rounds / Unroll;
  typedef logic [$clog2(Steps + 1)-1:0] step_t;
  typedef logic [6:0] index_t;

  // words: the last 16 words of the schedule, and the ones that follow.
  word_t words[16+Unroll], words_q[16], words_d[16];
  word_t state_q[8], state_d[8], last_state[8];
  word_t kw[Unroll], kw_q[Unroll], first;
  logic [511:0] chain_q;
  step_t step, step_q;  // of the next cycle
  logic busy_q, start, last;

  assign ready_o = !busy_q;
  assign start = valid_i && ready_o;
  assign last = step_q == step_t'(Steps);
  assign step = busy_q ? step_q : '0;

  for (genvar i = 0; i < 16; i++) begin : gen_word
    assign words[i] = words_q[i];
    assign words_d[i] = start ? block_i[64*(15-i)+:64] : words[i+Unroll];
  end

  for (genvar i = 0; i < 8; i++) begin : gen_state
    assign state_d[i] = start ? chain_i[64*(7-i)+:64] : last_state[i];
    eccel_sum u_chain (
        .a_i  (chain_q[64*(7-i)+:64]),
        .b_i  (state_q[i]),
        .sum_o(chain_o[64*(7-i)+:64])
    );
  end

  for (genvar r = 0; r < Unroll; r++) begin : gen_round
    word_t now[8], next[8], first_of_round, k;

    // What is read after the last constant is not used.
    assign k = K[index_t'(step)*index_t'(Unroll)+index_t'(r)];
    eccel_sum u_kw (
        .a_i  (k),
        .b_i  (words_d[r]),
        .sum_o(kw[r])
    );
    if (r == 0) begin : gen_first
      assign now = state_q;
      assign first_of_round = kw_q[0];
    end else begin : gen_other
      assign now = gen_round[r-1].next;
      eccel_sum u_first (
          .a_i  (now[7]),
          .b_i  (kw_q[r]),
          .sum_o(first_of_round)
      );
    end
    eccel_sha512_round u_round (
        .state_i(now),
        .first_i(first_of_round),
        .state_o(next)
    );
    eccel_sha512_schedule u_schedule (
        .w2_i  (words[14+r]),
        .w7_i  (words[9+r]),
        .w15_i (words[1+r]),
        .w16_i (words[r]),
        .next_o(words[16+r])
    );
  end

  assign last_state = gen_round[Unroll-1].next;

  eccel_sum u_first_d (
      .a_i  (state_d[7]),
      .b_i  (kw[0]),
      .sum_o(first)
  );

  always_ff @(posedge clk_i) begin
    if (start) chain_q <= chain_i;
    if (start || busy_q) begin
      words_q <= words_d;
      state_q <= state_d;
      kw_q[0] <= first;
      for (int r = 1; r < Unroll; r++) kw_q[r] <= kw[r];
    end
    step_q <= step + step_t'(1);
    if (rst_i) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      busy_q  <= start || (busy_q && !last);
      valid_o <= busy_q && last;
    end
  end

endmodule
