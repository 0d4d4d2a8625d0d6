// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Makes the operations of a ladder step from one request, and passes all other operations on.
// Without a squarer it makes products from squares.
//
// Parameters Squarer: the unit has a squarer after its multiplier. Without it squares are products.
// Requires   valid_i comes with operation_i, or with step_i, and with take_i, the secret bit.
//            Without a squarer an operation_i with squares has one operand register, the second
//            operand 1, and no addend.
// Guarantees To eccel_gf2m_issue it passes operation_i with the places of its registers, without a
//            squarer as that many products; or the six operations of a step (model/lopez_dahab.py),
//            without a squarer ten. take_o belongs to the same request. ready_o accepts a request
//            together with its last operation. Without a squarer it accepts earlier, and waiting_o
//            stays high until that operation has issued. Registers RegXs to RegZd and their
//            successors change places after each step. Reset restores the register mapping. reg_o
//            is the place of reg_i, valid from the second cycle after a step.
// Latency    none. Without a squarer a request and its operations pass one register each.
//
// The order of operations keeps dependent products apart (eccelerate/timing/gf2m_schedule.py).

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
    input  logic       take_i,
    output logic       ready_o,
    output logic       waiting_o,

    output logic       valid_o,
    output operation_t operation_o,
    output logic       take_o,
    input  logic       ready_i,

    // Another number of a register, and its place in the file.
    input  reg_t reg_i,
    output reg_t reg_o
);

  // Of a step's operations.
  localparam int NumberBits = Squarer ? 3 : 4;
  localparam logic [NumberBits-1:0] Last = NumberBits'(Squarer ? 5 : 9);

  logic [NumberBits-1:0] number_q;
  logic swap_q, swap_late_q, step, last, taken;
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
        operation.a = {RegZs, RegZd};
        operation.b = {RegXs, RegXd};
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
      4: return unfused(3);
      5: return square(RegZs ^ Next);
      7: return square(RegZd ^ Next);
      8: return unfused(4);
      default: return unfused(5);
    endcase
  endfunction

  assign reg_o = place(reg_i, swap_late_q);

  if (Squarer) begin : gen_fused
    assign step = step_i;
    assign last = !step_i || number_q == Last;
    assign made = step_i ? fused(int'(number_q)) : operation_i;
    assign taken = valid_i && ready_i;
    assign ready_o = ready_i && last;
    assign operation_o = placed(made, swap_q);
    assign valid_o = valid_i;
    assign take_o = take_i;
    assign waiting_o = 1'b0;
  end else begin : gen_products
    logic [SquaresBits-1:0] left_q;  // squares after the next one
    logic request_q, step_q, squaring_q, left_none_q, made_valid_q;
    logic [1:0] take_q;
    operation_t operation_q, made_q;

    assign step = step_q;
    assign last = step_q ? number_q == Last : squaring_q ? left_none_q : operation_q.squares <= SquaresBits'(1);
    assign taken = request_q && (!made_valid_q || ready_i);
    assign ready_o = !request_q;
    assign operation_o = made_q;
    assign valid_o = made_valid_q;
    assign take_o = take_q[1];
    assign waiting_o = request_q || made_valid_q;

    always_comb begin
      made = operation_q;
      if (step_q) begin
        made = product(int'(number_q));
      end else if (operation_q.squares != '0) begin
        made = square(operation_q.after);
        if (!squaring_q) begin
          made.a = operation_q.a;
          made.b = operation_q.a;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!request_q) begin
        operation_q <= operation_i;
        step_q <= step_i;
        take_q[0] <= take_i;
      end
      if (taken) begin
        made_q <= placed(made, swap_q);
        take_q[1] <= take_q[0];
        left_q <= (squaring_q ? left_q : operation_q.squares - 1'b1) - 1'b1;
        left_none_q <= squaring_q ? left_q == SquaresBits'(1) : operation_q.squares == SquaresBits'(2);
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        request_q <= 1'b0;
        squaring_q <= 1'b0;
        made_valid_q <= 1'b0;
      end else begin
        request_q <= request_q ? !(taken && last) : valid_i;
        if (taken) squaring_q <= !step_q && !last;
        made_valid_q <= taken || made_valid_q && !ready_i;
      end
    end
  end

  // For the port, which is used long after the last step: this register may be placed near the
  // file.
  always_ff @(posedge clk_i) swap_late_q <= swap_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      number_q <= '0;
      swap_q   <= 1'b0;
    end else if (taken) begin
      number_q <= last ? '0 : number_q + 1'b1;
      swap_q   <= swap_q ^ (step && last);
    end
  end

endmodule
