// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Black box of the Lattice ECP5 cell that eccel_pll.sv instantiates, with only the pins and
// parameters that it uses. It is for front ends that need every module declared (slang). Vendor
// tools have their own: leave this file out there.

(* blackbox *)
module EHXPLLL #(
    parameter PLLRST_ENA = "DISABLED",
    parameter INTFB_WAKE = "DISABLED",
    parameter STDBY_ENABLE = "DISABLED",
    parameter DPHASE_SOURCE = "DISABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD",
    parameter int CLKI_DIV = 1,
    parameter CLKOP_ENABLE = "ENABLED",
    parameter int CLKOP_DIV = 8,
    parameter int CLKOP_CPHASE = 0,
    parameter int CLKOP_FPHASE = 0,
    parameter CLKOS_ENABLE = "DISABLED",
    parameter int CLKOS_DIV = 8,
    parameter int CLKOS_CPHASE = 0,
    parameter int CLKOS_FPHASE = 0,
    parameter FEEDBK_PATH = "CLKOP",
    parameter int CLKFB_DIV = 1
) (
    input  logic CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
        ENCLKOS,
    output logic CLKOP, CLKOS, LOCK
);
endmodule
