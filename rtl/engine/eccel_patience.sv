// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// How long rnd waits for a word of entropy.
//
// Requires   begin_i before run_i, for one cycle; run_i while the instruction waits.
// Guarantees over_o when run_i has stood and no word has come (taken_i) for 65,534 cycles, soon_o in the cycle before.

module eccel_patience (
    input  logic clk_i,
    input  logic begin_i,
    input  logic taken_i,
    input  logic run_i,
    output logic soon_o,
    output logic over_o
);

  // A maximal-length shift register, which comes to its end 65,531 cycles behind its third value; three cycles more, and
  // over_o follows.
  logic [15:0] shift_q;
  logic end_q;

  always_ff @(posedge clk_i) begin
    shift_q <= {shift_q[14:0], shift_q[15] ^ shift_q[14] ^ shift_q[12] ^ shift_q[3]};
    end_q   <= shift_q == 16'hc000;
    soon_o  <= run_i && end_q;
    over_o  <= run_i && soon_o;
    if (begin_i || taken_i) begin
      shift_q <= 16'h0004;
      end_q   <= 1'b0;
      soon_o  <= 1'b0;
    end
  end

endmodule
