// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Timeout of rnd: how long the instruction waits for a word of entropy.
//
// Requires   begin_i comes for one cycle before run_i. run_i is 1 while the instruction waits.
//            taken_i: a word came. failed_i: no word will come; none comes later than four cycles
//            after it.
// Guarantees over_o comes after 65,534 cycles without begin_i or taken_i, if run_i is then 1;
//            soon_o comes in the cycle before. With failed_i, both come within 40 cycles, and eight
//            cycles at least after begin_i or taken_i. Each of them lasts for one cycle.

module eccel_timeout (
    input  logic clk_i,
    input  logic begin_i,
    input  logic taken_i,
    input  logic failed_i,
    input  logic run_i,
    output logic soon_o,
    output logic over_o
);

  // A maximal-length shift register. Only once in its period does it receive 15 zeros in a row,
  // 65,531 cycles after its first value; over_o follows three cycles later. The register of four
  // bits counts zeros, without the last one: its comparison is smaller than one of 16 bits.
  logic [15:0] shift_q;
  logic [3:0] zeros_q;
  logic end_q;

  always_ff @(posedge clk_i) begin
    shift_q <= {shift_q[14:0], shift_q[15] ^ shift_q[14] ^ shift_q[12] ^ shift_q[3]};
    zeros_q <= {zeros_q[2:0], zeros_q[3] ~^ zeros_q[2]};
    end_q   <= zeros_q == 4'h8 && !shift_q[0] || failed_i && shift_q[11];  // 8: 14 zeros
    soon_o  <= run_i && end_q && !soon_o && !over_o;
    over_o  <= run_i && soon_o;
    if (begin_i || taken_i) begin
      shift_q <= 16'h0008;
      end_q   <= 1'b0;
      soon_o  <= 1'b0;
    end
    if (begin_i || taken_i || shift_q[0]) zeros_q <= '0;
  end

endmodule
