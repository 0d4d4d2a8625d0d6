// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Block ROM whose contents come from a file when the design is built.
//
// Parameters Width >= 1 bits. Depth >= 2 words, any number. InitFile: $readmemh file, searched from
//            the folder in which the simulator or the synthesis tool runs.
// Requires   raddr_i < Depth.
// Guarantees rdata_o is the word of the file at raddr_i of two cycles before.
// Latency    2 cycles (array, then output register). One read in each cycle.
//
// There are no vendor twins: SystemVerilog cannot read cell parameters from a file, so the block is
// inferred on every family. Vendor tools absorb the output register; for ECP5 and Nexus the flow of
// this project does that after mapping.

module eccel_rom #(
    parameter int Width = 24,
    parameter int Depth = 2048,
    parameter InitFile = "",
    localparam int AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [   Width-1:0] rdata_o
);

  (* rom_style = "block", ram_style = "block" *)
  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] array_q;
  // The initial value keeps Yosys from moving this register past tables that it indexes
  // (memory_dff).
  /* verilator lint_off PROCASSINIT */
  logic [Width-1:0] data_q = '0;
  /* verilator lint_on PROCASSINIT */

  assign rdata_o = data_q;

  initial $readmemh(InitFile, mem);

  always_ff @(posedge clk_i) begin
    array_q <= mem[raddr_i];
    data_q  <= array_q;
  end

endmodule
