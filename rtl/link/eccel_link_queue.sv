// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Queue of packets within a device, in block RAM, where a link would be if the unit were elsewhere.
//
// Parameters Width: bits of a word. SlotWords: words of a slot, a power of two, 2..128. Slots: a
//            power of two, 2..32.
// Guarantees Packets leave as they came. A packet longer than a slot takes several. room_o slots
//            are free: that many slots of words are taken without a wait. last_o is last_i.
// Latency    6 cycles from the last word in to the first word out, if the queue was empty. A word
//            in each cycle.

module eccel_link_queue
  import eccel_link_pkg::*;
#(
    parameter int Width = 64,
    parameter int SlotWords = 32,
    parameter int Slots = 8
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    input  logic             last_i,
    output seq_t             room_o,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o,
    output logic             last_o
);

  typedef logic [$clog2(Slots)-1:0] slot_t;
  typedef logic [$clog2(SlotWords)-1:0] index_t;

  seq_t head_q, next_q, tail_q;  // slot that is filled, that is read next, that is read
  index_t index_q;
  length_t lengths[Slots];
  logic [Slots-1:0] flags_q;
  logic push, close, start, idle, word_end, word_flag, pop;

  assign room_o  = seq_t'(Slots) - (head_q - tail_q);
  assign ready_o = room_o != 0;
  assign push    = valid_i && ready_o;
  assign close   = push && (last_i || index_q == index_t'(SlotWords - 1));
  assign start   = idle && next_q != head_q;
  assign pop     = valid_o && ready_i;
  assign last_o  = word_flag;

  always_ff @(posedge clk_i) begin
    if (close) begin
      lengths[slot_t'(head_q)] <= length_t'(index_q) + 1'b1;
      flags_q[slot_t'(head_q)] <= last_i;
    end
    if (rst_i) begin
      {head_q, next_q, tail_q} <= '0;
      index_q <= '0;
    end else begin
      if (push) index_q <= close ? '0 : index_q + 1'b1;
      if (close) head_q <= head_q + 1'b1;
      if (start) next_q <= next_q + 1'b1;
      if (pop && word_end) tail_q <= tail_q + 1'b1;
    end
  end

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

endmodule
