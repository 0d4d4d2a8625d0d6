// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Job port: writes request packets into the mailbox and sends one response packet for each.
//
// Parameters MinWords, MaxWords: range of W; Guarded: state and header are checked.
// Requires   The sequencer answers start_o with one finish_i. It uses the mailbox only while
//            mb_free_o.
// Guarantees Every packet that ends (req_i.last) gets exactly one response with its tag, in order.
//            Operand e is in mailbox slot e when start_o comes. The port checks framing, flags and
//            curve id and reports the first error it finds. Only KEY_LOAD and KEYGEN may have the
//            attributes of a key among their flags, and not HOST_NONCE together with RANDOM.
//            Operands may be secret: if the packet turns out to be malformed after they have begun,
//            start_o comes with 48 + bits 3..1 of the operation in job_o.op. There the program
//            wipes their slots and ends with BAD_LENGTH.
// Zeroise    reaches the sequencer when no response is being sent. A running job ends with
//            ZEROISED; a packet that is being received is drained and answered with ZEROISED. With
//            timeout_i a job that the handler ended is answered with TIMEOUT, with fault_i any
//            packet is answered with FAULT instead of ZEROISED. With Guarded, bad_o comes two
//            cycles after the state is none, and the port then zeroises; also after a bit of the
//            header of the job that runs, its tag apart, has changed.
// Latency    start_o comes 2 cycles after the last word (3 if that comes early), the first response
//            word 1 cycle after finish_i. The port accepts one operand word in four cycles and
//            sends one result word in four.

module eccel_job_port
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int MinWords = MIN_WORDS,
    parameter int MaxWords = 17,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    // mailbox
    output mailbox_t    mb_o,        // word and wdata are 0 while mb_free_o
    output logic        mb_free_o,   // the mailbox is the sequencer's
    input  logic [31:0] mb_rdata_i,

    // sequencer
    input  logic     zeroise_i,
    output logic     start_o,    // run the job
    output logic     wipe_o,     // run the zeroise handler instead of, or out of, any job
    output job_t     job_o,
    input  logic     finish_i,
    input  logic     wiped_i,    // the handler finishes
    input  outcome_t outcome_i,
    input  logic     timeout_i,  // stable in the cycle of finish_i
    input  logic     fault_i,    // the same
    output logic     bad_o,
    input  curve_t   curve_i,
    output logic     busy_o
);

  typedef enum logic [14:0] {  // one-hot
    Header0  = 15'h0001,
    Header1  = 15'h0002,
    Check0   = 15'h0004,
    Check1   = 15'h0008,
    Operands = 15'h0010,
    Drain    = 15'h0020,
    Start    = 15'h0040,
    Run      = 15'h0080,
    Wiping   = 15'h0100,
    Respond0 = 15'h0200,
    Respond1 = 15'h0400,
    Fetch0   = 15'h0800,
    Fetch1   = 15'h1000,
    Fetch2   = 15'h2000,
    Results  = 15'h4000
  } state_e;

  function automatic logic [31:0] sizes();
    logic [31:0] fits;
    for (int w = 0; w < 32; w++) fits[w] = w >= MinWords && w <= MaxWords;
    return fits;
  endfunction

  localparam logic [31:0] Sizes = sizes();  // a table is smaller than two comparisons
  localparam logic [3:0] LastElement = 4'(MAX_ELEMENTS - 1);

  state_e state_q;
  logic [7:0] op_q, curve_q, status_q, header_status;
  logic [15:0] tag_q, left_q;
  logic [7:0] flags_q, element_words_q;
  logic [3:0] element_q, element_next, results_q;
  logic [5:0] length_q;  // 0 but in Respond1
  logic [4:0] words_q, word_q, word_next;
  logic zeroise_q, take, took_q, last_q, settle_q, step_q, sends, word_last, left_one_q, exact_q, over_q;
  logic state_bad_q;
  logic wants_curve, wants_wipe, other_curve_q, bad_length_q, bad_words_q, bad_op_q, bad_curve_q, ended_q;
  // op_q is bad; op_q or the curve is; the rest of the header is, except for its length.
  logic bad_code_q, bad_start_q, bad_shape_q;
  logic open, in_packet_q;
  logic late;
  logic malformed_q;  // operands have come, but the packet has too many or too few words
  logic [31:0] wdata_q;
  logic [4:0] words_out_q;
  logic rsp_last, last_element_q, ready_q;

  assign open = state_q == Header0 || state_q == Header1 || state_q == Operands || state_q == Drain;
  assign take = req_i.valid && req_ready_o;
  assign sends = rsp_o.valid && rsp_ready_i;
  assign words_q = element_words_q[4:0];
  // A word is transferred in one of four cycles at most, so signals that follow from the position
  // are registered.
  always_ff @(posedge clk_i) begin
    word_last <= word_next == words_q;
    last_element_q <= element_next == results_q;
    rsp_last  <= state_q == Respond1 || state_q == Respond0 ? results_q == 0 : word_last && last_element_q;
    // A job has at most two results: never both bits.
    length_q  <= (6'(results_q[0] ? words_q : 5'd0) | (results_q[1] ? {words_q, 1'b0} : 6'd0)) &
                 {6{state_q == Respond1 || state_q == Respond0 && rsp_ready_i}};
    took_q     <= take && state_q == Operands;
    last_q     <= take && req_i.last;  // a cycle late: the input may come straight from a memory
    step_q     <= take && state_q == Operands || sends && state_q == Results;
    ready_q    <= open && !take && !took_q && !last_q && !settle_q && !zeroise_q && !zeroise_i;
    settle_q   <= took_q;
    exact_q    <= left_one_q && word_last;
    over_q     <= left_one_q || element_q == LastElement && word_last;
    wdata_q    <= state_q == Operands ? req_i.data : '0;
  end

  eccel_inc #(.Width(5)) u_inc_word (.d_i(word_q), .q_o(word_next));
  eccel_inc #(.Width(4)) u_inc_element (.d_i(element_q), .q_o(element_next));

  logic bad_words, bad_flags, sets_key_q;

  assign bad_flags = flags_q[7:JOB_FLAG_NO_SIGN] != 0 && !sets_key_q ||
                     flags_q[JOB_FLAG_HOST_NONCE] && flags_q[JOB_FLAG_RANDOM];
  assign bad_words = element_words_q[7:5] != 0 || !Sizes[words_q] ||
                     MinWords != MaxWords && wants_curve && curve_i.loaded && words_q != curve_i.words;

  // The header is checked from registers, in two cycles.
  always_ff @(posedge clk_i) begin
    wants_curve  <= op_q != JOB_CURVE_LOAD && op_q != JOB_ZEROISE;
    wants_wipe   <= op_q == JOB_ZEROISE;
    bad_length_q <= ended_q != (left_q[7:0] == 0) || left_q[15:8] != 0;
    bad_words_q  <= bad_words;
    // Other operations with these lower bits are unknown to all programs, which refuse them, too.
    sets_key_q   <= op_q[3:0] inside {JOB_KEY_LOAD[3:0], JOB_KEYGEN[3:0]};
    bad_shape_q  <= bad_words || bad_flags;
    bad_op_q     <= bad_code_q || bad_flags;
    bad_code_q   <= op_q[7:6] != 0 || op_q[5:4] == 2'b11 || op_q == JOB_ZEROISE_INPUT;
    other_curve_q <= curve_q != curve_i.id;  // the id has come with the word before
    bad_curve_q   <= wants_curve && (!curve_i.loaded || other_curve_q);
    bad_start_q   <= bad_code_q || bad_curve_q;  // both have come with the word before
  end

  assign req_ready_o = ready_q;  // never with zeroise_q

  // The status of the response. If the header has no error, the framing of the operands is checked
  // next. Masks replace a reset, which would have a long way to many registers.
  always_comb begin
    header_status = STATUS_BAD_LENGTH;
    if (!bad_length_q && !bad_words_q && (bad_op_q || bad_curve_q))
      header_status = bad_op_q ? STATUS_BAD_OP : STATUS_BAD_CURVE;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Header0 || state_q == Check1 || state_q == Run || state_q == Wiping) begin
      // The handler ends with ZEROISED, from which FAULT and TIMEOUT differ in one bit.
      status_q  <= ((outcome_i.status | {1'b0, fault_i, timeout_i && !fault_i, 5'b0}) & {8{state_q == Run}}) |
                   (STATUS_BAD_LENGTH & {8{state_q == Header0}}) |
                   (header_status & {8{state_q == Check1}}) |
                   ((STATUS_ZEROISED | {1'b0, fault_i, 6'b0}) & {8{state_q == Wiping}});
      results_q <= outcome_i.results & {4{state_q == Run}};
    end
  end

  always_ff @(posedge clk_i) begin
    // An open port passes the pulse on. When a job ends, by itself or by zeroise, the handler has
    // run or runs before the response; zeroise_q is then 0 unless a new pulse has come.
    zeroise_q <= (zeroise_q ? !open : zeroise_i) &&
                 !(finish_i && (state_q == Wiping || state_q == Run && !zeroise_i));
    if (step_q) begin
      word_q <= word_last ? '0 : word_next;
      if (word_last) element_q <= element_next;
    end
    unique case (state_q)
      Header0: begin
        {tag_q, curve_q, op_q} <= req_i.data;
        element_q  <= '0;
        word_q     <= '0;
        left_one_q <= 1'b0;
        if (take) state_q <= Header1;
        else if (zeroise_q) state_q <= Wiping;
      end
      Header1: begin
        left_q          <= req_i.data[15:0];
        flags_q         <= req_i.data[23:16];
        element_words_q <= req_i.data[31:24];
        ended_q         <= req_i.last;
        if (zeroise_q) state_q <= Wiping;
        else if (last_q) state_q <= Respond0;  // the packet had one word
        else if (take) state_q <= Check0;
      end
      Check0: state_q <= Check1;
      Check1: begin
        if (bad_length_q || bad_shape_q || bad_start_q) state_q <= ended_q ? Respond0 : Drain;
        else state_q <= ended_q ? Start : Operands;
      end
      Operands: begin
        if (took_q) begin
          left_q[7:0] <= left_q[7:0] - 1'b1;
          left_one_q  <= left_q[7:0] == 2;
        end
        if (zeroise_q) state_q <= Wiping;
        else if (last_q) state_q <= Start;
        else if (took_q && over_q) state_q <= Drain;
      end
      Drain: begin
        if (zeroise_q) state_q <= Wiping;
        else if (last_q) state_q <= malformed_q ? Start : Respond0;
      end
      Start: begin
        word_q  <= '0;  // a malformed packet may end inside an operand
        if (!late) state_q <= Run;
      end
      Run: begin
        ended_q <= 1'b1;
        if (finish_i) state_q <= zeroise_q && !wiped_i ? Wiping : Respond0;
      end
      Wiping: begin
        word_q <= '0;
        if (finish_i) state_q <= !in_packet_q ? Header0 : ended_q ? Respond0 : Drain;
      end
      Respond0: if (sends) state_q <= Respond1;
      Respond1: begin
        word_q    <= '0;
        element_q <= '0;
        if (sends) state_q <= results_q == 0 ? Header0 : Fetch0;
      end
      Fetch0: state_q <= Fetch1;
      Fetch1: state_q <= Fetch2;
      Fetch2: state_q <= Results;
      Results: if (sends) state_q <= rsp_o.last ? Header0 : Fetch0;
      default: state_q <= Wiping;
    endcase
    if (state_bad_q) state_q <= Wiping;
    if (state_q == Operands && (last_q && !exact_q || took_q && over_q && !last_q)) malformed_q <= 1'b1;
    if (state_q == Header0 || state_q == Wiping) malformed_q <= 1'b0;
    // A packet that is being received when zeroise comes is drained and answered. ended_q tells
    // whether its last word has come.
    if (state_q == Header1 || state_q == Operands || state_q == Drain) begin
      in_packet_q <= 1'b1;
      if (zeroise_q) ended_q <= last_q;
    end
    if (state_q == Header0) in_packet_q <= 1'b0;
    if (!rst_ni) begin
      state_q     <= Header0;
      op_q        <= '0;
      zeroise_q   <= 1'b0;
      in_packet_q <= 1'b0;
    end
  end

  // Of a one-hot state, a changed bit changes the parity. It is written so that synthesis still
  // sees a state machine. The header rests while a job runs.
  if (Guarded) begin : gen_guard
    logic rests_q, parity_q, kept_q, header_bad_q;
    always_ff @(posedge clk_i) begin
      state_bad_q  <= !(^{state_q == Header0, state_q == Header1, state_q == Check0, state_q == Check1,
                          state_q == Operands, state_q == Drain, state_q == Start, state_q == Run,
                          state_q == Wiping, state_q == Respond0, state_q == Respond1, state_q == Fetch0,
                          state_q == Fetch1, state_q == Fetch2, state_q == Results}) && rst_ni;
      rests_q      <= state_q == Run;
      parity_q     <= ^{op_q, flags_q, curve_q, element_words_q};
      kept_q       <= parity_q;
      header_bad_q <= rests_q && parity_q != kept_q;
      bad_o        <= state_bad_q || header_bad_q;
    end
  end else begin : gen_unguarded
    assign state_bad_q = 1'b0;
    assign bad_o = 1'b0;
  end

  // The sequencer fetches from job_o.op a clock before start_o.
  assign late = malformed_q && settle_q;
  assign start_o = state_q == Start && !late;
  // Held until the sequencer has run the handler; out of Run it aborts the job.
  // Before the first reset any state is possible.
  assign wipe_o  = (state_q == Wiping || state_q == Run && zeroise_q) && rst_ni;

  assign mb_free_o = state_q == Run || state_q == Wiping;
  // No word is accepted when the mailbox changes its user.
  assign mb_o = '{we: took_q, slot: element_q, word: word_q, wdata: wdata_q};

  assign rsp_o = '{
          valid: state_q == Respond0 || state_q == Respond1 || state_q == Results,
          last: rsp_last && !(state_q == Respond0),
          data: ({tag_q, op_q, status_q} & {32{state_q == Respond0}}) | (mb_rdata_i & {32{state_q == Results}}) |
                32'(length_q)
      };

  // Wiping covers the largest element; W of the packet does not count.
  always_ff @(posedge clk_i) begin
    words_out_q <= state_q == Wiping || wants_wipe ? 5'(MaxWords) : words_q;
  end
  assign job_o = '{
          op: {op_q[5:4] | {2{malformed_q}}, op_q[3:1], op_q[0] && !malformed_q},
          flags: flags_q,
          elements: element_q,
          words: words_out_q,
          curve: curve_q
      };
  assign busy_o = !(state_q == Header0);  // one bit of a one-hot state; != would be all others

endmodule
