// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arty A7: Xilinx Artix-7 with 100 MHz. The pins are in syn/boards/arty.xdc.
//
// Ports      reset_ni: the red button, 0 when pressed. zeroise_i: button 0, 1 when pressed. rxd_i,
//            txd_o: the second channel of the FT2232H. led_o: 0 alive, 1 busy, 2 frame lost.

module eccel_board_arty
  import eccel_board_pkg::*;
(
    input  logic       clk_i,
    input  logic       reset_ni,
    input  logic       zeroise_i,
    input  logic       rxd_i,
    output logic       txd_o,
    output logic [2:0] led_o
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
      .reset_i        (!reset_ni),
      .zeroise_i,
      .rxd_i,
      .txd_o,
      .ext_ent_i      ('0),
      .ext_ent_ready_o(unused_ready),
      .alive_o        (led_o[0]),
      .busy_o         (led_o[1]),
      .lost_o         (led_o[2])
  );

endmodule
