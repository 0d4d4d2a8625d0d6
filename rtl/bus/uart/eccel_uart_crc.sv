// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// CRC-32 of Ethernet and zlib, one bit in each cycle: polynomial 0x04c11db7 reflected, start
// value and final XOR all ones. Bits come in the order in which a serial port sends them.
//
// Requires   At most one of clear_i, next_i and shift_i.
// Guarantees After clear_i and n cycles with next_i, check_o is the first byte of the CRC of the n
//            bits, and good_o tells whether the last 32 of them are the CRC of those before. 8
//            cycles with shift_i bring its next byte.
// After      ITU-T V.42, 8.1.1.6.2: the remainder of a frame with its CRC is a constant.

module eccel_uart_crc (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        next_i,
    input  logic        shift_i,
    input  logic        bit_i,
    output logic [ 7:0] check_o,
    output logic        good_o
);

  localparam logic [31:0] Polynomial = 32'hedb88320;
  localparam logic [31:0] Residue = 32'hdebb20e3;

  logic [31:0] crc_q;
  logic feedback;

  assign feedback = next_i && (crc_q[0] ^ bit_i);

  always_ff @(posedge clk_i) begin
    if (clear_i) crc_q <= '1;
    else if (next_i || shift_i) crc_q <= {1'b0, crc_q[31:1]} ^ (feedback ? Polynomial : 32'd0);
  end

  assign check_o = ~crc_q[7:0];
  assign good_o  = crc_q == Residue;

endmodule
