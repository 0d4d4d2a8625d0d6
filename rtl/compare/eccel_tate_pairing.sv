// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Yardstick Tate-256: the reduced Tate pairing on a curve y^2 = x^3 + b with embedding degree 4.
//
// Parameters Curve: number in eccel_tate_program_pkg; 0 has a prime of 256 bits, and a subgroup of
//            an order of 171 bits. Bits: width(Curve). Multipliers, Digit: how many, and bits in a
//            cycle of each.
// Requires   P = (px, py) is on the curve over F_p and has the order r, Q = (qx0 + qx1 i,
//            (qy0 + qy1 i) v) is on it over F_p^4; or infinity_i: P or Q is infinity. Coordinates
//            are below p. Here i^2 = -1 and v^2 = 1 + i.
// Guarantees With valid_o: e0_o + e1_o i + (e2_o + e3_o i) v = f(Q)^((p^4 - 1) / r), where f has
//            the divisor r (P) - r (infinity). The time does not depend on P and Q, but for the
//            division and for infinity.
// Latency    of the 256-bit curve: about 340,000 cycles with 4 multipliers of 2 bits.
// After      eccelerate/model/tate_program.py: Miller's algorithm without denominators, Karatsuba
//            in F_p^4 over F_p^2 over F_p, unitary squarings in the final exponent.

module eccel_tate_pairing #(
    parameter int Curve       = 0,
    parameter int Bits        = 256,
    parameter int Multipliers = 4,
    parameter int Digit       = 2
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] px_i,
    input  logic [Bits-1:0] py_i,
    input  logic [Bits-1:0] qx0_i,
    input  logic [Bits-1:0] qx1_i,
    input  logic [Bits-1:0] qy0_i,
    input  logic [Bits-1:0] qy1_i,
    input  logic            infinity_i,
    output logic            valid_o,
    output logic [Bits-1:0] e0_o,
    output logic [Bits-1:0] e1_o,
    output logic [Bits-1:0] e2_o,
    output logic [Bits-1:0] e3_o
);

  import eccel_field_pkg::*;
  import eccel_tate_program_pkg::*;

  if (Bits != width(Curve) || Multipliers < 4) begin : g_check
    $fatal(1, "Bits has to be the width of the curve, and the program needs 4 multipliers");
  end

  localparam int PlaceBits = 9;
  localparam logic [511:0] Nonzero = nonzero(Curve);
  localparam logic [511:0] Negative = negative(Curve);
  localparam logic [511:0] Last = last(Curve);
  localparam logic [Bits-1:0] Prime = Bits'(prime(Curve));
  localparam logic [Bits-1:0] Square = Bits'(square(Curve));

  logic idle_q, start, step, out, infinity_q, unused_flag;
  logic [2:0] number;
  logic [Bits-1:0] value, px_q, py_q, qx0_q, qx1_q, qy0_q, qy1_q;
  logic [Bits:0] operand;
  logic [PlaceBits-1:0] place_q;
  logic [AddressBits-1:0] address;

  assign ready_o = idle_q || valid_o;
  assign start = valid_i && ready_o;

  always_comb begin
    unique case (number)
      3'd0: operand = {1'b0, px_q};
      3'd1: operand = {1'b0, py_q};
      3'd2: operand = {1'b0, qx0_q};
      3'd3: operand = {1'b0, qx1_q};
      3'd4: operand = {1'b0, qy0_q};
      3'd5: operand = {1'b0, qy1_q};
      3'd6: operand = (Bits + 1)'(1);
      default: operand = {1'b0, Square};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      px_q <= px_i;
      py_q <= py_i;
      qx0_q <= qx0_i;
      qx1_q <= qx1_i;
      qy0_q <= qy0_i;
      qy1_q <= qy1_i;
      infinity_q <= infinity_i;
    end
    if (start) place_q <= '0;
    else if (step) place_q <= place_q + 1'b1;
    idle_q <= ready_o && !valid_i;
    if (rst_i) idle_q <= 1'b1;
  end

  eccel_field_machine #(
      .Bits       (Bits),
      .Registers  (32),
      .Multipliers(Multipliers),
      .Digit      (Digit),
      .Divider    (1'b1)
  ) u_machine (
      .clk_i,
      .rst_i,
      .start_i      (start),
      .modulus_i    (Prime),
      .address_o    (address),
      .instruction_i(tate(address)),
      .operand_i    (operand),
      .external_i   (infinity_q),
      .digit_i      (Nonzero[place_q]),
      .negative_i   (Negative[place_q]),
      .last_i       (Last[place_q]),
      .step_o       (step),
      .out_o        (out),
      .number_o     (number),
      .value_o      (value),
      .flag_o       (unused_flag),
      .done_o       (valid_o)
  );

  always_ff @(posedge clk_i) begin
    if (out && number == 3'd0) e0_o <= value;
    if (out && number == 3'd1) e1_o <= value;
    if (out && number == 3'd2) e2_o <= value;
    if (out && number == 3'd3) e3_o <= value;
  end

endmodule
