// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Unsigned multiplier of one DSP block, p = a * b, with the registers of the block.
//
// Parameters 1 <= WidthA, WidthB <= 18 (16 on iCE40). Pipe, OutReg: the block has a pipeline
//            register, an output register.
// Requires   a_i comes with a_en_i, b_i with b_en_i.
// Guarantees p_o is the full product of the last a and b. a is loaded with a_en_i and set to 0 with
//            a_clr_i, which has priority; b is loaded with b_en_i. The block itself keeps an
//            operand that does not change.
// Latency    1 + Pipe + OutReg cycles (operand registers, pipeline register, output register). One
//            product in each cycle.
//
// Put a register between p_o and a carry chain; before the operands none is needed. With OutReg = 0
// and Pipe = 0 the product is combinational after the operand registers: 195 MHz on ECP5, speed
// grade 6. The blocks of Xilinx are signed: up to 17 bits an unsigned product takes one of them,
// with 18 bits several.

module eccel_mul18 #(
    parameter int WidthA = 18,
    parameter int WidthB = 18,
    parameter bit Pipe   = 1'b0,
    parameter bit OutReg = 1'b1
) (
    input  logic                     clk_i,
    input  logic                     a_en_i,
    input  logic                     a_clr_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic                     b_en_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);

  localparam int WidthP = WidthA + WidthB;

  logic [WidthA-1:0] a_q;
  logic [WidthB-1:0] b_q;
  logic [WidthP-1:0] product, piped;

  always_ff @(posedge clk_i) begin
    if (a_clr_i) a_q <= '0;
    else if (a_en_i) a_q <= a_i;
    if (b_en_i) b_q <= b_i;
  end

  assign product = WidthP'(a_q) * WidthP'(b_q);

  if (Pipe) begin : gen_pipe
    always_ff @(posedge clk_i) piped <= product;
  end else begin : gen_no_pipe
    assign piped = product;
  end

  if (OutReg) begin : gen_out_reg
    always_ff @(posedge clk_i) p_o <= piped;
  end else begin : gen_no_out_reg
    assign p_o = piped;
  end

endmodule
