// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operand hazards of the prime-field unit: may the operation that is offered start now?
//
// Results are written and operands are read digit 0 first, one digit a cycle. An operation may
// therefore start as soon as digit 0 of each operand is being written. The result of an operation
// three back has come that far in any case, so that only the last two destinations are kept. After
// an operation on the long length the unit must be empty.
//
// Requires   ra_i, rb_i are the operands of the operation that is offered, stable from the cycle
//            before it is accepted. accept_i: it is accepted; rd_i is its result register,
//            is_long_i says that it works on the long length. write_first_i: digit 0 of a result is
//            being written. writing_i: a result is being chosen or written.
// Guarantees clear_o: the operation that is offered reads no result that is still to come.
//            idle_o: no operation is in flight.
// Latency    clear_o is a register; it shows the state of the cycle before.

module eccel_gfp_hazard (
    input logic clk_i,
    input logic rst_ni,

    input logic [5:0] ra_i,
    input logic [5:0] rb_i,

    input logic       accept_i,
    input logic [5:0] rd_i,
    input logic       is_long_i,

    input logic write_first_i,
    input logic writing_i,

    output logic clear_o,
    output logic idle_o
);

  logic [1:0] pending_q, pending;  // operations accepted whose result is not yet being written
  logic [1:0] hazard_q;  // with the last operation; with the one before it, or a long one
  logic [5:0] last_rd_q, before_rd_q;  // where the last operation and the one before it write
  logic long_wait_q;  // the last operation was a long one

  assign pending = pending_q - 2'(write_first_i);

  always_ff @(posedge clk_i) begin
    hazard_q[0] <= pending != 0 && (last_rd_q == ra_i || last_rd_q == rb_i);
    hazard_q[1] <= pending[1] && (before_rd_q == ra_i || before_rd_q == rb_i) ||
                   long_wait_q && (pending_q != 0 || writing_i);
    if (accept_i) begin
      last_rd_q   <= rd_i;
      before_rd_q <= last_rd_q;
      long_wait_q <= is_long_i;
    end
    pending_q <= pending + 2'(accept_i);
    if (!rst_ni) begin
      long_wait_q <= 1'b0;
      pending_q   <= '0;
    end
  end

  assign clear_o = hazard_q == 0;
  assign idle_o  = pending_q == 0 && !writing_i;

endmodule
