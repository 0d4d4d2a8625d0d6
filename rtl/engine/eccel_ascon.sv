// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The permutation Ascon-p[12] with its state: XORs a word into the state, permutes it, and shows a
// part of it.
//
// Parameters Columns (8, 16, 32): columns of the state that a clock works on.
// Requires   start_i comes while !busy_o. A reset comes before the first start_i.
// Guarantees A reset makes the state {Iv, 0, 0, 0, 0}. start_i: word 0 of the state ^= word_i, then
//            the state is permuted. word_o is word 0 of the state while !busy_o. The number of
//            clocks does not depend on values.
// Latency    busy_o lasts 24 * 64 / Columns clocks.
// Source     NIST SP 800-232. In the first half of a round, the substitution layer moves the
//            columns from one set of registers to the other; in the second half, the diffusion
//            layer moves them back while the other set rotates.

module eccel_ascon #(
    parameter int Columns = 8,
    parameter logic [63:0] Iv = 64'h0000_0800_00cc_0003  // of Ascon-XOF128
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        start_i,
    input  logic [63:0] word_i,
    output logic        busy_o,
    output logic [63:0] word_o
);

  localparam int Last = 64 / Columns - 1;
  localparam int StepBits = $clog2(Last + 1);
  localparam int RotationA[5] = '{19, 61, 1, 10, 7};
  localparam int RotationB[5] = '{28, 39, 6, 17, 41};

  logic [63:0] state_q[5], turn_q[5];
  logic [Columns-1:0] x[5], chi[5], substituted[5], diffused[5], constant;
  logic [3:0] round_q;
  logic [StepBits-1:0] step_q;
  logic busy_q, diffuses_q;

  assign busy_o = busy_q;
  assign word_o = state_q[0];
  assign constant = step_q == '0 ? Columns'({~round_q, round_q}) : '0;

  always_comb begin
    for (int i = 0; i < 5; i++) x[i] = state_q[i][Columns-1:0];
    x[2] ^= constant;
    x[0] ^= x[4];
    x[4] ^= x[3];
    x[2] ^= x[1];
    for (int i = 0; i < 5; i++) chi[i] = x[i] ^ (~x[(i+1)%5] & x[(i+2)%5]);
    substituted[0] = chi[0] ^ chi[4];
    substituted[1] = chi[1] ^ chi[0];
    substituted[2] = ~chi[2];
    substituted[3] = chi[3] ^ chi[2];
    substituted[4] = chi[4];
    for (int i = 0; i < 5; i++) begin
      for (int c = 0; c < Columns; c++) begin
        diffused[i][c] = turn_q[i][c] ^ turn_q[i][(c+RotationA[i])%64] ^ turn_q[i][(c+RotationB[i])%64];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      busy_q     <= 1'b1;
      state_q[0] <= state_q[0] ^ word_i;
    end
    if (busy_q) begin
      for (int i = 0; i < 5; i++) begin
        state_q[i] <= {diffused[i], state_q[i][63:Columns]};
        turn_q[i]  <= {diffuses_q ? turn_q[i][Columns-1:0] : substituted[i], turn_q[i][63:Columns]};
      end
      step_q <= step_q + 1'b1;
      if (int'(step_q) == Last) begin
        step_q     <= '0;
        diffuses_q <= !diffuses_q;
        if (diffuses_q) round_q <= round_q == 4'd11 ? '0 : round_q + 1'b1;
        if (diffuses_q && round_q == 4'd11) busy_q <= 1'b0;
      end
    end
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      diffuses_q <= 1'b0;
      round_q    <= '0;
      step_q     <= '0;
      for (int i = 0; i < 5; i++) begin
        state_q[i] <= i == 0 ? Iv : '0;
        turn_q[i]  <= '0;
      end
    end
  end

endmodule
