// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Forms groups of jobs: passes packets to job ports, one for each thread, starts the sequencer on
// jobs that fit together, and returns the responses one by one.
//
// Parameters Threads: number of job ports; WaitClocks (4 or more): the first job of a group waits
//            at most so long for others.
// Requires   Ports and sequencer keep the contracts of eccel_job_port and eccel_lockstep_useq. Idle
//            ports that receive equal packets accept each word in the same cycle, and accept or
//            refuse the packets alike.
// Guarantees Every packet gets one response. Responses are not interleaved; of the ports that have
//            one, the lowest comes first. The jobs of a group have the same operation, curve, flags
//            (attributes of a key apart) and number of operands. A job that does not fit waits in
//            its port for a later group, which begins with another port. A job that changes the
//            engine's state (exclusive_o) waits until it is alone; all ports receive its packet,
//            and only the response of port 0 leaves.
// Zeroise    The handler runs for all threads, whether or not they belong to the group. A port that
//            begins to wait for it while it runs, after its response was read, waits for another
//            run. A packet whose first word no port has accepted yet is a later one: its job runs
//            after the handler.

module eccel_group
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Threads = 4,
    parameter int WaitClocks = 1023,
    localparam int IndexBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    // job ports
    output packet_t            port_req_o[Threads],  // data stay for a clock after the transfer
    input  logic [Threads-1:0] port_req_ready_i,
    input  packet_t            port_rsp_i[Threads],  // data may come two clocks after valid
    output logic [Threads-1:0] port_rsp_ready_o,
    input  logic [Threads-1:0] port_busy_i,
    input  logic [Threads-1:0] port_start_i,
    input  logic [Threads-1:0] port_wipe_i,
    output logic [Threads-1:0] port_finish_o,
    input  job_t               port_job_i[Threads],

    // sequencer
    output logic                 start_o,
    output logic                 wipe_o,
    input  logic                 finish_i,
    input  logic                 wiped_i,
    output logic [Threads-1:0]   member_o,    // threads whose mailboxes the program may write
    output logic [IndexBits-1:0] lead_o,      // one of them
    output logic                 exclusive_o,
    output job_t                 job_o        // of the leader; words, curve, attributes: port 0's
);

  typedef logic [Threads-1:0] mask_t;
  typedef logic [IndexBits-1:0] index_t;
  typedef logic [14:0] kind_t;

  // Lowest port of a set, as a set.
  function automatic mask_t lowest(mask_t set);
    return set & (~set + 1'b1);
  endfunction

  // ------------------------------------------------------------------ packets to ports

  // A register holds one word of the stream. A port accepts one word in four clocks at most; this
  // module sees the acceptance a clock later.
  logic open_q, exclusive_q, alone_q, judged_q, took_q, choose;
  mask_t target_q, offer_q, idle_q;
  logic full_q, last_q;
  logic [31:0] data_q;

  assign req_ready_o = !full_q;
  assign choose = judged_q && (alone_q ? &idle_q : |idle_q);

  always_ff @(posedge clk_i) begin
    idle_q <= ~port_busy_i & {Threads{!open_q}};  // a port is busy from its first word on
    if (req_ready_o) {last_q, data_q} <= {req_i.last, req_i.data};
    full_q   <= full_q ? !took_q : req_i.valid;
    offer_q  <= target_q & {Threads{full_q && open_q && !took_q}};
    took_q   <= |(offer_q & port_req_ready_i);
    alone_q  <= data_q[7:0] inside {JOB_CURVE_LOAD, JOB_KEY_LOAD, JOB_KEYGEN, JOB_ZEROISE, JOB_SELF_TEST};
    judged_q <= full_q && !open_q && !exclusive_q && !choose;
    if (!open_q) target_q <= alone_q ? '1 : lowest(idle_q);
    if (choose) begin
      open_q      <= 1'b1;
      exclusive_q <= alone_q;
    end
    if (took_q && last_q) open_q <= 1'b0;
    if (exclusive_q && !open_q && &idle_q && !rsp_o.valid) exclusive_q <= 1'b0;
    if (!rst_ni) begin
      full_q      <= 1'b0;
      open_q      <= 1'b0;
      offer_q     <= '0;
      took_q      <= 1'b0;
      judged_q    <= 1'b0;
      idle_q      <= '0;
      exclusive_q <= 1'b0;
    end
  end

  for (genvar t = 0; t < Threads; t++) begin : gen_request
    assign port_req_o[t] = '{valid: offer_q[t], last: last_q, data: data_q};
  end
  assign exclusive_o = exclusive_q;

  // ------------------------------------------------------------------ groups

  typedef enum logic [4:0] {  // one-hot
    Pick   = 5'h01,
    Match  = 5'h02,  // wait for others
    Start  = 5'h04,
    Run    = 5'h08,
    Wiping = 5'h10
  } state_e;

  state_e state_q;
  mask_t loaded_q, fits_q, member_q, after_q;
  // first_q: lowest port that has a job; next_q: lowest one after the last leader.
  index_t leader_q, first_q, next_q;
  logic some_q, some_next_q;
  kind_t kind[Threads], leader_kind_q;
  logic same_op_q[Threads], same_rest_q[Threads];
  logic [$clog2(WaitClocks+1)-1:0] wait_q;
  logic due_q, wiping_q, wipe_q, finish_q;
  mask_t wipers_q;  // ports that gave their mailboxes to the handler before it began

  for (genvar t = 0; t < Threads; t++) begin : gen_kind
    assign kind[t] = {port_job_i[t].op, port_job_i[t].flags[4:0], port_job_i[t].elements};
  end

  always_ff @(posedge clk_i) begin
    loaded_q <= (loaded_q & ~port_finish_o) | port_start_i;
    leader_kind_q <= kind[leader_q];
    for (int t = 0; t < Threads; t++) begin
      same_op_q[t]   <= kind[t][14:7] == leader_kind_q[14:7];
      same_rest_q[t] <= kind[t][6:0] == leader_kind_q[6:0];
      fits_q[t]      <= loaded_q[t] && same_op_q[t] && same_rest_q[t];
    end
    finish_q <= finish_i;
    if (!wipe_q) wipers_q <= port_wipe_i;
    port_finish_o <= (wiped_i ? wipers_q : member_q) & {Threads{finish_i}};
    // finish_q is a clock late: until then a wipe that the sequencer has answered is hidden.
    wiping_q <= |port_wipe_i && !finish_q;
    // From Match, too: the sequencer has not been started.
    wipe_q   <= wiping_q && (state_q == Wiping || state_q == Run) && !finish_i && !finish_q;
    // fits_q is three clocks late.
    due_q    <= wait_q > 2 && &fits_q || int'(wait_q) == WaitClocks - 1;
    some_q        <= |loaded_q && state_q == Pick;  // of the jobs before, none is left
    some_next_q <= |(loaded_q & after_q);
    for (int t = Threads - 1; t >= 0; t--) if (loaded_q[t]) first_q <= index_t'(t);
    for (int t = Threads - 1; t >= 0; t--) if (loaded_q[t] && after_q[t]) next_q <= index_t'(t);
    unique case (state_q)
      Pick: begin
        leader_q <= some_next_q ? next_q : first_q;
        wait_q <= '0;
        due_q  <= 1'b0;
        if (wiping_q) state_q <= Wiping;
        else if (some_q) state_q <= Match;
      end
      Match: begin
        wait_q   <= wait_q + 1'b1;
        member_q <= fits_q;
        if (wiping_q) state_q <= Wiping;
        else if (due_q) state_q <= Start;
      end
      Start: begin
        for (int t = 0; t < Threads; t++) after_q[t] <= t > int'(leader_q);
        state_q <= Run;
      end
      Run: if (finish_q) state_q <= Pick;
      Wiping: begin
        member_q <= '1;
        if (finish_q) state_q <= Pick;
      end
      default: state_q <= Pick;
    endcase
    if (state_q == Run && wiping_q) member_q <= '1;
    if (!rst_ni) begin
      state_q  <= Pick;
      some_q   <= 1'b0;
      loaded_q <= '0;
      after_q  <= '0;
    end
  end

  assign start_o = state_q == Start;
  assign wipe_o = wipe_q;
  assign member_o = member_q;
  assign lead_o   = leader_q;
  assign job_o = '{
          op: leader_kind_q[14:9],
          flags: {port_job_i[0].flags[7:5], leader_kind_q[8:4]},
          elements: leader_kind_q[3:0],
          words: port_job_i[0].words,
          curve: port_job_i[0].curve
      };

  // ------------------------------------------------------------------ responses

  // A port offers one word in four clocks at most and holds it until it is transferred. Meanwhile
  // the word passes the two steps of the selection. The mailbox gives it two clocks after the
  // port's valid.
  localparam int Pairs = (Threads + 1) / 2;

  mask_t port_valid, port_last, grant_q, waiting_q, offers_q, ends_q, ready_q;
  logic [31:0] pair_q[Pairs], chosen;
  logic granted_q, offered_q, give, give_q;

  for (genvar t = 0; t < Threads; t++) begin : gen_response
    assign port_valid[t] = port_rsp_i[t].valid;
    assign port_last[t]  = port_rsp_i[t].last;
  end

  always_comb begin
    chosen = '0;
    for (int i = 0; i < Pairs; i++) chosen |= pair_q[i];
  end
  assign give = granted_q && |offers_q && offered_q && !rsp_o.valid && !give_q;

  always_ff @(posedge clk_i) begin
    if (!granted_q) begin
      grant_q   <= exclusive_q ? waiting_q & mask_t'(1) : lowest(waiting_q);
      granted_q <= exclusive_q ? waiting_q[0] : |waiting_q;
    end
    for (int i = 0; i < Pairs; i++) begin
      pair_q[i] <= '0;
      for (int t = 2 * i; t < Threads && t < 2 * i + 2; t++) if (grant_q[t]) pair_q[i] <= port_rsp_i[t].data;
    end
    waiting_q <= port_valid & {Threads{!granted_q}};
    offers_q  <= grant_q & port_valid;
    offered_q <= |offers_q;
    ends_q    <= grant_q & port_last;
    give_q    <= give;
    ready_q   <= (grant_q & {Threads{give}}) | (exclusive_q ? ~mask_t'(1) : '0);
    if (give_q) begin
      rsp_o.data <= chosen;
      rsp_o.last <= |ends_q;
      if (|ends_q) granted_q <= 1'b0;
    end
    rsp_o.valid <= give_q || rsp_o.valid && !rsp_ready_i;
    if (!rst_ni) begin
      granted_q   <= 1'b0;
      give_q      <= 1'b0;
      ready_q     <= '0;
      rsp_o.valid <= 1'b0;
    end
  end

  assign port_rsp_ready_o = ready_q;

endmodule
