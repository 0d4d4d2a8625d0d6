// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Dispatcher: one stream of job packets for several engines that serve the same jobs, responses in the order of completion.
//
// Parameters Engines 1..16; Threads (1..8) of the packets that an engine takes at once, which form a group if they are of
//            one kind; MaxWords: widest element; Slots of the job queue; WindowTicks: a group is open to others for
//            128 * WindowTicks cycles at most, less than an engine waits; StallBits, JobBits: an engine is given up after
//            about 15 * 2^StallBits cycles without the next word of a packet, 15 * 2^JobBits without an answer.
// Requires   engines with the ports of docs/architecture.md, all alike; eng_rst_no is their reset.
// Guarantees every packet gets one response with its tag. Jobs of one kind fill one engine before the next one is used.
//            Jobs that change an engine's state go to all engines when everything before them is answered, and nothing
//            behind them begins before they are. An engine that does not answer in time, or out of shape, is reset; its
//            jobs get ENGINE_FAULT, the others go on, and it serves again after the next CURVE_LOAD that succeeds.
// Zeroise    goes to all engines. Packets in the queue stay.
// Timing     every wire between here and an engine begins at a register.

module eccel_dispatch
  import eccel_dispatch_pkg::*;
  import eccel_isa_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Threads = 4,
    parameter int MaxWords = 8,
    parameter int Slots = 16,
    parameter int WindowTicks = 10,
    parameter int StallBits = 12,
    parameter int JobBits = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        req_valid_i,
    output logic        req_ready_o,
    input  logic [31:0] req_data_i,
    input  logic        req_last_i,
    output logic        rsp_valid_o,
    input  logic        rsp_ready_i,
    output logic [31:0] rsp_data_o,
    output logic        rsp_last_o,

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    input  logic zeroise_i,
    output logic busy_o,

    // engines
    output logic [Engines-1:0] eng_rst_no,
    output logic [Engines-1:0] eng_req_valid_o,
    input  logic [Engines-1:0] eng_req_ready_i,
    output logic [       31:0] eng_req_data_o[Engines],
    output logic [Engines-1:0] eng_req_last_o,
    input  logic [Engines-1:0] eng_rsp_valid_i,
    output logic [Engines-1:0] eng_rsp_ready_o,
    input  logic [       31:0] eng_rsp_data_i[Engines],
    input  logic [Engines-1:0] eng_rsp_last_i,
    output logic [Engines-1:0] eng_ent_valid_o,
    input  logic [Engines-1:0] eng_ent_ready_i,
    output logic [       31:0] eng_ent_data_o[Engines],
    output logic [Engines-1:0] eng_zeroise_o,
    input  logic [Engines-1:0] eng_busy_i
);

  localparam int SlotBits = $clog2(Slots);
  localparam int WordBits = $clog2(2 + 8 * MaxWords);
  localparam int IndexBits = $clog2(2 + 2 * MaxWords);
  localparam int EngineBits = Engines > 1 ? $clog2(Engines) : 1;
  localparam int TickBits = 7;  // of a tick

  if (Engines < 1 || Engines > 16) begin : gen_bad_engines
    $error("eccel_dispatch: Engines must be 1..16");
  end
  if (Threads < 1 || Threads > MaxThreads) begin : gen_bad_threads
    $error("eccel_dispatch: Threads must be 1..8");
  end

  typedef logic [Engines-1:0] mask_t;

  // queue, sender
  logic [SlotBits-1:0] head, tail, slot;
  logic [WordBits-1:0] word;
  logic waits, packet_last, wipe, leaves, word_first, word_last, waiting;
  logic [31:0] packet_data, word_data;
  kind_t kind, kind_q;
  mask_t word_valid, targets;
  logic shared, loads, shared_done, shared_ok, own_valid, own_fault, own_done;
  logic [31:0] own_header;

  // lanes
  mask_t free, match, idle, answered, failed, read, releases, fault, busy, restart_q, service_q, shared_by;
  logic read_header, counter_read;
  logic [IndexBits-1:0] read_index;
  logic [31:0] answer[Engines], counter, value_q;
  logic [EngineBits-1:0] own_engine_q;
  logic [2:0] counter_index;

  eccel_dispatch_queue #(
      .Engines (Engines),
      .Slots   (Slots),
      .MaxWords(MaxWords)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .req_data_i,
      .req_last_i,
      .head_o (head),
      .tail_o (tail),
      .slot_i (slot),
      .waits_o(waits),
      .kind_o (kind),
      .word_i (word),
      .data_o (packet_data),
      .last_o (packet_last),
      .wipe_i (wipe),
      .free_i (leaves)
  );

  eccel_dispatch_send #(
      .Engines (Engines),
      .Slots   (Slots),
      .MaxWords(MaxWords)
  ) u_send (
      .clk_i,
      .rst_ni,
      .head_i       (head),
      .tail_i       (tail),
      .slot_o       (slot),
      .waits_i      (waits),
      .route_i      (kind_q.route),
      .load_i       (kind_q.op == JOB_CURVE_LOAD[5:0]),
      .word_o       (word),
      .data_i       (packet_data),
      .last_i       (packet_last),
      .wipe_o       (wipe),
      .free_o       (leaves),
      .word_valid_o (word_valid),
      .word_first_o (word_first),
      .word_last_o  (word_last),
      .word_data_o  (word_data),
      .free_i       (free),
      .match_i      (match),
      .idle_i       (idle),
      .service_i    (service_q),
      .shared_o     (shared),
      .loads_o      (loads),
      .targets_o    (targets),
      .shared_done_i(shared_done),
      .own_valid_o  (own_valid),
      .own_fault_o  (own_fault),
      .own_header_o (own_header),
      .own_done_i   (own_done),
      .waiting_o    (waiting)
  );

  always_ff @(posedge clk_i) kind_q <= kind;

  // ------------------------------------------------------------------ time

  logic [JobBits-1:0] time_q;
  mask_t tick_group_q, tick_stall_q, tick_job_q;  // a register for each lane: they are far apart
  logic tick_group, tick_stall, tick_job, upper_full_q, lower_full_q;

  always_ff @(posedge clk_i) begin
    time_q       <= time_q + 1'b1;
    tick_group   <= &time_q[TickBits-1:0];
    tick_stall   <= &time_q[StallBits-1:0];
    upper_full_q <= &time_q[JobBits-1:JobBits/2];
    lower_full_q <= &time_q[JobBits/2-1:0];
    tick_job     <= upper_full_q && lower_full_q;
    tick_group_q <= {Engines{tick_group}};
    tick_stall_q <= {Engines{tick_stall}};
    tick_job_q   <= {Engines{tick_job}};
    if (!rst_ni) time_q <= '0;
  end

  // ------------------------------------------------------------------ engines

  for (genvar e = 0; e < Engines; e++) begin : gen_lane
    eccel_dispatch_lane #(
        .Threads    (Threads),
        .MaxWords   (MaxWords),
        .WindowTicks(WindowTicks)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .kind_i         (kind_q),
        .word_valid_i   (word_valid[e]),
        .word_first_i   (word_first),
        .word_last_i    (word_last),
        .word_data_i    (word_data),
        .free_o         (free[e]),
        .match_o        (match[e]),
        .idle_o         (idle[e]),
        .eng_rst_no     (eng_rst_no[e]),
        .eng_req_valid_o(eng_req_valid_o[e]),
        .eng_req_ready_i(eng_req_ready_i[e]),
        .eng_req_data_o (eng_req_data_o[e]),
        .eng_req_last_o (eng_req_last_o[e]),
        .eng_rsp_valid_i(eng_rsp_valid_i[e]),
        .eng_rsp_ready_o(eng_rsp_ready_o[e]),
        .eng_rsp_data_i (eng_rsp_data_i[e]),
        .eng_rsp_last_i (eng_rsp_last_i[e]),
        .answered_o     (answered[e]),
        .failed_o       (failed[e]),
        .read_i         (read[e]),
        .read_header_i  (read_header),
        .read_index_i   (read_index),
        .data_o         (answer[e]),
        .release_i      (releases[e]),
        .tick_group_i   (tick_group_q[e]),
        .tick_stall_i   (tick_stall_q[e]),
        .tick_job_i     (tick_job_q[e]),
        .restart_i      (restart_q[e]),
        .fault_o        (fault[e]),
        .busy_o         (busy[e])
    );
  end

  eccel_dispatch_entropy #(
      .Engines(Engines)
  ) u_entropy (
      .clk_i,
      .rst_ni,
      .ent_valid_i,
      .ent_ready_o,
      .ent_data_i,
      .shared_i   (shared),
      .targets_i  (targets),
      .fault_i    (fault),
      .eng_valid_o(eng_ent_valid_o),
      .eng_ready_i(eng_ent_ready_i),
      .eng_data_o (eng_ent_data_o)
  );

  // ------------------------------------------------------------------ responses

  eccel_dispatch_emit #(
      .Engines (Engines),
      .MaxWords(MaxWords)
  ) u_emit (
      .clk_i,
      .rst_ni,
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_data_o,
      .rsp_last_o,
      .answered_i     (answered),
      .failed_i       (failed),
      .read_o         (read),
      .read_header_o  (read_header),
      .read_index_o   (read_index),
      .data_i         (answer),
      .release_o      (releases),
      .shared_i       (shared),
      .targets_i      (targets),
      .shared_done_o  (shared_done),
      .shared_ok_o    (shared_ok),
      .shared_by_o    (shared_by),
      .own_valid_i    (own_valid),
      .own_fault_i    (own_fault),
      .own_header_i   ({own_header[31:16], own_header[7:0]}),
      .own_done_o     (own_done),
      .counter_read_o (counter_read),
      .counter_index_o(counter_index),
      .counter_i      (value_q)
  );

  // ------------------------------------------------------------------ counters, service

  logic own_was_q, zeroise_q, serves_q;

  eccel_dispatch_count #(
      .Engines(Engines)
  ) u_count (
      .clk_i,
      .rst_ni,
      .done_i   (releases),
      .fault_i  (fault),
      .busy_i   (busy),
      .read_i   (counter_read),
      .engine_i (own_engine_q),
      .counter_i(counter_index[1:0]),
      .value_o  (counter)
  );

  always_ff @(posedge clk_i) begin
    own_was_q    <= own_valid;
    own_engine_q <= own_header[8+:EngineBits];
    serves_q     <= service_q[own_engine_q];
    value_q      <= counter_index[2] ? {15'b0, serves_q, 8'(Threads), 8'(Engines)} : counter;
    for (int e = 0; e < Engines; e++) begin
      restart_q[e] <= own_valid && !own_was_q && !own_fault && own_header[7:0] == OpRestart &&
                      int'(own_header[8+:EngineBits]) == e;
    end
    // Engines that serve are alike: all have loaded what the one that answered has.
    if (shared_done && loads && shared_ok) service_q <= shared_by & ~fault;
    else service_q <= service_q & ~fault;
    zeroise_q     <= zeroise_i;
    eng_zeroise_o <= {Engines{zeroise_q}};
    busy_o        <= waiting || |busy || own_valid || rsp_valid_o || |eng_busy_i;
    if (!rst_ni) begin
      service_q <= '1;
      own_was_q <= 1'b0;
    end
  end

endmodule
