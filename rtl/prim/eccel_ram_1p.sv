// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Block RAM whose reads and writes take turns, one clock.
//
// Parameters Width >= 1 bits; Depth >= 2 words, any number.
// Requires   waddr_i, raddr_i < Depth; in a cycle with we_i nothing is read that matters.
// Guarantees rdata_o = mem[raddr_i] of two cycles before, undefined when that was a cycle with we_i.
// Latency    read 2 cycles (array, then output register); a word can be read from the cycle after its write on.
//
// Any block RAM will do; the twin of a family with large single-port memories puts it there.

module eccel_ram_1p #(
    parameter int Width = 32,
    parameter int Depth = 512,
    localparam int AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [   Width-1:0] wdata_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [   Width-1:0] rdata_o
);

  eccel_ram #(
      .Width(Width),
      .Depth(Depth)
  ) u_ram (
      .clk_i,
      .we_i,
      .waddr_i,
      .wdata_i,
      .raddr_i,
      .rdata_o
  );

endmodule
