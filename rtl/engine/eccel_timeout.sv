// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Timeout of rnd: how long the instruction waits for a word of entropy.
//
// Requires   begin_i comes for one cycle before run_i. run_i is 1 while the instruction waits.
//            taken_i: a word came.
// Guarantees over_o comes after 65,534 cycles without begin_i or taken_i, if run_i is then 1;
//            soon_o comes in the cycle before.

module eccel_timeout (
    input  logic clk_i,
    input  logic begin_i,
    input  logic taken_i,
    input  logic run_i,
    output logic soon_o,
    output logic over_o
);

  // A maximal-length shift register, which reaches its last value 65,531 cycles after its third
  // one; over_o follows three cycles later.
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
