// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Moves elements of W words between the threads' mailboxes and the field unit's registers, thread by thread; fills slots.
//
// Parameters Threads, Words.
// Requires   start_i only while !busy_o and with the field unit idle; the kind (load_i, store_i, random_i, fill_i: one of
//            them or none; one_i only with fill_i) is stable from the cycle before start_i to the end.
// Guarantees load: register of each thread = words of its slot. Store: the other way. Random: words 0 .. Words + 2 from the
//            entropy port, others for each thread; with shared_i the same ones for all. Fill: all 32 words are 0, with
//            one_i word 0 is 1. None: words 0 and 1 are read, four cycles each (first_o). Same cycles for every value.
// Latency    load, store Threads * (Words + 12) cycles about; fill 33; random as entropy comes.

module eccel_lockstep_mover #(
    parameter int Threads = 4,
    parameter int Words = 8,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic       start_i,
    input  logic       stop_i,
    input  logic       load_i,
    input  logic       store_i,
    input  logic       random_i,
    input  logic       fill_i,
    input  logic       one_i,
    input  logic       shared_i,
    output logic       busy_o,
    output logic [1:0] first_o,   // at word 0, 1

    // mailboxes: one address for all, words of the thread that is served
    output logic [    Threads-1:0] mb_we_o,
    output logic [            4:0] mb_word_o,  // 0 while !busy_o
    output logic [           31:0] mb_wdata_o,
    input  logic [           31:0] mb_rdata_i[Threads],

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    // field unit: word j 5 + j clocks behind port_start_o, or 7 + j clocks
    output logic                  port_start_o,
    output logic                  port_we_o,
    output logic [ThreadBits-1:0] port_thread_o,
    output logic [          31:0] port_wdata_o,
    input  logic [          31:0] port_rdata_i,
    input  logic                  port_idle_i
);

  localparam int LoadFirst = 2;  // clock of a transfer in which word 0 is addressed, 5 - 3
  localparam int StoreFirst = 8;
  localparam logic [4:0] LastFill = 5'd31;

  typedef enum logic [5:0] {  // one-hot
    Idle     = 6'h01,
    Transfer = 6'h02,
    Settle   = 6'h04,  // the field unit writes
    Draw     = 6'h08,
    Fill     = 6'h10,
    Read     = 6'h20
  } state_e;

  state_e state_q;
  logic [4:0] word_q, last_word;
  logic [5:0] clock_q;
  logic [ThreadBits-1:0] thread_q;
  logic [Threads-1:0] serves, we_q;
  logic [31:0] data_q;
  logic stepping, one_q, last_thread, settled_q;

  assign busy_o = state_q != Idle;
  assign last_thread = int'(thread_q) == Threads - 1 || shared_i && random_i;
  assign last_word = random_i ? 5'(Words + 2) : fill_i ? LastFill : 5'(Words - 1);
  always_comb begin
    for (int t = 0; t < Threads; t++) serves[t] = int'(thread_q) == t || shared_i && random_i || fill_i;
  end

  assign ent_ready_o = state_q == Draw && we_q == 0;

  always_ff @(posedge clk_i) begin
    we_q      <= '0;
    settled_q <= port_idle_i;
    if (state_q != Idle) clock_q <= clock_q + 1'b1;
    unique case (state_q)
      Idle: begin
        word_q   <= '0;
        clock_q  <= '0;
        thread_q <= '0;
        one_q    <= one_i;
        if (start_i) state_q <= load_i || store_i ? Transfer : random_i ? Draw : fill_i ? Fill : Read;
        if (start_i && fill_i) we_q <= '1;
      end
      Transfer: begin
        if (store_i && clock_q >= 6'(StoreFirst - 1) && clock_q < 6'(StoreFirst - 1 + Words)) we_q <= serves;
        if (stepping) word_q <= word_q + 1'b1;
        if (clock_q == 6'(StoreFirst + Words + 1)) begin
          state_q <= Settle;
          clock_q <= '0;
        end
      end
      Settle: begin
        word_q <= '0;
        if (settled_q && clock_q > 2) begin
          clock_q  <= '0;
          thread_q <= thread_q + 1'b1;
          state_q  <= last_thread ? Idle : Transfer;
        end
      end
      Draw: begin
        if (ent_ready_o && ent_valid_i) we_q <= serves;
        if (we_q != 0) begin
          word_q <= word_q + 1'b1;
          if (word_q == last_word) begin
            word_q   <= '0;
            thread_q <= thread_q + 1'b1;
            if (last_thread) state_q <= Idle;
          end
        end
      end
      Fill: begin
        word_q <= word_q + 1'b1;
        one_q  <= 1'b0;
        we_q   <= '1;
        if (word_q == last_word) begin
          we_q    <= '0;
          state_q <= Idle;
        end
      end
      Read: begin
        if (clock_q[1:0] == 2'd3) word_q <= word_q + 1'b1;
        if (clock_q == 6'd7) begin
          word_q  <= '0;
          state_q <= Idle;
        end
      end
      default: state_q <= Idle;
    endcase
    if (stop_i || !rst_ni) begin
      state_q <= Idle;
      we_q    <= '0;
    end
  end

  assign stepping = load_i ? clock_q >= 6'(LoadFirst) : clock_q >= 6'(StoreFirst);
  assign first_o  = {state_q == Read && word_q == 5'd1, state_q == Read && word_q == 5'd0};

  always_ff @(posedge clk_i) begin
    data_q       <= store_i ? port_rdata_i : random_i ? ent_data_i : '0;
    port_wdata_o <= mb_rdata_i[thread_q] & {32{load_i}};
  end

  assign port_start_o  = state_q == Transfer && clock_q == 0;
  assign port_we_o     = load_i;
  assign port_thread_o = thread_q;
  assign mb_we_o       = we_q;
  assign mb_word_o     = word_q;
  assign mb_wdata_o    = (data_q & {32{store_i || random_i}}) | 32'(one_q && fill_i);

endmodule
