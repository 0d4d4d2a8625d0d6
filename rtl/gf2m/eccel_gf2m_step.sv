// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Makes the six operations of a ladder step of one request, and lets all others through.
//
// Requires   valid_i with operation_i, or with step_i; take_i, the secret bit: with step_i, whether the sum is doubled.
// Guarantees to eccel_gf2m_issue: operation_i with its registers, or the six of model/lopez_dahab.py, step, one after
//            the other; a request is taken (ready_o) with its last operation. Registers RegXs to RegZd and their
//            successors change places behind each step; reset puts them where their numbers say.

module eccel_gf2m_step
  import eccel_gf2m_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    input  logic       valid_i,
    input  logic       step_i,
    input  operation_t operation_i,
    output logic       ready_o,

    output operation_t operation_o,
    input  logic       ready_i,

    // Another number of a register, and its place in the file.
    input  reg_t reg_i,
    output reg_t reg_o
);

  localparam logic [2:0] Last = 3'd5;

  logic [2:0] number_q;
  logic swap_q, swap_late_q, last;
  operation_t operation;

  assign last = number_q == Last;
  assign reg_o = place(reg_i, swap_late_q);
  assign ready_o = ready_i && (!step_i || last);

  always_comb begin
    operation = operation_i;
    if (step_i) begin
      operation = '0;
      unique case (number_q)
        3'd0: begin  // Xd' = (c Ze + Xe)^4
          operation.a = both(RegC);
          operation.b = {RegZs, RegZd};
          operation.c = {RegXs, RegXd};
          operation.add = 1'b1;
          operation.squares = SquaresBits'(2);
          operation.after_we = 1'b1;
          operation.after = RegXd ^ Next;
        end
        3'd1: begin  // T1 = Xs Zd, Zs' = (T1 + T2)^2
          operation.a = both(RegXs);
          operation.b = both(RegZd);
          operation.c = both(RegT2);
          operation.add = 1'b1;
          operation.squares = SquaresBits'(1);
          operation.plain_we = 1'b1;
          operation.plain = RegT1;
          operation.after_we = 1'b1;
          operation.after = RegZs ^ Next;
        end
        3'd2: begin  // Zd' = (Xe Ze)^2
          operation.a = {RegXs, RegXd};
          operation.b = {RegZs, RegZd};
          operation.squares = SquaresBits'(1);
          operation.after_we = 1'b1;
          operation.after = RegZd ^ Next;
        end
        3'd3: begin  // T3 = T1 T2
          operation.a = both(RegT1);
          operation.b = both(RegT2);
          operation.plain_we = 1'b1;
          operation.plain = RegT3;
        end
        3'd4: begin  // Xs' = x Zs' + T3
          operation.a = both(RegX);
          operation.b = both(RegZs ^ Next);
          operation.c = both(RegT3);
          operation.add = 1'b1;
          operation.after_we = 1'b1;
          operation.after = RegXs ^ Next;
        end
        default: begin  // T2' = Xd' Zs'
          operation.a = both(RegXd ^ Next);
          operation.b = both(RegZs ^ Next);
          operation.plain_we = 1'b1;
          operation.plain = RegT2;
        end
      endcase
    end
  end

  always_comb begin
    operation_o = operation;
    for (int i = 0; i < 2; i++) begin
      operation_o.a[i] = place(operation.a[i], swap_q);
      operation_o.b[i] = place(operation.b[i], swap_q);
      operation_o.c[i] = place(operation.c[i], swap_q);
    end
    operation_o.plain = place(operation.plain, swap_q);
    operation_o.after = place(operation.after, swap_q);
  end

  // For the port, which comes long behind the last step: near the file, not here.
  always_ff @(posedge clk_i) swap_late_q <= swap_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      number_q <= '0;
      swap_q   <= 1'b0;
    end else if (valid_i && step_i && ready_i) begin
      number_q <= last ? '0 : number_q + 1'b1;
      swap_q   <= swap_q ^ last;
    end
  end

endmodule
