// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Scalar multiplication k P on y^2 = x^3 + a x + b by double-and-add, for any prime and any curve:
// what eccel_ecc_affine and eccel_ecc_jacobian have in common.
//
// Parameters Bits: of the prime and the scalar. A: the coefficient a of the curve. Affine:
//            coordinates of the running point; 0 is Jacobian.
// Requires   p an odd prime above 3 and below 2^Bits; -p < a < p; x, y < p; (x, y) on the curve, or
//            infinity_i.
// Guarantees With valid_o: infinity_o and coordinates 0 if k P is infinity; else k P = (x_o, y_o),
//            or with Jacobian coordinates k P = (x_o / z_o^2, y_o / z_o^3). The time depends on k:
//            this is a yardstick, not for secrets.
// Latency    from acceptance, for k of B = Bits bits with w ones, without exceptional additions:
//            about (8 B + 14 w) (B + 3) cycles Jacobian, and affine about B (4 (B + 3) + I) + w (3
//            (B + 3) + I) with a division of I = 1.4 B on average.
// After      eccelerate/model/ecc_program.py has the formulas.

module eccel_ecc_core #(
    parameter int                Bits   = 256,
    parameter logic signed [Bits:0] A   = -3,
    parameter bit                Affine = 1'b0
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] p_i,
    input  logic [Bits-1:0] x_i,
    input  logic [Bits-1:0] y_i,
    input  logic            infinity_i,
    input  logic [Bits-1:0] k_i,
    output logic            valid_o,
    output logic [Bits-1:0] x_o,
    output logic [Bits-1:0] y_o,
    output logic [Bits-1:0] z_o,
    output logic            infinity_o
);

  import eccel_field_pkg::*;

  localparam int CountBits = $clog2(Bits);

  // ------------------------------------------------------------------ operands

  logic idle_q, start, step, out;
  logic infinity_q;
  logic [2:0] number;
  logic [Bits-1:0] p_q, x_q, y_q, k_q, value;
  logic [Bits:0] operand;
  logic [CountBits-1:0] left_q;

  assign ready_o = idle_q || valid_o;
  assign start = valid_i && ready_o;

  always_comb begin
    unique case (number[1:0])
      2'd0: operand = (Bits + 1)'(1);
      2'd1: operand = {1'b0, x_q};
      2'd2: operand = {1'b0, y_q};
      default: operand = A;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      p_q <= p_i;
      x_q <= x_i;
      y_q <= y_i;
      k_q <= k_i;
      infinity_q <= infinity_i;
    end
    if (start || step && left_q == '0) left_q <= CountBits'(Bits - 1);
    else if (step) left_q <= left_q - 1'b1;

    idle_q <= ready_o && !valid_i;
    if (rst_i) idle_q <= 1'b1;
  end

  // ------------------------------------------------------------------ machine and program

  logic [AddressBits-1:0] address;
  instruction_t instruction;

  if (Affine) begin : g_affine
    assign instruction = eccel_ecc_program_pkg::affine(address);
  end else begin : g_jacobian
    assign instruction = eccel_ecc_program_pkg::jacobian(address);
  end

  eccel_field_machine #(
      .Bits       (Bits),
      .Registers  (16),
      .Multipliers(1),
      .Digit      (1),
      .Divider    (Affine)
  ) u_machine (
      .clk_i,
      .rst_i,
      .start_i      (start),
      .modulus_i    (p_q),
      .address_o    (address),
      .instruction_i(instruction),
      .operand_i    (operand),
      .external_i   (infinity_q),
      .digit_i      (k_q[left_q]),
      .negative_i   (1'b0),
      .last_i       (left_q == '0),
      .step_o       (step),
      .out_o        (out),
      .number_o     (number),
      .value_o      (value),
      .flag_o       (infinity_o),
      .done_o       (valid_o)
  );

  // ------------------------------------------------------------------ results

  always_ff @(posedge clk_i) begin
    if (out && number == 3'd0) x_o <= value;
    if (out && number == 3'd1) y_o <= value;
  end
  if (Affine) begin : g_no_z
    assign z_o = '0;
  end else begin : g_z
    always_ff @(posedge clk_i) if (out && number == 3'd2) z_o <= value;
  end

endmodule
