// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register that is one of several copies of the same signal, each near the logic that reads it.
//
// Guarantees q_o is d_i one cycle later.
//
// Synthesis merges equal registers. The ECP5 twin is a cell, which it does not merge.

module eccel_ff_copy (
    input  logic clk_i,
    input  logic d_i,
    output logic q_o
);

  always_ff @(posedge clk_i) q_o <= d_i;

endmodule
