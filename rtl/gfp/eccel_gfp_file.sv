// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register file of the prime-field unit: one write port and two read ports, and a third read port
// for registers 0..3, which hold the moduli and their constants.
//
// Parameters DigitBits; MaxDigits: length of the longest register; NumRegs <= 64. TightMemory = 1
//            leaves out the addresses of digits that no register has: the address is {digit / 8,
//            register, digit % 8} instead of {register, digit}. That takes fewer blocks on iCE40,
//            whose blocks are small; elsewhere it only adds a multiplexer.
// Requires   waddr_i, a_addr_i, b_addr_i are {register, digit}, m_addr_i is {register 0..3, digit};
//            digit <= MaxDigits + 1.
// Guarantees a_o, b_o, m_o are the digits addressed two cycles before. A digit can be read from the
//            cycle after we_i.

module eccel_gfp_file #(
    parameter int DigitBits = 32,
    parameter int MaxDigits = 20,
    parameter int NumRegs = 64,
    parameter bit TightMemory = 1'b0,
    localparam int IndexBits = $clog2(MaxDigits + 1),
    localparam int AddrBits = 6 + IndexBits
) (
    input logic clk_i,

    input logic                 we_i,
    input logic [ AddrBits-1:0] waddr_i,
    input logic [DigitBits-1:0] wdata_i,

    input  logic [ AddrBits-1:0] a_addr_i,
    input  logic [ AddrBits-1:0] b_addr_i,
    input  logic [IndexBits+1:0] m_addr_i,
    output logic [DigitBits-1:0] a_o,
    output logic [DigitBits-1:0] b_o,
    output logic [DigitBits-1:0] m_o
);

  localparam int Eighths = (MaxDigits + 2 + 7) / 8;
  localparam int FileDepth = TightMemory ? 8 * Eighths * NumRegs : NumRegs << IndexBits;
  localparam int FileBits = $clog2(FileDepth);
  typedef logic [FileBits-1:0] file_t;

  function automatic file_t in_file(logic [AddrBits-1:0] address);
    logic [5:0] register;
    logic [IndexBits-1:0] digit;
    {register, digit} = address;
    return TightMemory ? file_t'({digit >> 3, register, digit[2:0]}) : file_t'(address);
  endfunction

  eccel_ram #(
      .Width(DigitBits),
      .Depth(FileDepth)
  ) u_regs_a (
      .clk_i,
      .clr_i(1'b0),
      .we_i,
      .waddr_i(in_file(waddr_i)),
      .wdata_i,
      .raddr_i(in_file(a_addr_i)),
      .rdata_o(a_o)
  );

  eccel_ram #(
      .Width(DigitBits),
      .Depth(FileDepth)
  ) u_regs_b (
      .clk_i,
      .clr_i(1'b0),
      .we_i,
      .waddr_i(in_file(waddr_i)),
      .wdata_i,
      .raddr_i(in_file(b_addr_i)),
      .rdata_o(b_o)
  );

  eccel_ram #(
      .Width(DigitBits),
      .Depth(4 << IndexBits)
  ) u_modulus (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (we_i && waddr_i[AddrBits-1:IndexBits+2] == 0),
      .waddr_i(waddr_i[IndexBits+1:0]),
      .wdata_i,
      .raddr_i(m_addr_i),
      .rdata_o(m_o)
  );

endmodule
