// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Job queue: stores whole packets, one in each slot, in the order of arrival. They leave in any
//            order.
//
// Parameters Engines: a request for counters of an engine is valid for numbers below this.
//            Pools: if 1, curve ids name no pool.
//            Slots (a power of two): the queue holds Slots - 1 packets.
//            MaxWords: words of the widest element. A slot holds the longest packet that can be
//            valid, which has 2 + 8 * MaxWords words.
// Requires   slot_i stays on a slot until what is needed of it has come. wipe_i and free_i come
//            only for a slot with a packet.
// Guarantees waits_o is 1 for a slot that holds a whole packet. A packet longer than a slot is cut
//            at the end of the slot, so that its length stays wrong. Slots head_o .. tail_o - 1 are
//            in order of arrival; a slot is used again when all older ones are free. After reset
//            all words are overwritten with 0, and no packet is accepted before that.
// Latency    kind_o, aim_o, data_o and last_o follow slot_i and word_i by 2 cycles, waits_o by 7. A
//            word is accepted every fifth cycle.

module eccel_dispatch_queue
  import eccel_dispatch_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Pools = 1,
    parameter int Slots = 16,
    parameter int MaxWords = 8,
    localparam int SlotBits = $clog2(Slots),
    localparam int WordBits = $clog2(2 + 8 * MaxWords)
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,

    output logic [SlotBits-1:0] head_o,
    output logic [SlotBits-1:0] tail_o,
    input  logic [SlotBits-1:0] slot_i,
    output logic                waits_o,
    output kind_t               kind_o,
    output aim_t                aim_o,
    input  logic [WordBits-1:0] word_i,
    output logic [        31:0] data_o,
    output logic                last_o,
    input  logic                wipe_i,  // the word is overwritten
    input  logic                free_i   // the slot is empty
);

  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [WordBits-1:0] word_t;

  logic [Slots-1:0] waits_q;
  slot_t head_q, tail_q;
  logic gone_q, gone_late_q, head_waits_q, filled_q, room_q, ready_q;
  logic [5:0] show_q;

  // ------------------------------------------------------------------ incoming words

  logic full_q, was_full_q, settles_q, last_q, drop_q, commit, ends, wipes_all_q, short_q;
  logic at_first_q, at_second_q, at_end_q, ended_q;
  slot_t ended_slot_q;
  logic [31:0] data_q;
  word_t fill_q;
  kind_t kind_q, kind;
  aim_t aim_q, aim;
  logic write_q;
  logic [SlotBits+WordBits-1:0] waddr_q, wiped_q;
  logic [32:0] wdata_q;

  assign req_ready_o = ready_q;
  assign commit = full_q && !wipe_i && !wipes_all_q;
  assign ends = commit && last_q;

  // The first two words say what a packet is. If there is no second one, the engine answers.
  always_comb begin
    kind = kind_q;
    aim  = aim_q;
    if (at_first_q) begin
      kind = '{route: Ordinary, op: data_q[5:0], flags: '0};
      if (Pools > 1) aim = '{pool: data_q[15:14], every: data_q[7:0] == JOB_ZEROISE};
      // For a pool that does not exist the sender finds no engine.
      if (int'(aim.pool) < Pools) begin
        if (data_q[7:0] inside {JOB_KEY_LOAD, JOB_KEYGEN, JOB_SELF_TEST}) kind.route = Shared;
        if (data_q[7:0] == JOB_CURVE_LOAD) kind.route = Everywhere;
      end
      if (data_q[7:0] == JOB_ZEROISE) kind.route = Everywhere;
    end
    if (at_second_q) begin
      kind.flags = data_q[19:16];
      if (short_q && last_q && data_q[23:0] == 0) kind.route = Own;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_i.valid && ready_q) {last_q, data_q} <= {req_i.last, req_i.data};
    full_q     <= req_i.valid && ready_q || full_q && !commit;
    // Words come at least five cycles apart, so that these can be registered.
    at_first_q  <= fill_q == 0 && !drop_q;
    at_second_q <= fill_q == 1 && !drop_q;
    at_end_q    <= &fill_q;
    ended_q     <= ends;
    ended_slot_q <= tail_q;
    was_full_q <= full_q;
    settles_q  <= was_full_q;
    // The next slot must be free too, since head_q == tail_q says that the queue is empty.
    room_q     <= tail_q + 1'b1 != head_q;
    ready_q    <= room_q && !full_q && !was_full_q && !settles_q && !(req_i.valid && ready_q) && !wipes_all_q;
    if (commit) begin
      kind_q <= kind;
      aim_q  <= Pools > 1 ? aim : '0;
      short_q <= at_first_q && data_q[7:0] inside {OpCounters, OpRestart} && int'(data_q[15:8]) < Engines;
      fill_q  <= last_q ? '0 : fill_q + 1'b1;
      drop_q  <= !last_q && (drop_q || at_end_q);
    end
    if (ended_q) tail_q <= tail_q + 1'b1;
    if (!rst_ni) begin
      full_q  <= 1'b0;
      ready_q <= 1'b0;
      fill_q  <= '0;
      drop_q  <= 1'b0;
      ended_q <= 1'b0;
      tail_q  <= '0;
    end
  end

  // ------------------------------------------------------------------ slots

  always_ff @(posedge clk_i) begin
    if (ended_q) waits_q[ended_slot_q] <= 1'b1;
    if (free_i) waits_q[slot_i] <= 1'b0;
    // waits_o rises only after the lanes have seen the kind of a new packet.
    {waits_o, show_q} <= {show_q, waits_q[slot_i]};
    head_waits_q <= waits_q[head_q];
    filled_q     <= head_q != tail_q;
    // head_waits_q and filled_q have seen the last step.
    gone_q       <= !head_waits_q && filled_q && !gone_q && !gone_late_q;
    gone_late_q  <= gone_q;
    if (gone_q) head_q <= head_q + 1'b1;
    if (!rst_ni) begin
      waits_q  <= '0;
      filled_q <= 1'b0;
      gone_q   <= 1'b0;
      head_q   <= '0;
    end
  end

  assign head_o = head_q;
  assign tail_o = tail_q;

  eccel_ram #(
      .Width($bits(kind_t) + $bits(aim_t)),
      .Depth(Slots)
  ) u_kinds (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (ended_q),
      .waddr_i(ended_slot_q),
      .wdata_i({kind_q, aim_q}),
      .raddr_i(slot_i),
      .rdata_o({kind_o, aim_o})
  );

  // ------------------------------------------------------------------ words

  always_ff @(posedge clk_i) begin
    write_q <= wipes_all_q || wipe_i || commit && !drop_q;
    waddr_q <= wipes_all_q ? wiped_q : wipe_i ? {slot_i, word_i} : {tail_q, fill_q};
    wdata_q <= wipes_all_q || wipe_i ? '0 : {last_q || at_end_q, data_q};
    wiped_q <= wiped_q + 1'b1;
    if (&wiped_q) wipes_all_q <= 1'b0;
    if (!rst_ni) begin
      wiped_q     <= '0;
      wipes_all_q <= 1'b1;
    end
  end

  eccel_ram #(
      .Width(33),
      .Depth(Slots * 2 ** WordBits)
  ) u_words (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (write_q),
      .waddr_i(waddr_q),
      .wdata_i(wdata_q),
      .raddr_i({slot_i, word_i}),
      .rdata_o({last_o, data_o})
  );

endmodule
