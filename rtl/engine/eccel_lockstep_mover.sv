// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Moves elements of W words between the threads' mailboxes and the field unit's registers, one
// thread after the other; fills slots.
//
// Parameters Threads, Words; ReadOld: see Guarantees.
// Requires   move_i.start comes only while !busy_o and with an idle field unit. The rest of move_i
//            is stable from the cycle before start to the end; one is set only with fill.
// Guarantees load: the register of each thread receives the words of its slot. store: the reverse.
//            random: words 0 to Words + 2 come from the entropy port, other words for each thread;
//            with shared_i all threads receive the same. fill: all 32 words become 0, and word 0
//            becomes 1 with one. None of these: words 0 and 1 are read, four cycles each (first_o).
//            The number of cycles does not depend on values. port_wdata_o is the word that the
//            mailbox of the served thread gave in the previous clock, or that of a thread which was
//            in take_i a clock earlier; else 0. With ReadOld and random it is
//            the word of the served thread that the next word of entropy replaces, from six clocks
//            after ent_ready_o or the word before; 0 for a thread that is not in member_i. stop
//            ends a move: two clocks later no word is written or accepted any more, and busy_o is 0
//            after another clock.
// Latency    In cycles with busy_o. load, store: 2 + Threads * (D + 3), if the field unit is idle D
//            cycles after port_start_o; for a store D counts as at least Words + 11. random:
//            2 + 3 * Threads * (Words + 3) if entropy is always available, with shared_i as for one
//            thread. fill: 34. None of these: 10.

module eccel_lockstep_mover
  import eccel_engine_pkg::*;
#(
    parameter int Threads = 4,
    parameter int Words = 8,
    parameter bit ReadOld = 1'b0,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    input  move_t      move_i,
    input  logic       shared_i,
    output logic       busy_o,
    output logic [1:0] first_o,   // at word 0, 1

    // mailboxes: one address for all, words of the thread that is served
    output logic [    Threads-1:0] mb_we_o,
    output logic [            4:0] mb_word_o,  // 0 while !busy_o
    output logic [           31:0] mb_wdata_o,
    input  logic [           31:0] mb_rdata_i[Threads],  // three clocks after mb_word_o

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    // eccel_comb
    input logic [Threads-1:0] take_i,

    input logic [Threads-1:0] member_i,  // with ReadOld: threads that have a job

    // field unit: word j is transferred 7 + j clocks after port_start_o
    output logic                  port_start_o,
    output logic                  port_we_o,
    output logic [ThreadBits-1:0] port_thread_o,
    output logic [          31:0] port_wdata_o,
    input  logic [          31:0] port_rdata_i,
    input  logic                  port_idle_i
);

  // Word 0 is addressed LoadFirst and written StoreFirst clocks after Begin; port_start_o comes one
  // clock after Begin.
  localparam int LoadFirst = 1 + 7 - 4;
  localparam int StoreFirst = 1 + 7 + 1;

  typedef enum logic [6:0] {  // one-hot
    Idle     = 7'h01,
    Begin    = 7'h02,
    Transfer = 7'h04,
    Settle   = 7'h08,  // the field unit writes
    Draw     = 7'h10,
    Fill     = 7'h20,
    Read     = 7'h40
  } state_e;

  state_e state_q;
  logic [4:0] word_q, word_next, before_last_q;
  logic [StoreFirst-1:1] begun_q;  // Begin, as many clocks ago
  logic [2:0] dwell_q;
  logic [ThreadBits-1:0] thread_q;
  logic [Threads-1:0] serves_q, we_q;
  logic [31:0] data_q;
  // passes_q: a word of a transfer is addressed or written; drew_q: a word of entropy is written.
  logic load_q, store_q, random_q, fill_q, one_q;
  logic passes_q, passes_next, drew_q, draws, step, last_q, last_thread_q, settled_q, start_q, stop_q;

  assign passes_next = (load_q ? begun_q[LoadFirst-1] : begun_q[StoreFirst-1]) || passes_q && !last_q;
  assign draws = ent_ready_o && ent_valid_i;
  assign step = passes_q || drew_q || state_q == Fill || state_q == Read && dwell_q[1:0] == '1;

  eccel_inc #(.Width(5)) u_inc (.d_i(word_q), .q_o(word_next));

  always_ff @(posedge clk_i) begin
    begun_q   <= {begun_q[StoreFirst-2:1], state_q == Begin};
    settled_q <= port_idle_i;
    {load_q, store_q, random_q, fill_q, one_q} <= {move_i.load, move_i.store, move_i.random, move_i.fill, move_i.one};
    start_q   <= move_i.start;
    stop_q    <= move_i.stop || !rst_ni;  // also for a reset, which has a long way
    busy_o    <= move_i.start || start_q || !(state_q == Idle);
    passes_q  <= passes_next;
    drew_q    <= draws;
    we_q      <= serves_q & {Threads{draws || store_q && (begun_q[StoreFirst-1] || passes_q && !last_q)}};
    ent_ready_o <= state_q == Draw && !draws && !drew_q;
    dwell_q   <= dwell_q + 1'b1;
    before_last_q <= random_q ? 5'(unsigned'(Words + 1)) : fill_q ? 5'd30 : 5'(unsigned'(Words - 2));
    if (step) begin
      word_q <= last_q ? '0 : word_next;
      last_q <= word_q == before_last_q;
    end
    last_thread_q <= int'(thread_q) == Threads - 1 || shared_i && random_q;
    for (int t = 0; t < Threads; t++) serves_q[t] <= int'(thread_q) == t || shared_i && random_q;
    unique case (state_q)
      Idle: begin
        word_q   <= '0;
        last_q   <= 1'b0;
        dwell_q  <= '0;
        thread_q <= '0;
        passes_q <= 1'b0;
        if (start_q) state_q <= load_q || store_q ? Begin : random_q ? Draw : fill_q ? Fill : Read;
        if (start_q && fill_q) we_q <= '1;
      end
      Begin: state_q <= Transfer;
      Transfer: begin
        if (passes_q && last_q) state_q <= Settle;
        dwell_q <= '0;
      end
      Settle: begin
        if (settled_q && dwell_q[2]) begin
          thread_q <= thread_q + 1'b1;
          state_q  <= last_thread_q ? Idle : Begin;
        end
        if (dwell_q[2]) dwell_q[2] <= 1'b1;
      end
      Draw: begin
        if (drew_q && last_q) begin
          thread_q <= thread_q + 1'b1;
          if (last_thread_q) state_q <= Idle;
        end
      end
      Fill: begin
        we_q <= '1;
        if (last_q) begin
          we_q    <= '0;
          state_q <= Idle;
        end
      end
      Read: if (dwell_q == '1) state_q <= Idle;
      default: state_q <= Idle;
    endcase
    if (stop_q) begin
      start_q     <= 1'b0;
      state_q     <= Idle;
      we_q        <= '0;
      drew_q      <= 1'b0;
      ent_ready_o <= 1'b0;
    end
  end

  assign first_o = {state_q == Read && dwell_q[2], state_q == Read && !dwell_q[2]};

  // The thread's word is selected in two steps; a register of the field unit ends the second one.
  localparam int Pairs = (Threads + 1) / 2;

  logic [Threads-1:0] gives_q;
  logic [31:0] pair_q[Pairs];

  always_ff @(posedge clk_i) begin
    data_q <= store_q ? port_rdata_i : random_q ? ent_data_i : 32'(one_q && state_q == Idle);
    for (int t = 0; t < Threads; t++) begin
      gives_q[t] <= take_i[t] || load_q && (state_q == Transfer || state_q == Settle) && int'(thread_q) == t ||
                    ReadOld && member_i[t] && state_q == Draw && int'(thread_q) == t;
    end
    for (int i = 0; i < Pairs; i++) begin
      pair_q[i] <= '0;
      for (int t = 2 * i; t < Threads && t < 2 * i + 2; t++) if (gives_q[t]) pair_q[i] <= mb_rdata_i[t];
    end
  end

  always_comb begin
    port_wdata_o = '0;
    for (int i = 0; i < Pairs; i++) port_wdata_o |= pair_q[i];
  end

  assign port_start_o  = begun_q[1];
  assign port_we_o     = load_q;
  assign port_thread_o = thread_q;
  assign mb_we_o       = we_q;
  assign mb_word_o     = word_q;
  assign mb_wdata_o    = data_q;

endmodule
