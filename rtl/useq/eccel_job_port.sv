// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Job port: request packets into the mailbox, one response packet for each.
//
// Requires   the sequencer answers start_o with one finish_i; it does not write the mailbox while this unit does
//            (mb_we_o is high only before start_o).
// Guarantees every packet that ends (req_last_i) gets exactly one response with its tag, in order. Operand e is in mailbox
//            slot e when start_o comes. Framing, flags and curve id are checked here; the first error found is answered.
// Zeroise    is passed to the sequencer when no response is under way: a job in progress ends with ZEROISED, a packet being
//            received is drained and answered with ZEROISED.
// Latency    start_o 1 cycle behind the last word; first response word 1 cycle behind finish_i.

module eccel_job_port
  import eccel_isa_pkg::*;
#(
    parameter int MaxWords = 17
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

    // mailbox
    output logic        mb_we_o,
    output logic [ 8:0] mb_waddr_o,
    output logic [31:0] mb_wdata_o,
    output logic        mb_read_o,
    output logic [ 8:0] mb_raddr_o,
    input  logic [31:0] mb_rdata_i,

    // sequencer
    input  logic       zeroise_i,
    output logic       start_o,     // run the job
    output logic       wipe_o,      // run the zeroise handler instead of, or out of, any job
    input  logic       finish_i,
    input  logic [7:0] status_i,
    input  logic [3:0] results_i,
    output logic [5:0] op_o,
    output logic [3:0] flags_o,
    output logic [3:0] elements_o,
    output logic [4:0] words_o,     // W of the packet
    input  logic       loaded_i,    // a curve is loaded
    input  logic [4:0] curve_words_i,
    input  logic [7:0] curve_i,
    output logic [7:0] curve_o,
    output logic       busy_o
);

  typedef enum logic [3:0] {
    Header0, Header1, Operands, Drain, Start, Run, Wiping, Respond0, Respond1, Fetch0, Fetch1, Results
  } state_e;

  state_e state_q;
  logic [7:0] op_q, curve_q, status_q, left_q;
  logic [15:0] tag_q;
  logic [3:0] flags_q, element_q, results_q;
  logic [4:0] words_q, word_q;
  logic zeroise_q, take, sends, word_last, wants_curve, bad_length, in_packet_q;

  assign take = req_valid_i && req_ready_o;
  assign sends = rsp_valid_o && rsp_ready_i;
  assign word_last = word_q == words_q - 1'b1;
  assign wants_curve = op_q != JOB_CURVE_LOAD && op_q != JOB_ZEROISE;
  assign bad_length = req_last_i != (req_data_i[15:0] == 0) || req_data_i[15:8] != 0 ||
      req_data_i[28:24] > 5'(MaxWords) || req_data_i[28:24] < 5'(MIN_WORDS) || req_data_i[31:29] != 0 ||
      wants_curve && loaded_i && req_data_i[28:24] != curve_words_i;

  assign req_ready_o = state_q inside {Header0, Header1, Operands, Drain} && !zeroise_q;

  always_ff @(posedge clk_i) begin
    zeroise_q <= zeroise_q | zeroise_i;
    unique case (state_q)
      Header0: begin
        {tag_q, curve_q, op_q} <= req_data_i;
        element_q <= '0;
        word_q    <= '0;
        results_q <= '0;
        if (zeroise_q) begin
          state_q   <= Wiping;
          zeroise_q <= 1'b0;
        end else if (take) begin
          status_q <= STATUS_BAD_LENGTH;
          state_q  <= req_last_i ? Respond0 : Header1;
        end
      end
      Header1: begin
        left_q  <= req_data_i[7:0];
        flags_q <= req_data_i[19:16];
        words_q <= req_data_i[28:24];
        if (take) begin
          if (bad_length) state_q <= req_last_i ? Respond0 : Drain;
          else if (req_data_i[23:20] != 0 || op_q[7:6] != 0 || op_q[5:4] == 2'b11 || op_q == JOB_ZEROISE_INPUT) begin
            status_q <= STATUS_BAD_OP;
            state_q  <= req_last_i ? Respond0 : Drain;
          end else if (wants_curve && (!loaded_i || curve_q != curve_i)) begin
            status_q <= STATUS_BAD_CURVE;
            state_q  <= req_last_i ? Respond0 : Drain;
          end else state_q <= req_last_i ? Start : Operands;
        end
      end
      Operands: begin
        if (take) begin
          left_q <= left_q - 1'b1;
          word_q <= word_last ? '0 : word_q + 1'b1;
          if (word_last) element_q <= element_q + 1'b1;
          if (req_last_i) state_q <= left_q == 1 && word_last ? Start : Respond0;
          else if (left_q == 1 || (element_q == 4'(MAX_ELEMENTS - 1) && word_last)) state_q <= Drain;
        end
      end
      Drain: if (take && req_last_i) state_q <= Respond0;
      Start: state_q <= Run;
      Run: begin
        if (finish_i) begin
          status_q  <= status_i;
          results_q <= results_i;
          zeroise_q <= 1'b0;  // the handler has run, or runs before the next job
          state_q   <= zeroise_q && status_i != STATUS_ZEROISED ? Wiping : Respond0;
        end
      end
      Wiping: begin
        if (finish_i) begin
          zeroise_q <= 1'b0;
          results_q <= '0;
          state_q   <= in_packet_q ? Drain : Header0;
        end
      end
      Respond0: if (sends) state_q <= Respond1;
      Respond1: begin
        word_q    <= '0;
        element_q <= '0;
        if (sends) state_q <= results_q == 0 ? Header0 : Fetch0;
      end
      Fetch0: state_q <= Fetch1;
      Fetch1: state_q <= Results;
      Results: begin
        if (sends) begin
          word_q  <= word_last ? '0 : word_q + 1'b1;
          state_q <= rsp_last_o ? Header0 : Fetch0;
          if (word_last) element_q <= element_q + 1'b1;
        end
      end
      default: state_q <= Header0;
    endcase
    // A packet being received when zeroise comes is drained and answered.
    if (zeroise_q && state_q inside {Header1, Operands, Drain}) begin
      zeroise_q   <= 1'b0;
      in_packet_q <= 1'b1;
      status_q    <= STATUS_ZEROISED;
      state_q     <= Wiping;
    end
    if (state_q == Header0) in_packet_q <= 1'b0;
    if (!rst_ni) begin
      state_q     <= Header0;
      op_q        <= '0;
      zeroise_q   <= 1'b0;
      in_packet_q <= 1'b0;
    end
  end

  assign start_o = state_q == Start;
  // Held until the sequencer has run the handler; out of Run it aborts the job.
  assign wipe_o  = state_q == Wiping || state_q == Run && zeroise_q;

  assign mb_we_o    = state_q == Operands && take;
  assign mb_waddr_o = {element_q, word_q};
  assign mb_wdata_o = req_data_i & {32{state_q == Operands}};
  assign mb_read_o  = state_q inside {Fetch0, Fetch1, Results};
  assign mb_raddr_o = {element_q, word_q};

  assign rsp_valid_o = state_q inside {Respond0, Respond1, Results};
  assign rsp_last_o  = state_q == Respond1 && results_q == 0 ||
                       state_q == Results && word_last && element_q == results_q - 1'b1;
  always_comb begin
    unique case (state_q)
      Respond0: rsp_data_o = {tag_q, op_q, status_q};
      Respond1: rsp_data_o = 32'(results_q[0] ? words_q : 5'd0) + 32'(results_q[1] ? {words_q, 1'b0} : 6'd0);
      default:  rsp_data_o = mb_rdata_i;
    endcase
  end

  assign op_o = op_q[5:0];
  assign flags_o = flags_q;
  assign elements_o = element_q;
  // Wiping covers the largest element; W of the packet does not count.
  logic [4:0] words_out_q;
  always_ff @(posedge clk_i) begin
    words_out_q <= state_q == Wiping || op_q == JOB_ZEROISE ? 5'(MaxWords) : words_q;
  end
  assign words_o = words_out_q;
  assign curve_o = curve_q;
  assign busy_o = state_q != Header0;

endmodule
