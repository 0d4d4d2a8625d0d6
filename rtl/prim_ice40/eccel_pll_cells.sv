// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Black box of the Lattice iCE40 cell that eccel_pll.sv instantiates, with only the pins and
// parameters that it uses. It is for front ends that need every module declared (slang). Vendor
// tools have their own: leave this file out there.

(* blackbox *)
module SB_PLL40_PAD #(
    parameter FEEDBACK_PATH = "SIMPLE",
    parameter logic [3:0] DIVR = 4'd0,
    parameter logic [6:0] DIVF = 7'd0,
    parameter logic [2:0] DIVQ = 3'd0,
    parameter logic [2:0] FILTER_RANGE = 3'd0
) (
    input  logic PACKAGEPIN, RESETB, BYPASS,
    output logic PLLOUTGLOBAL, LOCK
);
endmodule
