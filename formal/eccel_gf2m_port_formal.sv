// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_gf2m_port, which turns instructions into operations of the binary field unit:
// each instruction that it accepts becomes exactly the operations that it stands for, in order, and
// an operation that waits for the unit does not change.
//
// Parameters Fields: of the port. Count: counter of the instruction `steps`.
// Assumes    The build has a divider, so that `recip` is one operation. No values move (load_i and
//            store_i are 0).
//
// The assertions about u_port.* are needed for the induction.

module eccel_gf2m_port_formal
  import eccel_gf2m_pkg::*;
  import eccel_binary_isa_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h4,
    parameter int Count = 162
) (
    input logic clk_i,
    input logic valid_i,
    input logic [3:0] op_i,
    input logic take_i,
    input reg_t rd_i,
    input reg_t ra_i,
    input reg_t rb_i,
    input logic ready_i,
    input logic idle_i
);

  logic reset_q = 1'b1, waited_q = 1'b0;
  logic ready, valid, step, divide, take, single, before_take_q, before_step_q;
  logic [10:0] owed_q = '0;  // operations still to come
  logic [3:0] op_q;
  logic take_q;
  reg_t rd_q, ra_q, rb_q;
  operation_t operation, before_q;

  eccel_gf2m_port #(
      .Fields (Fields),
      .Divider(1'b1)
  ) u_port (
      .clk_i,
      .rst_ni     (!reset_q),
      .zeroise_i  (1'b0),
      .pbits_i    (10'(Count + 1)),
      .count_i    (11'(Count)),
      .known_o    (),
      .valid_i,
      .ready_o    (ready),
      .op_i,
      .take_i,
      .rd_i,
      .ra_i,
      .rb_i,
      .idle_o     (),
      .carry_o    (),
      .load_i     (1'b0),
      .store_i    (1'b0),
      .reg_i      ('0),
      .moving_i   (1'b0),
      .next_i     (1'b0),
      .word_i     ('0),
      .hold_o     (),
      .field_o    (),
      .valid_o    (valid),
      .step_o     (step),
      .divide_o   (divide),
      .operation_o(operation),
      .take_o     (take),
      .ready_i,
      .idle_i,
      .shift_o    (),
      .write_o    (),
      .read_o     (),
      .wdata_o    ()
  );

  assign single = op_q != OpStep;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b0;
    if (valid && ready_i && !reset_q) owed_q <= owed_q - 1'b1;
    if (ready && valid_i && !reset_q) begin
      owed_q <= 11'd1;
      if (op_i == OpStep && rd_i[0]) owed_q <= 11'(Count + 1);
      op_q   <= op_i;
      take_q <= take_i;
      rd_q   <= rd_i;
      ra_q   <= ra_i;
      rb_q   <= rb_i;
    end
    waited_q      <= valid && !ready_i && !reset_q;
    before_q      <= operation;
    before_take_q <= take;
    before_step_q <= step;
  end

  always_comb begin
    // The assembler sets at most one of these bits.
    assume (op_i != OpStep || rd_i[1:0] != 2'b11);
    if (!reset_q) begin
      assert (ready == (owed_q == '0));
      assert (!valid || owed_q != '0);
      if (waited_q) begin
        assert (valid && operation == before_q && take == before_take_q && step == before_step_q);
      end
      if (owed_q != '0) begin
        assert (step == (!single && !rd_q[1]));
        assert (divide == (!single && rd_q[1]));
        if (single || !rd_q[0]) assert (take == take_q && valid && owed_q == 11'd1);
        if (single) begin
          assert (operation.a == (op_q == OpCsel ? {rb_q, ra_q} : {ra_q, ra_q}));
          assert (!operation.plain_we || operation.plain == rd_q);
          assert (!operation.after_we || operation.after == rd_q);
          assert (operation.plain_we == (op_q inside {OpMul, OpMov, OpCsel}));
          assert (operation.after_we == (op_q inside {OpAdd, OpMula, OpSqr}));
        end
        assert (u_port.steps_q == (!single && rd_q[0]));
        assert (u_port.invert_q == (!single && rd_q[1]));
        assert (!u_port.steps_q || u_port.u_stream.number_q == owed_q[9:0] - 1'b1 && owed_q <= 11'(Count + 1));
        assert (single || rd_q[1:0] != 2'b11);
      end
      assert (!u_port.u_stream.stop_q);
      assert (u_port.u_stream.running_q == (owed_q != '0 && u_port.steps_q));
      assert (!u_port.u_stream.valid_q || u_port.u_stream.running_q);
      if (waited_q) begin
        assert (owed_q != '0 && before_step_q == step && (!divide || operation == '0));
      end
    end
  end

endmodule
