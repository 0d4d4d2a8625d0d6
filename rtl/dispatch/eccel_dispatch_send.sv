// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Chooses the next packet of the queue and its engine, and sends it word by word.
//
// Parameters PoolOf: a packed array, element e is the pool of engine e.
// Order      The oldest packet goes that can go: to an engine of its pool that collects a group of
//            its kind, or else to an idle one. Packets that cannot go are passed over, but no
//            packet passes a job for all engines (of a pool, or of every pool). That job waits
//            until it is the oldest and every engine of every pool is idle. If no engine of its
//            pool is in service, a packet goes to no engine: own_fault_o.
// Requires   After word_valid_o a lane lowers free_i within 2 cycles, until the word is gone.
//            match_i is about the packet's kind 2 cycles before. route_i, aim_i and load_i follow
//            slot_o by 3 cycles, waits_i by 7; data_i and last_i follow slot_o and word_o by 2.
// Guarantees Every packet goes to its targets once, with all of its words in order, and is
//            overwritten in the queue.
// Latency    The sender takes 9 cycles to judge a packet, and about 7 to send a word.

module eccel_dispatch_send
  import eccel_dispatch_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Pools = 1,
    parameter logic [PoolBits*MaxEngines-1:0] PoolOf = '0,
    parameter int Slots = 16,
    parameter int MaxWords = 8,
    localparam int SlotBits = $clog2(Slots),
    localparam int WordBits = $clog2(2 + 8 * MaxWords)
) (
    input logic clk_i,
    input logic rst_ni,

    // queue
    input  logic  [SlotBits-1:0] head_i,
    input  logic  [SlotBits-1:0] tail_i,
    output logic  [SlotBits-1:0] slot_o,
    input  logic                 waits_i,
    input  route_e               route_i,
    input  aim_t                 aim_i,
    input  logic                 load_i,   // the packet is a CURVE_LOAD
    output logic  [WordBits-1:0] word_o,
    input  logic  [        31:0] data_i,
    input  logic                 last_i,
    output logic                 wipe_o,
    output logic                 free_o,

    // lanes
    output logic [Engines-1:0] word_valid_o,
    output logic               word_first_o,
    output logic               word_last_o,
    output logic [       31:0] word_data_o,
    input  logic [Engines-1:0] free_i,
    input  logic [Engines-1:0] match_i,
    input  logic [Engines-1:0] idle_i,
    input  logic [Engines-1:0] service_i,

    // a job for all engines of a pool, or of every pool, from its choice to shared_done_i
    output logic               shared_o,
    output logic               loads_o,        // that job is a CURVE_LOAD
    output logic [Engines-1:0] targets_o,
    input  logic               shared_done_i,

    // a job without an engine, from its last word to own_done_i
    output logic        own_valid_o,
    output logic        own_fault_o,   // no engine is in service
    output logic        own_unknown_o, // the pool does not exist; with own_fault_o
    output logic [31:0] own_header_o,
    input  logic        own_done_i,
    output logic        waiting_o      // the queue holds a packet
);

  typedef logic [Engines-1:0] mask_t;
  localparam logic [2:0] LookClocks = 3'd7;  // from slot_q to any_match_q
  localparam logic [2:0] WordClocks = 3'd2;  // from word_valid_o to all_free_q

  typedef enum logic [4:0] {  // one-hot
    Look  = 5'h01,
    Judge = 5'h02,
    Put   = 5'h04,
    Wait  = 5'h08,
    Leave = 5'h10
  } state_e;

  function automatic mask_t lowest(mask_t set);
    return set & (~set + 1'b1);
  endfunction

  function automatic mask_t members(aim_t aim);
    mask_t set;
    for (int e = 0; e < Engines; e++) set[e] = Pools == 1 || aim.every || PoolOf[PoolBits*e+:PoolBits] == aim.pool;
    return set;
  endfunction

  state_e state_q;
  logic [2:0] settle_q;
  logic [SlotBits-1:0] slot_q;
  logic [WordBits-1:0] word_q;
  mask_t members_q, match_q, ready_q, service_q, target_q, choice_q, best_match_q, best_ready_q;
  logic any_match_q, any_ready_q, none_q, all_idle_q, all_free_q, oldest_q, last_slot_q;
  logic shared_q, loads_q, own_q, own_busy_q, own_fault_q, own_unknown_q, ended_q, first_q;
  logic is_shared_q, everywhere_q, to_none_q, goes_q, back_q;

  // All that is judged has been stable for some cycles. The choice of an engine and the decision
  // that the packet goes are of the same clock.
  always_ff @(posedge clk_i) begin
    is_shared_q  <= route_i inside {Shared, Everywhere};
    everywhere_q <= route_i == Everywhere;
    to_none_q    <= route_i == Own || route_i != Everywhere && none_q;
    if (to_none_q) choice_q <= '0;
    else if (everywhere_q) choice_q <= members_q;
    else if (is_shared_q) choice_q <= service_q;
    else choice_q <= any_match_q ? best_match_q : best_ready_q;
    if (to_none_q) goes_q <= waits_i && !own_busy_q;
    else if (is_shared_q) goes_q <= waits_i && oldest_q && all_idle_q && !own_busy_q;
    else goes_q <= waits_i && (any_match_q || any_ready_q);
    back_q <= last_slot_q || waits_i && is_shared_q;
  end

  always_ff @(posedge clk_i) begin
    members_q    <= members(aim_i);
    service_q    <= service_i & members_q;
    none_q       <= !(|service_q);
    match_q      <= match_i & service_i & members_q;
    ready_q      <= idle_i & service_i & members_q;
    best_match_q <= lowest(match_q);
    best_ready_q <= lowest(ready_q);
    any_match_q  <= |match_q;
    any_ready_q  <= |ready_q;
    all_idle_q   <= &idle_i;
    all_free_q   <= &(free_i | ~target_q);
    oldest_q     <= slot_q == head_i;
    last_slot_q  <= slot_q == tail_i || slot_q + 1'b1 == tail_i;
    settle_q     <= settle_q + 3'd1;

    word_valid_o <= target_q & {Engines{state_q == Put}};
    word_first_o <= first_q;
    word_last_o  <= last_i;
    word_data_o  <= data_i;

    unique case (state_q)
      Look: begin
        word_q  <= '0;
        first_q <= 1'b1;
        if (shared_q) begin  // no packet passes a job for all engines
          settle_q <= '0;
          slot_q   <= head_i;
        end else if (settle_q == LookClocks) state_q <= Judge;
      end
      Judge: begin
        settle_q <= '0;
        if (goes_q) begin
          state_q      <= Put;
          target_q     <= choice_q;
          own_q        <= to_none_q;
          if (to_none_q) begin
            own_fault_q   <= route_i != Own;
            own_unknown_q <= int'(aim_i.pool) >= Pools;
          end
          loads_q      <= load_i;
          shared_q     <= is_shared_q && !to_none_q;
        end else begin
          state_q <= Look;
          slot_q  <= back_q ? head_i : slot_q + 1'b1;
        end
      end
      Put: begin
        settle_q <= '0;
        first_q  <= 1'b0;
        ended_q  <= last_i;
        word_q   <= word_q + 1'b1;
        state_q  <= Wait;
        if (first_q && own_q) own_header_o <= data_i;
      end
      Wait: begin
        if (settle_q == WordClocks) begin
          settle_q <= settle_q;
          if (all_free_q) state_q <= ended_q ? Leave : Put;
        end
      end
      Leave: begin
        settle_q   <= '0;
        slot_q     <= head_i;
        own_busy_q <= own_busy_q || own_q;
        state_q    <= Look;
      end
      default: state_q <= Look;
    endcase

    if (own_done_i) own_busy_q <= 1'b0;
    if (shared_done_i) shared_q <= 1'b0;
    if (!rst_ni) begin
      state_q      <= Look;
      settle_q     <= '0;
      slot_q       <= '0;
      shared_q     <= 1'b0;
      own_busy_q   <= 1'b0;
      word_valid_o <= '0;  // a reset may last one cycle
    end
  end

  assign slot_o = slot_q;
  assign word_o = word_q;
  assign wipe_o = state_q == Put;
  assign free_o = state_q == Leave;

  assign shared_o = shared_q;
  assign loads_o = loads_q;
  assign targets_o = target_q;
  assign own_valid_o = own_busy_q;
  assign own_fault_o = own_fault_q;
  assign own_unknown_o = own_unknown_q;

  always_ff @(posedge clk_i) waiting_o <= head_i != tail_i;

endmodule
