// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Full-width field unit: starts operations one by one, or runs steps of the ladder
// (eccel_gf2m_wide_steps).
//
// Requires   valid_i comes with operation_i or with step_i, and with take_i, the secret bit;
//            ready_o accepts it. changed_i: the unit is idle and the port writes a register. A word
//            of the register file can be addressed from the second cycle after its we_o, and is
//            available two cycles later.
// Guarantees control_o are the commands for eccel_gf2m_wide_core. Operations read and write
//            registers as if they ran one by one, and so do steps. No timing and no address depends
//            on take_i.
// Interval   An operation takes 3 cycles. If it writes the sum squared, it takes 3 + ceil(squares /
//            MostSquares); if it writes product and sum without squares, 4. A step: see
//            eccel_gf2m_wide_steps.

module eccel_gf2m_wide_issue
  import eccel_gf2m_pkg::*;
  import eccel_gf2m_wide_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    input  logic       valid_i,
    input  logic       step_i,
    input  operation_t operation_i,
    input  logic       take_i,
    output logic       ready_o,
    output logic       idle_o,
    input  logic       changed_i,

    output reg_t a_o[2],
    output reg_t b_o[2],
    output reg_t c_o[2],
    output logic we_o,
    output reg_t waddr_o,

    output wide_control_t control_o
);

  localparam int Places = 7;

  // Where an operand comes from.
  typedef struct packed {
    logic lower;
    logic upper;
    logic result;
    logic sum;
    logic after;
  } wide_from_t;

  // Where the results of an operation go, and whether there are squares among them.
  typedef struct packed {
    logic squares;
    logic plain_we;
    reg_t plain;
    logic after_we;
    reg_t after;
  } wide_results_t;

  // The part of an operation that is needed when its product is complete.
  typedef struct packed {
    wide_from_t c;
    logic few;  // squares, at most MostSquares
    logic [SquaresBits-1:0] left;
  } wide_flight_t;

  operation_t slot_q;
  logic take_q;
  wide_flight_t flight_q;
  wide_results_t results_q;
  logic [Places-1:0] valid_q;  // bit i: an operation came i cycles ago
  logic [1:0] wait_q, wait_d;
  logic long_q, active_q, last_q;
  logic [SquaresBits-1:0] left_q;
  logic go, go_step, more;
  wide_from_t a_from, b_from;

  wide_control_t control, step_control;
  reg_t step_a[2], step_b[2], step_c[2], waddr, step_waddr;
  logic we, step_we, ladder, step_ready;

  assign go = valid_i && !step_i && ready_o;
  assign go_step = valid_i && step_i && ready_o && !ladder;
  assign more = valid_i && step_i;
  assign idle_o = valid_q == '0 && !active_q && !ladder && !long_q;
  assign ready_o = ladder ? step_ready && step_i : step_i ? idle_o : wait_q == '0 && !long_q;

  // ---- an operation

  function automatic wide_from_t source(reg_t register, logic upper, wide_results_t last);
    wide_from_t from = '0;

    if (last.after_we && last.after == register) begin
      from.sum = !last.squares;
      from.after = last.squares;
    end else if (last.plain_we && last.plain == register) from.result = 1'b1;
    else begin
      from.lower = !upper;
      from.upper = upper;
    end
    return from;
  endfunction

  assign a_from = source(slot_q.a[take_q], take_q, results_q);
  assign b_from = source(slot_q.b[take_q], take_q, results_q);

  // Cycles until the next operation, so that its operands are available when it selects them.
  always_comb begin
    wait_d = 2'd2;
    if (operation_i.after_we) begin
      if (operation_i.plain_we || operation_i.squares != '0) wait_d = 2'd3;
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) slot_q <= operation_i;
    if (go || go_step || ladder && step_ready) take_q <= take_i;
    if (valid_q[2]) begin
      flight_q <= '{
          c: slot_q.add && slot_q.after_we ? source(slot_q.c[take_q], take_q, results_q) : '0,
          few: slot_q.squares <= unsigned'(SquaresBits'(MostSquares)),
          left: slot_q.squares
      };
      results_q <= '{
          squares: slot_q.squares != '0,
          plain_we: slot_q.plain_we,
          plain: slot_q.plain,
          after_we: slot_q.after_we,
          after: slot_q.after
      };
    end
    if (valid_q[4]) begin
      left_q <= flight_q.left;
      last_q <= flight_q.few;
    end else begin
      left_q <= left_q - unsigned'(SquaresBits'(MostSquares));
      last_q <= left_q <= unsigned'(SquaresBits'(2 * MostSquares));
    end
    if (go) wait_q <= wait_d;
    else if (wait_q != '0) wait_q <= wait_q - 1'b1;
    // More squares than one cycle makes: cleared three cycles before the last ones.
    if (go) long_q <= operation_i.after_we && operation_i.squares > unsigned'(SquaresBits'(MostSquares));
    else if (valid_q[3:0] == 4'b1000 && flight_q.left <= unsigned'(SquaresBits'(2 * MostSquares))) long_q <= 1'b0;
    else if (valid_q[4:0] == 5'b10000 && flight_q.left <= unsigned'(SquaresBits'(3 * MostSquares))) long_q <= 1'b0;
    else if (active_q && valid_q[4:0] == '0 && left_q <= unsigned'(SquaresBits'(4 * MostSquares))) long_q <= 1'b0;

    if (changed_i || go_step) begin
      results_q.plain_we <= 1'b0;
      results_q.after_we <= 1'b0;
    end
    if (!rst_ni) begin
      results_q.plain_we <= 1'b0;
      results_q.after_we <= 1'b0;
      wait_q <= '0;
      long_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      active_q <= 1'b0;
    end else begin
      valid_q  <= {valid_q[Places-2:0], go};
      active_q <= valid_q[4] ? results_q.after_we && results_q.squares : active_q && !last_q;
    end
  end

  // ---- steps

  eccel_gf2m_wide_steps u_steps (
      .clk_i,
      .rst_ni,
      .go_i     (go_step),
      .more_i   (more),
      .take_i   (take_q),
      .ready_o  (step_ready),
      .busy_o   (ladder),
      .a_o      (step_a),
      .b_o      (step_b),
      .c_o      (step_c),
      .we_o     (step_we),
      .waddr_o  (step_waddr),
      .control_o(step_control)
  );

  // ---- commands of an operation

  always_comb begin
    control = '0;
    we = 1'b0;
    waddr = results_q.plain;

    if (valid_q[2]) begin
      control.a.lower = a_from.lower;
      control.a.upper = a_from.upper;
      control.a.result = a_from.result;
      control.a.sum = a_from.sum;
      control.a.after = a_from.after;
      control.b.one = slot_q.one;
      control.b.lower = b_from.lower && !slot_q.one;
      control.b.upper = b_from.upper && !slot_q.one;
      control.b.result = b_from.result && !slot_q.one;
      control.b.sum = b_from.sum && !slot_q.one;
      control.b.after = b_from.after && !slot_q.one;
    end
    if (valid_q[4]) begin
      control.result_we = 1'b1;
      control.sum_we = 1'b1;
      control.c.lower = flight_q.c.lower;
      control.c.upper = flight_q.c.upper;
      control.c.result = flight_q.c.result;
      control.c.sum = flight_q.c.sum;
      control.c.after = flight_q.c.after;
      we = results_q.plain_we || results_q.after_we && !results_q.squares;
      control.write.result = results_q.plain_we;
      control.write.sum = !results_q.plain_we;
      if (!results_q.plain_we) waddr = results_q.after;
    end
    if (valid_q[5] && results_q.plain_we && results_q.after_we && !results_q.squares) begin
      we = 1'b1;
      waddr = results_q.after;
      control.write.sum = 1'b1;
    end
    if (active_q) begin
      control.sum_squares_we = !last_q;
      control.after_we = last_q;
      control.write.after = last_q;
      we = last_q;
      waddr = results_q.after;
    end
    for (int i = 0; i < MostSquares; i++) control.after_count[i] = left_q == unsigned'(SquaresBits'(i + 1));
  end

  // ---- commands of a step while steps run, else of an operation

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      a_o[i] = ladder ? step_a[i] : slot_q.a[i];
      b_o[i] = ladder ? step_b[i] : slot_q.b[i];
      c_o[i] = ladder ? step_c[i] : slot_q.c[i];
    end
    control_o = control | step_control;  // the one that does not run sets no command
    we_o = we || step_we;
    waddr_o = ladder ? step_waddr : waddr;
  end

endmodule
