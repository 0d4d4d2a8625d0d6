// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// State of one thread: select bit B, previous bit or sign P, digit X, and how the thread's job
// ended.
//
// Parameters Lockstep: 0 for an engine with one thread, whose program branches on flags (signed
//            windows by ldd); 1 for threads that run in lock step (odd windows by ldw, comparison
//            of X, a status of the thread's own by fail).
// Requires   step_i.is and step_i.instr do not change from phase operands to the cycle after the
//            last one of phase execute or answer. zero_i and carry_i are valid one cycle before the
//            last cycle of execute, in lock step in that cycle. The mailbox word with bit count_i
//            is at mb_rdata_i in the cycle before phase answer; count_i does not change from that
//            cycle to the next one.
// Guarantees B, P, X and the status change as docs/isa.md says of each instruction. B affects only
//            P, B and, in lock step, flag_o and by fail the thread's status.
// Latency    setb takes effect in the next cycle; in lock step setb and fail take effect one cycle
//            later. setx takes effect two cycles after operands, a bit or digit two cycles after
//            answer.

module eccel_thread_flags
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::*;
#(
    parameter bit Lockstep = 1'b0
) (
    input logic clk_i,

    input step_t step_i,
    input logic  due_i,  // bit_o is of a digit of the comb: P = NOT bit (Lockstep)

    input logic zero_i,
    input logic carry_i,

    input logic [ 4:0] count_i,
    input logic [31:0] mb_rdata_i,

    output logic       bit_o,     // bit count_i of the mailbox word of two cycles ago
    output logic       b_o,
    output logic [3:0] x_o,
    output logic       flag_o,    // the tested flag, a cycle late, in lock step two
    output logic [9:0] verdict_o  // without results; whether there is one, status
);

  logic b_q, p_q, flag_q;
  logic [3:0] x_q;
  logic [3:0] source;
  logic [WORD_BITS-1:0] instr;
  control_t is;
  logic sets, on_carry;  // on_carry: the instruction tests C, not Z

  assign instr    = step_i.instr;
  assign is       = step_i.is;
  assign source   = instr[F_SRC_LSB+:4];
  assign sets     = step_i.phase.execute && is.setb && !step_i.hold;
  assign on_carry = !Lockstep && is.br ? instr[F_COND_LSB] == COND_C[0] :
                    source inside {SETB_C, SETB_NOT_C, SETB_B_OR_C, SETB_B_AND_C};

  // ------------------------------------------------------------------ select bit

  logic b_new, setb, setp;

  if (Lockstep) begin : gen_lockstep
    // First step: which terms and which polarity; second step: their values in this thread.
    logic use_b_q, use_flag_q, use_p_q, use_x_q, x_is_q, not_in_q, not_out_q, own_q, setb_q, setp_q;
    logic [1:0] condition_q;

    always_ff @(posedge clk_i) begin
      condition_q <= is.br || is.mod ? instr[F_COND_LSB+:2] : {1'b0, on_carry};
      unique case (condition_q)
        COND_Z[1:0]: flag_q <= zero_i;
        COND_C[1:0]: flag_q <= carry_i;
        COND_B[1:0]: flag_q <= b_q;
        default:     flag_q <= x_q == 0;
      endcase
      setb_q     <= sets && source[3:1] != SETB_P_ZERO[3:1];
      setp_q     <= sets && source[3:1] == SETB_P_ZERO[3:1];
      use_p_q    <= source inside {SETB_P, SETB_NOT_P};
      use_x_q    <= source == SETB_X_IS;
      use_b_q    <= source inside {SETB_NOT_B, SETB_B_OR_C, SETB_B_OR_Z, SETB_B_AND_C, SETB_B_AND_Z};
      use_flag_q <= source inside {SETB_C, SETB_NOT_C, SETB_Z, SETB_NOT_Z, SETB_B_OR_C, SETB_B_OR_Z, SETB_B_AND_C,
                                   SETB_B_AND_Z};
      not_in_q   <= source inside {SETB_B_AND_C, SETB_B_AND_Z};
      not_out_q  <= source inside {SETB_ONE, SETB_NOT_C, SETB_NOT_Z, SETB_NOT_P, SETB_NOT_B, SETB_B_AND_C,
                                   SETB_B_AND_Z};
      x_is_q     <= x_q == instr[F_MATCH_LSB+:4];
      own_q      <= use_p_q && p_q || use_x_q && x_is_q;
    end
    assign setb  = setb_q;
    assign setp  = setp_q;
    assign b_new = not_out_q ^ (own_q || use_b_q && b_q != not_in_q || use_flag_q && flag_q != not_in_q);
  end else begin : gen_single
    // What setb makes of B for either value of the flag. An OR of products: a selection would
    // become a reset with a long way.
    logic if_clear_q, if_set_q, sets_p_q, certain;

    assign certain = source == SETB_ONE || source == SETB_P && p_q || source == SETB_NOT_P && !p_q ||
                     source == SETB_NOT_B && !b_q;

    always_ff @(posedge clk_i) begin
      flag_q     <= on_carry ? carry_i : zero_i;
      sets_p_q   <= source[3:1] == SETB_P_ZERO[3:1];
      if_set_q   <= certain || (source inside {SETB_C, SETB_Z, SETB_B_OR_C, SETB_B_OR_Z}) ||
                    (source inside {SETB_B_AND_C, SETB_B_AND_Z}) && b_q;
      if_clear_q <= certain || (source inside {SETB_NOT_C, SETB_NOT_Z}) ||
                    (source inside {SETB_B_OR_C, SETB_B_OR_Z}) && b_q;
    end
    assign setb  = sets && !sets_p_q;
    assign setp  = sets && sets_p_q;
    assign b_new = flag_q ? if_set_q : if_clear_q;
  end

  // ------------------------------------------------------------------ bits and digits of a slot

  logic is_nibble, is_digit, is_window, bit_read, digit_due, digit_sign;
  logic took_nibble_q, took_window_q, took_digit_q, took_bit_q, setx_q;
  logic [7:0] byte_q;
  logic [3:0] nibble;
  logic [2:0] digit_window;

  always_ff @(posedge clk_i) begin
    byte_q   <= mb_rdata_i[{count_i[4:3], 3'b000}+:8];
    nibble   <= byte_q[{count_i[2], 2'b00}+:4];
    bit_read <= byte_q[count_i[2:0]];
  end
  assign is_nibble = instr[F_OP_LSB];  // ldx and ldw are odd, ldb even
  assign is_window = Lockstep && is_nibble && instr[F_MODE_LSB];
  assign is_digit  = !Lockstep && instr[F_MODE_LSB+:2] == LDB_DIGIT;

  always_ff @(posedge clk_i) begin
    took_nibble_q <= step_i.phase.answer && is_nibble && !is_window;
    took_window_q <= step_i.phase.answer && is_window;
    took_digit_q  <= step_i.phase.answer && !is_nibble && is_digit;
    took_bit_q    <= step_i.phase.answer && !is_nibble && !is_digit;
    setx_q        <= step_i.phase.operands && is.sys && instr[F_FN_LSB+:3] == SYS_SETX;
  end

  if (Lockstep) begin : gen_no_recoder
    assign {digit_due, digit_sign, digit_window} = '0;
  end else begin : gen_recoder
    eccel_recoder u_recoder (
        .clk_i,
        .clear_i (setx_q),
        .step_i  (took_digit_q),
        .bit_i   (bit_read),
        .due_o   (digit_due),
        .sign_o  (digit_sign),
        .window_o(digit_window)
    );
  end

  always_ff @(posedge clk_i) begin
    if (setb) b_q <= b_new;
    if (setp) p_q <= instr[0];
    if (took_digit_q) begin
      b_q <= digit_due;
      p_q <= digit_sign;
    end
    if (took_bit_q) begin
      b_q <= bit_read ^ (instr[F_MODE_LSB] ? p_q : instr[F_MODE_LSB+1]);
      if (instr[F_MODE_LSB]) p_q <= bit_read;
    end
    if (took_window_q) p_q <= !nibble[3];
    if (Lockstep && due_i) p_q <= !bit_read;
    if (took_nibble_q || took_window_q || took_digit_q || setx_q)
      x_q <= (nibble & {4{took_nibble_q}}) | ({digit_window, 1'b0} & {4{took_digit_q}}) |
             ({1'b0, nibble[2:0] ^ {3{!nibble[3]}}} & {4{took_window_q}}) | (instr[F_ARG_LSB+:4] & {4{setx_q}});
  end

  assign bit_o  = bit_read;
  assign b_o    = b_q;
  assign x_o    = x_q;
  assign flag_o = flag_q;

  // ------------------------------------------------------------------ status of the thread

  if (Lockstep) begin : gen_verdict
    logic fail_q;
    logic [9:0] verdict_q;
    always_ff @(posedge clk_i) begin
      fail_q <= step_i.phase.execute && is.mod && !step_i.hold;  // fail has the code of mod
      if (fail_q && flag_q != instr[F_INVERT_LSB] && !verdict_q[8]) begin
        verdict_q <= {instr[F_VERDICT_LSB+:8] != STATUS_INFINITY, 1'b1, instr[F_VERDICT_LSB+:8]};
      end
      if (step_i.phase.halt) verdict_q <= '0;
    end
    assign verdict_o = verdict_q;
  end else begin : gen_no_verdict
    assign verdict_o = '0;
  end

endmodule
