// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Ladder steps of the full-width field unit: the fixed schedule, with one product in each cycle.
//
// Requires   go_i starts a sequence of steps in an idle unit. With ready_o, more_i says that
//            another step follows. take_i is the secret bit of the step, from the cycle after go_i
//            or ready_o to the next ready_o: 1 doubles Xs : Zs, 0 doubles Xd : Zd.
// Guarantees control_o are the commands for eccel_gf2m_wide_core. a_o, b_o, c_o are the registers
//            to read, we_o with waddr_o the register to write; a register can be read as
//            eccel_gf2m_wide_issue says. A step replaces RegXs to RegZd and RegT2 by the next
//            state. busy_o: a sequence is running; without it all commands are 0. No timing and no
//            address depends on take_i.
// Interval   A step takes 6 cycles. A sequence takes 5 more before its first step and 2 more after
//            its last one.
//
// Schedule of a step: the cycle in which a product starts; its operands are selected one cycle
// earlier.
//   0  T1 = Xs Zd, Zs' = (T1 + T2)^2        3  Xs' = Zs' x + T3
//   1  Zd' = (Xe Ze)^2                      4  Xd'' = (c Ze' + Xe')^4, of the next step
//   2  T3 = T1 T2                           5  T2' = Zs' Xd'
//
// The secret bit must not decide whether a factor stays the same from one product to the next,
// which its registers would show. So Zs' is the first factor before and after c Ze'. From Xs Zd to
// Xe Ze one of the two factors stays for either choice.

module eccel_gf2m_wide_steps
  import eccel_gf2m_pkg::*;
  import eccel_gf2m_wide_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    input  logic go_i,
    input  logic more_i,
    input  logic take_i,
    output logic ready_o,
    output logic busy_o,

    output reg_t a_o[2],
    output reg_t b_o[2],
    output reg_t c_o[2],
    output logic we_o,
    output reg_t waddr_o,

    output wide_control_t control_o
);

  logic [2:0] load_q;
  logic [5:0] phase_q;
  logic ladder_q, first_q, next_q, tail_q;

  assign busy_o  = ladder_q;
  assign ready_o = phase_q[2];

  // load_q reads the state, then phase_q counts the cycles of a step. A sequence begins with the
  // last half of a step that has no result. next_q: another step follows.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_q   <= '0;
      phase_q  <= '0;
      ladder_q <= 1'b0;
      tail_q   <= 1'b0;
    end else begin
      load_q <= {load_q[1:0], go_i};
      phase_q <= {phase_q[4:3], phase_q[2] || load_q[2], phase_q[1:0], phase_q[5] && next_q};
      tail_q <= phase_q[5] && !next_q;
      ladder_q <= go_i || ladder_q && !tail_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_q[2]) next_q <= 1'b1;
    else if (phase_q[2]) next_q <= more_i;
    if (load_q[2]) first_q <= 1'b1;
    else if (phase_q[1]) first_q <= 1'b0;
  end

  // ---- addresses

  assign a_o = '{load_q[0] ? RegXs : RegX, load_q[0] ? RegXd : RegC};
  assign b_o = '{load_q[0] ? RegZs : RegT2, load_q[0] ? RegZd : RegX};
  assign c_o = '{load_q != '0 || phase_q[3] ? RegXs : RegT2, RegT2};

  // ---- commands

  always_comb begin
    control_o = '0;
    we_o = 1'b0;
    waddr_o = RegT2;

    control_o.load = load_q[2];
    if (phase_q[3]) begin
      control_o.a.upper = next_q;
      control_o.b.zs = next_q && take_i;
      control_o.b.zd = next_q && !take_i && first_q;
      control_o.b.square = next_q && !take_i && !first_q;
      control_o.result_we = 1'b1;
      control_o.zd_we = !first_q;
      control_o.write.zs = 1'b1;
      we_o = !next_q;
      waddr_o = RegZs;
    end
    if (phase_q[4]) begin
      control_o.a.zs = 1'b1;
      control_o.b.xd = 1'b1;
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
      control_o.c.lower = take_i && first_q;
      control_o.c.sum = take_i && !first_q;
      control_o.c.xd = !take_i;
      control_o.sum_we = 1'b1;
      control_o.xs_we = !first_q;
      control_o.write.xs = 1'b1;
      we_o = !next_q;
      waddr_o = RegXs;
    end
    if (phase_q[0]) begin
      control_o.a.xs = take_i;
      control_o.a.xd = !take_i;
      control_o.b.zs = take_i;
      control_o.b.zd = !take_i;
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
      control_o.a.square = 1'b1;
      control_o.b.upper = 1'b1;
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
