// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Starts operations of the binary field unit in order, each as soon as the multiplier and its
// operands are available.
//
// Parameters OperandStage: see eccel_gf2m_core.
// Requires   valid_i comes with an operation and take_i, the secret bit; ready_o accepts it.
//            interval_i = max(3, digits(m)) is constant. The inputs addend*_i and after*_i are the
//            events of eccel_gf2m_core. A word of the register file comes two cycles after its
//            address; it can be addressed from the cycle after its write.
// Guarantees Operations read and write registers as if they ran one by one. a_from_o and b_from_o
//            are valid with start_o; c_from_o, squares_o and many_o with addend_i. c_from_o is 0
//            without addend_i. At most one register is written in a cycle. No timing and no address
//            depends on take_i: if the bit selects one of two registers, both have to be available.
//            If only the product is written, c must be 0, so that zero_o of eccel_gf2m_core tests
//            the product.
// Interval   An operation starts max(interval_i, squares + 1) cycles after the one before, with
//            OperandStage max(interval_i, squares + 2).
// Latency    From the start of an operation to that of one that reads its result: 3 + interval_i
//            cycles for a product, one more for a sum or a square, and squares - 1 more. With
//            OperandStage each takes one more. One more is needed if a value leaves its result
//            register before the register file has it.

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
    input  logic                    changed_i,  // the port or a division wrote a register

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

  // The part of an operation that is needed after its start.
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

  // The operation that waits, and those in flight: from the start until all results are written.
  operation_t slot_q;
  logic slot_valid_q, slot_ready_q, slot_take_q;
  flight_t slot, flight_q[Places];
  // Of those in flight: which results are still to come; the place for the next one; the places of
  // the operations whose addend and whose whole value come next, and these operations.
  logic [Places-1:0] plain_left_q, after_left_q;
  logic [Places-1:0] tail_q, addend_d, addend_q, after_d, after_q;
  flight_t adding, adding_q;
  logic finishing_we, finishing_we_q;
  reg_t finishing, finishing_q;
  logic [2:0] count_q;
  logic full_q, idle_q;
  logic [IntervalBits-1:0] squares_need, need_q, wait_q;
  logic wait_over_q;

  // All comparisons for a start are made in the cycle before, with the state of the next cycle.
  reg_t operands[Operands];
  logic [Places-1:0] plain_blocks_q, after_blocks_q;
  logic [Operands-1:0] new_plain_q, new_after_q, result_holds_q, after_holds_q;
  logic gap_q;

  // Which registers the two result registers hold.
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

  // One write in a cycle, as soon as there is a result: the whole value of an operation comes
  // before the next product.
  assign we_o = addend_i && adding_q.plain_we || after_soon_i && finishing_we_q;
  assign waddr_o = after_soon_i ? finishing_q : adding_q.plain;

  // ---- the decision

  // Results come in the order of operations, but a product may come before the whole value of the
  // operation before it; so new products are looked at first.
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
    // An operand that is still to come, and does not come in this cycle.
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
    // In its result register in the cycle after the decision: new, or not yet replaced by the next
    // value.
    for (int j = 0; j < Operands; j++) begin
      new_plain_q[j] <= addend_next_i && adding_q.plain_we && adding_q.plain == operands[j];
      new_after_q[j] <= after_next_i && finishing_we_q && finishing_q == operands[j];
      result_holds_q[j] <= !addend_next_i && (addend_i ? adding_q.plain_we && adding_q.plain == operands[j]
          : result_kept_q && result_reg_q == operands[j]);
      after_holds_q[j] <= !after_next_i && (after_soon_i ? finishing_we_q && finishing_q == operands[j]
          : after_kept_q && after_reg_q == operands[j]);
    end
    // A value can be read from the file three cycles after its write. Until then it is in its
    // result register, but a whole value may have been replaced in the last of these cycles.
    gap_q <= 1'b0;
    for (int j = 0; j < Operands; j++) begin
      if (after_reg_q == operands[j]) gap_q <= after_valid_i && after_kept_q && after_next_i;
    end
    // Third operands are needed late. By then the file has all results but those of the operation
    // before, and these are still in the result registers.
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
      // Addresses are valid one cycle before a decision, so the words come one cycle after it.
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
