// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of two words from multiplier blocks: p = a * b.
//
// Parameters 1 <= WidthA <= Width <= 36. Up to 18 bits a word is one digit of a block; above, it is
//            two digits of ceil(Width / 2) bits. Pipelined: registers after the blocks and after
//            each addition.
// Requires   a_i comes with a_en_i.
// Guarantees p_o is the product of the last a and b. One product in each cycle.
// Latency    1; Pipelined: 3 with one digit, 4 with two digits

module eccel_mul_lane #(
    parameter int Width     = 32,
    parameter int WidthA    = 32,
    parameter bit Pipelined = 1'b0
) (
    input  logic                    clk_i,
    input  logic                    a_en_i,
    input  logic [      WidthA-1:0] a_i,
    input  logic [       Width-1:0] b_i,
    output logic [WidthA+Width-1:0] p_o
);

  if (Width > 36 || WidthA > Width) begin : gen_too_wide
    $error("eccel_mul_lane: a word has at most 36 bits");
  end

  if (Width <= 18) begin : gen_one
    logic [WidthA+Width-1:0] product;
    eccel_mul18 #(
        .WidthA(WidthA),
        .WidthB(Width),
        .OutReg(Pipelined)
    ) u_mul (
        .clk_i,
        .a_en_i,
        .a_clr_i(1'b0),
        .a_i,
        .b_en_i (1'b1),
        .b_i,
        .p_o    (product)
    );
    if (Pipelined) begin : gen_reg
      always_ff @(posedge clk_i) p_o <= product;
    end else begin : gen_no_reg
      assign p_o = product;
    end
  end else begin : gen_four
    localparam int Digit = (Width + 1) / 2;
    localparam int HighB = Width - Digit;
    localparam int LowA = WidthA > Digit ? Digit : WidthA;
    localparam int HighA = WidthA - LowA;  // may be 0

    logic [2*Digit-1:0] p[4], low_p, high_p;  // p[0], p[3]; p[1] and p[2] are the middle
    logic [2*Digit:0] middle, middle_p;
    logic [3*Digit:0] upper;

    for (genvar i = 0; i < 2; i++) begin : gen_a
      for (genvar j = 0; j < 2; j++) begin : gen_b
        localparam int A = i == 0 ? LowA : HighA;
        localparam int B = j == 0 ? Digit : HighB;
        if (A > 0) begin : gen_block
          logic [A+B-1:0] product;
          eccel_mul18 #(
              .WidthA(A),
              .WidthB(B),
              .OutReg(Pipelined)
          ) u_mul (
              .clk_i,
              .a_en_i,
              .a_clr_i(1'b0),
              .a_i    (a_i[Digit*i+:A]),
              .b_en_i (1'b1),
              .b_i    (b_i[Digit*j+:B]),
              .p_o    (product)
          );
          assign p[2*i+j] = (2 * Digit)'(product);
        end else begin : gen_none
          assign p[2*i+j] = '0;
        end
      end
    end

    eccel_add #(
        .Width(2 * Digit)
    ) u_middle (
        .a_i  (p[1]),
        .b_i  (p[2]),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(middle)
    );
    eccel_add #(
        .Width(3 * Digit)
    ) u_upper (
        .a_i  ({high_p, low_p[2*Digit-1:Digit]}),
        .b_i  ((3 * Digit)'(middle_p)),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(upper)
    );

    if (Pipelined) begin : gen_reg
      always_ff @(posedge clk_i) begin
        low_p    <= p[0];
        high_p   <= p[3];
        middle_p <= middle;
        p_o      <= (WidthA + Width)'({upper, low_p[Digit-1:0]});
      end
    end else begin : gen_no_reg
      assign low_p    = p[0];
      assign high_p   = p[3];
      assign middle_p = middle;
      assign p_o      = (WidthA + Width)'({upper, low_p[Digit-1:0]});
    end
  end

endmodule
