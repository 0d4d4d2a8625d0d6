// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Block RAM that either reads or writes in a cycle, on one clock.
//
// Parameters Width >= 1 bits. Depth >= 2 words, any number.
// Requires   waddr_i, raddr_i < Depth. In a cycle with we_i no read is needed.
// Guarantees rdata_o is the word at raddr_i of two cycles before; undefined if that was a cycle
//            with we_i. A word can be read from the cycle after its write.
// Latency    A read takes 2 cycles (array, then output register).
//
// Any block RAM meets this contract. A device family with large single-port memories has a twin
// that uses them.

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
      .clr_i(1'b0),
      .we_i,
      .waddr_i,
      .wdata_i,
      .raddr_i,
      .rdata_o
  );

endmodule
