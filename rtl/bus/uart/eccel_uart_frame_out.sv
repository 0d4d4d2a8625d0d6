// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Frames to the host (docs/links.md): RESPONSE, STATUS and ERROR, as bytes with SLIP.
//
// Parameters Config, ClockKhz, Name: words 1, 3 and from 4 on of STATUS. Name has its first
//            character in bits 7..0.
// Requires   rsp_i shows whole responses of at most 64 words, the next word at most 40 cycles after
//            the one before was taken, unless abort_i comes. ready_i is 0 for 60 cycles after each
//            byte.
// Guarantees A frame under way is sent to its end. abort_i, for a cycle, ends a RESPONSE at once:
//            the byte End follows without the rest. It does not end other frames. No word of a
//            response stays here after its frame. status_take_o, error_take_o, for a cycle: the
//            frame begins, with the values of that cycle. After a STATUS or an ERROR a waiting
//            response comes first; otherwise the order is STATUS, ERROR, RESPONSE.

module eccel_uart_frame_out
  import eccel_packet_pkg::*;
  import eccel_uart_pkg::*;
#(
    parameter logic [31:0] Config = '0,
    parameter int ClockKhz = 0,
    parameter logic [191:0] Name = '0
) (
    input logic clk_i,
    input logic rst_ni,

    // verilator lint_off UNUSEDSIGNAL
    input  packet_t     rsp_i,          // without last
    // verilator lint_on UNUSEDSIGNAL
    output logic        rsp_ready_o,
    input  logic        abort_i,
    input  logic        status_i,
    output logic        status_take_o,
    input  logic [31:0] state_i,        // word 2 of STATUS
    input  logic        error_i,
    output logic        error_take_o,
    input  error_e      reason_i,

    output logic       valid_o,
    output logic [7:0] data_o,
    input  logic       ready_i
);

  typedef enum logic [2:0] {
    Idle,
    First,  // the byte End before the frame
    Head,
    Body,
    Check,
    Last    // the byte End after it
  } phase_e;

  typedef enum logic [1:0] {
    Response,
    Status,
    Error
  } kind_e;

  localparam int NameWords = 6;
  localparam logic [6:0] StatusWords = 7'(4 + NameWords);
  localparam logic [6:0] StateNo = 7'd3;  // number of the word with state_i

  phase_e phase_q;
  kind_e kind_q;
  logic [1:0] byte_q;  // number of the byte in its word
  logic [6:0] word_no_q;  // number of the word in the content, from 1 on
  logic [6:0] words_q;  // of the content
  logic favour_q;

  // ---- choice of the next frame ----

  logic begins;
  kind_e kind;

  always_comb begin
    if (rsp_i.valid && favour_q) kind = Response;
    else if (status_i) kind = Status;
    else if (error_i) kind = Error;
    else kind = Response;
  end

  assign begins        = phase_q == Idle && (rsp_i.valid || status_i || error_i) && !abort_i;
  assign status_take_o = begins && kind == Status;
  assign error_take_o  = begins && kind == Error;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) favour_q <= 1'b0;
    else if (begins) favour_q <= kind != Response;
    if (begins) kind_q <= kind;
  end

  // ---- a byte: fetched, then through the CRC bit by bit, then sent, with Escape before it ----

  logic fetch, whole_q, escape_q;
  logic [7:0] fetched, data_q, bits_q;
  logic [3:0] count_q;
  logic sent, special, moving, framing;

  assign framing = phase_q == First || phase_q == Last;
  assign moving  = count_q != 4'd0;
  assign special = !framing && !escape_q && (data_q == End || data_q == Escape);
  assign sent    = valid_o && ready_i && !special;
  assign fetch   = phase_q != Idle && !whole_q && !moving;
  assign valid_o = whole_q && !moving;
  assign data_o  = special ? Escape : escape_q ? (data_q[0] ? EscapedEscape : EscapedEnd) : data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q      <= '0;
      whole_q <= 1'b0;
    end else begin
      if (fetch && !framing) count_q <= 4'd8;
      else if (moving) count_q <= count_q - 4'd1;
      if (fetch) whole_q <= 1'b1;
      else if (sent) whole_q <= 1'b0;
    end
    if (fetch) {data_q, bits_q} <= {2{fetched}};
    else if (moving) bits_q <= {1'b0, bits_q[7:1]};

    // escape_q: Escape was sent for this byte.
    if (fetch) escape_q <= 1'b0;
    else if (ready_i && valid_o && special) escape_q <= 1'b1;
  end

  logic [7:0] check;
  logic unused_good;

  eccel_uart_crc u_crc (
      .clk_i,
      .clear_i(phase_q == First),
      .next_i (moving && phase_q != Check),
      .shift_i(moving && phase_q == Check),
      .bit_i  (bits_q[0]),
      .check_o(check),
      .good_o (unused_good)
  );

  // ---- phases ----

  logic word_sent, cut_q;

  assign word_sent = sent && byte_q == 2'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      cut_q   <= 1'b0;
    end else begin
      cut_q <= (cut_q || abort_i) && kind_q == Response && phase_q != Idle && phase_q != Last;
      unique case (phase_q)
        Idle: if (begins) phase_q <= First;
        First: if (sent) phase_q <= Head;
        Head: if (word_sent) phase_q <= Body;
        Body: if (word_sent && word_no_q == words_q) phase_q <= Check;
        Check: if (word_sent) phase_q <= Last;
        default: if (sent) phase_q <= Idle;
      endcase
      if (cut_q && sent) phase_q <= Last;  // the byte under way was sent
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == First) {word_no_q, byte_q} <= '0;
    else if (sent) {word_no_q, byte_q} <= {word_no_q, byte_q} + 9'd1;
  end

  // ---- words ----

  // For a response, word_q gets its first word at the start. Then rsp_i shows the second one, which
  // tells how many follow.
  logic [31:0] word_q;
  logic load, take_q;  // take_q: the word at rsp_i has been loaded

  assign load = kind_q == Response && phase_q == Body && word_sent && word_no_q != words_q && !cut_q;
  assign rsp_ready_o = take_q;

  always_ff @(posedge clk_i) begin
    take_q <= begins && kind == Response || load;
    if (begins) begin
      unique case (kind)
        Status: word_q <= state_i;
        Error: word_q <= 32'(reason_i);
        default: word_q <= rsp_i.data;
      endcase
    end else if (load) begin
      word_q <= rsp_i.data;
    end else if (sent && phase_q == Body && (kind_q != Status || word_no_q == StateNo)) begin
      word_q <= {8'd0, word_q[31:8]};
    end else if (phase_q == Idle || phase_q == Last) begin
      word_q <= '0;
    end
    // Before the third byte of the header rsp_i has shown the second word for long.
    if (phase_q == Head && !byte_q[1]) begin
      unique case (kind_q)
        Status: words_q <= StatusWords;
        Error: words_q <= 7'd1;
        default: words_q <= 7'(rsp_i.data[5:0]) + 7'd2;
      endcase
    end
  end

  // The other words of STATUS.
  logic [31:0] constant;
  logic [2:0] name_no;  // number of the word in Name

  assign name_no = 3'(word_no_q - 7'd5);

  always_comb begin
    constant = '0;
    unique case (word_no_q)
      7'd1: constant = eccel_reg_pkg::IdValue;
      7'd2: constant = Config;
      7'd4: constant = 32'(ClockKhz);
      default: constant = Name[{name_no, 5'd0}+:32];
    endcase
  end

  logic [7:0] kind_byte;

  always_comb begin
    unique case (kind_q)
      Status: kind_byte = TypeStatus;
      Error: kind_byte = TypeError;
      default: kind_byte = TypeResponse;
    endcase
  end

  always_comb begin
    unique case (phase_q)
      Head: begin
        unique case (byte_q)
          2'd0: fetched = kind_byte;
          2'd1: fetched = Version;
          2'd2: fetched = 8'(words_q);
          default: fetched = '0;
        endcase
      end
      Body: begin
        fetched = kind_q == Status && word_no_q != StateNo ? constant[{byte_q, 3'd0}+:8] : word_q[7:0];
      end
      Check: fetched = check;
      default: fetched = End;
    endcase
  end

endmodule
