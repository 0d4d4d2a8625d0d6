// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Twin of rtl/prim/eccel_pll.sv, which has the contract, for Xilinx 7 series: one PLLE2_BASE,
// and the buffers of its clocks.
//
// Requires   1,000,000 / InKhz is whole, since open tools have no real parameters. InDiv is 1..56,
//            VcoMul 2..64, OutDiv 1..128. InKhz / InDiv is 19 to 450 MHz, and that times VcoMul 800
//            to 1600 MHz (Xilinx DS181, slowest speed grade).

module eccel_pll #(
    parameter int InKhz = 100000,
    parameter int InDiv = 1,
    parameter int VcoMul = 10,
    parameter int OutDiv = 10
) (
    input  logic clk_i,
    output logic clk_o,
    output logic locked_o
);

  localparam int InNs = 1000000 / InKhz;

  if (InNs * InKhz != 1000000) begin : gen_bad_period
    $error("eccel_pll: the period of clk_i must be a whole number of ns on Xilinx");
  end

  logic out, feedback;

  PLLE2_BASE #(
      .CLKIN1_PERIOD (InNs),
      .DIVCLK_DIVIDE (InDiv),
      .CLKFBOUT_MULT (VcoMul),
      .CLKOUT0_DIVIDE(OutDiv)
  ) u_pll (
      .CLKIN1(clk_i), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(out), .LOCKED(locked_o),
      .PWRDWN(1'b0), .RST(1'b0)
  );

  BUFG u_buffer (
      .I(out),
      .O(clk_o)
  );

endmodule
