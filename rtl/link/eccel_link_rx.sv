// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Receiving half of a link: it finds frames in the words of the channel, checks them, and gives the
// packets on in order, each word once.
//
// Parameters Width: bits of a word. SlotWords: largest payload of a frame, a power of two up to
//            128. Slots: frames that fit in, a power of two up to 32.
// Requires   run_i: frames with data are accepted.
// Guarantees Every word of the channel is taken when it comes. A frame counts only if its CRC is
//            intact: seen_o, with kind_o, flag_o, ack_o and limit_o of its header. Of these, data
//            is stored only if the number of the frame is ack_mine_o, the one that is expected, and
//            if there is a free slot; whatever else comes leaves no trace. A new head ends the
//            frame before it. bad_o: a frame had a wrong CRC or a wrong length, or ended early.
//            want_o: the other side should hear the new ack_mine_o or limit_mine_o.
//            Words leave with valid_o && ready_i; last_o is 1 with the last word of a packet.
// Latency    seen_o comes 3 cycles after the last word of a frame. Its first word of payload leaves
//            5 cycles after that, if nothing waits.

module eccel_link_rx
  import eccel_link_pkg::*;
#(
    parameter int Width = 64,
    parameter int SlotWords = 32,
    parameter int Slots = 8
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // channel
    input  logic             valid_i,
    input  logic             head_i,
    input  logic [Width-1:0] data_i,
    // state of the link
    input  logic             run_i,
    output logic             seen_o,
    output kind_t            kind_o,
    output logic             flag_o,
    output seq_t             ack_o,
    output seq_t             limit_o,
    output seq_t             ack_mine_o,
    output seq_t             limit_mine_o,
    output logic             want_o,
    output logic             bad_o,
    // packets
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o,
    output logic             last_o
);

  localparam int SlotBits = $clog2(Slots);
  localparam int WordBits = $clog2(SlotWords);
  localparam int Extra = overhead_words(Width);
  localparam int Part = Width > 32 ? 32 : Width;  // bits of header or CRC in a word

  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [1:0] part_t;
  typedef enum logic [1:0] {
    Hunt,
    Header,
    Payload,
    Check
  } state_t;

  // ---- the channel, registered ----

  logic valid_q, head_q;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i && !rst_i;
    head_q  <= head_i;
    data_q  <= data_i;
  end

  // ---- words of a frame ----

  state_t state_q, state;
  logic [1:0] part_q;
  length_t index_q;
  header_t header_q, header;
  logic [HeaderBits-1:0] check_q;
  logic head, whole, ends, bad;

  assign head = valid_q && head_q;
  // What the word is: a head begins a header whatever was before it.
  assign state = head ? Header : state_q;
  assign header = header_t'({header_q, data_q[Part-1:0]});
  assign whole = valid_q && state == Header && (head ? Extra == 1 : part_q == part_t'(Extra - 1));
  assign ends = valid_q && state == Check && part_q == part_t'(Extra - 1);
  assign bad = head && state_q != Hunt || whole && header.length > length_t'(SlotWords);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Hunt;
    end else if (valid_q) begin
      unique case (state)
        Header: begin
          state_q <= Header;
          part_q  <= head ? 2'd1 : part_q + 1'b1;
          if (whole) begin
            part_q <= '0;
            if (header.length > length_t'(SlotWords)) state_q <= Hunt;
            else state_q <= header.length == 0 ? Check : Payload;
          end
        end
        Payload: if (index_q + 1'b1 == header_q.length) state_q <= Check;
        Check: begin
          part_q <= part_q + 1'b1;
          if (ends) state_q <= Hunt;
        end
        default: ;
      endcase
    end
    if (valid_q) begin
      if (state == Header) header_q <= header;
      if (state == Check) check_q <= HeaderBits'({check_q, data_q[Part-1:0]});
      index_q <= state == Payload ? index_q + 1'b1 : '0;
    end
  end

  logic [HeaderBits-1:0] crc;

  eccel_link_crc #(
      .Width(Width)
  ) u_crc (
      .clk_i,
      .go_i(1'b1),
      .en_i(valid_q && (state == Header || state == Payload)),
      .first_i(head),
      .data_i(data_q),
      .crc_o(crc)
  );

  // ---- check and commit: a cycle after the last word, when both CRC are there ----

  logic ends_q, good, fresh_q, store;
  seq_t expected_q, limit_q;

  assign good  = ends_q && crc == check_q;
  // The header of a data frame is there two cycles before its check, since it has payload.
  always_ff @(posedge clk_i) begin
    fresh_q <= run_i && header_q.kind == Data && header_q.seq == expected_q &&
        precedes(expected_q, limit_q);
  end
  assign store = good && fresh_q;

  length_t lengths[Slots];
  logic [Slots-1:0] flags_q;

  always_ff @(posedge clk_i) begin
    ends_q <= ends && !rst_i;
    seen_o <= good && !rst_i;
    bad_o  <= !rst_i && (bad || ends_q && !good);
    if (good) begin
      kind_o  <= header_q.kind;
      flag_o  <= header_q.flag;
      ack_o   <= header_q.ack;
      limit_o <= header_q.limit;
    end
    if (store) begin
      lengths[slot_t'(expected_q)] <= header_q.length;
      flags_q[slot_t'(expected_q)] <= header_q.flag;
    end
    if (rst_i) expected_q <= '0;
    else if (store) expected_q <= expected_q + 1'b1;
  end

  assign ack_mine_o   = expected_q;
  assign limit_mine_o = limit_q;

  // ---- packets ----

  seq_t next_q;
  logic start, idle, word_end, word_flag, pop, freed;

  assign start = idle && next_q != expected_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      next_q  <= '0;
      limit_q <= seq_t'(Slots);
      want_o  <= 1'b0;
    end else begin
      if (start) next_q <= next_q + 1'b1;
      if (freed) limit_q <= limit_q + 1'b1;
      want_o <= freed || good && header_q.kind != Control;
    end
  end

  eccel_link_buffer #(
      .Width(Width),
      .SlotWords(SlotWords),
      .Slots(Slots)
  ) u_buffer (
      .clk_i,
      .rst_i,
      .we_i(valid_q && state == Payload && precedes(expected_q, limit_q)),
      .wslot_i(slot_t'(expected_q)),
      .windex_i(index_q[WordBits-1:0]),
      .wdata_i(data_q),
      .start_i(start),
      .slot_i(slot_t'(next_q)),
      .length_i(lengths[slot_t'(next_q)]),
      .flag_i(flags_q[slot_t'(next_q)]),
      .idle_o(idle),
      .valid_o,
      .data_o,
      .end_o(word_end),
      .flag_o(word_flag),
      .pop_i(pop)
  );

  assign pop    = valid_o && ready_i;
  assign freed  = pop && word_end;
  assign last_o = word_flag;

endmodule
