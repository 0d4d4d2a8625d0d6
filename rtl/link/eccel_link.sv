// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One end of a link between two devices: packets of words in both directions, over a channel that
// may lose, repeat, exchange or corrupt words, or end.
//
// Parameters Width: bits of a word, 8, 16 or a multiple of 32. SlotWords: largest payload of a
//            frame, a power of two, 2..128; longer packets take several frames. Slots: frames that
//            each side keeps and has room for, a power of two, 2..32. Both ends have the same
//            Width and SlotWords. RetryCycles: longer than it takes from the start of a frame to
//            its acknowledgement, with a frame before it in each direction. MaxTries: times that
//            frames are sent again before the link is dead. QuietCycles: longer than a word stays
//            in the channel. SyncCycles: time to find the other side after a reset.
// Requires   The channel takes a word with ch_valid_o && ch_ready_i, and brings words with
//            ch_valid_i, which are taken at once. It does not keep a word for longer than
//            QuietCycles.
// Guarantees Words leave as they came, each once and in order, last_o with last_i, or the link is
//            dead, whatever the channel does to its words; but for the errors that CRC-32C does not
//            find (eccel_link_pkg). A frame that is not intact is ignored and sent again. The
//            receiver never overflows: a frame is sent only if there is a slot for it.
//            Bounded time: after the channel is cut, dead_o is 1 at both ends within
//            2 * (MaxTries + 2) * RetryCycles cycles; a channel that is cut from the start is
//            reported SyncCycles + QuietCycles after the reset. A dead link sends nothing, so that
//            the other end finds it silent. Frames that had arrived intact are still delivered.
//            end_i makes a link dead at once: a device whose other link is dead uses it.
// Reset      The link begins anew after rst_i at both ends, in any order, within SyncCycles of each
//            other. A reset of one end alone makes the other end dead: frames may have been lost.
//            After a reset an end is quiet until old words have left the channel.
// Rate       A frame of n words takes n + 2 * overhead_words(Width) words of the channel.
// Latency    Of a frame of n >= 2 words over a channel of latency L and a word a cycle:
//            n + 2 * overhead_words(Width) + 14 + L from its last word in to its first word out.

module eccel_link
  import eccel_link_pkg::*;
#(
    parameter int Width = 64,
    parameter int SlotWords = 32,
    parameter int Slots = 8,
    parameter int RetryCycles = 512,
    parameter int MaxTries = 8,
    parameter int QuietCycles = 64,
    parameter int SyncCycles = 16384
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // packets to the other side
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    input  logic             last_i,
    output seq_t             room_o,
    // packets from the other side
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o,
    output logic             last_o,
    // status
    input  logic             end_i,
    output logic             up_o,
    output logic             dead_o,
    output reason_t          reason_o,
    output logic [     15:0] retries_o,
    output logic [     15:0] errors_o,
    // channel
    output logic             ch_valid_o,
    input  logic             ch_ready_i,
    output logic             ch_head_o,
    output logic [Width-1:0] ch_data_o,
    input  logic             ch_valid_i,
    input  logic             ch_head_i,
    input  logic [Width-1:0] ch_data_i
);

  if (Width != 8 && Width != 16 && Width % 32 != 0) begin : gen_bad_width
    $error("eccel_link: Width must be 8, 16 or a multiple of 32");
  end
  if (SlotWords < 2 || SlotWords > 128 || SlotWords != 2 ** $clog2(SlotWords)) begin : gen_bad_words
    $error("eccel_link: SlotWords must be a power of two, 2..128");
  end
  if (Slots < 2 || Slots > 32 || Slots != 2 ** $clog2(Slots)) begin : gen_bad_slots
    $error("eccel_link: Slots must be a power of two, 2..32");
  end

  localparam int SilenceCycles = (MaxTries + 1) * RetryCycles;
  localparam int Longest = SyncCycles > SilenceCycles ? SyncCycles : SilenceCycles;
  localparam int TimerBits = $clog2((Longest > QuietCycles ? Longest : QuietCycles) + 1);

  typedef logic [TimerBits-1:0] timer_t;
  typedef enum logic [1:0] {
    Quiet,
    Joining,
    Up,
    Dead
  } state_t;

  state_t state_q;
  reason_t reason_q;
  logic heard_q, seen, flag, want_rx, want_q, bad, retry, fail, up, quiet;
  kind_t kind;
  seq_t ack, limit, ack_mine, limit_mine;
  timer_t timer_q;

  assign up = state_q == Up;
  assign quiet = rst_i || state_q == Quiet;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q  <= Quiet;
      reason_q <= None;
      heard_q  <= 1'b0;
      timer_q  <= '0;
    end else begin
      timer_q <= timer_q + 1'b1;
      unique case (state_q)
        Quiet:
        if (timer_q == timer_t'(QuietCycles)) begin
          state_q <= Joining;
          timer_q <= '0;
        end
        Joining: begin
          if (seen && kind == Sync) heard_q <= 1'b1;
          // The other side has heard this one: it says so, or it is up already.
          if (seen && (kind == Sync ? flag : heard_q)) begin
            state_q <= Up;
            timer_q <= '0;
          end else if (timer_q == timer_t'(SyncCycles)) begin
            {state_q, reason_q} <= {Dead, Silence};
          end
        end
        Up: begin
          if (seen) timer_q <= '0;
          if (fail) {state_q, reason_q} <= {Dead, Retries};
          else if (timer_q == timer_t'(SilenceCycles)) {state_q, reason_q} <= {Dead, Silence};
          else if (seen && kind == Sync && !flag) {state_q, reason_q} <= {Dead, PeerReset};
        end
        default: timer_q <= '0;
      endcase
      if (end_i && state_q != Dead) {state_q, reason_q} <= {Dead, Ended};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      retries_o <= '0;
      errors_o  <= '0;
      want_q    <= 1'b1;
    end else begin
      retries_o <= retries_o + 16'(retry);
      errors_o  <= errors_o + 16'(bad && up);
      want_q    <= want_rx || quiet;  // the first Sync is sent at once
    end
  end

  assign up_o     = up;
  assign dead_o   = state_q == Dead;
  assign reason_o = reason_q;

  eccel_link_tx #(
      .Width(Width),
      .SlotWords(SlotWords),
      .Slots(Slots),
      .RetryCycles(RetryCycles),
      .MaxTries(MaxTries)
  ) u_tx (
      .clk_i,
      .rst_i(quiet || state_q == Dead),
      .valid_i,
      .ready_o,
      .data_i,
      .last_i,
      .room_o,
      .run_i(up),
      .sync_i(state_q == Joining),
      .heard_i(heard_q),
      .seen_i(seen),
      .ack_i(ack),
      .limit_i(limit),
      .mine_ack_i(ack_mine),
      .mine_limit_i(limit_mine),
      .want_i(want_q),
      .retry_o(retry),
      .fail_o(fail),
      .valid_o(ch_valid_o),
      .ready_i(ch_ready_i),
      .head_o(ch_head_o),
      .data_o(ch_data_o)
  );

  eccel_link_rx #(
      .Width(Width),
      .SlotWords(SlotWords),
      .Slots(Slots)
  ) u_rx (
      .clk_i,
      .rst_i(quiet),
      .valid_i(ch_valid_i),
      .head_i(ch_head_i),
      .data_i(ch_data_i),
      .run_i(up || state_q == Joining && heard_q),
      .seen_o(seen),
      .kind_o(kind),
      .flag_o(flag),
      .ack_o(ack),
      .limit_o(limit),
      .ack_mine_o(ack_mine),
      .limit_mine_o(limit_mine),
      .want_o(want_rx),
      .bad_o(bad),
      .valid_o,
      .ready_i,
      .data_o,
      .last_o
  );

endmodule
