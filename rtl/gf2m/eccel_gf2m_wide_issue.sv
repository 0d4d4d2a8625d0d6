// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Full-width field unit: starts operations one by one, and runs ladder steps by a fixed schedule
// with one product in each cycle.
//
// Requires   valid_i comes with operation_i or with step_i, and with take_i, the secret bit;
//            ready_o accepts it. changed_i: the unit is idle and the port writes a register. A word
//            of the register file can be addressed from the second cycle after its we_o, and is
//            available two cycles later.
// Guarantees control_o are the commands for eccel_gf2m_wide_core. Operations read and write
//            registers as if they ran one by one. A step replaces RegXs to RegZd and RegT2 by the
//            next state. No timing and no address depends on take_i.
// Interval   An operation takes 3 cycles; with squares 3 + ceil(squares / MostSquares); 4 if it
//            writes product and sum. A step takes 6. A sequence of steps takes 5 more before its
//            first one and 2 more after its last one.
//
// Schedule of a step: the cycle in which a product starts; its operands are selected one cycle
// earlier.
//   0  T1 = Xs Zd, Zs' = (T1 + T2)^2        3  Xs' = x Zs' + T3
//   1  Zd' = (Xe Ze)^2                      4  Xd'' = (c Ze' + Xe')^4, of the next step
//   2  T3 = T1 T2                           5  T2' = Xd' Zs'

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

  logic [2:0] load_q;
  logic [5:0] phase_q;
  logic ladder_q, first_q, next_q, tail_q;

  assign go = valid_i && !step_i && ready_o;
  assign go_step = valid_i && step_i && ready_o && !ladder_q;
  assign more = valid_i && step_i;
  assign idle_o = valid_q == '0 && !active_q && !ladder_q && !long_q;
  assign ready_o = ladder_q ? phase_q[2] && step_i : step_i ? idle_o : wait_q == '0 && !long_q;

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
    if (go || go_step || ladder_q && phase_q[2]) take_q <= take_i;
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

  // ---- steps: load_q reads the state, then phase_q counts the cycles of a step; a sequence begins
  // with the last half of a step that has no result; next_q: another step follows

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_q   <= '0;
      phase_q  <= '0;
      ladder_q <= 1'b0;
      tail_q   <= 1'b0;
    end else begin
      load_q <= {load_q[1:0], go_step};
      phase_q <= {phase_q[4:3], phase_q[2] || load_q[2], phase_q[1:0], phase_q[5] && next_q};
      tail_q <= phase_q[5] && !next_q;
      ladder_q <= go_step || ladder_q && !tail_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_q[2]) next_q <= 1'b1;
    else if (phase_q[2]) next_q <= more;
    if (load_q[2]) first_q <= 1'b1;
    else if (phase_q[1]) first_q <= 1'b0;
  end

  // ---- addresses

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      a_o[i] = slot_q.a[i];
      b_o[i] = slot_q.b[i];
      c_o[i] = slot_q.c[i];
    end
    if (ladder_q) begin
      a_o = '{load_q[0] ? RegXs : RegX, load_q[0] ? RegXd : RegC};
      b_o = '{load_q[0] ? RegZs : RegT2, RegZd};
      c_o = '{load_q != '0 || phase_q[3] ? RegXs : RegT2, RegT2};
    end
  end

  // ---- controls

  always_comb begin
    control_o = '0;
    we_o = 1'b0;
    waddr_o = results_q.plain;

    if (valid_q[2]) begin
      control_o.a.lower = a_from.lower;
      control_o.a.upper = a_from.upper;
      control_o.a.result = a_from.result;
      control_o.a.sum = a_from.sum;
      control_o.a.after = a_from.after;
      control_o.b.one = slot_q.one;
      control_o.b.lower = b_from.lower && !slot_q.one;
      control_o.b.upper = b_from.upper && !slot_q.one;
      control_o.b.result = b_from.result && !slot_q.one;
      control_o.b.sum = b_from.sum && !slot_q.one;
      control_o.b.after = b_from.after && !slot_q.one;
    end
    if (valid_q[4]) begin
      control_o.result_we = 1'b1;
      control_o.sum_we = 1'b1;
      control_o.c.lower = flight_q.c.lower;
      control_o.c.upper = flight_q.c.upper;
      control_o.c.result = flight_q.c.result;
      control_o.c.sum = flight_q.c.sum;
      control_o.c.after = flight_q.c.after;
      we_o = results_q.plain_we || results_q.after_we && !results_q.squares;
      control_o.write.result = results_q.plain_we;
      control_o.write.sum = !results_q.plain_we;
      if (!results_q.plain_we) waddr_o = results_q.after;
    end
    if (valid_q[5] && results_q.plain_we && results_q.after_we && !results_q.squares) begin
      we_o = 1'b1;
      waddr_o = results_q.after;
      control_o.write.sum = 1'b1;
    end
    if (active_q) begin
      control_o.sum_squares_we = !last_q;
      control_o.after_we = last_q;
      control_o.write.after = last_q;
      we_o = last_q;
      waddr_o = results_q.after;
    end
    for (int i = 0; i < MostSquares; i++) control_o.after_count[i] = left_q == unsigned'(SquaresBits'(i + 1));

    control_o.load = load_q[2];
    if (phase_q[3]) begin
      control_o.a.upper = next_q;
      control_o.b.zs = next_q && take_q;
      control_o.b.zd = next_q && !take_q && first_q;
      control_o.b.square = next_q && !take_q && !first_q;
      control_o.result_we = 1'b1;
      control_o.zd_we = !first_q;
      control_o.write.zs = 1'b1;
      we_o = !next_q;
      waddr_o = RegZs;
    end
    if (phase_q[4]) begin
      control_o.a.xd = 1'b1;
      control_o.b.zs = 1'b1;
      control_o.c.result = 1'b1;
      control_o.sum_we = 1'b1;
      control_o.write.zd = 1'b1;
      we_o = !next_q;
      waddr_o = RegZd;
    end
    if (phase_q[5]) begin
      control_o.a.xs = first_q;
      control_o.a.sum = !first_q;
      control_o.b.zd = 1'b1;
      control_o.c.lower = take_q && first_q;
      control_o.c.sum = take_q && !first_q;
      control_o.c.xd = !take_q;
      control_o.sum_we = 1'b1;
      control_o.xs_we = !first_q;
      control_o.write.xs = 1'b1;
      we_o = !next_q;
      waddr_o = RegXs;
    end
    if (phase_q[0]) begin
      control_o.a.xs = take_q;
      control_o.a.xd = !take_q;
      control_o.b.zs = take_q;
      control_o.b.zd = !take_q;
      control_o.result_we = 1'b1;
      control_o.xd_we = 1'b1;
    end
    if (phase_q[1]) begin
      control_o.a.product = 1'b1;
      control_o.b.lower = first_q;
      control_o.b.result = !first_q;
      control_o.c.lower = first_q;
      control_o.c.result = !first_q;
      control_o.sum_we = 1'b1;
      control_o.write.xd = 1'b1;
      we_o = 1'b1;
      waddr_o = RegXd;
    end
    if (phase_q[2]) begin
      control_o.a.lower = 1'b1;
      control_o.b.square = 1'b1;
      control_o.sum_we = 1'b1;
      control_o.zs_we = 1'b1;
    end
    if (tail_q) begin
      control_o.result_we = 1'b1;
      control_o.write.result = 1'b1;
      we_o = 1'b1;
      waddr_o = RegT2;
    end
  end

endmodule
