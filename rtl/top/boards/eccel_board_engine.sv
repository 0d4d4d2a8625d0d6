// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The engine of a board, with the ports of docs/architecture.md ("Engine ports"). This one is
// compact-w32. `eccel build CONFIG --board NAME` writes another one in its place.

module eccel_board_engine
  import eccel_packet_pkg::*;
(
    input  logic     clk_i,
    input  logic     rst_ni,
    input  packet_t  req_i,
    output logic     req_ready_o,
    output packet_t  rsp_o,
    input  logic     rsp_ready_i,
    input  entropy_t ent_i,
    output logic     ent_ready_o,
    input  logic     zeroise_i,
    output logic     busy_o,
    output logic     alarm_o
);

  eccel_ecp_compact #(
      .DigitBits(32),
      .MaxWords(17),
      .WatchdogBits(23)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .ent_i,
      .ent_ready_o,
      .zeroise_i,
      .busy_o,
      .alarm_o
  );

endmodule
