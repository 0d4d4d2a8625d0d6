// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplication of a point over GF(2^m): (x_o, y_o) = k_i (x_i, y_i). A yardstick to compare
// coordinates, algorithms, digit sizes and numbers of multipliers with; it is not protected.
//
// Parameters Kind: coordinates and algorithm, see eccel_study_programs_pkg. DigitBits: of the
//            digit-serial multipliers, 1, 4, 16 or 64. Multipliers: 1 to 3, which work at once.
//            Divider: with the divider; without it Itoh and Tsujii's method inverts. Curve: 0 is
//            B-163, 1 is K-163. The field is that of eccel_study_programs_pkg.
// Requires   (x_i, y_i) is a point of odd prime order n of the curve y^2 + x y = x^3 + x^2 + b, and
//            1 <= k_i <= n - 3.
// Guarantees The handshake of README.md. For other operands valid_o comes all the same, and the
//            result has no meaning.
// Latency    of the program, and for all kinds but Montgomery's method of the digits that are not
//            0. The next operation can be taken in the cycle after valid_o.
// After      L. Marnane, (Comparing) Hardware Complexity of Cryptographic Algorithms: register
//            file, multipliers, squarer and adder in one cycle, divider.
//
// An instruction reads two registers. The first operand can also be a product, the quotient, a
// constant or an operand of the core. The sum, squared if wanted, is written to a register, and one
// multiplier or the divider can start with the two operands. The core has no interlocks: programs
// are scheduled for the latency of the multipliers. A negative digit, or a digit 1 of the ladder,
// lets the registers of a pair change places.

module eccel_study
  import eccel_study_pkg::*;
  import eccel_study_programs_pkg::*;
#(
    parameter int Kind = 6,
    parameter int  /* 1, 4, 16, 64 */ DigitBits = 16,
    parameter int Multipliers = 1,
    parameter int Divider = 0,
    parameter int Curve = 0,
    localparam int Width = Degree
) (
    input logic clk_i,
    input logic rst_i,

    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] x_i,
    input  logic [Width-1:0] y_i,
    input  logic [Width-1:0] k_i,
    output logic             valid_o,
    output logic [Width-1:0] x_o,
    output logic [Width-1:0] y_o
);

  localparam int Number = number(Kind, DigitBits, Multipliers, Divider);
  localparam about_t About = about(Number);
  localparam logic [Width-1:0] C = fourth_root(Curve);

  if (About.words == 0) begin : gen_error
    $error("there is no program for these parameters; affine coordinates need the divider");
  end

  localparam int AddressBits = $clog2(About.registers);

  word_t word;
  logic [AddressBits-1:0] place_a, place_b, place_d;
  logic load, next, in_loop, nonzero, one, none, swap;
  logic [Width-1:0] y_q, a, b, sum, result, operand_a, quotient;
  logic [Width-1:0] products[MaxMultipliers];

  assign ready_o = word.control == ControlIdle;
  assign valid_o = word.control == ControlDone;
  assign x_o = a;
  assign y_o = b;

  // ---- control

  eccel_study_sequencer #(
      .Number(Number)
  ) u_sequencer (
      .clk_i,
      .rst_i,
      .valid_i,
      .nonzero_i(nonzero),
      .none_i   (none),
      .word_o   (word),
      .load_o   (load),
      .next_o   (next),
      .loop_o   (in_loop)
  );

  eccel_study_digits #(
      .Bits  (Width),
      .Signed(About.signed_digits)
  ) u_digits (
      .clk_i,
      .load_i   (load),
      .k_i,
      .next_i   (next),
      .nonzero_o(nonzero),
      .one_o    (one),
      .none_o   (none)
  );

  assign swap = in_loop && one;

  function automatic reg_t place(reg_t asked, logic swapped);
    return asked ^ reg_t'(swapped && asked < reg_t'(2 * About.pairs));
  endfunction

  // ---- operands and result

  // Programs use no higher registers.
  assign place_a = AddressBits'(place(word.a, swap));
  assign place_b = AddressBits'(place(word.b, swap));
  assign place_d = AddressBits'(place(word.d, swap));

  eccel_study_file #(
      .Width(Width),
      .Depth(About.registers)
  ) u_file (
      .clk_i,
      .a_i    (place_a),
      .b_i    (place_b),
      .a_o    (a),
      .b_o    (b),
      .we_i   (word.we),
      .d_i    (place_d),
      .wdata_i(result)
  );

  always_ff @(posedge clk_i) begin
    if (load) y_q <= y_i;
  end

  always_comb begin
    operand_a = word.source.stored ? a : '0;
    for (int i = 0; i < Multipliers; i++) operand_a |= word.source.mult[i] ? products[i] : '0;
    operand_a |= word.source.quotient ? quotient : '0;
    operand_a |= word.source.x ? x_i : '0;
    operand_a |= word.source.y ? y_q : '0;
    operand_a |= word.source.c ? C : '0;
    operand_a[0] |= word.source.one;
  end

  assign sum = operand_a ^ (word.add ? b : '0);

  eccel_study_square u_square (
      .value_i (sum),
      .square_i(word.square),
      .result_o(result)
  );

  // ---- multipliers and divider

  for (genvar i = 0; i < MaxMultipliers; i++) begin : gen_multiplier
    if (i < Multipliers) begin : gen_unit
      eccel_study_multiplier #(
          .DigitBits(DigitBits)
      ) u_multiplier (
          .clk_i,
          .rst_i,
          .start_i  (word.start[i]),
          .a_i      (operand_a),
          .b_i      (b),
          .product_o(products[i])
      );
    end else begin : gen_none
      assign products[i] = '0;
    end
  end

  if (Divider != 0) begin : gen_divider
    logic unused_done, unused_none;

    eccel_gf2m_divider #(
        .Fields(Fields)
    ) u_divider (
        .clk_i,
        .rst_ni    (!rst_i),
        .field_i   (1'b0),
        .start_i   (word.divide),
        .y_i       (operand_a),
        .x_i       (b),
        .done_o    (unused_done),
        .quotient_o(quotient),
        .none_o    (unused_none)
    );
  end else begin : gen_no_divider
    assign quotient = '0;
  end

endmodule
