// SPDX-License-Identifier: Apache-2.0
//
// rtl/prim/eccel_ram_1p.sv as strict as its contract: a cycle with a write reads garbage.

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

  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] array_q, data_q;

  assign rdata_o = data_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    array_q <= we_i ? ~mem[waddr_i] : mem[raddr_i];
    data_q  <= array_q;
  end

endmodule
