// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum of several numbers without sign, as a tree of adders.
//
// Parameters Terms, Width >= 1. Depth >= clog2(Terms): levels of the tree. Pipelined: a register
//            after each level.
// Guarantees sum_o is the sum of the terms, exact.
// Latency    Pipelined: Depth. Else 0: combinational.
// Interval   1
//
// The module instantiates itself, once for each half of the terms. A term that needs fewer levels
// than Depth waits in front of its first adder.

module eccel_tree_add #(
    parameter int Terms     = 2,
    parameter int Width     = 32,
    parameter int Depth     = 1,
    parameter bit Pipelined = 1'b1,
    localparam int SumBits  = Width + $clog2(Terms)
) (
    input  logic                         clk_i,
    input  logic [Terms-1:0][Width-1:0]  term_i,
    output logic [SumBits-1:0]           sum_o
);

  if (Depth < $clog2(Terms)) begin : gen_shallow
    $error("eccel_tree_add: Depth is below clog2(Terms)");
  end

  if (Terms == 1) begin : gen_leaf
    eccel_delay #(
        .Width (Width),
        .Cycles(Pipelined ? Depth : 0)
    ) u_delay (
        .clk_i,
        .d_i(term_i[0]),
        .q_o(sum_o)
    );
  end else begin : gen_halves
    localparam int Left = (Terms + 1) / 2;
    localparam int Right = Terms - Left;
    localparam int LeftBits = Width + $clog2(Left);
    localparam int RightBits = Width + $clog2(Right);

    logic [LeftBits-1:0] left;
    logic [RightBits-1:0] right;

    eccel_tree_add #(
        .Terms    (Left),
        .Width    (Width),
        .Depth    (Depth - 1),
        .Pipelined(Pipelined)
    ) u_left (
        .clk_i,
        .term_i(term_i[Left-1:0]),
        .sum_o (left)
    );
    eccel_tree_add #(
        .Terms    (Right),
        .Width    (Width),
        .Depth    (Depth - 1),
        .Pipelined(Pipelined)
    ) u_right (
        .clk_i,
        .term_i(term_i[Terms-1:Left]),
        .sum_o (right)
    );
    if (Pipelined) begin : gen_register
      always_ff @(posedge clk_i) sum_o <= SumBits'(left) + SumBits'(right);
    end else begin : gen_chain
      logic [LeftBits:0] sum;
      eccel_add #(
          .Width(LeftBits)
      ) u_add (
          .a_i  (left),
          .b_i  (LeftBits'(right)),
          .add_i(1'b1),
          .sub_i(1'b0),
          .c_i  (1'b0),
          .sum_o(sum)
      );
      assign sum_o = SumBits'(sum);
    end
  end

endmodule
