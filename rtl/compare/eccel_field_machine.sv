// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A small processor for integers modulo p: registers, an adder, Montgomery multipliers, a divider.
// The program is outside: address_o asks for the instruction that instruction_i gives at once.
//
// Parameters Bits: of the modulus. Registers: how many, at most 64. Multipliers: 1 to 8. Digit: of
//            a multiplier, in bits. Divider: whether there is one.
// Requires   p = modulus_i is an odd prime below 2^Bits, from start_i to done_o. Operands are
//            signed, -p <= x < p. The program uses registers, multipliers and a divider that exist,
//            collects each product before its multiplier starts again, and ends with OpDone.
// Guarantees Registers are in [0, p). start_i starts the program at address 0; it comes if the
//            program does not run, or with done_o. In the cycle of out_o, step_o, done_o the
//            program is at OpOutput with result number_o of value value_o, at a jump IfMore, at
//            OpDone. OpInput takes operand_i, the operand number_o.
// Latency    An instruction takes one cycle, and two if it has a second register b. It waits for a
//            multiplier or the divider that is busy: a product needs Bits / Digit + 1 cycles from
//            its OpMultiply.

module eccel_field_machine #(
    parameter int Bits        = 256,
    parameter int Registers   = 16,
    parameter int Multipliers = 1,
    parameter int Digit       = 1,
    parameter bit Divider     = 1'b0
) (
    input  logic                                                clk_i,
    input  logic                                                rst_i,
    input  logic                                                start_i,
    input  logic                                     [Bits-1:0] modulus_i,
    output logic                  [eccel_field_pkg::AddressBits-1:0] address_o,
    input  eccel_field_pkg::instruction_t                       instruction_i,
    input  logic                                       [Bits:0] operand_i,
    input  logic                                                external_i,
    input  logic                                                digit_i,     // it is not 0
    input  logic                                                negative_i,  // it is -1
    input  logic                                                last_i,
    output logic                                                step_o,
    output logic                                                out_o,
    output logic                                          [2:0] number_o,
    output logic                                     [Bits-1:0] value_o,
    output logic                                                flag_o,
    output logic                                                done_o
);

  import eccel_field_pkg::*;

  localparam int PlaceBits = $clog2(Registers);
  localparam int UnitBits = Multipliers == 1 ? 1 : $clog2(Multipliers);
  typedef logic [Bits:0] value_t;  // the upper bit is 0: see eccel_field_adder

  // ------------------------------------------------------------------ sequencer

  instruction_t now_q;
  logic run_q, second_q, two, wait_unit, go, jump, zero_q, flag_q;
  logic [AddressBits-1:0] address_q;
  logic [11:0] target;
  logic [2**UnitBits-1:0] busy;
  logic [UnitBits-1:0] unit;
  logic divider_busy;

  assign unit = now_q.unit[UnitBits-1:0];

  always_comb begin
    unique case (now_q.op)
      OpMultiply, OpProduct: wait_unit = busy[unit];
      OpDivide, OpQuotient: wait_unit = divider_busy;
      default: wait_unit = 1'b0;
    endcase
  end
  // The register b is read in a first cycle, so that the memory of registers needs one port only.
  assign two = now_q.op inside {OpAdd, OpSub, OpMove, OpNegate, OpMultiply, OpDivide, OpOutput, OpTest};
  assign go = run_q && !wait_unit && (second_q || !two);

  always_comb begin
    unique case (condition_t'(now_q.unit))
      IfAlways: jump = 1'b1;
      IfZero: jump = zero_q;
      IfNonzero: jump = !zero_q;
      IfFlag: jump = flag_q;
      IfNoDigit: jump = !digit_i;
      IfNotNegative: jump = !negative_i;
      IfMore: jump = !last_i;
      default: jump = external_i;
    endcase
  end

  assign target = {now_q.d, now_q.b};
  always_comb begin
    if (!run_q || done_o) address_o = '0;
    else if (!go) address_o = address_q;
    else if (now_q.op == OpJump && jump) address_o = target[AddressBits-1:0];
    else address_o = address_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    now_q <= instruction_i;
    address_q <= address_o;
    run_q <= start_i || run_q && !done_o;
    second_q <= run_q && two && !go;
    if (go && now_q.op == OpFlag) flag_q <= now_q.unit[0];
    if (rst_i) run_q <= 1'b0;
  end

  assign step_o   = go && now_q.op == OpJump && condition_t'(now_q.unit) == IfMore;
  assign out_o    = go && now_q.op == OpOutput;
  assign done_o   = go && now_q.op == OpDone;
  assign number_o = now_q.op == OpInput ? now_q.b[2:0] : now_q.unit;
  assign flag_o   = flag_q;

  // ------------------------------------------------------------------ registers

  value_t register_q[Registers];
  value_t left, right_q, result;
  logic [PlaceBits-1:0] place;
  logic write;

  assign place = two && !second_q ? now_q.b[PlaceBits-1:0] : now_q.d[PlaceBits-1:0];
  assign left  = register_q[place];
  assign write = go && now_q.op inside {OpAdd, OpSub, OpMove, OpNegate, OpInput, OpProduct, OpQuotient};

  always_ff @(posedge clk_i) begin
    if (!second_q) right_q <= left;
    if (write) register_q[place] <= result;
  end

  // ------------------------------------------------------------------ sums, and all results

  logic [Bits:0] product[2**UnitBits];
  logic [Bits:0] quotient;
  logic quotient_negate, subtract, negative;
  logic [Bits+1:0] x;

  always_comb begin
    unique case (now_q.op)
      OpAdd, OpSub: x = {1'b0, left};
      OpInput: x = {operand_i[Bits], operand_i};
      OpProduct: x = {product[unit][Bits], product[unit]};
      OpQuotient: x = {quotient[Bits], quotient} ^ {Bits+2{quotient_negate}};
      default: x = '0;
    endcase
  end
  assign subtract = now_q.op inside {OpSub, OpNegate, OpTest};

  eccel_field_adder #(
      .Bits(Bits)
  ) u_adder (
      .x_i     (x),
      .y_i     (right_q),
      .add_i   (now_q.op inside {OpAdd, OpMove, OpOutput}),
      .sub_i   (subtract),
      .carry_i (subtract || now_q.op == OpQuotient && quotient_negate),
      .signed_i(subtract || now_q.op inside {OpInput, OpProduct, OpQuotient}),
      .modulus_i,
      .r_o     (result),
      .negative_o(negative)
  );

  // 0 - R[b] is not negative
  always_ff @(posedge clk_i) if (go && now_q.op == OpTest) zero_q <= !negative;
  assign value_o = result[Bits-1:0];

  // ------------------------------------------------------------------ products and quotients

  for (genvar i = 0; i < Multipliers; i++) begin : g_multiplier
    eccel_field_multiplier #(
        .Bits (Bits),
        .Digit(Digit)
    ) u_multiplier (
        .clk_i,
        .rst_i,
        .start_i(go && now_q.op == OpMultiply && int'(unit) == i),
        .a_i    (left[Bits-1:0]),
        .b_i    (right_q),
        .modulus_i,
        .busy_o (busy[i]),
        .s_o    (product[i])
    );
  end
  for (genvar i = Multipliers; i < 2 ** UnitBits; i++) begin : g_no_multiplier
    assign busy[i] = 1'b0;
    assign product[i] = '0;
  end

  if (Divider) begin : g_divider
    eccel_field_divider #(
        .Bits(Bits)
    ) u_divider (
        .clk_i,
        .rst_i,
        .start_i      (go && now_q.op == OpDivide),
        .numerator_i  (left[Bits-1:0]),
        .denominator_i(right_q[Bits-1:0]),
        .modulus_i,
        .busy_o       (divider_busy),
        .quotient_o   (quotient),
        .negate_o     (quotient_negate)
    );
  end else begin : g_no_divider
    assign divider_busy = 1'b0;
    assign quotient = '0;
    assign quotient_negate = 1'b0;
  end

endmodule
