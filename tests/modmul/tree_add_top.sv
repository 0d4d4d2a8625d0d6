// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eccel_tree_add below a top of its own: Verilator does not run a top that instantiates itself.

module tree_add_top #(
    parameter int Terms = 2,
    parameter int Width = 32,
    parameter int Depth = 1,
    parameter bit Pipelined = 1'b1,
    localparam int SumBits = Width + $clog2(Terms)
) (
    input  logic                        clk_i,
    input  logic [Terms-1:0][Width-1:0] term_i,
    output logic [SumBits-1:0]          sum_o
);

  eccel_tree_add #(
      .Terms    (Terms),
      .Width    (Width),
      .Depth    (Depth),
      .Pipelined(Pipelined)
  ) u_tree (
      .clk_i,
      .term_i,
      .sum_o
  );

endmodule
