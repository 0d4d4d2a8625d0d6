// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Makes the operations of a ladder step of one request, and lets all others through; without a squarer each operation as products.
//
// Parameters Squarer: the unit squares behind a product. Else squares are products.
// Requires   valid_i with operation_i, or with step_i. Without a squarer operation_i with squares is one of one register by the value
//            1, nothing added.
// Guarantees to eccel_gf2m_issue: operation_i with its registers; without a squarer as many squares; or the six operations of
//            model/lopez_dahab.py, step, and without a squarer four squares. A request is taken (ready_o) with its last
//            operation. Registers RegXs to RegZd and their successors change places behind each step; reset puts them where
//            their numbers say. reg_o: the place of reg_i, from the second cycle behind a step on.
//
// The order keeps dependent products apart (eccelerate/sim/gf2m_schedule.py).

module eccel_gf2m_step
  import eccel_gf2m_pkg::*;
#(
    parameter bit Squarer = 1'b1
) (
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

  // Of an operation's products, which are as many as a field has bits, or of a step's.
  localparam int NumberBits = Squarer ? 3 : SquaresBits;
  localparam logic [NumberBits-1:0] Last = NumberBits'(Squarer ? 5 : 9);

  logic [NumberBits-1:0] number_q;
  logic swap_q, swap_late_q, last;
  operation_t made;

  // An operation of a step, of six.
  function automatic operation_t fused(int number);
    operation_t operation = '0;
    unique case (number)
      0: begin  // Xd' = (c Ze + Xe)^4
        operation.a = both(RegC);
        operation.b = {RegZs, RegZd};
        operation.c = {RegXs, RegXd};
        operation.add = 1'b1;
        operation.squares = SquaresBits'(2);
        operation.after_we = 1'b1;
        operation.after = RegXd ^ Next;
      end
      1: begin  // T1 = Xs Zd, Zs' = (T1 + T2)^2
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
      2: begin  // Zd' = (Xe Ze)^2
        operation.a = {RegXs, RegXd};
        operation.b = {RegZs, RegZd};
        operation.squares = SquaresBits'(1);
        operation.after_we = 1'b1;
        operation.after = RegZd ^ Next;
      end
      3: begin  // T3 = T1 T2
        operation.a = both(RegT1);
        operation.b = both(RegT2);
        operation.plain_we = 1'b1;
        operation.plain = RegT3;
      end
      4: begin  // Xs' = x Zs' + T3
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
    return operation;
  endfunction

  // The same without its squares.
  function automatic operation_t unfused(int number);
    operation_t operation = fused(number);
    operation.squares = '0;
    return operation;
  endfunction

  // A register's square, to it.
  function automatic operation_t square(reg_t register);
    operation_t operation = '0;
    operation.a = both(register);
    operation.b = both(register);
    operation.plain_we = 1'b1;
    operation.plain = register;
    return operation;
  endfunction

  // A product of a step, of ten.
  function automatic operation_t product(int number);
    unique case (number)
      0, 1, 2: return unfused(number);
      3, 6: return square(RegXd ^ Next);
      4: return square(RegZs ^ Next);
      5: return unfused(3);
      7: return square(RegZd ^ Next);
      8: return unfused(4);
      default: return unfused(5);
    endcase
  endfunction

  assign last = step_i ? number_q == Last
      : Squarer || operation_i.squares == '0 || SquaresBits'(number_q) == operation_i.squares - 1'b1;
  assign reg_o = place(reg_i, swap_late_q);
  assign ready_o = ready_i && last;

  always_comb begin
    made = operation_i;
    if (step_i) begin
      made = Squarer ? fused(int'(number_q)) : product(int'(number_q));
    end else if (!Squarer && operation_i.squares != '0) begin
      made = square(operation_i.after);
      if (number_q == '0) begin
        made.a = operation_i.a;
        made.b = operation_i.a;
      end
    end
    operation_o = placed(made, swap_q);
  end

  // For the port, which comes long behind the last step: near the file, not here.
  always_ff @(posedge clk_i) swap_late_q <= swap_q;

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
