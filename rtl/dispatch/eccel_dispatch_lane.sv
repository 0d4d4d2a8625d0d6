// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The dispatcher's side of one engine: sends packets to it, forms groups, knows which jobs are
// pending, watches and resets the engine.
//
// Parameters Threads (1..8): jobs that form a group. MaxWords: words of the widest element.
//            OwnWords: the W that replaces that of a packet for engines of every pool, since no W
//            suits all of them; 0 keeps the packet's own.
//            WindowTicks: a group accepts further jobs until this number of tick_group_i.
//            WatchTicks (1..15): the engine is given up after this number of tick_stall_i or
//            tick_job_i.
// Requires   word_valid_i comes only while free_o. A packet begins only after a match_o for its
//            kind or after idle_o. kind_i and every_i are stable while a packet is sent. At most
//            Threads packets are pending.
// Tags       A job gets an internal tag (tag_t); the host's header is kept under its ticket. No tag
//            is used twice within 16 groups.
// Guarantees Every packet is answered once: by the engine (answered_o), or as one of the pending
//            jobs of an engine that is given up (failed_o). An engine is given up if a response is
//            malformed, if it does not accept or return a word in time (tick_stall_i), if it does
//            not answer a job in time (tick_job_i), and by restart_i. Then it is reset for
//            ResetClocks, and packets that still come fail too.
// Latency    A word leaves 2 cycles after word_valid_i. free_o, match_o and idle_o follow their
//            causes by 1 cycle; match_o follows kind_i by 2.

module eccel_dispatch_lane
  import eccel_dispatch_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Threads = 4,
    parameter int MaxWords = 8,
    parameter int OwnWords = 0,
    parameter int WindowTicks = 10,
    parameter int WatchTicks = 15,
    localparam int IndexBits = $clog2(2 + 2 * MaxWords)
) (
    input logic clk_i,
    input logic rst_ni,

    // packets
    input  kind_t       kind_i,
    input  logic        every_i,  // the packet goes to every pool
    input  logic        word_valid_i,
    input  logic        word_first_i,
    input  logic        word_last_i,
    input  logic [31:0] word_data_i,
    output logic        free_o,
    output logic        match_o,  // the engine collects a group of this kind
    output logic        idle_o,

    // engine
    output logic    eng_rst_no,
    output packet_t eng_req_o,
    input  logic    eng_req_ready_i,
    input  packet_t eng_rsp_i,
    output logic    eng_rsp_ready_o,

    // answers: the host's header of the job (if read_header_i), or words of the response
    output logic                 answered_o,
    output logic                 failed_o,
    input  logic                 read_i,
    input  logic                 read_header_i,
    input  logic [IndexBits-1:0] read_index_i,
    output logic [         31:0] data_o,     // 0 unless read_i
    input  logic                 release_i,  // the host has the answer

    input  logic tick_group_i,
    input  logic tick_stall_i,
    input  logic tick_job_i,
    input  logic restart_i,
    output logic fault_o,  // the engine is given up, until it is reset and all jobs are answered
    output logic busy_o    // a job is pending
);

  localparam int ResetClocks = 64;

  typedef logic [TicketBits-1:0] ticket_t;
  typedef logic [GroupBits-1:0] group_t;

  logic [MaxThreads-1:0] owed_q;
  logic owes_q, fault_q, answered, empty, taken, midst, bad;

  // ------------------------------------------------------------------ packets

  logic in_valid_q, in_first_q, in_last_q, in_packet_q;
  logic second_q, own_words_q;  // the next word is the second; its W is replaced
  logic [31:0] in_data_q;
  logic begins, ends, began_q, ended_packet_q;
  logic [TicketBits:0] count_q;  // jobs of this group so far
  group_t group_q, group_next_q;
  ticket_t ticket_q, ticket_next_q;
  tag_t tag;

  // The first job of an engine without pending jobs begins a group. Ticket and group of the next
  // job are decided a clock before they are used, since the word goes a long way to the engine. If
  // the last pending job is answered in just that clock, the next one still joins its group.
  assign begins = in_valid_q && in_first_q;
  assign ends   = in_valid_q && in_last_q;
  assign tag    = '{op: in_data_q[7:0], group: group_next_q, parity: ^ticket_next_q, ticket: ticket_next_q};

  always_ff @(posedge clk_i) begin
    in_valid_q    <= word_valid_i;
    in_first_q    <= word_first_i;
    in_last_q     <= word_last_i;
    in_data_q     <= word_data_i;
    ticket_next_q <= owes_q ? count_q[TicketBits-1:0] : '0;
    group_next_q  <= owes_q ? group_q : group_q + 1'b1;
    if (begins) begin
      in_packet_q <= 1'b1;
      ticket_q    <= ticket_next_q;
      group_q     <= group_next_q;
      count_q     <= (TicketBits + 1)'(ticket_next_q) + 1'b1;
    end
    if (ends) in_packet_q <= 1'b0;
    if (in_valid_q) second_q <= in_first_q;
    own_words_q    <= second_q && every_i && OwnWords != 0;
    began_q        <= begins;
    ended_packet_q <= ends;
    if (in_valid_q) begin
      eng_req_o.data <= in_first_q ? {tag, in_data_q[15:0]} : in_data_q;
      if (own_words_q && !in_first_q) eng_req_o.data[31:24] <= 8'(OwnWords);
      eng_req_o.last <= in_last_q;
    end
    // The words of a packet that comes after the engine was given up are dropped.
    eng_req_o.valid <= (in_valid_q || eng_req_o.valid && !eng_req_ready_i) && !fault_q;
    free_o      <= !word_valid_i && !in_valid_q && !eng_req_o.valid;
    if (!rst_ni) begin
      in_valid_q  <= 1'b0;
      in_packet_q <= 1'b0;
      began_q     <= 1'b0;
      ended_packet_q <= 1'b0;
      eng_req_o.valid <= 1'b0;
      group_q     <= '0;
      count_q     <= '0;
    end
  end

  // ------------------------------------------------------------------ groups

  logic open_q;
  kind_t kind_q;
  logic [3:0] age_q;
  logic same_job_q, same_flags_q;

  always_ff @(posedge clk_i) begin
    if (begins && !owes_q) kind_q <= kind_i;
    if (tick_group_i) age_q <= age_q + 1'b1;
    if (!owes_q) age_q <= '0;  // the age counts from the end of the first packet
    if (ends && !owes_q) open_q <= 1'b1;
    else if (int'(age_q) == WindowTicks || int'(count_q) == Threads || !owes_q || fault_q) open_q <= 1'b0;
    same_job_q   <= {kind_q.route, kind_q.op} == {kind_i.route, kind_i.op};
    same_flags_q <= kind_q.flags == kind_i.flags;
    match_o <= open_q && !in_packet_q && same_job_q && same_flags_q;
    idle_o  <= !owes_q && !fault_q && empty && !in_packet_q && !word_valid_i && !in_valid_q && !eng_req_o.valid;
    if (!rst_ni) open_q <= 1'b0;
  end

  // ------------------------------------------------------------------ pending jobs

  ticket_t answer_ticket, lowest_q, read_ticket;
  logic release_q;

  assign read_ticket = answered ? answer_ticket : lowest_q;

  always_ff @(posedge clk_i) begin
    // A job is pending after its last word; its ticket is marked a clock later.
    owes_q    <= ends || ended_packet_q || |owed_q;
    release_q <= release_i;
    if (ended_packet_q) owed_q[ticket_q] <= 1'b1;
    if (release_i) owed_q[read_ticket] <= 1'b0;
    for (int t = MaxThreads - 1; t >= 0; t--) if (owed_q[t]) lowest_q <= ticket_t'(t);
    answered_o <= answered && !release_i;
    failed_o   <= fault_q && !answered && owes_q && !release_i && !release_q;
    busy_o     <= owes_q;
    if (!rst_ni) begin
      owed_q     <= '0;
      owes_q     <= 1'b0;
      answered_o <= 1'b0;
      failed_o   <= 1'b0;
    end
  end

  eccel_dispatch_answer #(
      .MaxWords(MaxWords)
  ) u_answer (
      .clk_i,
      .rst_ni,
      .rsp_i          (eng_rsp_i),
      .rsp_ready_o    (eng_rsp_ready_o),
      .owed_i         (owed_q),
      .group_i        (group_q),
      .stop_i         (fault_q),
      .bad_o          (bad),
      .answered_o     (answered),
      .ticket_o       (answer_ticket),
      .release_i      (release_i && answered),
      .taken_o        (taken),
      .midst_o       (midst),
      .empty_o        (empty),
      .header_valid_i (began_q),
      .header_ticket_i(ticket_q),
      .header_i       (in_data_q),
      .read_i,
      .read_header_i,
      .read_ticket_i  (read_ticket),
      .read_index_i,
      .data_o
  );

  // ------------------------------------------------------------------ watchdog, reset

  logic [3:0] watch_q;
  logic late_q, stalls, moves_q, reset_done_q, ended_q;
  logic [$clog2(ResetClocks)-1:0] reset_q;

  assign stalls = eng_req_o.valid || midst;

  always_ff @(posedge clk_i) begin
    moves_q <= eng_req_o.valid && eng_req_ready_i || taken || answered || !owes_q && !stalls;
    if (moves_q || fault_q) watch_q <= '0;
    else if (stalls ? tick_stall_i : tick_job_i) watch_q <= watch_q + 1'b1;
    late_q  <= int'(watch_q) == WatchTicks;
    reset_done_q <= &reset_q && fault_q;
    ended_q <= fault_q && reset_done_q && !owes_q && !answered && !in_packet_q && !word_valid_i && !in_valid_q;
    if (bad || late_q || restart_i) fault_q <= 1'b1;
    else if (ended_q) fault_q <= 1'b0;
    if (!fault_q) reset_q <= '0;
    else if (!(&reset_q)) reset_q <= reset_q + 1'b1;
    eng_rst_no <= !(fault_q && !reset_done_q);
    if (!rst_ni) begin
      fault_q    <= 1'b0;
      watch_q    <= '0;
      late_q     <= 1'b0;
      eng_rst_no <= 1'b0;
    end
  end

  assign fault_o = fault_q;

endmodule
