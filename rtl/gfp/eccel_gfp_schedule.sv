// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Schedule of the prime-field unit: accepts operations and walks through their rows, digit by
// digit.
//
// A Montgomery product has s rows, s the number of digits of an element; half and every other
// operation have one row. A row addresses its digits in turn, one a cycle (slot 0, 1, 2, ...).
// While a row runs, b_i and a_0 of the next row are read: the prefetch. The next operation is
// accepted in the last row of the one before, and its first row follows without a gap.
//
// Parameters DigitBits in {16, 32, 64}; IndexBits: width of a digit's number.
// Requires   words_i (length of an element in words of 32 bits) is stable while an operation runs.
//            op_i, sel_i, rd_i, ra_i, rb_i are stable from the cycle before valid_i until the
//            operation is accepted. clear_i: no operand of this operation is still to come
//            (eccel_gfp_hazard).
// Guarantees accept_o: the operation is accepted; is_long_o: it works on the long length. digit_o
//            says what happens to the digit that a_addr_o addresses in this cycle; op_o and rd_o
//            are its operation and result register, slot_o its slot. With digit_o.finish slot_o is
//            the number of digits of the result. active_o: a row is running. With prefetch_o
//            b_addr_o addresses b_i of the next row, one cycle later a_0. first_row_o: that row is
//            the first one of an operation; half_o: this operation is half. In rows of other
//            operations than products b_addr_o addresses the digits of y, three cycles after
//            a_addr_o those of x. t_addr_o: the digit of t, three cycles after that of a. Nothing
//            here depends on data. sel_i changes digit_o.y_en of cadd, and for csel which of its
//            two registers a_addr_o addresses.
// Interval   A product takes s * T cycles, half T, T = max(s + 1, 9), and an operation on d digits
//            max(d + 2, 9). With 64-bit digits 8 takes the place of 9.

module eccel_gfp_schedule
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5,
    localparam int AddrBits = 6 + IndexBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [4:0] words_i,

    input  logic       valid_i,
    output logic       ready_o,
    input  logic [3:0] op_i,
    input  logic       sel_i,
    input  logic [5:0] rd_i,
    input  logic [5:0] ra_i,
    input  logic [5:0] rb_i,
    input  logic       clear_i,
    output logic       accept_o,
    output logic       is_long_o,

    output logic                 active_o,
    output digit_t               digit_o,
    output op_t                  op_o,
    output logic [          5:0] rd_o,
    output logic [IndexBits-1:0] slot_o,
    output logic [IndexBits-1:0] digits_o,  // s

    output logic prefetch_o,
    output logic first_row_o,
    output logic half_o,

    output logic [ AddrBits-1:0] a_addr_o,
    output logic [ AddrBits-1:0] b_addr_o,
    output logic [IndexBits-1:0] t_addr_o
);

  localparam int PrefetchSlot = 2;  // prefetch_o of a row that is followed by another one
  localparam int EndSlot = DigitBits == 64 ? 7 : 8;  // no row ends before this slot
  localparam int LongDigits = (96 + DigitBits - 1) / DigitBits;  // of the long length, more than s
  localparam int YDelay = RowStage - 3;  // y and t are used later than a and x

  typedef logic [IndexBits-1:0] index_t;

  index_t s_q;  // digits of an element
  index_t top_short_q, near_short_q;  // the slots one and two before digit s
  index_t near_long_q;  // near_short_q of the long length
  index_t slot_q, slot_next, dig_q, dig_next, row_q, row_next, row_next_q;
  index_t near_top_q;  // near_short_q or near_long_q, depending on the operation
  op_t offered, op_q;
  logic x_is_rb_q;
  instruction_t cur_q, nxt_q;  // the operation whose rows run; the one accepted after it
  logic [5:0] cur_x_q, nxt_x_q;  // their registers x, secret with csel
  logic nxt_valid_q;
  logic active_q;
  logic lead_in_q;  // no row runs, only the prefetch for the first one
  logic free_q;  // the unit is empty and accepts
  logic settle_q;  // the last digit of y is still being read
  logic slot0_q, slot1_q;  // slots 0 and 1
  logic top_next_q, at_top_q;  // the slot before digit s is addressed; that slot
  logic row_end_q;  // the last slot
  logic past_q;  // after digit s
  logic late_q;  // from slot EndSlot - 1 on
  logic first_row_q, last_row_q, second_last_q;
  logic prefetch_q;
  logic switch_q;  // lead-in or last row: the next row is another operation's
  logic closing, accept, enter, chain_q, chain_single, chain_single_q, top;

  // ---- acceptance

  assign offered = decode(op_i, sel_i);

  // The size of elements changes between jobs only, so that what follows from it is registered.
  always_ff @(posedge clk_i) begin
    s_q          <= index_t'((32 * int'(words_i) + DigitBits - 1) / DigitBits);
    top_short_q  <= s_q - index_t'(1);
    near_short_q <= s_q - index_t'(2);
    near_long_q  <= s_q + index_t'(LongDigits - 2);
    op_q         <= offered;
    x_is_rb_q    <= x_is_rb(op_i, sel_i);
  end

  // The next operation is accepted in the last row: a product just before the prefetch of what
  // would be the next row; a single-row operation, which has no prefetch, until the shortest row
  // ends. The operation is offered a cycle before it is valid, so that one flip-flop combines its
  // kind with what the row allows.
  assign chain_single = active_q && last_row_q && !cur_q.op.is_long && (slot0_q || chain_single_q && !late_q);
  always_ff @(posedge clk_i) begin
    chain_single_q <= chain_single;
    chain_q        <= chain_single && !nxt_valid_q && !offered.is_long && (slot0_q || !offered.is_mul);
  end
  assign ready_o = clear_i && (free_q || chain_q);
  assign accept  = valid_i && ready_o;
  assign enter   = valid_i && clear_i && free_q;  // accepted by the empty unit

  // ---- rows: comparisons are made one cycle ahead, so that all control comes from flip-flops

  eccel_inc #(.Width(IndexBits)) u_inc_slot (.d_i(slot_q), .q_o(slot_next));
  eccel_inc #(.Width(IndexBits)) u_inc_dig (.d_i(dig_q), .q_o(dig_next));
  eccel_inc #(.Width(IndexBits)) u_inc_row (.d_i(row_q), .q_o(row_next));

  assign top = active_q && at_top_q;
  assign closing = row_end_q && switch_q && !nxt_valid_q;

  always_ff @(posedge clk_i) begin
    slot_q     <= slot_next;
    row_next_q <= row_next;
    if (!slot0_q || cur_q.op.is_mul) dig_q <= dig_next;
    if (top) past_q <= 1'b1;
    slot0_q       <= row_end_q;
    slot1_q       <= active_q && slot0_q;
    prefetch_q    <= slot1_q;
    top_next_q    <= slot_q == near_top_q;
    at_top_q      <= top_next_q;
    late_q        <= late_q || slot_q == index_t'(EndSlot - 2);
    // A row has s + 1 digits. A single-row operation reads y on the port of the prefetch and needs
    // one cycle more.
    row_end_q     <= late_q && (lead_in_q || active_q && (past_q || at_top_q || top_next_q && cur_q.op.is_mul));
    second_last_q <= row_next_q == top_short_q;
    settle_q      <= closing && !cur_q.op.is_mul;
    if (settle_q || closing && cur_q.op.is_mul) free_q <= 1'b1;
    if (row_end_q) begin
      slot_q      <= '0;
      dig_q       <= '0;
      past_q      <= 1'b0;
      row_q       <= row_next_q;
      first_row_q <= 1'b0;
      last_row_q  <= second_last_q;
      switch_q    <= second_last_q;
      lead_in_q   <= 1'b0;
      top_next_q  <= 1'b0;
      at_top_q    <= 1'b0;
      late_q      <= 1'b0;
      row_end_q   <= 1'b0;
      if (switch_q) begin
        row_q       <= '0;
        first_row_q <= 1'b1;
        last_row_q  <= !nxt_q.op.is_mul || nxt_q.op.is_half;
        switch_q    <= !nxt_q.op.is_mul || nxt_q.op.is_half;
        active_q    <= nxt_valid_q;
        nxt_valid_q <= 1'b0;
        cur_q       <= nxt_q;
        cur_x_q     <= nxt_x_q;
        near_top_q  <= nxt_q.op.is_long ? near_long_q : near_short_q;
      end
    end
    if (accept) begin
      nxt_q       <= '{op: op_q, rd: rd_i, ra: ra_i, rb: rb_i};
      nxt_x_q     <= x_is_rb_q ? rb_i : ra_i;
      nxt_valid_q <= 1'b1;
    end
    if (enter) begin
      free_q     <= 1'b0;
      switch_q   <= 1'b1;
      lead_in_q  <= 1'b1;
      slot_q     <= index_t'(PrefetchSlot);
      late_q     <= 1'b0;
      prefetch_q <= op_q.is_mul;
      row_end_q  <= !op_q.is_mul;
    end
    if (!rst_ni) begin
      active_q    <= 1'b0;
      nxt_valid_q <= 1'b0;
      lead_in_q   <= 1'b0;
      free_q      <= 1'b1;
      settle_q    <= 1'b0;
      row_end_q   <= 1'b0;
      slot1_q     <= 1'b0;
      prefetch_q  <= 1'b0;
    end
  end

  // ---- what happens to the digit that is addressed

  always_comb begin
    digit_o         = '0;
    digit_o.valid   = active_q && !past_q;
    digit_o.first   = active_q && slot0_q;
    digit_o.top     = top;
    digit_o.finish  = top && last_row_q;
    digit_o.reduce  = digit_o.valid && cur_q.op.is_mul && !top;
    digit_o.product = digit_o.reduce || digit_o.valid && !digit_o.first && !cur_q.op.is_mul;
    digit_o.y_en    = digit_o.valid && !digit_o.first && cur_q.op.y_en;
    digit_o.t_en    = digit_o.reduce && !first_row_q;
    digit_o.t_top   = top && cur_q.op.is_mul && !first_row_q;
    digit_o.y_neg   = cur_q.op.y_neg;
    digit_o.d_neg   = cur_q.op.d_neg;
  end

  // ---- addresses

  index_t dig_dly_q[1:YDelay];
  logic [5:0] y_reg_q;

  always_ff @(posedge clk_i) begin
    dig_dly_q[1] <= dig_q;
    for (int i = 2; i <= YDelay; i++) dig_dly_q[i] <= dig_dly_q[i-1];
    if (prefetch_q) y_reg_q <= cur_q.rb;

    // b_i, then a_0, of the next row: in a last row and in the empty unit that is the row of the
    // operation offered, else a row of this one.
    b_addr_o <= {y_reg_q, dig_dly_q[YDelay-1]};
    if (slot1_q) b_addr_o <= {cur_q.rb, row_next_q};
    if (free_q || slot1_q && last_row_q) b_addr_o <= {rb_i, index_t'(0)};
    if (prefetch_q) b_addr_o <= {switch_q ? nxt_q.ra : cur_q.ra, index_t'(0)};
  end

  assign a_addr_o = {cur_x_q, dig_q};
  assign t_addr_o = dig_dly_q[YDelay];

  assign accept_o    = accept;
  assign is_long_o   = op_q.is_long;
  assign active_o    = active_q;
  assign op_o        = cur_q.op;
  assign rd_o        = cur_q.rd;
  assign slot_o      = slot_q;
  assign digits_o    = s_q;
  assign prefetch_o  = prefetch_q;
  assign first_row_o = switch_q;
  assign half_o      = nxt_q.op.is_half;

endmodule
