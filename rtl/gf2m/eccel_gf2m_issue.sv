// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Starts operations of the binary field unit in order, each as soon as multiplier and operands are there.
//
// Parameters OperandStage: of eccel_gf2m_core.
// Requires   valid_i with an operation, and take_i, the secret bit; taken with ready_o. interval_i = max(3, digits(m)), constant.
//            The events of eccel_gf2m_core. A word of the file comes two cycles behind its address; a word can be
//            addressed from the cycle after its write on.
// Guarantees Operations read and write registers as if they ran one by one. start_o with a_from_o and b_from_o;
//            c_from_o, squares_o, many_o with addend_i, c from nowhere without it; write of one register a cycle. No
//            timing and no address depends on take_i: where the bit takes one of two registers, both have to be there. c is nothing where no
//            whole value is written: what stays behind the product is then the product, as eccel_gf2m_core's zero_o sees it.
// Interval   max(interval_i, squares + 1) cycles from the start of an operation to that of the next, squares + 2 with
//            OperandStage.
// Latency    to the start of a dependent operation: 3 + interval_i behind a product, one more behind a sum or square, and
//            squares - 1 more; with OperandStage one more each; one more if a value leaves its register before the file has it.
//            (interval_i = digits(m).)

module eccel_gf2m_issue
  import eccel_gf2m_pkg::*;
#(
      parameter bit OperandStage = 1'b0,
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
    input  logic                    changed_i,  // a register was written from outside

    // the file: addresses of candidates, the write of the next cycle
    output reg_t a_o[2],
    output reg_t b_o[2],
    output reg_t c_o[2],
    output logic we_o,
    output reg_t waddr_o,

    // eccel_gf2m_core
    output logic                   start_o,
    output from_t                  a_from_o,
    output from_t                  b_from_o,
    output from_t                  c_from_o,
    output logic [SquaresBits-1:0] squares_o,
    output logic                   many_o,
    input  logic                   addend_next_i,
    input  logic                   addend_i,
    input  logic                   after_next_i,
    input  logic                   after_soon_i,
    input  logic                   after_valid_i
);

  localparam int Places = 4;
  localparam int Operands = 4;
  localparam from_t File[2] = '{'{lower: 1'b1, default: 1'b0}, '{upper: 1'b1, default: 1'b0}};
  localparam from_t Result = '{result: 1'b1, default: 1'b0};
  localparam from_t One = '{one: 1'b1, default: 1'b0};
  localparam from_t After = '{after: 1'b1, default: 1'b0};

  // What is still needed of an operation under way.
  typedef struct packed {
    reg_t [1:0] c;
    from_t c_from;
    logic [SquaresBits-1:0] squares;
    logic many;
    logic plain_we;
    reg_t plain;
    logic after_we;
    reg_t after;
  } flight_t;

  // The operation that waits, and those under way: from the start until all is written.
  operation_t slot_q;
  logic slot_valid_q, slot_ready_q, slot_take_q;
  flight_t slot, flight_q[Places];
  // Of those under way: what is still to come. The next place; whose addend, whose whole value is next, and that operation.
  logic [Places-1:0] plain_left_q, after_left_q;
  logic [Places-1:0] tail_q, addend_d, addend_q, after_d, after_q;
  flight_t adding, adding_q;
  logic finishing_we, finishing_we_q;
  reg_t finishing, finishing_q;
  logic [2:0] count_q;
  logic full_q, idle_q;
  logic [IntervalBits-1:0] squares_need, need_q, wait_q;
  logic wait_over_q;

  // All that decides on a start is compared in the cycle before, with what happens in the next one.
  reg_t operands[Operands];
  logic [Places-1:0] plain_blocks_q, after_blocks_q;
  logic [Operands-1:0] new_plain_q, new_after_q, result_holds_q, after_holds_q;
  logic gap_q;

  // What the two result registers hold.
  logic result_kept_q, after_kept_q, plain_newer_q;
  reg_t result_reg_q, after_reg_q;
  reg_t last_plain_q, last_after_q;
  logic last_plain_we_q, last_after_we_q;
  from_t c_from_last_q[2];

  logic go, start_q;
  from_t from[Operands];
  from_t a_from_q, b_from_q;

  assign ready_o = !slot_valid_q;
  assign idle_o = idle_q;
  assign start_o = start_q;
  assign a_from_o = a_from_q;
  assign b_from_o = b_from_q;
  assign c_from_o = adding_q.c_from;
  assign squares_o = adding_q.squares;
  assign many_o = adding_q.many;

  for (genvar i = 0; i < 2; i++) begin : gen_address
    assign a_o[i] = slot_q.a[i];
    assign b_o[i] = slot_q.b[i];
    assign c_o[i] = adding_q.c[i];
    assign operands[i] = slot_q.a[i];
    assign operands[2+i] = slot_q.b[i];
  end

  assign slot = '{
          c: slot_q.c,
          c_from: slot_q.add && slot_q.after_we ? c_from_last_q[slot_take_q] : '0,
          squares: slot_q.squares,
          many: slot_q.squares > unsigned'(SquaresBits'(1)),
          plain_we: slot_q.plain_we,
          plain: slot_q.plain,
          after_we: slot_q.after_we,
          after: slot_q.after
      };

  // ---- the operation whose addend is next, the one whose whole value is next

  always_comb begin
    addend_d = addend_i ? {addend_q[Places-2:0], addend_q[Places-1]} : addend_q;
    after_d = after_soon_i ? {after_q[Places-2:0], after_q[Places-1]} : after_q;
    adding = '0;
    finishing_we = 1'b0;
    finishing = '0;
    for (int i = 0; i < Places; i++) begin
      if (addend_d[i]) adding |= flight_q[i];
      if (after_d[i]) finishing_we |= flight_q[i].after_we;
      if (after_d[i]) finishing |= flight_q[i].after;
    end
  end

  // A write a cycle, as soon as a result is there: an operation's whole value is before the next product.
  assign we_o = addend_i && adding_q.plain_we || after_soon_i && finishing_we_q;
  assign waddr_o = after_soon_i ? finishing_q : adding_q.plain;

  // ---- the decision

  // Results come in the order of operations, a product before what follows the one before it, so the new ones first.
  always_comb begin
    for (int i = 0; i < Operands; i++) begin
      from[i] = File[i%2];
      if (after_holds_q[i]) from[i] = After;
      if (result_holds_q[i] && (plain_newer_q || !after_holds_q[i])) from[i] = Result;
      if (new_after_q[i]) from[i] = After;
      if (new_plain_q[i]) from[i] = Result;
    end
  end

  assign squares_need = slot_q.squares + IntervalBits'(OperandStage);
  assign go = slot_ready_q && wait_over_q && !full_q && !gap_q && plain_blocks_q == '0 && after_blocks_q == '0;

  always_ff @(posedge clk_i) begin
    if (!slot_valid_q) begin
      slot_q <= operation_i;
      slot_take_q <= take_i;
    end
    for (int i = 0; i < Places; i++) begin
      if (go && tail_q[i]) flight_q[i] <= slot;
    end
    if (go) begin
      last_plain_q <= slot_q.plain;
      last_after_q <= slot_q.after;
    end
    a_from_q <= slot_take_q ? from[1] : from[0];
    b_from_q <= from_t'({$bits(from_t) {go}}) & (slot_q.one ? One : slot_take_q ? from[3] : from[2]);
    adding_q <= adding;
    if (!addend_next_i) adding_q.c_from <= '0;
    finishing_we_q <= finishing_we;
    finishing_q <= finishing;
    if (addend_i) result_reg_q <= adding_q.plain;
    if (after_soon_i) after_reg_q <= finishing_q;
    if (addend_i || after_soon_i) plain_newer_q <= addend_i;
    need_q <= squares_need >= interval_i ? squares_need : interval_i - 1'b1;
  end

  // ---- comparisons, for the decision in the next cycle

  always_ff @(posedge clk_i) begin
    // An operand that is still to come, and not just then.
    for (int i = 0; i < Places; i++) begin
      plain_blocks_q[i] <= 1'b0;
      after_blocks_q[i] <= 1'b0;
      for (int j = 0; j < Operands; j++) begin
        if (flight_q[i].plain == operands[j]) begin
          plain_blocks_q[i] <= plain_left_q[i] && !((addend_i || addend_next_i) && addend_q[i]);
        end
        if (flight_q[i].after == operands[j]) begin
          after_blocks_q[i] <= after_left_q[i] && !((after_soon_i || after_next_i) && after_q[i]);
        end
      end
    end
    // In its register in the cycle behind the decision: new there, or not yet followed by the next value.
    for (int j = 0; j < Operands; j++) begin
      new_plain_q[j] <= addend_next_i && adding_q.plain_we && adding_q.plain == operands[j];
      new_after_q[j] <= after_next_i && finishing_we_q && finishing_q == operands[j];
      result_holds_q[j] <= !addend_next_i && (addend_i ? adding_q.plain_we && adding_q.plain == operands[j]
          : result_kept_q && result_reg_q == operands[j]);
      after_holds_q[j] <= !after_next_i && (after_soon_i ? finishing_we_q && finishing_q == operands[j]
          : after_kept_q && after_reg_q == operands[j]);
    end
    // A value is in the file three cycles behind its write, and in its register until then, but that behind a product
    // can have left it for the last of these cycles.
    gap_q <= 1'b0;
    for (int j = 0; j < Operands; j++) begin
      if (after_reg_q == operands[j]) gap_q <= after_valid_i && after_kept_q && after_next_i;
    end
    // Third operands are needed late: all but those of the operation before are in the file by then, and the registers
    // still hold what that one left there.
    for (int i = 0; i < 2; i++) begin
      c_from_last_q[i] <= File[i];
      if (last_plain_we_q && last_plain_q == slot_q.c[i]) c_from_last_q[i] <= Result;
      if (last_after_we_q && last_after_q == slot_q.c[i]) c_from_last_q[i] <= After;
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
      idle_q <= 1'b1;
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
      idle_q  <= !slot_valid_q && !valid_i && (count_q == '0 || after_valid_i && count_q == unsigned'(3'd1));
      full_q  <= count_q + 3'(go) - 3'(after_valid_i) >= unsigned'(3'(Places));
      addend_q <= addend_d;
      after_q <= after_d;
      for (int i = 0; i < Places; i++) begin
        if (go && tail_q[i]) plain_left_q[i] <= slot_q.plain_we;
        else if (addend_i && addend_q[i]) plain_left_q[i] <= 1'b0;
        if (go && tail_q[i]) after_left_q[i] <= slot_q.after_we;
        else if (after_soon_i && after_q[i]) after_left_q[i] <= 1'b0;
      end
      if (addend_i) result_kept_q <= adding_q.plain_we;
      if (after_soon_i) after_kept_q <= finishing_we_q;
      if (changed_i) begin
        last_plain_we_q <= 1'b0;
        last_after_we_q <= 1'b0;
        result_kept_q <= 1'b0;
        after_kept_q  <= 1'b0;
      end
    end
  end

endmodule
