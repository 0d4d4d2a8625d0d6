// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// OrangeCrab r0.2: Lattice ECP5 with 48 MHz. The pins are in syn/boards/orangecrab.lpf.
//
// Ports      button_ni: the button, 0 when pressed: reset. rxd_i, txd_o: pins 1 and 0 of the
//            header, for a serial adapter of 3.3 V. led_no: 0 red (frame lost), 1 green (alive), 2
//            blue (busy); 0 when they shine.

module eccel_board_orangecrab
  import eccel_board_pkg::*;
(
    input  logic       clk_i,
    input  logic       button_ni,
    input  logic       rxd_i,
    output logic       txd_o,
    output logic [2:0] led_no
);

  logic clk, locked, lost, alive, busy, unused_ready;

  eccel_pll #(
      .InKhz(InKhz),
      .InDiv(InDiv),
      .VcoMul(VcoMul),
      .OutDiv(OutDiv)
  ) u_pll (
      .clk_i,
      .clk_o   (clk),
      .locked_o(locked)
  );

  eccel_board u_board (
      .clk_i          (clk),
      .locked_i       (locked),
      .reset_i        (!button_ni),
      .zeroise_i      (1'b0),
      .rxd_i,
      .txd_o,
      .ext_ent_i      ('0),
      .ext_ent_ready_o(unused_ready),
      .alive_o        (alive),
      .busy_o         (busy),
      .lost_o         (lost)
  );

  assign led_no = ~{busy, alive, lost};

endmodule
