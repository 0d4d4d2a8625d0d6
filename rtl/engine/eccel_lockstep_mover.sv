// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Moves elements of W words between the threads' mailboxes and the field unit's registers, thread by thread; fills slots.
//
// Parameters Threads, Words.
// Requires   move_i.start only while !busy_o and with the field unit idle; the kind (load_i, store_i, random_i, fill_i: one of
//            them or none; one_i only with fill_i) is stable from the cycle before move_i.start to the end.
// Guarantees load: register of each thread = words of its slot. Store: the other way. Random: words 0 .. Words + 2 from the
//            entropy port, others for each thread; with shared_i the same ones for all. Fill: all 32 words are 0, with
//            one_i word 0 is 1. None: words 0 and 1 are read, four cycles each (first_o). Same cycles for every value.
//            port_wdata_o: the word that the mailbox of the thread served, or of the thread that was in take_i a clock before,
//            gave a clock before; else 0.
// Latency    load, store Threads * (Words + 12) cycles about; fill 33; random as entropy comes.

module eccel_lockstep_mover
  import eccel_engine_pkg::*;
#(
    parameter int Threads = 4,
    parameter int Words = 8,
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
    input  logic [           31:0] mb_rdata_i[Threads],  // three clocks behind mb_word_o

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    // eccel_comb
    input logic [Threads-1:0] take_i,

    // field unit: word j 7 + j clocks behind port_start_o
    output logic                  port_start_o,
    output logic                  port_we_o,
    output logic [ThreadBits-1:0] port_thread_o,
    output logic [          31:0] port_wdata_o,
    input  logic [          31:0] port_rdata_i,
    input  logic                  port_idle_i
);

  // Clocks behind Begin, which port_start_o follows by one, in which word 0 is addressed and in which it is written.
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
  // passes: a word of a transfer is addressed, or written; drew: a word of entropy is written
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
    stop_q    <= move_i.stop || !rst_ni;  // a reset, too: it has far to come
    busy_o    <= move_i.start || start_q || !(state_q == Idle);
    passes_q  <= passes_next;
    drew_q    <= draws;
    we_q      <= serves_q & {Threads{draws || store_q && (begun_q[StoreFirst-1] || passes_q && !last_q)}};
    ent_ready_o <= state_q == Draw && !draws && !drew_q;
    dwell_q   <= dwell_q + 1'b1;
    before_last_q <= random_q ? 5'(Words + 1) : fill_q ? 5'd30 : 5'(Words - 2);
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

  // Whose word it is, is chosen in two steps, the second of which has the register that follows in the field unit.
  localparam int Pairs = (Threads + 1) / 2;

  logic [Threads-1:0] gives_q;
  logic [31:0] pair_q[Pairs];

  always_ff @(posedge clk_i) begin
    data_q <= store_q ? port_rdata_i : random_q ? ent_data_i : 32'(one_q && state_q == Idle);
    for (int t = 0; t < Threads; t++) begin
      gives_q[t] <= take_i[t] || load_q && (state_q == Transfer || state_q == Settle) && int'(thread_q) == t;
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
