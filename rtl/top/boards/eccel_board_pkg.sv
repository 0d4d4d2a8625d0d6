// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What a board is built for: configuration, clock, baud rate. This one is compact-w32 at 100 MHz
// from 25 MHz, 1,000,000 baud. `eccel build CONFIG --board NAME` writes another one in its
// place.

package eccel_board_pkg;

  // Name of the configuration, the first character in bits 7..0; bits of a digit and words of the
  // widest element, for CONFIG.
  localparam logic [191:0] Name = 192'h3233772d74636170_6d6f63;
  localparam int DigitBits = 32;
  localparam int MaxWords = 17;

  // eccel_pll
  localparam int InKhz = 25000;
  localparam int InDiv = 1;
  localparam int VcoMul = 24;
  localparam int OutDiv = 6;

  // The engine's clock, and 2^19 * baud / clock.
  localparam int ClockKhz = 100000;
  localparam int Step = 5243;

endpackage
