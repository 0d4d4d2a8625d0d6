// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Starts operations of the binary field unit in order, each as soon as multiplier and operands are there.
//
// Parameters Interval >= 3: see interval_i.
// Requires   valid_i with an operation, and take_i, the secret bit; taken with ready_o. interval_i = max(3, digits(m)), constant.
//            The events of eccel_gf2m_core. A word of the file comes two cycles behind its address; a word can be
//            addressed from the cycle after its write on.
// Guarantees Operations read and write registers as if they ran one by one. start_o with take_o, a_from_o and b_from_o;
//            c_from_o, c_take_o, squares_o with addend_i; write of one register a cycle. No timing and no address
//            depends on take_i: where the bit takes one of two registers, both have to be there. c is nothing where no
//            whole value is written: what stays behind the product is then the product, as eccel_gf2m_core's zero_o sees it.
// Interval   max(interval_i, squares + 1) cycles from the start of an operation to that of the next.
// Latency    to the start of a dependent operation: 3 + interval_i behind a product, one more behind a sum or square, and
//            squares - 1 more; one more if a value leaves its register before the file has it. (interval_i = digits(m).)

module eccel_gf2m_issue
  import eccel_gf2m_pkg::*;
#(
    localparam int IntervalBits = SquaresBits
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                    valid_i,
    input  operation_t              operation_i,
    input  logic                    take_i,
    output logic                    ready_o,
    output logic                    idle_o,
    input  logic [IntervalBits-1:0] interval_i,
    input  logic                    changed_i,  // idle, a register written from outside: the file alone has it

    // the file: addresses of candidates, a write
    output reg_t a_o[2],
    output reg_t b_o[2],
    output reg_t c_o[2],
    output logic we_o,
    output logic we_after_o,  // else the product
    output reg_t waddr_o,

    // eccel_gf2m_core
    output logic                   start_o,
    output logic                   take_o,
    output from_e                  a_from_o,
    output from_e                  b_from_o,
    input  logic                   addend_i,
    output logic                   c_take_o,
    output from_e                  c_from_o,
    output logic [SquaresBits-1:0] squares_o,
    input  logic                   result_valid_i,
    input  logic                   after_soon_i,
    input  logic                   after_valid_i
);

  localparam int Places = 4;
  localparam int Operands = 4;

  // The operation that waits, and those under way: from the start until all is written.
  operation_t slot_q;
  logic slot_valid_q, slot_ready_q, slot_take_q;
  operation_t flight_q[Places];
  logic flight_take_q[Places];
  from_e flight_c_q[Places];
  // Of those under way: what is still to come. The next place; whose addend, whose whole value is next.
  logic [Places-1:0] plain_left_q, after_left_q;
  logic [Places-1:0] tail_q, addend_q, after_q;
  logic [2:0] count_q;
  logic full_q;
  logic [IntervalBits-1:0] need_q, wait_q;
  logic wait_over_q;

  reg_t operands[Operands];
  // A cycle after the slot is filled, and as long as it stays: is an operand what this operation writes?
  logic [Operands-1:0] plain_match_q[Places], after_match_q[Places];
  logic [Places-1:0] plain_any_q, after_any_q;
  // Is it in a result register, was it written in the cycle before from the stage behind the product?
  logic [Operands-1:0] result_holds_q, after_holds_q, after_written_q;
  from_e c_from_last_q[2];

  operation_t adding, finishing;
  reg_t last_plain_q, last_after_q;
  logic last_plain_we_q, last_after_we_q, result_kept_q, after_kept_q, plain_newer_q;
  reg_t result_reg_q, after_reg_q;
  logic [Operands-1:0] new_plain, new_after;
  logic go, pending;
  from_e from[Operands];
  logic start_q, start_take_q;
  from_e a_from_q, b_from_q, c_from, c_from_q;
  logic c_take, c_take_q;

  assign ready_o = !slot_valid_q;
  assign idle_o = !slot_valid_q && count_q == '0;
  assign start_o = start_q;
  assign take_o = start_take_q;
  assign a_from_o = a_from_q;
  assign b_from_o = b_from_q;
  assign c_from_o = c_from_q;
  assign c_take_o = c_take_q;
  assign squares_o = adding.squares;

  for (genvar i = 0; i < 2; i++) begin : gen_address
    assign a_o[i] = slot_q.a[i];
    assign b_o[i] = slot_q.b[i];
    assign c_o[i] = adding.c[i];
    assign operands[i] = slot_q.a[i];
    assign operands[2+i] = slot_q.b[i];
  end

  // ---- the operation whose addend is next, the one whose whole value is next; a write a cycle

  always_comb begin
    adding = '0;
    finishing = '0;
    c_take = 1'b0;
    c_from = FromNothing;
    for (int i = 0; i < Places; i++) begin
      if (addend_q[i]) adding = adding | flight_q[i];
      if (after_q[i]) finishing = finishing | flight_q[i];
      if (addend_q[i]) c_take = c_take | flight_take_q[i];
      if (addend_q[i] && flight_q[i].add && flight_q[i].after_we) c_from = flight_c_q[i];
    end
  end

  // An operation's whole value is there before the next product.
  always_comb begin
    we_after_o = after_valid_i;
    we_o = after_valid_i && finishing.after_we;
    waddr_o = after_valid_i ? finishing.after : result_reg_q;
    if (result_valid_i) we_o = result_kept_q;
  end

  // ---- hazards

  always_comb begin
    pending = 1'b0;
    new_plain = '0;
    new_after = '0;
    for (int i = 0; i < Places; i++) begin
      pending |= plain_left_q[i] && plain_any_q[i] && !(addend_i && addend_q[i]);
      pending |= after_left_q[i] && after_any_q[i] && !(after_soon_i && after_q[i]);
      if (addend_i && addend_q[i]) new_plain |= plain_match_q[i];
      if (after_soon_i && after_q[i]) new_after |= after_match_q[i];
    end
  end

  // Where operands are in the next cycle: results come in the order of operations, a product before what follows the one
  // before it, so the new ones first. A value is in the file three cycles behind its write, in its register until then,
  // but that behind a product can have left it for the last of these cycles.
  always_comb begin
    for (int i = 0; i < Operands; i++) begin
      from[i] = FromFile;
      if (after_holds_q[i] && !result_valid_i) from[i] = FromAfter;
      if (result_holds_q[i] && !addend_i && (plain_newer_q || !after_holds_q[i])) from[i] = FromResult;
      if (new_after[i]) from[i] = FromAfter;
      if (new_plain[i]) from[i] = FromResult;
    end
  end

  assign go = slot_ready_q && wait_over_q && !full_q && !pending && !(result_valid_i && after_written_q != '0);

  always_ff @(posedge clk_i) begin
    if (!slot_valid_q) begin
      slot_q <= operation_i;
      slot_take_q <= take_i;
    end
    for (int i = 0; i < Places; i++) begin
      if (go && tail_q[i]) begin
        flight_q[i] <= slot_q;
        flight_take_q[i] <= slot_take_q;
        flight_c_q[i] <= slot_take_q ? c_from_last_q[1] : c_from_last_q[0];
      end
    end
    if (go) begin
      last_plain_q <= slot_q.plain;
      last_after_q <= slot_q.after;
    end
    start_take_q <= slot_take_q;
    a_from_q <= slot_take_q ? from[1] : from[0];
    b_from_q <= slot_take_q ? from[3] : from[2];
    if (slot_q.one) b_from_q <= FromNothing;
    if (addend_i) result_reg_q <= adding.plain;
    if (after_soon_i) after_reg_q <= finishing.after;
    if (addend_i || after_soon_i) plain_newer_q <= addend_i;
    // The operation whose addend is next is known two cycles before.
    c_from_q <= c_from;
    c_take_q <= c_take;
    need_q <= slot_q.squares >= interval_i ? slot_q.squares : interval_i - 1'b1;
  end

  // Comparisons, for the next cycle. Third operands are needed late: all but those of the operation before are in
  // the file by then, and the registers still hold what that one left there.
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Places; i++) begin
      plain_any_q[i] <= 1'b0;
      after_any_q[i] <= 1'b0;
      for (int j = 0; j < Operands; j++) begin
        plain_match_q[i][j] <= flight_q[i].plain_we && flight_q[i].plain == operands[j];
        after_match_q[i][j] <= flight_q[i].after_we && flight_q[i].after == operands[j];
        if (flight_q[i].plain == operands[j]) plain_any_q[i] <= 1'b1;
        if (flight_q[i].after == operands[j]) after_any_q[i] <= 1'b1;
      end
    end
    for (int j = 0; j < Operands; j++) begin
      result_holds_q[j] <= addend_i ? adding.plain_we && adding.plain == operands[j]
          : result_kept_q && result_reg_q == operands[j];
      after_holds_q[j] <= after_soon_i ? finishing.after_we && finishing.after == operands[j]
          : after_kept_q && !result_valid_i && after_reg_q == operands[j];
      after_written_q[j] <= after_valid_i && finishing.after_we && finishing.after == operands[j];
    end
    for (int i = 0; i < 2; i++) begin
      c_from_last_q[i] <= FromFile;
      if (last_plain_we_q && last_plain_q == slot_q.c[i]) c_from_last_q[i] <= FromResult;
      if (last_after_we_q && last_after_q == slot_q.c[i]) c_from_last_q[i] <= FromAfter;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_valid_q <= 1'b0;
      slot_ready_q <= 1'b0;
      start_q <= 1'b0;
      wait_q <= '0;
      wait_over_q <= 1'b1;
      count_q <= '0;
      full_q <= 1'b0;
      tail_q <= unsigned'(Places'(1));
      addend_q <= unsigned'(Places'(1));
      after_q <= unsigned'(Places'(1));
      plain_left_q <= '0;
      after_left_q <= '0;
      last_plain_we_q <= 1'b0;
      last_after_we_q <= 1'b0;
      result_kept_q <= 1'b0;
      after_kept_q <= 1'b0;
    end else begin
      slot_valid_q <= slot_valid_q ? !go : valid_i;
      // The addresses stand for a cycle before a decision: the file's words are there a cycle behind it.
      slot_ready_q <= slot_valid_q && !go;
      start_q <= go;
      if (go) begin
        wait_q <= need_q;
        wait_over_q <= need_q == '0;
        tail_q <= {tail_q[Places-2:0], tail_q[Places-1]};
        last_plain_we_q <= slot_q.plain_we;
        last_after_we_q <= slot_q.after_we;
      end else begin
        if (!wait_over_q) wait_q <= wait_q - 1'b1;
        wait_over_q <= wait_over_q || wait_q == unsigned'(IntervalBits'(1));
      end
      count_q <= count_q + 3'(go) - 3'(after_valid_i);
      full_q  <= count_q + 3'(go) - 3'(after_valid_i) >= unsigned'(3'(Places));
      if (addend_i) addend_q <= {addend_q[Places-2:0], addend_q[Places-1]};
      if (after_valid_i) after_q <= {after_q[Places-2:0], after_q[Places-1]};
      for (int i = 0; i < Places; i++) begin
        if (go && tail_q[i]) plain_left_q[i] <= slot_q.plain_we;
        else if (addend_i && addend_q[i]) plain_left_q[i] <= 1'b0;
        if (go && tail_q[i]) after_left_q[i] <= slot_q.after_we;
        else if (after_soon_i && after_q[i]) after_left_q[i] <= 1'b0;
      end
      if (addend_i) result_kept_q <= adding.plain_we;
      if (after_soon_i) after_kept_q <= finishing.after_we;
      else if (result_valid_i) after_kept_q <= 1'b0;
      if (changed_i) begin
        last_plain_we_q <= 1'b0;
        last_after_we_q <= 1'b0;
        result_kept_q <= 1'b0;
        after_kept_q  <= 1'b0;
      end
    end
  end

endmodule
