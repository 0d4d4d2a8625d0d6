// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Block ROM whose contents come from a file when the design is built.
//
// Parameters Width >= 1 bits. Depth >= 2 words, any number. InitFile: $readmemh file, searched from
//            the folder in which the simulator or the synthesis tool runs. Up to 2,048 words it has
//            a word on each line. A deeper ROM is read in columns of 1,024 words side by side:
//            line i holds the words i, 1024 + i, 2048 + i and so on, the first one at the right,
//            and 0 past the last one (rom_lines in eccelerate/configs/images.py).
// Requires   raddr_i < Depth.
// Guarantees rdata_o is the word of the file at raddr_i of two cycles before.
// Latency    2 cycles (array, then output register). One read in each cycle. A deeper ROM selects
//            the column after the output register: each block keeps a register of its own, and no
//            multiplexer stands between the array and the register.
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

  localparam int RowBits = AddrBits <= 11 ? AddrBits : 10;
  localparam int Columns = (Depth + 2 ** RowBits - 1) / 2 ** RowBits;
  localparam int Rows = Columns == 1 ? Depth : 2 ** RowBits;

  (* rom_style = "block", ram_style = "block" *)
  logic [Columns*Width-1:0] mem[Rows];
  logic [Columns*Width-1:0] array_q;
  // The initial value keeps Yosys from moving this register past tables that it indexes
  // (memory_dff).
  /* verilator lint_off PROCASSINIT */
  logic [Columns*Width-1:0] data_q = '0;
  /* verilator lint_on PROCASSINIT */

  initial $readmemh(InitFile, mem);

  always_ff @(posedge clk_i) begin
    array_q <= mem[raddr_i[RowBits-1:0]];
    data_q  <= array_q;
  end

  if (Columns == 1) begin : gen_one
    assign rdata_o = data_q;
  end else begin : gen_columns
    logic [AddrBits-RowBits-1:0] column_1, column_2;
    always_ff @(posedge clk_i) begin
      column_1 <= raddr_i[AddrBits-1:RowBits];
      column_2 <= column_1;
    end
    always_comb begin
      rdata_o = '0;
      for (int c = 0; c < Columns; c++) if (int'(column_2) == c) rdata_o = data_q[c*Width+:Width];
    end
  end

endmodule
