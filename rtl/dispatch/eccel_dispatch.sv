// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Dispatcher: divides one stream of job packets among several engines, and returns the responses in
// the order of completion.
//
// Parameters Engines (1..16) and Pools (1..4): engines of one configuration form a pool.
//            PoolOf, ThreadsOf, WordsOf are packed arrays, element e belongs to engine e: its pool;
//            its Threads (1..8), which is the number of packets that it accepts at once and that
//            form a group if they are of one kind; and a W (words of an element) that it accepts,
//            which is used with several pools only.
//            MaxWords: words of the widest element of all engines. Slots: size of the job queue.
//            WindowTicks: a group accepts further jobs for at most 128 * WindowTicks cycles. This
//            must be less than the time for which an engine waits for them.
//            HealthTest, StartupWords: tests of the entropy port, see eccel_entropy_health.
//            StallBits, JobBits: the dispatcher gives an engine up after about 15 * 2^StallBits
//            cycles without the next word of a packet, or 15 * 2^JobBits cycles without an answer.
// Requires   The engines have the ports of docs/architecture.md. Those of a pool are alike.
//            eng_rst_no are their resets. They do not test the entropy themselves.
// Guarantees Every packet gets one response with its tag, from an engine of the pool that the upper
//            two bits of its curve id name (with one pool, from any engine). Jobs of one kind fill
//            one engine before the next one is used.
//            A job that changes the state of an engine goes to all engines of its pool, ZEROISE to
//            those of every pool. It starts when all earlier packets are answered, and later
//            packets start when it is answered.
//            An engine that answers late, or with a malformed response, is reset. Its jobs get
//            ENGINE_FAULT, jobs in other engines are not affected, and it serves again after the
//            next successful CURVE_LOAD of its pool.
// Zeroise    zeroise_i goes to all engines. Packets in the queue stay there.
// Timing     Every wire between the dispatcher and an engine begins at a register.

module eccel_dispatch
  import eccel_dispatch_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Threads = 4,  // of every engine, unless ThreadsOf is given
    parameter int Pools = 1,
    parameter logic [PoolBits*MaxEngines-1:0] PoolOf = '0,
    parameter logic [ThreadCountBits*MaxEngines-1:0] ThreadsOf = {MaxEngines{ThreadCountBits'(Threads)}},
    parameter logic [WidthBits*MaxEngines-1:0] WordsOf = '0,
    parameter int MaxWords = 8,
    parameter int Slots = 16,
    parameter int WindowTicks = 10,
    parameter int StallBits = 12,
    parameter int JobBits = 20,
    parameter bit HealthTest = 1'b1,
    parameter int StartupWords = 1024
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input  logic zeroise_i,
    output logic busy_o,
    output logic alarm_o,  // an engine has found an error since the reset

    // engines
    output logic [Engines-1:0] eng_rst_no,
    output packet_t            eng_req_o[Engines],
    input  logic [Engines-1:0] eng_req_ready_i,
    input  packet_t            eng_rsp_i[Engines],
    output logic [Engines-1:0] eng_rsp_ready_o,
    output entropy_t           eng_ent_o[Engines],
    input  logic [Engines-1:0] eng_ent_ready_i,
    output logic [Engines-1:0] eng_zeroise_o,
    input  logic [Engines-1:0] eng_busy_i,
    input  logic [Engines-1:0] eng_alarm_i
);

  localparam int SlotBits = $clog2(Slots);
  localparam int WordBits = $clog2(2 + 8 * MaxWords);
  localparam int IndexBits = $clog2(2 + 2 * MaxWords);
  localparam int EngineBits = Engines > 1 ? $clog2(Engines) : 1;
  localparam int TickBits = 7;  // a tick of groups is 2^TickBits cycles

  if (Engines < 1 || Engines > MaxEngines || Pools < 1 || Pools > MaxPools) begin : gen_bad_engines
    $error("eccel_dispatch: Engines must be 1..16, Pools 1..4");
  end
  for (genvar e = 0; e < Engines; e++) begin : gen_check
    localparam int Jobs = int'(ThreadsOf[ThreadCountBits*e+:ThreadCountBits]);
    localparam int Pool = int'(PoolOf[PoolBits*e+:PoolBits]);
    if (Jobs < 1 || Jobs > MaxThreads) begin : gen_bad_threads
      $error("eccel_dispatch: Threads must be 1..8");
    end
    if (Pools > 1 && (Pool >= Pools || WordsOf[WidthBits*e+:WidthBits] == 0)) begin : gen_bad_pool
      $error("eccel_dispatch: an engine needs a pool below Pools, and a W");
    end
  end

  typedef logic [Engines-1:0] mask_t;

  // queue, sender
  logic [SlotBits-1:0] head, tail, slot;
  logic [WordBits-1:0] word;
  logic waits, packet_last, wipe, leaves, word_first, word_last, waiting;
  logic [31:0] packet_data, word_data;
  kind_t kind, kind_q;
  aim_t aim, aim_q;
  mask_t word_valid, targets, pool_targets;
  logic shared, loads, shared_done, shared_ok, own_valid, own_fault, own_unknown, own_done;
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
      .Pools   (Pools),
      .Slots   (Slots),
      .MaxWords(MaxWords)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .head_o (head),
      .tail_o (tail),
      .slot_i (slot),
      .waits_o(waits),
      .kind_o (kind),
      .aim_o  (aim),
      .word_i (word),
      .data_o (packet_data),
      .last_o (packet_last),
      .wipe_i (wipe),
      .free_i (leaves)
  );

  eccel_dispatch_send #(
      .Engines (Engines),
      .Pools   (Pools),
      .PoolOf  (PoolOf),
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
      .aim_i        (aim_q),
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
      .own_unknown_o(own_unknown),
      .own_header_o (own_header),
      .own_done_i   (own_done),
      .waiting_o    (waiting)
  );

  always_ff @(posedge clk_i) {kind_q, aim_q} <= {kind, aim};

  // ------------------------------------------------------------------ time

  logic [JobBits-1:0] time_q;
  mask_t tick_group_q, tick_stall_q, tick_job_q;  // a register for each lane: lanes are far apart
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
        .Threads    (int'(ThreadsOf[ThreadCountBits*e+:ThreadCountBits])),
        .MaxWords   (MaxWords),
        .OwnWords   (Pools == 1 ? 0 : int'(WordsOf[WidthBits*e+:WidthBits])),
        .WindowTicks(WindowTicks)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .kind_i         (kind_q),
        .every_i        (aim_q.every),
        .word_valid_i   (word_valid[e]),
        .word_first_i   (word_first),
        .word_last_i    (word_last),
        .word_data_i    (word_data),
        .free_o         (free[e]),
        .match_o        (match[e]),
        .idle_o         (idle[e]),
        .eng_rst_no     (eng_rst_no[e]),
        .eng_req_o      (eng_req_o[e]),
        .eng_req_ready_i(eng_req_ready_i[e]),
        .eng_rsp_i      (eng_rsp_i[e]),
        .eng_rsp_ready_o(eng_rsp_ready_o[e]),
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

  entropy_t ent;
  logic ent_ready, zeroise_q;

  if (HealthTest) begin : gen_health
    eccel_entropy_health #(
        .StartupWords(StartupWords)
    ) u_health (
        .clk_i,
        .rst_ni     (rst_ni && !zeroise_q),
        .ent_i,
        .ent_ready_o,
        .ent_o      (ent),
        .ent_ready_i(ent_ready)
    );
  end else begin : gen_tested
    assign ent         = ent_i;
    assign ent_ready_o = ent_ready;
  end

  eccel_dispatch_entropy #(
      .Engines(Engines)
  ) u_entropy (
      .clk_i,
      .rst_ni,
      .ent_i      (ent),
      .ent_ready_o(ent_ready),
      .shared_i   (shared),
      .targets_i  (targets),
      .fault_i    (fault),
      .eng_o      (eng_ent_o),
      .eng_ready_i(eng_ent_ready_i)
  );

  // ------------------------------------------------------------------ responses

  eccel_dispatch_emit #(
      .Engines (Engines),
      .MaxWords(MaxWords)
  ) u_emit (
      .clk_i,
      .rst_ni,
      .rsp_o,
      .rsp_ready_i,
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
      .own_unknown_i  (own_unknown),
      .own_header_i   ({own_header[31:16], own_header[7:0]}),
      .own_done_o     (own_done),
      .counter_read_o (counter_read),
      .counter_index_o(counter_index),
      .counter_i      (value_q)
  );

  // ------------------------------------------------------------------ counters, service

  logic own_was_q, serves_q;
  logic [3:0] rested_q;  // the engines' alarms fall some cycles after the reset
  logic [ThreadCountBits-1:0] threads_q;
  pool_t pool_q;

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

  assign pool_targets = Pools == 1 ? '1 : targets;  // of a CURVE_LOAD

  always_ff @(posedge clk_i) begin
    own_was_q    <= own_valid;
    own_engine_q <= own_header[8+:EngineBits];
    serves_q     <= service_q[own_engine_q];
    threads_q    <= ThreadsOf[ThreadCountBits*int'(own_engine_q)+:ThreadCountBits];
    pool_q       <= PoolOf[PoolBits*int'(own_engine_q)+:PoolBits];
    value_q      <= counter_index[2] ? {8'(pool_q), 7'b0, serves_q, 8'(threads_q), 8'(Engines)} : counter;
    for (int e = 0; e < Engines; e++) begin
      restart_q[e] <= own_valid && !own_was_q && !own_fault && own_header[7:0] == OpRestart &&
                      int'(own_header[8+:EngineBits]) == e;
    end
    // All engines of a pool that are in service have loaded the same curve.
    if (shared_done && loads && shared_ok) service_q <= (shared_by | (service_q & ~pool_targets)) & ~fault;
    else service_q <= service_q & ~fault;
    zeroise_q     <= zeroise_i;
    eng_zeroise_o <= {Engines{zeroise_q}};
    rested_q      <= {rested_q[2:0], 1'b1} & {4{rst_ni}};
    alarm_o       <= (alarm_o || |eng_alarm_i) && rested_q[3] && rst_ni;
    busy_o        <= waiting || |busy || own_valid || rsp_o.valid || |eng_busy_i;
    if (!rst_ni) begin
      service_q <= '1;
      own_was_q <= 1'b0;
      restart_q <= '0;
    end
  end

endmodule
