// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// iCE40 UltraPlus twin of rtl/prim/eccel_mul18.sv, which has the contract: one SB_MAC16 with its
// own registers. Operands have at most 16 bits.
//
// The cell is instantiated because Yosys does not use the multiplier if two registers follow an
// inferred product. Synthesise without -dsp: that option switches the registers of instantiated
// cells off (Yosys 0.70). The second register of the product is that of the accumulator, whose
// input is product + 0.

module eccel_mul18 #(
    parameter int WidthA = 16,
    parameter int WidthB = 16,
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

  if (WidthA > 16 || WidthB > 16) begin : gen_too_wide
    $error("eccel_mul18: operands have at most 16 bits on iCE40; use 16-bit digits");
  end

  // Output 3 is the register of the product, output 1 the register of the accumulator.
  localparam bit [1:0] OutputSelect = (Pipe && OutReg) ? 2'b01 : 2'b11;

  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] p;  // the upper bits of a smaller product are 0
  /* verilator lint_on UNUSEDSIGNAL */

  assign p_o = p[WidthA+WidthB-1:0];

  SB_MAC16 #(
      .NEG_TRIGGER             (1'b0),
      .A_REG                   (1'b1),
      .B_REG                   (1'b1),
      .PIPELINE_16x16_MULT_REG1(1'b0),
      .PIPELINE_16x16_MULT_REG2(Pipe || OutReg ? 1'b1 : 1'b0),
      .TOPOUTPUT_SELECT        (OutputSelect),
      .TOPADDSUB_LOWERINPUT    (2'b10),
      .TOPADDSUB_UPPERINPUT    (1'b1),
      .TOPADDSUB_CARRYSELECT   (2'b00),
      .BOTOUTPUT_SELECT        (OutputSelect),
      .BOTADDSUB_LOWERINPUT    (2'b10),
      .BOTADDSUB_UPPERINPUT    (1'b1),
      .BOTADDSUB_CARRYSELECT   (2'b00),
      .MODE_8x8                (1'b0),
      .A_SIGNED                (1'b0),
      .B_SIGNED                (1'b0)
  ) u_mac (
      .CLK(clk_i), .CE(1'b1),
      .A(a_clr_i ? 16'd0 : 16'(a_i)), .B(16'(b_i)), .C(16'd0), .D(16'd0),
      .AHOLD(!a_en_i && !a_clr_i), .BHOLD(!b_en_i), .CHOLD(1'b0), .DHOLD(1'b0),
      .IRSTTOP(1'b0), .IRSTBOT(1'b0), .ORSTTOP(1'b0), .ORSTBOT(1'b0),
      .OLOADTOP(1'b0), .OLOADBOT(1'b0), .ADDSUBTOP(1'b0), .ADDSUBBOT(1'b0),
      .OHOLDTOP(1'b0), .OHOLDBOT(1'b0), .CI(1'b0), .ACCUMCI(1'b0), .SIGNEXTIN(1'b0),
      .O(p)
  );

endmodule
