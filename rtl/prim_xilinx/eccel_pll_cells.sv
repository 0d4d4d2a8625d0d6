// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Black boxes of the Xilinx cells that eccel_pll.sv instantiates, with only the pins and parameters
// that it uses. They are for front ends that need every module declared (slang). Vendor tools have
// their own: leave this file out there.

(* blackbox *)
module PLLE2_BASE #(
    parameter int CLKIN1_PERIOD = 0,
    parameter int DIVCLK_DIVIDE = 1,
    parameter int CLKFBOUT_MULT = 5,
    parameter int CLKOUT0_DIVIDE = 1
) (
    input  logic CLKIN1, CLKFBIN, PWRDWN, RST,
    output logic CLKFBOUT, CLKOUT0, LOCKED
);
endmodule

(* blackbox *)
module BUFG (
    input  logic I,
    output logic O
);
endmodule
