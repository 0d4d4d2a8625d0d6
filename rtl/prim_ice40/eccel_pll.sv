// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// iCE40 twin of rtl/prim/eccel_pll.sv, which has the contract: one SB_PLL40_PAD, whose input is
// the pin next to it.
//
// Requires   InDiv is 1..16, VcoMul 1..128, OutDiv 2, 4, .. 64. InKhz / InDiv is 10 to 133 MHz,
//            that times VcoMul 533 to 1066 MHz, and clk_o 16 to 275 MHz (Lattice FPGA-TN-02052).

module eccel_pll #(
    parameter int InKhz = 12000,
    parameter int InDiv = 1,
    parameter int VcoMul = 64,
    parameter int OutDiv = 16
) (
    input  logic clk_i,
    output logic clk_o,
    output logic locked_o
);

  if (OutDiv != 2 ** $clog2(OutDiv) || OutDiv < 2 || OutDiv > 64) begin : gen_bad_divider
    $error("eccel_pll: OutDiv must be a power of 2 from 2 to 64 on iCE40");
  end

  // Range of the loop filter, by the frequency at the phase detector.
  localparam int PhaseKhz = InKhz / InDiv;
  localparam logic [2:0] Filter = PhaseKhz < 17000 ? 3'd1 : PhaseKhz < 26000 ? 3'd2 : PhaseKhz < 44000 ? 3'd3 :
                                  PhaseKhz < 66000 ? 3'd4 : PhaseKhz < 101000 ? 3'd5 : 3'd6;

  SB_PLL40_PAD #(
      .FEEDBACK_PATH("SIMPLE"),
      .DIVR         (4'(InDiv - 1)),
      .DIVF         (7'(VcoMul - 1)),
      .DIVQ         (3'($clog2(OutDiv))),
      .FILTER_RANGE (Filter)
  ) u_pll (
      .PACKAGEPIN(clk_i), .PLLOUTGLOBAL(clk_o), .LOCK(locked_o), .RESETB(1'b1), .BYPASS(1'b0)
  );

endmodule
