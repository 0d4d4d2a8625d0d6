// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// iCEBreaker: Lattice iCE40 UP5K with 12 MHz. The pins are in syn/boards/icebreaker.pcf.
//
// Ports      button_ni: the user button, 0 when pressed: reset. rxd_i, txd_o: the second channel of
//            the FT2232H. led_no: 0 red (frame lost), 1 green (alive, and out while busy); 0 when
//            they shine.
// Memory     The small block RAMs are for the engine and for packets; the buffer of entropy is in a
//            pair of the large single-port memories.

module eccel_board_icebreaker
  import eccel_board_pkg::*;
(
    input  logic       clk_i,
    input  logic       button_ni,
    input  logic       rxd_i,
    output logic       txd_o,
    output logic [1:0] led_no
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

  eccel_board #(
      .AddrBits(8),
      .SmallRam(1'b1),
      .BeatBits(24)
  ) u_board (
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

  assign led_no = ~{alive && !busy, lost};

endmodule
