// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Black boxes of the Lattice iCE40 UltraPlus cells that the twins in this folder instantiate, with
// only the pins and parameters that they use. They are for front ends that need every module
// declared (slang). Vendor tools have their own: leave this file out there.

(* blackbox *)
module SB_MAC16 #(
    parameter NEG_TRIGGER = 1'b0,
    parameter A_REG = 1'b0,
    parameter B_REG = 1'b0,
    parameter PIPELINE_16x16_MULT_REG1 = 1'b0,
    parameter PIPELINE_16x16_MULT_REG2 = 1'b0,
    parameter TOPOUTPUT_SELECT = 2'b00,
    parameter TOPADDSUB_LOWERINPUT = 2'b00,
    parameter TOPADDSUB_UPPERINPUT = 1'b0,
    parameter TOPADDSUB_CARRYSELECT = 2'b00,
    parameter BOTOUTPUT_SELECT = 2'b00,
    parameter BOTADDSUB_LOWERINPUT = 2'b00,
    parameter BOTADDSUB_UPPERINPUT = 1'b0,
    parameter BOTADDSUB_CARRYSELECT = 2'b00,
    parameter MODE_8x8 = 1'b0,
    parameter A_SIGNED = 1'b0,
    parameter B_SIGNED = 1'b0
) (
    input  logic CLK, CE,
    input  logic [15:0] C, A, B, D,
    input  logic AHOLD, BHOLD, CHOLD, DHOLD, IRSTTOP, IRSTBOT, ORSTTOP, ORSTBOT, OLOADTOP, OLOADBOT,
    input  logic ADDSUBTOP, ADDSUBBOT, OHOLDTOP, OHOLDBOT, CI, ACCUMCI, SIGNEXTIN,
    output logic [31:0] O
);
endmodule

(* blackbox *)
module SB_SPRAM256KA (
    input  logic CLOCK, WREN, CHIPSELECT, STANDBY, SLEEP, POWEROFF,
    input  logic [13:0] ADDRESS,
    input  logic [15:0] DATAIN,
    input  logic [3:0] MASKWREN,
    output logic [15:0] DATAOUT
);
endmodule
