// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Makes the ten products of a ladder step, and the products of repeated squares, where the unit has no squarer.
//
// Requires   valid_i with operation_i, or with step_i; take_i, the secret bit: with step_i, whether the sum is doubled.
//            operation_i: with squares, of one register by the value 1, nothing added.
// Guarantees to eccel_gf2m_issue: operation_i with its registers; or as many squares; or the six operations of
//            model/lopez_dahab.py, step, and four squares. A request is taken (ready_o) with its last operation.
//            Registers RegXs to RegZd and their successors change places behind each step; reset puts them where
//            their numbers say.
//
// The order keeps dependent products apart (eccelerate/sim/gf2m_schedule.py, ladder_step_of_products).

module eccel_gf2m_generic_step
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

  localparam logic [SquaresBits-1:0] Last = SquaresBits'(9);

  logic [SquaresBits-1:0] number_q;
  logic swap_q, last;
  operation_t operation;

  assign last = step_i ? number_q == Last
      : operation_i.squares == '0 || number_q == operation_i.squares - 1'b1;
  assign reg_o = place(reg_i, swap_q);
  assign ready_o = ready_i && last;

  // A register's square, to another one.
  function automatic operation_t square(reg_t from, reg_t to);
    operation_t result = '0;
    result.a = both(from);
    result.b = both(from);
    result.plain_we = 1'b1;
    result.plain = to;
    return result;
  endfunction

  always_comb begin
    operation = operation_i;
    if (step_i) begin
      operation = '0;
      unique case (number_q[3:0])
        4'd0: begin  // E = c Ze + Xe
          operation.a = both(RegC);
          operation.b = {RegZs, RegZd};
          operation.c = {RegXs, RegXd};
          operation.add = 1'b1;
          operation.after_we = 1'b1;
          operation.after = RegXd ^ Next;
        end
        4'd1: begin  // T1 = Xs Zd, S = T1 + T2
          operation.a = both(RegXs);
          operation.b = both(RegZd);
          operation.c = both(RegT2);
          operation.add = 1'b1;
          operation.plain_we = 1'b1;
          operation.plain = RegT1;
          operation.after_we = 1'b1;
          operation.after = RegZs ^ Next;
        end
        4'd2: begin  // G = Xe Ze
          operation.a = {RegXs, RegXd};
          operation.b = {RegZs, RegZd};
          operation.plain_we = 1'b1;
          operation.plain = RegZd ^ Next;
        end
        4'd3: operation = square(RegXd ^ Next, RegXd ^ Next);  // E^2
        4'd4: operation = square(RegZs ^ Next, RegZs ^ Next);  // Zs' = S^2
        4'd5: begin  // T3 = T1 T2
          operation.a = both(RegT1);
          operation.b = both(RegT2);
          operation.plain_we = 1'b1;
          operation.plain = RegT3;
        end
        4'd6: operation = square(RegXd ^ Next, RegXd ^ Next);  // Xd' = E^4
        4'd7: operation = square(RegZd ^ Next, RegZd ^ Next);  // Zd' = G^2
        4'd8: begin  // Xs' = x Zs' + T3
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
    end else if (operation_i.squares != '0) begin
      operation = square(operation_i.after, operation_i.after);
      if (number_q == '0) begin
        operation.a = operation_i.a;
        operation.b = operation_i.a;
      end
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      number_q <= '0;
      swap_q   <= 1'b0;
    end else if (valid_i && ready_i) begin
      number_q <= last ? '0 : number_q + 1'b1;
      swap_q   <= swap_q ^ (step_i && last);
    end
  end

endmodule
