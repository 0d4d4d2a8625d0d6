// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier of one DSP block, p = a * b, for signed or unsigned operands, with all registers of
// the block or none.
//
// Parameters 1 <= WidthA, WidthB <= 18; unsigned at most 17 where the blocks are signed (Xilinx).
//            Signed: both operands are in two's complement. Registers: operands, pipeline, output.
// Guarantees p_o is the full product, in two's complement with Signed.
// Latency    3 cycles with Registers, else combinational. One product in each cycle.

module eccel_mul18_signed #(
    parameter int WidthA    = 18,
    parameter int WidthB    = 18,
    parameter bit Signed    = 1'b1,
    parameter bit Registers = 1'b1
) (
    input  logic                     clk_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);

  localparam int WidthP = WidthA + WidthB;
  // An unsigned operand gets a sign bit if the block has room for it.
  localparam int OwnA = Signed || WidthA > 17 ? WidthA : WidthA + 1;
  localparam int OwnB = Signed || WidthB > 17 ? WidthB : WidthB + 1;

  logic [WidthA-1:0] a;
  logic [WidthB-1:0] b;
  logic [WidthP-1:0] product;

  if (Signed || (OwnA > WidthA && OwnB > WidthB)) begin : gen_signed
    assign product = WidthP'($signed(OwnA'(a)) * $signed(OwnB'(b)));
  end else begin : gen_unsigned
    assign product = WidthP'(a) * WidthP'(b);
  end

  if (Registers) begin : gen_registers
    logic [WidthA-1:0] a_q;
    logic [WidthB-1:0] b_q;
    logic [WidthP-1:0] product_q, p_q;
    always_ff @(posedge clk_i) begin
      a_q       <= a_i;
      b_q       <= b_i;
      product_q <= product;
      p_q       <= product_q;
    end
    assign a   = a_q;
    assign b   = b_q;
    assign p_o = p_q;
  end else begin : gen_plain
    logic unused_clk;
    assign unused_clk = clk_i;
    assign a   = a_i;
    assign b   = b_i;
    assign p_o = product;
  end

endmodule
