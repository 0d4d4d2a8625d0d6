// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ECP5 twin of rtl/prim/eccel_pll.sv, which has the contract: one EHXPLLL.
//
// Requires   InDiv, VcoMul and OutDiv are 1..128. InKhz / InDiv is 10 to 400 MHz, and that times
//            VcoMul 400 to 800 MHz (Lattice FPGA-DS-02012, "sysCLOCK PLL Timing").

// verilator lint_off UNUSEDPARAM
module eccel_pll #(
    parameter int InKhz = 25000,
    parameter int InDiv = 1,
    parameter int VcoMul = 24,
    parameter int OutDiv = 6
) (
    input  logic clk_i,
    output logic clk_o,
    output logic locked_o
);
  // verilator lint_on UNUSEDPARAM

  // The feedback is an output of its own, with the frequency of the phase detector.
  logic feedback;

  // The loop filter has the values that the vendor's tool uses at every frequency.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
      .PLLRST_ENA      ("DISABLED"),
      .INTFB_WAKE      ("DISABLED"),
      .STDBY_ENABLE    ("DISABLED"),
      .DPHASE_SOURCE   ("DISABLED"),
      .OUTDIVIDER_MUXA ("DIVA"),
      .OUTDIVIDER_MUXB ("DIVB"),
      .OUTDIVIDER_MUXC ("DIVC"),
      .OUTDIVIDER_MUXD ("DIVD"),
      .CLKI_DIV        (InDiv),
      .CLKOP_ENABLE    ("ENABLED"),
      .CLKOP_DIV       (VcoMul),
      .CLKOP_CPHASE    (VcoMul - 1),
      .CLKOP_FPHASE    (0),
      .CLKOS_ENABLE    ("ENABLED"),
      .CLKOS_DIV       (OutDiv),
      .CLKOS_CPHASE    (OutDiv - 1),
      .CLKOS_FPHASE    (0),
      .FEEDBK_PATH     ("CLKOP"),
      .CLKFB_DIV       (1)
  ) u_pll (
      .CLKI(clk_i), .CLKFB(feedback), .CLKOP(feedback), .CLKOS(clk_o), .LOCK(locked_o),
      .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
      .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0)
  );

endmodule
