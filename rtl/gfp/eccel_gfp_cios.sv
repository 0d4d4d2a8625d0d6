// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit-serial prime-field unit for any odd modulus given at run time.
//
//   mul   r = a * b * R^-1 mod m,  R = 2^(DigitBits * s),  s = ceil(32 * words_i / DigitBits)
//   add, sub, half mod m;  integer add, subtract, conditional add, move, select
//
// Parameters DigitBits in {16, 32, 64}; MaxWords (6..17). TightMemory: 1 registers lie at multiples of 8 digits, not of a
//            power of two: fewer blocks where these are small and deep memories are made of many (iCE40); elsewhere it
//            only adds a multiplexer.
// Requires   m odd, operands of mul, add, sub, half in [0, m); words_i in 6..MaxWords, stable while an operation runs.
//            op_i, sel_i, ra_i, rb_i are stable from the cycle before valid_i on until they are accepted.
//            Register 0 or 1 holds m, register 2 the element `par` of CURVE_LOAD with -m^-1 mod 2^64 in words 2 and 4.
// Guarantees r in [0, m) for mul, add, sub, half. Timing and addresses depend on the operation and words_i only.
// Handshake  valid/ready; done_o with rd_o when the last digit of a result enters the write port, in order.
// Interval   mul s * T, single-row operations T (T + 1 when they need both read ports), T = max(s + 1, 9)
//            (8 for 64-bit digits)
// Latency    mul (s - 1) * T + 2 s + 15 cycles (16 for 16-bit digits, 14 for 64-bit ones, s > 3) from acceptance to done_o,
//            the rest less
// After      Koc, Acar, Kaliski 1996 (CIOS). Differences: multiplication and reduction run on separate multipliers in
//            the same cycle; a third one prepares the quotient digit m_i = (t_0 + a_0 b_i) m' of the next row; the final
//            subtraction is a pass over the result that overlaps with the first row of the next operation.
//
// One row of T cycles:   t <- (t + a * b_i + m_i * m) / 2^DigitBits      digit j of everything in cycle j
// Bound: t < 2m holds after every row, since a < m and b_i, m_i < 2^DigitBits: (2m + (2^D - 1)(m + m)) / 2^D <= 2m.

module eccel_gfp_cios
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords  = 17,
    parameter int NumRegs   = 64,
    parameter bit TightMemory = 1'b0,
    localparam int IndexBits = $clog2((32 * MaxWords + 96 + DigitBits - 1) / DigitBits + 1),
    localparam int AddrBits = 6 + IndexBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [4:0] words_i,  // element words W
    input logic       mod_i,    // modulus: 0 = register 0, 1 = register 1
    input logic       mod_set_i,  // latch mod_i and fetch the constant -m^-1; only while idle_o

    input  logic       valid_i,
    output logic       ready_o,
    input  logic [3:0] op_i,   // operation code of eccel_gfp_pkg::decode
    input  logic       sel_i,  // secret select bit of csel and cadd
    input  logic [5:0] rd_i,
    input  logic [5:0] ra_i,
    input  logic [5:0] rb_i,

    output logic       done_o,
    output logic [5:0] rd_o,
    output logic       idle_o,   // nothing in flight
    output logic       zero_o,   // flags of the last operation, valid while idle_o
    output logic       carry_o,

    // direct access to the register file, only while idle_o; read latency 2 cycles; port_wdata_i = 0 without port_we_i
    input  logic                 port_we_i,
    input  logic [ AddrBits-1:0] port_addr_i,
    input  logic [DigitBits-1:0] port_wdata_i,
    output logic [DigitBits-1:0] port_rdata_o
);

  // Stages, in cycles behind the address of a digit: digits of the products, their sum and that of the row, registered.
  localparam int ProdStage = DigitBits == 64 ? 6 : 5;
  localparam int RowStage = 6;
  localparam int SumStage = 7;
  // The final choice between t and t corrected. With 16-bit digits the carry that decides has a register in front of it.
  localparam int KeepStage = DigitBits == 16 ? SumStage + 1 : SumStage;
  localparam int PrefetchSlot = SumStage - 5;  // b_i, then a_0 of the next row are read from here on
  localparam int EndSlot = DigitBits == 64 ? 7 : 8;  // no row ends before this slot
  localparam int LongDigits = (96 + DigitBits - 1) / DigitBits;

  typedef logic [IndexBits-1:0] index_t;
  typedef logic [DigitBits-1:0] word_t;

  // Register file address from {register, digit}. Tight: {digit / 8, register, digit % 8}, which leaves out the digits
  // that no register has. The highest digit read is the second one behind the long length.
  localparam int Eighths = ((32 * MaxWords + 96 + DigitBits - 1) / DigitBits + 2 + 7) / 8;
  localparam int FileDepth = TightMemory ? 8 * Eighths * NumRegs : NumRegs << IndexBits;
  localparam int FileBits = $clog2(FileDepth);
  typedef logic [FileBits-1:0] file_t;

  function automatic file_t in_file(logic [AddrBits-1:0] address);
    logic [5:0] register;
    index_t digit;
    {register, digit} = address;
    return TightMemory ? file_t'({digit >> 3, register, digit[2:0]}) : file_t'(address);
  endfunction

  // ------------------------------------------------------------------ control

  // What the next cycle will be is compared one cycle ahead, so that control starts from flip-flops.
  index_t s_q, top_short_q, near_short_q, near_long_q;  // digits of an element, slots before digit s, from words_i
  index_t slot_q, slot_next, dig_q, dig_next, row_q, row_next, row_next_q;
  index_t near_top_q;  // two slots before digit s
  op_t offered, op_q, cur_op_q, nxt_op_q;
  logic [5:0] cur_rd_q, cur_ra_q, cur_rb_q, nxt_rd_q, nxt_ra_q, nxt_rb_q;
  logic active_q, nxt_valid_q, lead_in_q;  // lead_in: prefetch for the first row, nothing streams
  logic free_q, settle_q;  // empty and accepting; the last digit of y is still being read
  logic top_next_q, past_q;  // before, behind digit s of the row
  logic slot0_q, slot1_q, at_top_q, row_end_q;  // first and second cycle of a row, digit s, last cycle
  logic late_q;  // from slot EndSlot - 1 on
  logic first_row_q, last_row_q, second_last_q;
  logic prefetch_q;
  logic switch_q;  // lead-in or last row: the next one is another operation's
  logic closing, accept, enter, long_wait_q, chain_q, chain_single, chain_single_q, top;
  logic [1:0] pending_q, pending;  // operations accepted whose result is not yet being written
  logic [1:0] hazard_q;  // of the last operation, of the one before it or a long one
  logic [5:0] last_rd_q, before_rd_q;  // where the last operation and the one before it write
  logic write_first, fp_active;
  digit_t dig0;
  digit_t st_q[1:SumStage+1];

  assign offered = decode(op_i, sel_i);

  // Element sizes change between jobs only: what follows from them is registered.
  always_ff @(posedge clk_i) begin
    s_q          <= index_t'((32 * int'(words_i) + DigitBits - 1) / DigitBits);
    top_short_q  <= s_q - index_t'(1);
    near_short_q <= s_q - index_t'(2);
    near_long_q  <= s_q + index_t'(LongDigits - 2);
    op_q         <= offered;
  end

  eccel_inc #(.Width(IndexBits)) u_inc_slot (.d_i(slot_q), .q_o(slot_next));
  eccel_inc #(.Width(IndexBits)) u_inc_dig (.d_i(dig_q), .q_o(dig_next));
  eccel_inc #(.Width(IndexBits)) u_inc_row (.d_i(row_q), .q_o(row_next));

  assign top = active_q && at_top_q;

  // Results and operands both move digit 0 first, one digit a cycle: an operation may start when digit 0 of its operands
  // is being written. An operation three back has come that far in any case; a long one is waited for.
  assign pending = pending_q - 2'(write_first);
  always_ff @(posedge clk_i) begin
    hazard_q[0] <= pending != 0 && (last_rd_q == ra_i || last_rd_q == rb_i);
    hazard_q[1] <= pending[1] && (before_rd_q == ra_i || before_rd_q == rb_i) ||
                   long_wait_q && (pending_q != 0 || fp_active);
  end

  // The next operation is taken in the last row: a product just before the prefetch of what would be the next row, a
  // single-row operation, which has no prefetch, until the shortest row ends. The operation stands a cycle before it is
  // valid, so that its kind and what the row allows are one flip-flop.
  assign chain_single = active_q && last_row_q && !cur_op_q.is_long && (slot0_q || chain_single_q && !late_q);
  always_ff @(posedge clk_i) begin
    chain_single_q <= chain_single;
    chain_q        <= chain_single && !nxt_valid_q && !offered.is_long && (slot0_q || !offered.is_mul);
  end
  assign ready_o = hazard_q == 0 && (free_q || chain_q);
  assign accept  = valid_i && ready_o;
  assign enter   = valid_i && hazard_q == 0 && free_q;  // accepted by the empty unit

  assign closing   = row_end_q && switch_q && !nxt_valid_q;

  always_ff @(posedge clk_i) begin
    slot_q     <= slot_next;
    row_next_q <= row_next;
    if (!slot0_q || cur_op_q.is_mul) dig_q <= dig_next;
    if (top) past_q <= 1'b1;
    slot0_q       <= row_end_q;
    slot1_q       <= active_q && slot0_q;
    prefetch_q    <= slot1_q;
    top_next_q    <= slot_q == near_top_q;
    at_top_q      <= top_next_q;
    late_q        <= late_q || slot_q == index_t'(EndSlot - 2);
    // A row has s + 1 digits; a single-row operation reads y on the port of the prefetch and needs one cycle more.
    row_end_q     <= late_q && (lead_in_q || active_q && (past_q || at_top_q || top_next_q && cur_op_q.is_mul));
    second_last_q <= row_next_q == top_short_q;
    settle_q      <= closing && !cur_op_q.is_mul;
    if (settle_q || closing && cur_op_q.is_mul) free_q <= 1'b1;
    if (row_end_q) begin
      slot_q      <= '0;
      dig_q       <= '0;
      past_q      <= 1'b0;
      row_q       <= row_next_q;
      first_row_q <= 1'b0;
      last_row_q  <= second_last_q;
      switch_q   <= second_last_q;
      lead_in_q   <= 1'b0;
      top_next_q  <= 1'b0;
      at_top_q    <= 1'b0;
      late_q      <= 1'b0;
      row_end_q   <= 1'b0;
      if (switch_q) begin
        row_q        <= '0;
        first_row_q  <= 1'b1;
        last_row_q   <= !nxt_op_q.is_mul || nxt_op_q.is_half;
        switch_q    <= !nxt_op_q.is_mul || nxt_op_q.is_half;
        active_q     <= nxt_valid_q;
        nxt_valid_q  <= 1'b0;
        cur_op_q     <= nxt_op_q;
        cur_rd_q     <= nxt_rd_q;
        cur_ra_q     <= nxt_ra_q;
        cur_rb_q     <= nxt_rb_q;
        near_top_q   <= nxt_op_q.is_long ? near_long_q : near_short_q;
      end
    end
    if (accept) begin
      nxt_op_q    <= op_q;
      nxt_rd_q    <= rd_i;
      nxt_ra_q    <= ra_i;
      nxt_rb_q    <= rb_i;
      nxt_valid_q <= 1'b1;
      last_rd_q   <= rd_i;
      before_rd_q <= last_rd_q;
      long_wait_q <= op_q.is_long;
    end
    if (enter) begin
      free_q     <= 1'b0;
      switch_q  <= 1'b1;
      lead_in_q  <= 1'b1;
      slot_q     <= index_t'(PrefetchSlot);
      late_q     <= 1'b0;
      prefetch_q <= op_q.is_mul;
      row_end_q  <= !op_q.is_mul;
    end
    pending_q <= pending + 2'(accept);
    if (!rst_ni) begin
      active_q    <= 1'b0;
      nxt_valid_q <= 1'b0;
      lead_in_q   <= 1'b0;
      free_q      <= 1'b1;
      settle_q    <= 1'b0;
      row_end_q   <= 1'b0;
      slot1_q     <= 1'b0;
      prefetch_q  <= 1'b0;
      long_wait_q <= 1'b0;
      pending_q   <= '0;
    end
  end

  assign idle_o = pending_q == 0 && !fp_active;

  always_comb begin
    dig0         = '0;
    dig0.valid   = active_q && !past_q;
    dig0.first   = active_q && slot0_q;
    dig0.top     = top;
    dig0.finish  = top && last_row_q;
    dig0.reduce  = dig0.valid && cur_op_q.is_mul && !top;
    dig0.product = dig0.reduce || dig0.valid && !dig0.first && !cur_op_q.is_mul;
    dig0.y_en    = dig0.valid && !dig0.first && cur_op_q.y_en;
    dig0.t_en    = dig0.reduce && !first_row_q;
    dig0.t_top   = top && cur_op_q.is_mul && !first_row_q;
    dig0.y_neg   = cur_op_q.y_neg;
    dig0.d_neg   = cur_op_q.d_neg;
  end

  always_ff @(posedge clk_i) begin
    st_q[1] <= dig0;
    for (int i = 2; i <= SumStage + 1; i++) st_q[i] <= st_q[i-1];
    if (!rst_ni) for (int i = 1; i <= SumStage + 1; i++) st_q[i] <= '0;
  end

  // ------------------------------------------------------------------ operands

  word_t a_digit, b_digit, m_digit;
  logic [AddrBits-1:0] addr_a, addr_b_q;
  logic [IndexBits+1:0] addr_m;
  index_t dig_dly_q[1:SumStage-4];  // address of t and, a cycle ahead of the port's register, of y
  logic [5:0] y_reg_q;
  logic mod_q;
  logic [2:0] mod_set_q;

  logic rf_we;
  logic [AddrBits-1:0] rf_waddr;
  word_t rf_wdata;

  always_ff @(posedge clk_i) begin
    dig_dly_q[1] <= dig_q;
    for (int i = 2; i <= SumStage - 4; i++) dig_dly_q[i] <= dig_dly_q[i-1];
    if (prefetch_q) y_reg_q <= cur_rb_q;

    // b_i, then a_0, of the next row: of the operation on offer while free and in a last row, else of this one.
    addr_b_q <= {y_reg_q, dig_dly_q[SumStage-5]};
    if (slot1_q) addr_b_q <= {cur_rb_q, row_next_q};
    if (free_q || slot1_q && last_row_q) addr_b_q <= {rb_i, index_t'(0)};
    if (prefetch_q) addr_b_q <= {switch_q ? nxt_ra_q : cur_ra_q, index_t'(0)};
    mod_set_q <= {mod_set_q[1:0], mod_set_i};
    if (mod_set_i) mod_q <= mod_i;
    if (!rst_ni) begin
      mod_q     <= 1'b0;
      mod_set_q <= '0;
    end
  end

  assign addr_a = active_q ? {cur_ra_q, dig_q} : port_addr_i;
  // idle: the constant of the modulus, word 2 or 4 of register 2
  assign addr_m = active_q ? {1'b0, mod_q, slot_q} : {2'd2, index_t'(mod_q ? 128 / DigitBits : 64 / DigitBits)};

  eccel_ram #(
      .Width(DigitBits),
      .Depth(FileDepth)
  ) u_regs_a (
      .clk_i,
      .we_i   (rf_we),
      .waddr_i(in_file(rf_waddr)),
      .wdata_i(rf_wdata),
      .raddr_i(in_file(addr_a)),
      .rdata_o(a_digit)
  );

  eccel_ram #(
      .Width(DigitBits),
      .Depth(FileDepth)
  ) u_regs_b (
      .clk_i,
      .we_i   (rf_we),
      .waddr_i(in_file(rf_waddr)),
      .wdata_i(rf_wdata),
      .raddr_i(in_file(addr_b_q)),
      .rdata_o(b_digit)
  );

  // Registers 0..3 again, on a read port of their own: the moduli and their constants.
  eccel_ram #(
      .Width(DigitBits),
      .Depth(4 << IndexBits)
  ) u_modulus (
      .clk_i,
      .we_i   (rf_we && rf_waddr[AddrBits-1:IndexBits+2] == 0),
      .waddr_i(rf_waddr[IndexBits+1:0]),
      .wdata_i(rf_wdata),
      .raddr_i(addr_m),
      .rdata_o(m_digit)
  );

  assign port_rdata_o = a_digit;

  // ------------------------------------------------------------------ digits of the next row

  word_t b_next, quotient, sum_q;
  logic [DigitBits:0] row_sum;

  eccel_gfp_quotient #(
      .DigitBits(DigitBits)
  ) u_quotient (
      .clk_i,
      .rst_ni,
      .prefetch_i (prefetch_q),
      .first_row_i(switch_q),
      .half_i     (nxt_op_q.is_half),
      .digit_i    (b_digit),
      .single_i   (st_q[1].first && !cur_op_q.is_mul),
      .x_en_i     (cur_op_q.x_en),
      .minv_set_i (mod_set_q[2]),
      .minv_i     (m_digit),
      .t_i        (DigitBits == 32 ? row_sum[DigitBits-1:0] : sum_q),
      .b_o        (b_next),
      .q_o        (quotient)
  );

  // ------------------------------------------------------------------ row sum, digit by digit

  word_t ab, qm, both, opb_q, t_digit, t_q, d_q;
  logic [DigitBits:0] both_sum, corr;
  word_t m_dly_q[3:SumStage+1];
  logic both_top, both_c, both_c_q, opb_carry, row_carry, row_in_q, corr_in_q, top_q;
  logic y_add_q, d_add_q;  // not y_neg, d_neg

  eccel_digit_mul #(
      .DigitBits(DigitBits)
  ) u_mul_ab (
      .clk_i,
      .a_clr_i(!st_q[2].product),
      .a_i    (a_digit),
      .b_en_i (st_q[2].first),
      .b_i    (b_next),
      .p_o    (ab)
  );

  // Digit-serial adders: one carry flip-flop each. No stage holds more than two; with 64 bits, where the multipliers need
  // one more, these are the two of the last.
  eccel_add #(
      .Width(DigitBits)
  ) u_add_both (
      .a_i  (ab),
      .b_i  (qm),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (both_c),
      .sum_o(both_sum)
  );

  if (DigitBits == 64) begin : gen_both
    assign both     = both_sum[DigitBits-1:0];
    assign both_top = both_sum[DigitBits];
    assign both_c   = both_c_q;
    always_ff @(posedge clk_i) both_c_q <= both_sum[DigitBits] && !st_q[ProdStage-1].first;
  end else begin : gen_both_reg
    always_ff @(posedge clk_i) begin
      both     <= both_sum[DigitBits-1:0];
      both_c_q <= both_sum[DigitBits];
    end
    assign both_top = both_c_q;
    assign both_c   = both_c_q && !st_q[ProdStage].first;
  end

  always_ff @(posedge clk_i) begin
    y_add_q  <= !st_q[RowStage-1].y_neg;
    d_add_q  <= !st_q[SumStage-1].d_neg;
    opb_q    <= (st_q[RowStage-1].t_en ? t_digit : '0) | (st_q[RowStage-1].y_en ? b_digit : '0);
    if (st_q[RowStage-1].t_top) opb_q <= word_t'(top_q);
  end

  if (DigitBits == 64) begin : gen_row_64
    // The quotient digit is used half by half, the upper one a cycle later: its sum and its way to the multipliers are
    // long. What the upper half contributes meets the row's operand first.
    logic [31:0] q_high_q;
    word_t high;
    logic [64:0] upper;
    logic row_c_q;
    eccel_digit_mul_skew u_mul_qm (
        .clk_i,
        .a_clr_i     (!st_q[2].reduce),
        .a_i         (m_digit),
        .b_en_i      (st_q[2].first),
        .b_i         (quotient[31:0]),
        .late_a_clr_i(!st_q[3].reduce),
        .late_a_i    (m_dly_q[3]),
        .late_b_en_i (st_q[3].first),
        .late_b_i    (q_high_q),
        .low_o       (qm),
        .high_o      (high)
    );
    eccel_add #(
        .Width(64)
    ) u_add_upper (
        .a_i  (high),
        .b_i  (opb_q),
        .add_i(y_add_q),
        .sub_i(st_q[RowStage].y_neg),
        .c_i  (row_in_q),
        .sum_o(upper)
    );
    eccel_add #(
        .Width(64)
    ) u_add_row (
        .a_i  (both),
        .b_i  (upper[63:0]),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (row_c_q),
        .sum_o(row_sum)
    );
    always_ff @(posedge clk_i) begin
      q_high_q <= quotient[63:32];
      row_c_q  <= row_sum[64] && !st_q[RowStage-1].first;
    end
    assign opb_carry = upper[64];
    assign row_carry = upper[64] | row_sum[64];
  end else begin : gen_row
    eccel_digit_mul #(
        .DigitBits(DigitBits)
    ) u_mul_qm (
        .clk_i,
        .a_clr_i(!st_q[2].reduce),
        .a_i    (m_digit),
        .b_en_i (st_q[2].first),
        .b_i    (quotient),
        .p_o    (qm)
    );
    eccel_add #(
        .Width(DigitBits)
    ) u_add_row (
        .a_i  (both),
        .b_i  (opb_q),
        .add_i(y_add_q),
        .sub_i(st_q[RowStage].y_neg),
        .c_i  (row_in_q),
        .sum_o(row_sum)
    );
    assign opb_carry = row_sum[DigitBits];
    assign row_carry = row_sum[DigitBits];
  end

  // Correction by the modulus, one digit behind: digit j of the result leaves with digit j + 1 of the row.
  logic second_q;

  eccel_add #(
      .Width(DigitBits)
  ) u_add_corr (
      .a_i  (sum_q),
      .b_i  (m_dly_q[SumStage+1]),
      .add_i(d_add_q),
      .sub_i(st_q[SumStage].d_neg),
      .c_i  (corr_in_q),
      .sum_o(corr)
  );

  always_ff @(posedge clk_i) begin
    sum_q <= row_sum[DigitBits-1:0];
    row_in_q <= st_q[RowStage-1].first ? st_q[RowStage-1].y_neg : opb_carry;
    if (st_q[RowStage].top) top_q <= both_top | row_carry;
    m_dly_q[3] <= m_digit;
    for (int i = 4; i <= SumStage + 1; i++) m_dly_q[i] <= m_dly_q[i-1];
    second_q <= st_q[SumStage].first;
    t_q <= sum_q;
    d_q <= corr[DigitBits-1:0];
    corr_in_q <= st_q[SumStage].first ? st_q[SumStage].d_neg : corr[DigitBits];
  end

  index_t t_waddr_q, t_waddr_next;
  logic sum_we;
  assign sum_we = st_q[SumStage+1].valid && !st_q[SumStage+1].first;
  eccel_inc #(.Width(IndexBits)) u_inc_t (.d_i(t_waddr_q), .q_o(t_waddr_next));
  always_ff @(posedge clk_i) begin
    t_waddr_q <= second_q ? '0 : t_waddr_next;
  end

  eccel_ram #(
      .Width(DigitBits),
      .Depth(1 << IndexBits)
  ) u_row (
      .clk_i,
      .we_i   (sum_we),
      .waddr_i(t_waddr_q),
      .wdata_i(t_q),
      .raddr_i(dig_dly_q[SumStage-4]),
      .rdata_o(t_digit)
  );

  // ------------------------------------------------------------------ final pass

  // Digit 0 is read while the choice is made. The pass must not overtake the writing of the last pair: with three digits
  // it starts a cycle later.
  logic fp_start;
  assign fp_start = DigitBits == 64 && s_q == 3 ? st_q[KeepStage-1].finish : st_q[KeepStage-2].finish;

  eccel_gfp_final_pass #(
      .DigitBits(DigitBits),
      .IndexBits(IndexBits)
  ) u_final_pass (
      .clk_i,
      .rst_ni,
      .finish_i    (dig0.finish),
      .op_i        (cur_op_q),
      .rd_i        (cur_rd_q),
      .digits_i    (slot_q),
      .pair_we_i   (sum_we),
      .pair_addr_i (t_waddr_q),
      .t_i         (t_q),
      .d_i         (d_q),
      .start_i     (fp_start),
      .choose_i    (st_q[KeepStage].finish),
      .top_i       (top_q),
      .corr_carry_i(KeepStage == SumStage ? corr[DigitBits] : corr_in_q),
      .port_we_i,
      .port_addr_i,
      .port_wdata_i,
      .rf_we_o     (rf_we),
      .rf_addr_o   (rf_waddr),
      .rf_wdata_o  (rf_wdata),
      .first_o     (write_first),
      .active_o    (fp_active),
      .done_o,
      .rd_o,
      .zero_o,
      .carry_o
  );

endmodule
