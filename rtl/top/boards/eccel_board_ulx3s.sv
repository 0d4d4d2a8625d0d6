// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ULX3S: Lattice ECP5 with 25 MHz. The pins are in syn/boards/ulx3s.lpf.
//
// Ports      reset_i, zeroise_i: buttons FIRE 1 and FIRE 2, 1 when pressed. rxd_i, txd_o: the
//            FT231X of the connector US1. led_o: 0 alive, 1 busy, 2 frame lost. wifi_gpio0_o: 1
//            keeps the ESP32 from taking the board over.

module eccel_board_ulx3s
  import eccel_board_pkg::*;
(
    input  logic       clk_i,
    input  logic       reset_i,
    input  logic       zeroise_i,
    input  logic       rxd_i,
    output logic       txd_o,
    output logic [2:0] led_o,
    output logic       wifi_gpio0_o
);

  logic clk, locked, unused_ready;

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
      .reset_i,
      .zeroise_i,
      .rxd_i,
      .txd_o,
      .ext_ent_i      ('0),
      .ext_ent_ready_o(unused_ready),
      .alive_o        (led_o[0]),
      .busy_o         (led_o[1]),
      .lost_o         (led_o[2])
  );

  assign wifi_gpio0_o = 1'b1;

endmodule
