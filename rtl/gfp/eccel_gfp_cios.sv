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
// Interval   mul s * T, single-row operations T (T + 1 when they need both read ports), T = max(s + 1, SumStage + 1)
// Latency    mul (s - 1) * T + 2 s + 15 (13 for 64-bit digits) cycles from acceptance to done_o, add and the rest less
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

  // Stages, in cycles behind the address of a digit: product at ProdStage, digit of the row sum at SumStage.
  localparam int ProdStage = DigitBits == 16 ? 4 : 5;
  localparam int SumStage = DigitBits == 64 ? 6 : 7;
  localparam int PrefetchSlot = SumStage - 5;  // b_i, then a_0 of the next row are read from here on
  localparam int QuotientDelay = 6;  // from the prefetch to the quotient's second product
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

  index_t s_q, s_long_q;  // digits of an element, of the long length
  index_t slot_q, slot_next, dig_q, dig_next, row_q, row_next, cur_top_q;
  op_t op_q, cur_op_q, nxt_op_q;
  logic [5:0] cur_rd_q, cur_ra_q, cur_rb_q, nxt_rd_q, nxt_ra_q, nxt_rb_q;
  logic active_q, nxt_valid_q, lead_in_q;  // lead_in: prefetch for the first row, nothing streams
  logic settle_q;  // the last digit of y is still being read
  logic past_q;  // behind digit s of the row
  logic at_top_q, at_end_q, at_prefetch_q;  // slot_q is digit s, SumStage, PrefetchSlot
  logic late_q;  // the quotient digit of the next row is under way: a row may end
  logic last_row, last_row_q, row_end, accept, long_wait_q, hazard_q, chain, top;
  logic [1:0] pending_q, pending;  // operations accepted whose result is not yet being written
  logic [5:0] last_rd_q, before_rd_q;  // where the last operation and the one before it write
  logic write_first, fp_active;
  digit_t dig0;
  digit_t st_q[1:SumStage+1];

  // Element sizes change between jobs only: what follows from them is registered.
  always_ff @(posedge clk_i) begin
    s_q      <= index_t'((32 * int'(words_i) + DigitBits - 1) / DigitBits);
    s_long_q <= index_t'((32 * int'(words_i) + DigitBits - 1) / DigitBits + LongDigits);
    op_q     <= decode(op_i, sel_i);
  end

  eccel_inc #(.Width(IndexBits)) u_inc_slot (.d_i(slot_q), .q_o(slot_next));
  eccel_inc #(.Width(IndexBits)) u_inc_dig (.d_i(dig_q), .q_o(dig_next));
  eccel_inc #(.Width(IndexBits)) u_inc_row (.d_i(row_q), .q_o(row_next));

  assign top = active_q && at_top_q;
  assign last_row = !cur_op_q.is_mul || row_next == s_q;
  // A row has s + 1 digits; a single-row operation reads y on the port of the prefetch and needs one cycle more.
  assign row_end = lead_in_q ? at_end_q : active_q && late_q && (past_q || top && cur_op_q.is_mul);

  // Results and operands both move digit 0 first, one digit a cycle: an operation may start when digit 0 of its operands
  // is being written. An operation three back has come that far in any case; a long one is waited for.
  assign pending = pending_q - 2'(write_first);
  always_ff @(posedge clk_i) begin
    hazard_q <= pending != 0 && (last_rd_q == ra_i || last_rd_q == rb_i) ||
                pending[1] && (before_rd_q == ra_i || before_rd_q == rb_i) ||
                long_wait_q && (pending_q != 0 || fp_active);
  end

  // The next operation is taken in the last row, just before the prefetch of what would be the next row.
  logic last_row_early;  // valid in cycle PrefetchSlot - 1 of a row
  if (PrefetchSlot == 1) begin : gen_chain_comb
    assign last_row_early = last_row;
    assign chain = active_q && slot_q == 0 && last_row && !cur_op_q.is_long && !op_q.is_long;
  end else begin : gen_chain_reg
    logic chain_q;
    assign last_row_early = last_row_q;
    always_ff @(posedge clk_i) begin
      chain_q <= active_q && slot_q == index_t'(PrefetchSlot - 2) && last_row && !cur_op_q.is_long;
    end
    assign chain = chain_q && !op_q.is_long;
  end
  assign ready_o = !nxt_valid_q && !hazard_q && (chain || !active_q && !lead_in_q && !settle_q);
  assign accept  = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    slot_q <= slot_next;
    if (slot_q != 0 || cur_op_q.is_mul) dig_q <= dig_next;
    if (top) past_q <= 1'b1;
    late_q <= late_q && slot_q != 0 || slot_next == index_t'(SumStage);
    at_top_q      <= slot_next == cur_top_q;
    at_end_q      <= slot_next == index_t'(SumStage);
    at_prefetch_q <= slot_next == index_t'(PrefetchSlot);
    settle_q <= active_q && !cur_op_q.is_mul;
    last_row_q <= last_row;
    if (row_end) begin
      slot_q    <= '0;
      dig_q     <= '0;
      past_q    <= 1'b0;
      row_q     <= row_next;
      lead_in_q <= 1'b0;
      late_q    <= 1'b0;
      at_top_q  <= 1'b0;
      if (lead_in_q || last_row_q) begin
        row_q       <= '0;
        active_q    <= nxt_valid_q;
        nxt_valid_q <= 1'b0;
        cur_op_q    <= nxt_op_q;
        cur_rd_q    <= nxt_rd_q;
        cur_ra_q    <= nxt_ra_q;
        cur_rb_q    <= nxt_rb_q;
        cur_top_q   <= nxt_op_q.is_long ? s_long_q : s_q;
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
      if (!active_q) begin
        lead_in_q <= 1'b1;
        slot_q    <= op_q.is_mul ? index_t'(PrefetchSlot) : index_t'(SumStage);
        at_prefetch_q <= op_q.is_mul;
        at_end_q      <= !op_q.is_mul;
      end
    end
    pending_q <= pending + 2'(accept);
    if (!rst_ni) begin
      active_q    <= 1'b0;
      nxt_valid_q <= 1'b0;
      lead_in_q   <= 1'b0;
      long_wait_q <= 1'b0;
      pending_q   <= '0;
    end
  end

  assign idle_o = pending_q == 0 && !fp_active;

  always_comb begin
    dig0         = '0;
    dig0.valid   = active_q && !past_q;
    dig0.first   = active_q && slot_q == 0;
    dig0.top     = top;
    dig0.finish  = top && last_row_q;
    dig0.product = dig0.valid && cur_op_q.is_mul && !top;
    dig0.x_en    = dig0.valid && !dig0.first && cur_op_q.x_en;
    dig0.y_en    = dig0.valid && !dig0.first && cur_op_q.y_en;
    dig0.t_en    = dig0.product && row_q != 0;
    dig0.t_top   = top && cur_op_q.is_mul && row_q != 0;
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
  logic [QuotientDelay:1] pf_q;
  logic pf0, pf_first_q;
  logic mod_q;
  logic [2:0] mod_set_q;

  logic rf_we;
  logic [AddrBits-1:0] rf_waddr;
  word_t rf_wdata;

  assign pf0 = (active_q || lead_in_q) && at_prefetch_q;

  always_ff @(posedge clk_i) begin
    dig_dly_q[1] <= dig_q;
    for (int i = 2; i <= SumStage - 4; i++) dig_dly_q[i] <= dig_dly_q[i-1];
    if (slot_q == index_t'(SumStage - 5)) y_reg_q <= cur_rb_q;
    pf_q <= {pf_q[QuotientDelay-1:1], pf0};
    if (pf0) pf_first_q <= lead_in_q || last_row_q;

    // b_i, then a_0, of the next row: of the operation on offer while idle and in a last row, else of this one.
    addr_b_q <= {y_reg_q, dig_dly_q[SumStage-5]};
    if (!active_q && !settle_q || active_q && slot_q == index_t'(PrefetchSlot - 1)) begin
      addr_b_q <= !active_q || last_row_early ? {rb_i, index_t'(0)} : {cur_rb_q, row_next};
    end
    if (pf0) addr_b_q <= {lead_in_q || last_row_q ? nxt_ra_q : cur_ra_q, index_t'(0)};
    mod_set_q <= {mod_set_q[1:0], mod_set_i};
    if (mod_set_i) mod_q <= mod_i;
    if (!rst_ni) begin
      mod_q     <= 1'b0;
      mod_set_q <= '0;
      pf_q      <= '0;
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

  // ------------------------------------------------------------------ quotient digit of the next row

  word_t minv_q, b_next_q, alpha_q, q_low, q_a, q_b, sum_q;
  logic use_sum_q;

  // First product alpha = a_0 * b_i, second (t_0 + alpha) * m'; t = 0 before the first row.
  logic [DigitBits:0] q_sum;
  eccel_add #(
      .Width(DigitBits)
  ) u_add_alpha (
      .a_i  (alpha_q),
      .b_i  (sum_q),
      .add_i(use_sum_q),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o(q_sum)
  );
  assign q_a = pf_q[3] ? b_digit : q_sum[DigitBits-1:0];
  assign q_b = pf_q[3] ? b_next_q : minv_q;

  always_ff @(posedge clk_i) begin
    if (pf_q[2]) b_next_q <= b_digit;
    alpha_q <= q_low;
    use_sum_q <= !pf_first_q;
    if (mod_set_q[2]) minv_q <= m_digit;
  end

  eccel_digit_mul_low #(
      .DigitBits(DigitBits)
  ) u_quotient (
      .clk_i,
      .en_i(pf_q[3] || pf_q[QuotientDelay]),
      .a_i (q_a),
      .b_i (q_b),
      .p_o (q_low)
  );

  // ------------------------------------------------------------------ row sum, digit by digit

  logic [2*DigitBits-1:0] ab, qm;
  word_t x_q[3:ProdStage-1];
  word_t ab_high_q, qm_high_q;
  word_t t_digit, opb_q;
  logic [DigitBits:0] ab_sum, qm_sum, both_sum, row_sum, corr;
  word_t ab_in, qm_in, both_in;
  logic ab_c_q, qm_c_q, both_c_q, row_c_q, both_c, top_q, corr_c_q;
  word_t t_q, d_q;

  eccel_digit_mul #(
      .DigitBits(DigitBits)
  ) u_mul_ab (
      .clk_i,
      .a_clr_i(!st_q[2].product),
      .a_i    (a_digit),
      .b_en_i (st_q[2].first),
      .b_i    (b_next_q),
      .p_o    (ab)
  );

  eccel_digit_mul #(
      .DigitBits(DigitBits)
  ) u_mul_qm (
      .clk_i,
      .a_clr_i(!st_q[2].product),
      .a_i    (m_digit),
      .b_en_i (st_q[2].first),
      .b_i    (q_low),
      .p_o    (qm)
  );

  always_ff @(posedge clk_i) begin
    x_q[3] <= a_digit;
    for (int i = 4; i < ProdStage; i++) x_q[i] <= x_q[i-1];
    // Behind digit s both products are 0, so neither the high halves nor these carries need a start value.
    ab_high_q <= ab[2*DigitBits-1:DigitBits] | (st_q[ProdStage-1].x_en ? x_q[ProdStage-1] : '0);
    qm_high_q <= qm[2*DigitBits-1:DigitBits];
    ab_c_q <= ab_sum[DigitBits];
    qm_c_q <= qm_sum[DigitBits];
  end

  // Digit-serial adders: one carry flip-flop each.
  eccel_add #(
      .Width(DigitBits)
  ) u_add_ab (
      .a_i  (ab[DigitBits-1:0]),
      .b_i  (ab_high_q),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (ab_c_q),
      .sum_o(ab_sum)
  );
  eccel_add #(
      .Width(DigitBits)
  ) u_add_qm (
      .a_i  (qm[DigitBits-1:0]),
      .b_i  (qm_high_q),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (qm_c_q),
      .sum_o(qm_sum)
  );

  if (DigitBits == 16) begin : gen_reg_halves
    always_ff @(posedge clk_i) begin
      ab_in <= ab_sum[DigitBits-1:0];
      qm_in <= qm_sum[DigitBits-1:0];
    end
  end else begin : gen_comb_halves
    assign ab_in = ab_sum[DigitBits-1:0];
    assign qm_in = qm_sum[DigitBits-1:0];
  end

  localparam int BothStage = 5;
  eccel_add #(
      .Width(DigitBits)
  ) u_add_both (
      .a_i  (ab_in),
      .b_i  (qm_in),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (both_c_q && !st_q[BothStage].first),
      .sum_o(both_sum)
  );
  always_ff @(posedge clk_i) both_c_q <= both_sum[DigitBits];

  if (DigitBits == 64) begin : gen_comb_both
    assign both_in = both_sum[DigitBits-1:0];
    assign both_c  = both_sum[DigitBits];
  end else begin : gen_reg_both
    always_ff @(posedge clk_i) both_in <= both_sum[DigitBits-1:0];
    assign both_c = both_c_q;
  end

  always_ff @(posedge clk_i) begin
    opb_q <= (st_q[SumStage-2].t_en ? t_digit : '0) | (st_q[SumStage-2].y_en ? b_digit : '0);
    if (st_q[SumStage-2].t_top) opb_q <= word_t'(top_q);
  end

  eccel_add #(
      .Width(DigitBits)
  ) u_add_row (
      .a_i  (both_in),
      .b_i  (opb_q),
      .add_i(!st_q[SumStage-1].y_neg),
      .sub_i(st_q[SumStage-1].y_neg),
      .c_i  (st_q[SumStage-1].first ? st_q[SumStage-1].y_neg : row_c_q),
      .sum_o(row_sum)
  );

  // Correction by the modulus, one digit behind: digit j of the result leaves with digit j + 1 of the row.
  word_t m_dly_q[3:SumStage+1];
  logic second_q;

  eccel_add #(
      .Width(DigitBits)
  ) u_add_corr (
      .a_i  (sum_q),
      .b_i  (m_dly_q[SumStage+1]),
      .add_i(!st_q[SumStage].d_neg),
      .sub_i(st_q[SumStage].d_neg),
      .c_i  (second_q ? st_q[SumStage].d_neg : corr_c_q),
      .sum_o(corr)
  );

  always_ff @(posedge clk_i) begin
    sum_q <= row_sum[DigitBits-1:0];
    row_c_q <= row_sum[DigitBits];
    if (st_q[SumStage-1].top) top_q <= both_c | row_sum[DigitBits];
    m_dly_q[3] <= m_digit;
    for (int i = 4; i <= SumStage + 1; i++) m_dly_q[i] <= m_dly_q[i-1];
    second_q <= st_q[SumStage].first;
    t_q <= sum_q;
    d_q <= corr[DigitBits-1:0];
    corr_c_q <= corr[DigitBits];
  end

  index_t t_waddr_q, t_waddr_next;
  eccel_inc #(.Width(IndexBits)) u_inc_t (.d_i(t_waddr_q), .q_o(t_waddr_next));
  always_ff @(posedge clk_i) begin
    t_waddr_q <= second_q ? '0 : t_waddr_next;
  end

  eccel_ram #(
      .Width(DigitBits),
      .Depth(1 << IndexBits)
  ) u_row (
      .clk_i,
      .we_i   (st_q[SumStage+1].valid && !st_q[SumStage+1].first),
      .waddr_i(t_waddr_q),
      .wdata_i(t_q),
      .raddr_i(dig_dly_q[SumStage-4]),
      .rdata_o(t_digit)
  );

  // ------------------------------------------------------------------ final pass: select t or d, write the result

  op_t out_op_q;
  logic [5:0] out_rd_q, fp_rd_q;
  index_t out_top_q, fp_top_q, fp_addr_q, fp_addr_next, fp_waddr_q, fp_waddr_next;
  eccel_inc #(.Width(IndexBits)) u_inc_fp (.d_i(fp_addr_q), .q_o(fp_addr_next));
  eccel_inc #(.Width(IndexBits)) u_inc_w (.d_i(fp_waddr_q), .q_o(fp_waddr_next));
  logic fp_run_q, fp_last, keep_d_q, keep_t_q, half_q, odd_q, shift_in_q, fp_first_q, zero_q, carry_q;
  logic fp_fetch_q[1:2];
  logic fp_last_q[1:2];
  logic [2*DigitBits-1:0] fp_pair;
  word_t fp_digit, fp_prev_q, fp_result;
  logic fp_write, fp_write_q, keep_d;

  eccel_ram #(
      .Width(2 * DigitBits),
      .Depth(1 << IndexBits)
  ) u_result (
      .clk_i,
      .we_i   (st_q[SumStage+1].valid && !st_q[SumStage+1].first),
      .waddr_i(t_waddr_q),
      .wdata_i({d_q, t_q}),
      .raddr_i(fp_addr_q),
      .rdata_o(fp_pair)
  );

  always_comb begin
    unique case (out_op_q.keep)
      KeepT:       keep_d = 1'b0;
      KeepReduced: keep_d = top_q | corr_c_q;
      KeepBorrow:  keep_d = !top_q;
      KeepOdd:     keep_d = odd_q;
      default:     keep_d = 1'b0;
    endcase
  end

  assign fp_last = fp_addr_q == fp_top_q;

  always_ff @(posedge clk_i) begin
    if (dig0.finish) begin
      out_op_q  <= cur_op_q;
      out_rd_q  <= cur_rd_q;
      out_top_q <= slot_q;
    end
    if (second_q) odd_q <= sum_q[0];

    fp_addr_q <= fp_addr_next;
    if (fp_last) fp_run_q <= 1'b0;
    if (st_q[SumStage-1].finish) begin
      fp_run_q  <= 1'b1;
      fp_addr_q <= '0;
      fp_top_q  <= out_top_q;
    end
    fp_fetch_q[1] <= fp_run_q;
    fp_fetch_q[2] <= fp_fetch_q[1];
    fp_last_q[1]  <= fp_run_q && fp_last;
    fp_last_q[2]  <= fp_last_q[1];

    if (fp_fetch_q[2]) begin
      fp_first_q <= 1'b0;
      fp_prev_q  <= fp_digit;
    end
    if (fp_last_q[2]) begin  // nothing selected between results: the port's data passes
      keep_d_q <= 1'b0;
      keep_t_q <= 1'b0;
      half_q   <= 1'b0;
    end
    if (fp_write) fp_waddr_q <= fp_waddr_next;
    if (st_q[SumStage+1].finish) begin
      fp_rd_q    <= out_rd_q;
      keep_d_q   <= keep_d;
      keep_t_q   <= !keep_d;
      half_q     <= out_op_q.is_half;
      shift_in_q <= keep_d & corr_c_q;
      fp_first_q <= 1'b1;
      fp_waddr_q <= '0;
      if (out_op_q.set_carry) carry_q <= top_q ^ out_op_q.y_neg;
    end
    write_first <= fp_write && fp_waddr_q == 0;
    rf_we       <= fp_write || port_we_i;
    rf_waddr    <= port_we_i ? port_addr_i : {fp_rd_q, fp_waddr_q};
    rf_wdata    <= fp_result;
    fp_write_q  <= fp_write;
    if (fp_write_q) zero_q <= (rf_wdata == 0) && (zero_q || write_first);
    if (!rst_ni) begin
      fp_run_q      <= 1'b0;
      keep_d_q      <= 1'b0;
      keep_t_q      <= 1'b0;
      half_q        <= 1'b0;
      fp_fetch_q[1] <= 1'b0;
      fp_fetch_q[2] <= 1'b0;
      fp_last_q[1]  <= 1'b0;
      fp_last_q[2]  <= 1'b0;
      fp_first_q    <= 1'b0;
      fp_write_q    <= 1'b0;
      write_first   <= 1'b0;
      rf_we         <= 1'b0;
    end
  end

  assign fp_digit = (fp_pair[2*DigitBits-1:DigitBits] & {DigitBits{keep_d_q}}) |
                    (fp_pair[DigitBits-1:0] & {DigitBits{keep_t_q}});
  // s + 1 digits are fetched; half needs the one behind for its top bit, the others drop it.
  assign fp_write = fp_fetch_q[2] && !(half_q ? fp_first_q : fp_last_q[2]);
  // port_wdata_i is 0 unless the port writes, and then no result is selected.
  assign fp_result = (half_q ? {fp_last_q[2] ? shift_in_q : fp_digit[0], fp_prev_q[DigitBits-1:1]} : fp_digit) |
                     port_wdata_i;
  assign fp_active = fp_run_q || fp_fetch_q[1] || fp_fetch_q[2] || fp_write_q;

  assign done_o  = half_q ? fp_last_q[2] : fp_last_q[1];
  assign rd_o    = fp_rd_q;
  assign zero_o  = zero_q;
  assign carry_o = carry_q;

endmodule
