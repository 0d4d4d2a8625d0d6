// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Frames from the host (docs/links.md): takes bytes, removes SLIP, checks header, length and
// CRC.
//
// Requires   Bytes come at least 12 cycles apart. ready_i tells whether a word would be taken now;
//            it belongs to the queue of requests, or with entropy_o to that of entropy.
// Guarantees The words of a frame that can still be good are shown one at a time, and the last of
//            them only at the end of the frame, when all of it is known to be good: with frame_o
//            and word_o.last. A frame that has ended gives one bit of frame_o, whatever it
//            contained; an empty frame gives none. Whatever comes before the next byte End, the
//            frame after it is taken. A frame in which clear_i came counts as one without room.
//            frame_o.lost: error_o is the first reason of docs/links.md that holds. Words of the
//            frame may have been shown. No word stays here after the frame or clear_i.
// Latency    A word follows its last byte by 10 cycles, frame_o follows the byte End by one.

module eccel_uart_frame_in
  import eccel_packet_pkg::*;
  import eccel_uart_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       valid_i,
    input  logic       ok_i,      // the byte has a stop bit
    input  logic [7:0] data_i,
    output packet_t    word_o,
    output logic       entropy_o,
    input  logic       ready_i,
    input  logic       clear_i,    // the queues lose their words
    output frame_t     frame_o,
    output error_e     error_o
);

  typedef enum logic [1:0] {
    Head,
    Body,
    Check,
    Whole  // only the byte End may follow
  } phase_e;

  phase_e phase_q;
  logic [1:0] byte_q;  // number of the byte in its word
  logic [7:0] left_q;  // words of the content that have not come, without the one under way
  logic request_q, hello_q, entropy_q, control_q;
  logic begun_q, bad_q, long_q, full_q, escaped_q;

  // ---- SLIP ----

  logic take, finish;
  logic [7:0] plain;

  assign finish = valid_i && ok_i && data_i == End;
  assign take   = valid_i && !finish && (escaped_q || data_i != Escape);
  assign plain  = !escaped_q ? data_i : data_i[0] ? Escape : End;

  // ---- a byte goes through the CRC, and into the word, bit by bit ----

  logic [7:0] bits_q;
  logic [3:0] count_q;
  logic moving, over, word_end;
  logic [31:0] word_q;
  logic crc_good;

  assign moving = count_q != 4'd0;
  assign over   = count_q == 4'd1;
  assign word_end = over && byte_q == 2'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || finish) count_q <= '0;
    else if (take) count_q <= 4'd8;
    else if (moving) count_q <= count_q - 4'd1;

    if (take) bits_q <= plain;
    else bits_q <= {1'b0, bits_q[7:1]};

    if (!begun_q || clear_i) word_q <= '0;
    else if (moving && (phase_q == Head || phase_q == Body)) word_q <= {bits_q[0], word_q[31:1]};
  end

  logic [7:0] unused_check;

  eccel_uart_crc u_crc (
      .clk_i,
      .clear_i(!begun_q),
      .next_i (moving),
      .shift_i(1'b0),
      .bit_i  (bits_q[0]),
      .check_o(unused_check),
      .good_o (crc_good)
  );

  // ---- header: word_q has it in the cycle after its last bit ----

  logic head_q, known, request, hello, entropy, control, too_long, too_short;
  logic [15:0] words;

  assign request   = word_q[7:0] == TypeRequest;
  assign hello     = word_q[7:0] == TypeHello;
  assign entropy   = word_q[7:0] == TypeEntropy;
  assign control   = word_q[7:0] == TypeControl;
  assign known     = (request || hello || entropy || control) && word_q[15:8] == Version;
  assign words     = word_q[31:16];
  assign too_short = words == 16'd0 && !hello;

  always_comb begin
    unique case (1'b1)
      request: too_long = words > MaxRequestWords;
      entropy: too_long = words > MaxEntropyWords;
      control: too_long = words > 16'd1;
      default: too_long = words != 16'd0;
    endcase
  end

  // ---- progress ----

  logic whole_word_q, show, usable;

  assign usable = !bad_q && !long_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || finish) begin
      phase_q      <= Head;
      byte_q       <= '0;
      begun_q      <= 1'b0;
      bad_q        <= 1'b0;
      long_q       <= 1'b0;
      full_q       <= 1'b0;
      escaped_q    <= 1'b0;
      head_q       <= 1'b0;
      whole_word_q <= 1'b0;
    end else begin
      if (valid_i) begin
        begun_q   <= 1'b1;
        escaped_q <= !escaped_q && data_i == Escape;
        if (!ok_i || escaped_q && !(data_i inside {EscapedEnd, EscapedEscape}) || phase_q == Whole) bad_q <= 1'b1;
      end
      if (over) byte_q <= byte_q + 2'd1;
      head_q <= word_end && phase_q == Head;
      if (head_q) begin
        long_q <= known && too_long;
        if (!known || too_short) bad_q <= 1'b1;
      end
      whole_word_q <= word_end && phase_q == Body && left_q != 8'd0;
      if (show && !ready_i || clear_i && begun_q) full_q <= 1'b1;

      if (head_q) phase_q <= words == 16'd0 ? Check : Body;
      else if (word_end && phase_q == Body && left_q == 8'd0) phase_q <= Check;
      else if (word_end && phase_q == Check) phase_q <= Whole;
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_q) begin
      left_q    <= words[7:0] - 8'd1;
      request_q <= request;
      hello_q   <= hello;
      entropy_q <= entropy;
      control_q <= control;
    end else if (word_end && phase_q == Body) begin
      left_q <= left_q - 8'd1;
    end
  end

  // ---- the end of a frame ----

  logic whole, good, good_q, room, room_q, last, known_control;

  assign whole         = phase_q == Whole && usable && !escaped_q;
  assign room          = !full_q && ready_i;
  assign known_control = word_q[31:2] == '0 && (word_q[1] ^ word_q[0]);
  assign good = whole && crc_good && (hello_q || control_q && known_control || entropy_q || request_q && room);
  assign last = finish && good_q && (request_q || entropy_q && room_q);
  assign show = whole_word_q && usable && (request_q || entropy_q);

  frame_t frame_q;
  error_e error_q;

  // What is known of the frame has not changed since its last byte.
  always_ff @(posedge clk_i) begin
    good_q  <= good;
    room_q  <= room;
    frame_q <= '0;
    if (rst_ni && finish && begun_q) begin
      frame_q.request <= good_q && request_q;
      frame_q.hello   <= good_q && hello_q;
      frame_q.entropy <= good_q && entropy_q && room_q;
      frame_q.spilt   <= good_q && entropy_q && !room_q;
      frame_q.restart <= good_q && control_q && word_q[0];
      frame_q.zeroise <= good_q && control_q && word_q[1];
      frame_q.lost    <= !good_q;
    end
    if (long_q) error_q <= ErrorLong;
    else if (!whole || control_q && !known_control) error_q <= ErrorMalformed;
    else if (request_q && !room) error_q <= ErrorRoom;
    else error_q <= ErrorCrc;
  end

  assign frame_o   = frame_q;
  assign error_o   = error_q;
  assign entropy_o = entropy_q;
  assign word_o    = '{valid: show && !full_q || last, last: last, data: word_q};

endmodule
