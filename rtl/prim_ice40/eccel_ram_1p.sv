// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// iCE40 UltraPlus twin of rtl/prim/eccel_ram_1p.sv, which has the contract: single-port SPRAM. The
// UP5K has 4 blocks of 256 kbit, in addition to its 30 small block RAMs.
//
// Blocks     ceil(Width / 16); at most 16384 words. The contents are undefined after power-up.

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

  if (Depth > 16384) begin : gen_too_deep
    $error("eccel_ram_1p: at most 16384 words on iCE40");
  end

  localparam int Blocks = (Width + 15) / 16;

  // All pins of a block are wired; a narrow word leaves some unused.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [16*Blocks-1:0] wdata, array;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [AddrBits-1:0] addr;
  logic [Width-1:0] data_q;

  assign addr    = we_i ? waddr_i : raddr_i;
  assign wdata   = (16 * Blocks)'(wdata_i);
  assign rdata_o = data_q;

  for (genvar b = 0; b < Blocks; b++) begin : gen_block
    SB_SPRAM256KA u_ram (
        .CLOCK(clk_i), .ADDRESS(14'(addr)), .DATAIN(wdata[16*b+:16]), .DATAOUT(array[16*b+:16]),
        .WREN(we_i), .MASKWREN(4'b1111), .CHIPSELECT(1'b1),
        .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1)  // POWEROFF is active low
    );
  end

  always_ff @(posedge clk_i) data_q <= array[Width-1:0];

endmodule
