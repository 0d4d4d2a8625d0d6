// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Prime-field unit: digit-serial arithmetic modulo any odd number given at run time, on up to 64
// registers.
//
//   mul              a * b * R^-1 mod m, R = 2^(DigitBits * s), s = ceil(32 * words_i / DigitBits)
//   add, sub, half   a + b, a - b, a / 2 mod m
//   and integer addition, subtraction, conditional addition, move, selection
//
// Parameters DigitBits in {16, 32, 64}. MaxWords (6..17): the longest element in words of 32 bits.
//            NumRegs, TightMemory: see eccel_gfp_file.
// Requires   m is odd; operands of mul, add, sub, half are in [0, m). words_i is in 6..MaxWords and
//            stable while an operation runs. op_i, sel_i, ra_i, rb_i are stable from the cycle
//            before valid_i until the operation is accepted. Register 0 or 1 holds m. Register 2
//            holds -m^-1 mod 2^64, in words 2 and 3 for register 0 and in words 4 and 5 for
//            register 1.
// Guarantees Results of mul, add, sub, half are in [0, m). Timing depends on the operations, their
//            registers and words_i only, never on data or on sel_i. Neither do addresses, but
//            for csel sel_i selects between those of ra and rb.
// Handshake  An operation is accepted in a cycle with valid_i and ready_o. done_o, with rd_o, comes
//            when the last digit of a result is on its way to the register file. Operations
//            complete in order.
// Interval   mul: s * T cycles; half: T; T = max(s + 1, 9). Every other operation:
//            max(d + 2, 9), d the number of its digits. With 64-bit digits 8 takes the place of 9.
// Latency    mul: (s - 1) * T + 2 s + 15 cycles from acceptance to done_o; 16 instead of 15 with
//            16-bit digits, 14 with 64-bit digits and s > 3. Other operations take less.
// After      Koc, Acar, Kaliski 1996 (CIOS). Differences: multiplication and reduction run on
//            separate multipliers in the same cycle; a third multiplier prepares the quotient digit
//            q_i = (t_0 + a_0 b_i) m' of the next row, m' = -m^-1; the final subtraction is a pass
//            over the result that overlaps with the first row of the next operation.
//
// One row of T cycles makes t <- (t + a * b_i + q_i * m) / 2^D, D = DigitBits; its cycle j works on
// digit j of t, a and m. Bound: t < 2m holds after every row, since a < m and b_i, q_i < 2^D:
// (2m + (2^D - 1)(m + m)) / 2^D <= 2m.

module eccel_gfp_cios
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords  = 17,
    parameter int NumRegs   = 64,
    parameter bit TightMemory = 1'b0,
    // The long length is 96 bits more than an element.
    localparam int MaxDigits = (32 * MaxWords + 96 + DigitBits - 1) / DigitBits,
    localparam int IndexBits = $clog2(MaxDigits + 1),
    localparam int AddrBits = 6 + IndexBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [4:0] words_i,   // length of an element in words of 32 bits
    input logic       mod_i,     // the modulus is in register 0 or 1
    input logic       mod_set_i, // take mod_i and fetch the constant -m^-1; only while idle_o

    input  logic       valid_i,
    output logic       ready_o,
    input  logic [3:0] op_i,   // operation code, see eccel_gfp_pkg::decode
    input  logic       sel_i,  // secret select bit of csel and cadd
    input  logic [5:0] rd_i,
    input  logic [5:0] ra_i,
    input  logic [5:0] rb_i,

    output logic       done_o,
    output logic [5:0] rd_o,
    output logic       idle_o,   // no operation is in flight
    output logic       zero_o,   // flags of the last operation, valid while idle_o
    output logic       carry_o,

    // Direct access to the register file, only while idle_o. Address: {register, digit}. A read,
    // with port_re_i, takes 2 cycles. port_wdata_i must be 0 without port_we_i.
    input  logic                 port_re_i,
    input  logic                 port_we_i,
    input  logic [ AddrBits-1:0] port_addr_i,
    input  logic [DigitBits-1:0] port_wdata_i,
    output logic [DigitBits-1:0] port_rdata_o
);

  localparam int KeepStage = keep_stage(DigitBits);

  typedef logic [IndexBits-1:0] index_t;
  typedef logic [DigitBits-1:0] word_t;

  logic clear, accept, is_long, active, prefetch, first_row, half;
  logic [5:0] rd;
  op_t op;
  index_t slot, digits, t_addr;
  logic [AddrBits-1:0] a_addr, b_addr;
  digit_t stage[0:SumStage+1];  // stage 0: the digit addressed in this cycle

  logic rf_we, write_first, writing;
  logic [AddrBits-1:0] rf_waddr;
  word_t rf_wdata;

  // ------------------------------------------------------------------ control

  eccel_gfp_hazard u_hazard (
      .clk_i,
      .rst_ni,
      .ra_i,
      .rb_i,
      .accept_i     (accept),
      .rd_i,
      .is_long_i    (is_long),
      .write_first_i(write_first),
      .writing_i    (writing),
      .clear_o      (clear),
      .idle_o
  );

  eccel_gfp_schedule #(
      .DigitBits(DigitBits),
      .IndexBits(IndexBits)
  ) u_schedule (
      .clk_i,
      .rst_ni,
      .words_i,
      .valid_i,
      .ready_o,
      .op_i,
      .sel_i,
      .rd_i,
      .ra_i,
      .rb_i,
      .clear_i    (clear),
      .accept_o   (accept),
      .is_long_o  (is_long),
      .active_o   (active),
      .digit_o    (stage[0]),
      .op_o       (op),
      .rd_o       (rd),
      .slot_o     (slot),
      .digits_o   (digits),
      .prefetch_o (prefetch),
      .first_row_o(first_row),
      .half_o     (half),
      .a_addr_o   (a_addr),
      .b_addr_o   (b_addr),
      .t_addr_o   (t_addr)
  );

  for (genvar k = 1; k <= SumStage + 1; k++) begin : gen_stage
    digit_t digit_q;
    always_ff @(posedge clk_i) begin
      digit_q <= stage[k-1];
      if (!rst_ni) digit_q <= '0;
    end
    assign stage[k] = digit_q;
  end

  // ------------------------------------------------------------------ registers and modulus

  word_t a_digit, b_digit, m_digit;
  logic mod_q;
  logic [2:0] mod_set_q;

  always_ff @(posedge clk_i) begin
    mod_set_q <= {mod_set_q[1:0], mod_set_i};
    if (mod_set_i) mod_q <= mod_i;
    if (!rst_ni) begin
      mod_q     <= 1'b0;
      mod_set_q <= '0;
    end
  end

  eccel_gfp_file #(
      .DigitBits  (DigitBits),
      .MaxDigits  (MaxDigits),
      .NumRegs    (NumRegs),
      .TightMemory(TightMemory)
  ) u_file (
      .clk_i,
      .we_i    (rf_we),
      .waddr_i (rf_waddr),
      .wdata_i (rf_wdata),
      // In between the modulus is read, which is public: after a selection the port may still
      // address its result, which may be what was read before.
      .a_addr_i(active ? a_addr : port_re_i ? port_addr_i : '0),
      .b_addr_i(b_addr),
      // While no row runs: the constant of the modulus, word 2 or 4 of register 2.
      .m_addr_i(active ? {1'b0, mod_q, slot} : {2'd2, index_t'(mod_q ? 128 / DigitBits : 64 / DigitBits)}),
      .a_o     (a_digit),
      .b_o     (b_digit),
      .m_o     (m_digit)
  );

  assign port_rdata_o = a_digit;

  // ------------------------------------------------------------------ rows

  word_t b_next, quotient, t_digit, sum, m_delayed, t, d;
  logic top, corr_carry, pair_we;
  index_t pair_addr;

  eccel_gfp_quotient #(
      .DigitBits(DigitBits)
  ) u_quotient (
      .clk_i,
      .rst_ni,
      .prefetch_i (prefetch),
      .first_row_i(first_row),
      .half_i     (half),
      .digit_i    (b_digit),
      .single_i   (stage[1].first && !op.is_mul),
      .minv_set_i (mod_set_q[2]),
      .minv_i     (m_digit),
      .t_i        (sum),
      .b_o        (b_next),
      .q_o        (quotient)
  );

  eccel_gfp_row #(
      .DigitBits(DigitBits)
  ) u_row (
      .clk_i,
      .stage_i   (stage),
      .a_i       (a_digit),
      .m_i       (m_digit),
      .b_i       (b_next),
      .q_i       (quotient),
      .t_i       (t_digit),
      .y_i       (b_digit),
      .sum_o     (sum),
      .m_o       (m_delayed),
      .top_o     (top)
  );

  eccel_gfp_correct #(
      .DigitBits(DigitBits),
      .IndexBits(IndexBits)
  ) u_correct (
      .clk_i,
      .stage_i    (stage),
      .sum_i      (sum),
      .m_i        (m_delayed),
      .pair_we_o  (pair_we),
      .pair_addr_o(pair_addr),
      .t_o        (t),
      .d_o        (d),
      .carry_o    (corr_carry)
  );

  eccel_ram #(
      .Width(DigitBits),
      .Depth(1 << IndexBits)
  ) u_t (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (pair_we),
      .waddr_i(pair_addr),
      .wdata_i(t),
      .raddr_i(t_addr),
      .rdata_o(t_digit)
  );

  // ------------------------------------------------------------------ result

  // The pass reads digit 0 while the choice is made. It must not read the last pair before that is
  // written: with three digits it starts one cycle later.
  logic start;
  assign start = DigitBits == 64 && digits == 3 ? stage[KeepStage-1].finish : stage[KeepStage-2].finish;

  eccel_gfp_final_pass #(
      .DigitBits(DigitBits),
      .IndexBits(IndexBits)
  ) u_final_pass (
      .clk_i,
      .rst_ni,
      .finish_i    (stage[0].finish),
      .op_i        (op),
      .rd_i        (rd),
      .digits_i    (slot),
      .pair_we_i   (pair_we),
      .pair_addr_i (pair_addr),
      .t_i         (t),
      .d_i         (d),
      .start_i     (start),
      .choose_i    (stage[KeepStage].finish),
      .top_i       (top),
      .corr_carry_i(corr_carry),
      .port_we_i,
      .port_addr_i,
      .port_wdata_i,
      .rf_we_o     (rf_we),
      .rf_addr_o   (rf_waddr),
      .rf_wdata_o  (rf_wdata),
      .first_o     (write_first),
      .active_o    (writing),
      .done_o,
      .rd_o,
      .zero_o,
      .carry_o
  );

endmodule
