// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sending half of a link: packets become numbered frames, which are kept and sent again until the
// other side has acknowledged them (go-back-N).
//
// Parameters Width: bits of a word. SlotWords: largest payload of a frame, a power of two up to
//            128. Slots: frames that are kept, a power of two up to 32. RetryCycles: time without
//            progress after which all frames that are not acknowledged are sent again.
//            MaxTries: after as many of these times in a row, fail_o.
// Requires   run_i: the other side is ready for data. sync_i: Sync frames are to be sent; heard_i
//            is their flag. At most one of run_i and sync_i. A frame of the other side with an
//            intact CRC comes as seen_i with its ack_i and limit_i. ack_o_i .. are the numbers that
//            this side tells: mine_ack_i, mine_limit_i; want_i asks for a frame that carries them.
// Guarantees A word is accepted with valid_i && ready_o. Frames are sent in order; a frame is sent
//            only if the other side has room for it. room_o slots are free: as many frames are
//            accepted without a wait. fail_o comes at most (MaxTries + 1) * RetryCycles after the
//            last progress. A frame of any kind starts at least every RetryCycles / 2 + the time
//            of a frame, as long as run_i or sync_i is 1 and the channel takes words.
//            head_o marks the first word of a frame.
// Rate       A frame of n words takes n + 2 * overhead_words(Width) words of the channel. If frames
//            are waiting, there is a word for the channel in each cycle.
// Area       Control frames are sent only while no data frame waits.
//
// When a slot was acknowledged while it is sent once more, its frame may be overwritten on the way.
// The receiver drops it for its number, whatever it contains.

module eccel_link_tx
  import eccel_link_pkg::*;
#(
    parameter int Width = 64,
    parameter int SlotWords = 32,
    parameter int Slots = 8,
    parameter int RetryCycles = 512,
    parameter int MaxTries = 8
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // packets
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    input  logic             last_i,
    output seq_t             room_o,
    // state of the link
    input  logic             run_i,
    input  logic             sync_i,
    input  logic             heard_i,
    input  logic             seen_i,
    input  seq_t             ack_i,
    input  seq_t             limit_i,
    input  seq_t             mine_ack_i,
    input  seq_t             mine_limit_i,
    input  logic             want_i,
    output logic             retry_o,
    output logic             fail_o,
    // channel
    output logic             valid_o,
    input  logic             ready_i,
    output logic             head_o,
    output logic [Width-1:0] data_o
);

  localparam int SlotBits = $clog2(Slots);
  localparam int WordBits = $clog2(SlotWords);
  localparam int Extra = overhead_words(Width);  // words of a header, words of a CRC
  localparam int TimerBits = $clog2(RetryCycles + 1);
  localparam int TryBits = $clog2(MaxTries + 1);

  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [WordBits-1:0] index_t;
  typedef logic [TimerBits-1:0] timer_t;
  typedef logic [TryBits-1:0] tries_t;
  typedef logic [1:0] part_t;

  // ---- slots: base_q (not acknowledged) .. next_q (to be sent) .. top_q (never sent) .. head_q
  // (to be filled) ----

  seq_t base_q, next_q, top_q, head_q, peer_limit_q;
  index_t index_q;
  length_t lengths[Slots];
  logic [Slots-1:0] flags_q;
  logic push, close, progress, again, can_q;
  seq_t ack_q;

  assign ready_o = run_i && room_o != 0;
  assign room_o  = seq_t'(Slots) - (head_q - base_q);
  assign push    = valid_i && ready_o;
  assign close   = push && (last_i || index_q == index_t'(SlotWords - 1));

  always_ff @(posedge clk_i) begin
    if (close) begin
      lengths[slot_t'(head_q)] <= length_t'(index_q) + 1'b1;
      flags_q[slot_t'(head_q)] <= last_i;
    end
    if (rst_i) begin
      index_q <= '0;
      head_q  <= '0;
    end else begin
      if (push) index_q <= close ? '0 : index_q + 1'b1;
      if (close) head_q <= head_q + 1'b1;
    end
  end

  // ---- acknowledgements, credit, repetition ----

  timer_t timer_q;
  tries_t tries_q;
  logic take_data;

  assign again    = run_i && timer_q == timer_t'(RetryCycles);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      base_q       <= '0;
      next_q       <= '0;
      top_q        <= '0;
      peer_limit_q <= '0;
      timer_q      <= '0;
      tries_q      <= '0;
      fail_o       <= 1'b0;
      progress     <= 1'b0;
      can_q        <= 1'b0;
    end else begin
      // An acknowledgement comes several cycles after the one before it.
      progress <= seen_i && run_i && precedes(base_q, ack_i) && !precedes(top_q, ack_i);
      // After a choice, chosen_q is 1 until this has seen the new next_q.
      can_q <= run_i && next_q != head_q && precedes(next_q, peer_limit_q) && !progress && !again;
      if (progress) base_q <= ack_q;
      if (seen_i && precedes(peer_limit_q, limit_i)) peer_limit_q <= limit_i;

      if (progress && precedes(next_q, ack_q)) next_q <= ack_q;
      else if (again) next_q <= base_q;
      else if (take_data) next_q <= next_q + 1'b1;
      if (take_data && next_q == top_q) top_q <= top_q + 1'b1;

      if (progress || again || base_q == top_q) timer_q <= '0;
      else timer_q <= timer_q + 1'b1;
      if (progress) tries_q <= '0;
      else if (again) tries_q <= tries_q + 1'b1;
      if (again && !progress && tries_q == tries_t'(MaxTries)) fail_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) ack_q <= ack_i;

  assign retry_o = again;

  // ---- choice of the next frame ----

  localparam int KeepCycles = RetryCycles / 2;
  typedef enum logic [1:0] {
    Idle,
    Header,
    Payload,
    Check
  } state_t;

  state_t state_q;
  logic want_q, chosen_q, idle, take, go, ends;
  header_t frame_q;
  kind_t kind_q;
  logic flag_q;
  length_t length_q;
  seq_t seq_q;
  timer_t keep_q;
  logic take_control, due;

  assign take_data = can_q && !chosen_q && idle;
  assign due = keep_q == timer_t'(KeepCycles);  // no frame was started for a long time
  assign take_control = (run_i || sync_i) && (want_q || due) && !chosen_q && !take_data &&
      state_q == Idle;
  assign take = chosen_q && (state_q == Idle || ends);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      chosen_q <= 1'b0;
      want_q   <= 1'b0;
      keep_q   <= '0;
    end else begin
      chosen_q <= take_data || take_control || chosen_q && !take;
      want_q   <= want_i || want_q && !take;
      if (take) keep_q <= '0;
      else if (!due) keep_q <= keep_q + 1'b1;
    end
    if (take_data || take_control) begin
      kind_q   <= take_data ? Data : sync_i ? Sync : Control;
      flag_q   <= take_data ? flags_q[slot_t'(next_q)] : sync_i && heard_i;
      length_q <= take_data ? lengths[slot_t'(next_q)] : '0;
      seq_q    <= next_q;
    end
    if (take) frame_q <= '{kind_q, flag_q, length_q, seq_q, mine_ack_i, mine_limit_i};
  end

  // ---- words of the frame ----

  logic word_valid, word_end, unused_flag, pop, emit, first, is_check;
  logic [Width-1:0] word, emit_data;
  logic [1:0] part_q;  // word of the header or of the CRC

  function automatic logic [Width-1:0] slice(logic [31:0] bits, logic [1:0] part);
    return Width'(bits >> (32 - (Width > 32 ? 32 : Width) * (1 + int'(part))));
  endfunction

  eccel_link_buffer #(
      .Width(Width),
      .SlotWords(SlotWords),
      .Slots(Slots)
  ) u_buffer (
      .clk_i,
      .rst_i,
      .we_i(push),
      .wslot_i(slot_t'(head_q)),
      .windex_i(index_q),
      .wdata_i(data_i),
      .start_i(take_data),
      .slot_i(slot_t'(next_q)),
      .length_i(lengths[slot_t'(next_q)]),
      .flag_i(1'b0),
      .idle_o(idle),
      .valid_o(word_valid),
      .data_o(word),
      .end_o(word_end),
      .flag_o(unused_flag),
      .pop_i(pop)
  );

  assign emit = state_q == Header || state_q == Check || state_q == Payload && word_valid;
  assign emit_data = state_q == Payload ? word : slice(frame_q, part_q);
  assign first = state_q == Header && part_q == 0;
  assign is_check = state_q == Check;
  assign pop = go && state_q == Payload && word_valid;
  assign ends = go && state_q == Check && part_q == part_t'(Extra - 1);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Idle;
      part_q  <= '0;
    end else if (go) begin
      if (state_q == Header || state_q == Check) begin
        part_q <= part_q == part_t'(Extra - 1) ? '0 : part_q + 1'b1;
      end
      unique case (state_q)
        Header: if (part_q == part_t'(Extra - 1)) state_q <= frame_q.length == 0 ? Check : Payload;
        Payload: if (word_valid && word_end) state_q <= Check;
        Check: if (ends) state_q <= take ? Header : Idle;
        default: if (take) state_q <= Header;
      endcase
    end else if (take) begin
      state_q <= Header;
    end
  end

  // ---- two stages, in which the CRC is computed, and a FIFO ----

  typedef struct packed {
    logic valid;
    logic head;
    logic is_check;
    logic [1:0] part;
    logic [Width-1:0] data;
  } stage_t;

  stage_t first_q, second_q;
  logic [HeaderBits-1:0] crc;
  logic full;

  assign go = !full;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      first_q  <= '0;
      second_q <= '0;
    end else if (go) begin
      first_q  <= '{emit, first, is_check, part_q, emit_data};
      second_q <= first_q;
    end
  end

  eccel_link_crc #(
      .Width(Width)
  ) u_crc (
      .clk_i,
      .go_i(go),
      .en_i(emit && !is_check),
      .first_i(first),
      .data_i(emit_data),
      .crc_o(crc)
  );

  eccel_link_fifo #(
      .Width(Width + 1),
      .Depth(4)
  ) u_out (
      .clk_i,
      .rst_i,
      .push_i(go && second_q.valid),
      .data_i({second_q.head, second_q.is_check ? slice(crc, second_q.part) : second_q.data}),
      .full_o(full),
      .valid_o,
      .data_o({head_o, data_o}),
      .pop_i(valid_o && ready_i)
  );

endmodule
