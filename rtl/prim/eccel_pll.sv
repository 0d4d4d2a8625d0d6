// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Clock of a board from its oscillator, by the PLL of the device.
//
// Parameters InKhz: frequency of clk_i. InDiv, VcoMul, OutDiv: dividers and multiplier, within the
//            limits of the device, which eccelerate/flow/pll.py knows.
// Requires   clk_i is a pin of the device.
// Guarantees The frequency of clk_o is InKhz / InDiv * VcoMul / OutDiv kHz once locked_o is 1.
//
// This body is for simulation, and for a board whose oscillator is fast enough: clk_o is clk_i.

// verilator lint_off UNUSEDPARAM
module eccel_pll #(
    parameter int InKhz = 25000,
    parameter int InDiv = 1,
    parameter int VcoMul = 1,
    parameter int OutDiv = 1
) (
    input  logic clk_i,
    output logic clk_o,
    output logic locked_o
);
  // verilator lint_on UNUSEDPARAM

  assign clk_o    = clk_i;
  assign locked_o = 1'b1;

endmodule
