// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Frames of docs/links.md as far as a board has them: types, limits, reasons of ERROR.

package eccel_uart_pkg;

  localparam logic [7:0] Version = 8'd1;

  localparam logic [7:0] TypeRequest = 8'h01;
  localparam logic [7:0] TypeResponse = 8'h02;
  localparam logic [7:0] TypeHello = 8'h03;
  localparam logic [7:0] TypeStatus = 8'h04;
  localparam logic [7:0] TypeEntropy = 8'h05;
  localparam logic [7:0] TypeControl = 8'h06;
  localparam logic [7:0] TypeError = 8'h07;

  localparam logic [15:0] MaxRequestWords = 16'd160;
  localparam logic [15:0] MaxEntropyWords = 16'd64;

  // SLIP (RFC 1055): a frame ends with End; within it Escape EscapedEnd stands for End, and
  // Escape EscapedEscape for Escape.
  localparam logic [7:0] End = 8'hc0;
  localparam logic [7:0] Escape = 8'hdb;
  localparam logic [7:0] EscapedEnd = 8'hdc;
  localparam logic [7:0] EscapedEscape = 8'hdd;

  typedef enum logic [2:0] {
    ErrorNone = 3'd0,
    ErrorCrc = 3'd1,
    ErrorMalformed = 3'd2,
    ErrorLong = 3'd3,
    ErrorRoom = 3'd4
  } error_e;

  // A frame from the host that has ended. At most one bit is 1, for a cycle.
  typedef struct packed {
    logic request;
    logic hello;
    logic entropy;
    logic spilt;    // ENTROPY without room for it
    logic restart;  // CONTROL 1
    logic zeroise;  // CONTROL 2
    logic lost;     // any type; error tells why
  } frame_t;

endpackage
