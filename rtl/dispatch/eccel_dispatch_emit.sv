// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Returns responses to the host, one packet at a time, with the host's own tag.
//
// Order      The engines take turns. A job that went to all engines of a pool is answered once,
//            when each of them has answered or failed, with the highest status of those that
//            answered; of equal ones the engine with the lowest number counts.
// Requires   answered_i and failed_i stay until release_o, and fall within 3 cycles after it.
//            data_i follows its address by 4 cycles, counter_i by at most 13.
// Guarantees Responses are not interleaved. rsp_o is stable until it is transferred. A job that
//            failed and a job for which no engine is in service are answered with ENGINE_FAULT, a
//            job for a pool that does not exist with BAD_CURVE.
// Latency    About 10 cycles for each word.

module eccel_dispatch_emit
  import eccel_dispatch_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2,
    parameter int MaxWords = 8,
    localparam int IndexBits = $clog2(2 + 2 * MaxWords)
) (
    input logic clk_i,
    input logic rst_ni,

    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    // lanes
    input  logic [  Engines-1:0] answered_i,
    input  logic [  Engines-1:0] failed_i,
    output logic [  Engines-1:0] read_o,
    output logic                 read_header_o,
    output logic [IndexBits-1:0] read_index_o,
    input  logic [         31:0] data_i[Engines],  // 0 from lanes that are not read
    output logic [  Engines-1:0] release_o,

    // a job for all engines
    input  logic               shared_i,
    input  logic [Engines-1:0] targets_i,
    output logic               shared_done_o,
    output logic               shared_ok_o,  // it succeeded
    output logic [Engines-1:0] shared_by_o,  // the engines that answered

    // a job without an engine: a fault, a pool that does not exist, or counters
    input  logic        own_valid_i,
    input  logic        own_fault_i,
    input  logic        own_unknown_i,  // with own_fault_i
    input  logic [23:0] own_header_i,   // tag, operation
    output logic        own_done_o,
    output logic        counter_read_o,
    output logic [ 2:0] counter_index_o,
    input  logic [31:0] counter_i
);

  typedef logic [Engines-1:0] mask_t;
  typedef logic [IndexBits-1:0] index_t;
  localparam logic [3:0] FetchClocks = 4'd6;
  localparam logic [3:0] CounterClocks = 4'd13;
  localparam int CounterWords = CounterCount + 1;

  typedef enum logic [8:0] {  // one-hot
    Pick    = 9'h001,
    Poll    = 9'h002,  // read the statuses of a job for all engines
    Compare = 9'h004,
    Choose  = 9'h008,
    Header  = 9'h010,
    Fetch   = 9'h020,
    Give    = 9'h040,
    Release = 9'h080,
    Settle  = 9'h100
  } state_e;

  // What the host gets.
  typedef enum logic [1:0] {
    Response,
    Fault,
    Unknown,
    Counters
  } what_e;

  state_e state_q;
  what_e what_q;
  mask_t turn_q, engine_q, best_q, by_q;
  logic [3:0] settle_q;
  logic [5:0] index_q, left_q;
  logic [31:0] word, word_q;
  mask_t done_q, here_by_q, answered_by_q;
  logic [23:0] header_q;  // tag, operation
  logic [7:0] best_status_q;
  logic best_any_q, complete_q, here_q, answered_q, own_q, fetched_q, compared_q, higher_q;
  logic upper_more_q, upper_same_q, lower_more_q;  // of the status
  logic first_q, second_q, stays_q, final_q, last, ends_q;

  // ------------------------------------------------------------------ OR of the words of all lanes

  localparam int Fours = (Engines + 3) / 4;
  logic [31:0] four[Fours], four_q[Fours], all, data_q;

  always_comb begin
    for (int f = 0; f < Fours; f++) begin
      four[f] = '0;
      for (int e = 4 * f; e < 4 * f + 4 && e < Engines; e++) four[f] |= data_i[e];
    end
    all = '0;
    for (int f = 0; f < Fours; f++) all |= four_q[f];
  end

  always_ff @(posedge clk_i) begin
    four_q <= four;
    data_q <= all;
  end

  // ------------------------------------------------------------------ one packet at a time

  always_comb begin
    unique case (what_q)
      Response: word = data_q;
      Counters: word = first_q ? 32'(STATUS_OK) : second_q ? 32'(CounterWords) : counter_i;
      Unknown:  word = first_q ? 32'(STATUS_BAD_CURVE) : '0;
      default:  word = first_q ? 32'(STATUS_ENGINE_FAULT) : '0;
    endcase
    if (first_q) word[31:8] = header_q;
    last = second_q ? word[5:0] == 0 : !first_q && final_q;
  end

  always_ff @(posedge clk_i) begin
    settle_q   <= settle_q + 1'b1;
    fetched_q  <= settle_q == (own_q ? CounterClocks : FetchClocks);
    upper_more_q <= data_q[7:4] > best_status_q[7:4];
    upper_same_q <= data_q[7:4] == best_status_q[7:4];
    lower_more_q <= data_q[3:0] > best_status_q[3:0];
    higher_q   <= !best_any_q || upper_more_q || upper_same_q && lower_more_q;
    compared_q <= fetched_q;  // the status has been there for two clocks
    done_q     <= answered_i | failed_i | ~targets_i;
    complete_q <= shared_i && stays_q && &done_q;
    word_q     <= word;
    ends_q     <= last;
    here_by_q  <= turn_q & (shared_i ? targets_i & answered_i : answered_i | failed_i);
    here_q     <= |here_by_q;
    answered_by_q <= turn_q & answered_i;
    answered_q <= |answered_by_q;
    first_q    <= index_q == 0;
    second_q   <= index_q == 1;
    final_q    <= left_q == 1;
    stays_q    <= shared_i;
    release_o  <= '0;
    own_done_o <= 1'b0;
    shared_done_o <= 1'b0;
    if (rsp_ready_i) rsp_o.valid <= 1'b0;
    unique case (state_q)
      Pick: begin
        index_q    <= '0;
        best_any_q <= 1'b0;
        own_q      <= own_valid_i;
        engine_q   <= turn_q;
        what_q     <= answered_q ? Response : Fault;
        if (own_valid_i) begin
          what_q   <= !own_fault_i ? Counters : own_unknown_i ? Unknown : Fault;
          header_q <= own_header_i;
          settle_q <= '0;
          state_q  <= Fetch;
        end else if (stays_q) begin
          turn_q   <= mask_t'(1);
          settle_q <= '0;
          if (complete_q) state_q <= Poll;
        end else if (settle_q[1:0] == 2) begin  // here_q and answered_q are about turn_q
          settle_q <= '0;
          if (here_q) state_q <= Header;
          else turn_q <= mask_t'({turn_q, turn_q[Engines-1]});
        end
      end
      Poll: begin
        if (settle_q[1:0] == 2 && !here_q) begin
          settle_q <= '0;
          state_q  <= Compare;
        end
        if (compared_q) state_q <= Compare;
        by_q <= targets_i & answered_i;
      end
      Compare: begin
        if (here_q && higher_q) begin
          best_any_q    <= 1'b1;
          best_q        <= turn_q;
          best_status_q <= data_q[7:0];
        end
        settle_q <= '0;
        turn_q   <= mask_t'({turn_q, turn_q[Engines-1]});
        state_q  <= turn_q[Engines-1] ? Choose : Poll;
      end
      Choose: begin
        // When all failed, any target has the header.
        what_q   <= best_any_q ? Response : Fault;
        engine_q <= best_any_q ? best_q : targets_i & (~targets_i + 1'b1);
        settle_q <= '0;
        state_q  <= Header;
      end
      Header: begin
        header_q <= {data_q[31:16], data_q[7:0]};
        if (fetched_q) begin
          settle_q <= '0;
          state_q  <= Fetch;
        end
      end
      Fetch: if (fetched_q) state_q <= Give;
      Give: begin
        settle_q <= '0;
        if (!rsp_o.valid) begin
          rsp_o.data <= word_q;
          rsp_o.last <= ends_q;
          rsp_o.valid <= 1'b1;
          left_q     <= second_q ? word_q[5:0] : left_q - 1'b1;
          index_q    <= index_q + 1'b1;
          state_q    <= ends_q ? Release : Fetch;
        end
      end
      Release: begin
        release_o     <= own_q ? '0 : stays_q ? targets_i : engine_q;
        own_done_o    <= own_q;
        shared_done_o <= stays_q && !own_q;
        settle_q      <= '0;
        state_q       <= Settle;
      end
      Settle: if (settle_q == 4'd6) begin
        settle_q <= '0;
        turn_q   <= mask_t'({turn_q, turn_q[Engines-1]});
        state_q  <= Pick;
      end
      default: state_q <= Pick;
    endcase
    if (!rst_ni) begin
      state_q  <= Pick;
      turn_q   <= mask_t'(1);
      settle_q <= '0;
      stays_q  <= 1'b0;
      rsp_o.valid   <= 1'b0;
      release_o     <= '0;
      shared_done_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    read_o        <= state_q == Poll ? turn_q : engine_q;
    read_header_o <= state_q == Header;
    read_index_o  <= state_q == Poll ? '0 : index_t'(index_q);
  end

  assign shared_ok_o = best_any_q && best_status_q == STATUS_OK;
  assign shared_by_o = by_q;
  assign counter_read_o = own_q && state_q == Fetch;
  assign counter_index_o = 3'(index_q - 6'd2);

endmodule
