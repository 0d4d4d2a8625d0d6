// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Block RAM with one write port and one read port on the same clock, without a read enable.
//
// Parameters Width >= 1 bits. Depth >= 2 words, any number. InitFile: $readmemh file; with "" the
//            contents are undefined.
// Requires   waddr_i < Depth with we_i. A read with raddr_i >= Depth, of a word in the cycle of its
//            write, or in the cycle of a clr_i, gives an undefined word.
// Guarantees rdata_o is the word at raddr_i of two cycles before, and 0 in the cycle after one with
//            clr_i. A word can be read from the cycle after its write.
// Latency    A read takes 2 cycles (array, then output register). One read and one write in each
//            cycle.
//
// The second register is part of the memory block (Xilinx DO_REG, Lattice OUTREG): put no logic
// between the two. On ECP5 use the twin in prim_ecp5: synthesis tools that do not absorb that
// register reach only 140 MHz.

module eccel_ram #(
    parameter int Width = 32,
    parameter int Depth = 512,
    parameter InitFile = "",
    localparam int AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                clr_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [   Width-1:0] wdata_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [   Width-1:0] rdata_o
);

  (* no_rw_check *)
  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] array_q;
  // The initial value keeps Yosys from moving this register past tables that it indexes
  // (memory_dff).
  /* verilator lint_off PROCASSINIT */
  logic [Width-1:0] data_q = '0;
  /* verilator lint_on PROCASSINIT */

  assign rdata_o = data_q;

  if (InitFile != "") begin : gen_init
    initial $readmemh(InitFile, mem);
  end

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    array_q <= mem[raddr_i];
    data_q  <= clr_i ? '0 : array_q;
  end

endmodule
