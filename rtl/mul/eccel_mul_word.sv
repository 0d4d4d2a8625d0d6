// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of two words from multiplier blocks, the upper half one cycle after the lower half:
// a * b = low + 2^Width * high.
//
// Parameters 1 <= WidthA <= Width <= 36. Up to 18 bits a word is one digit of a block; above, it is
//            two digits of ceil(Width / 2) bits. Pipelined: registers after the blocks and after
//            each addition.
// Requires   a_i comes with a_en_i.
// Guarantees low_o is of the last a and b, high_o of those of one cycle before. One product in each
//            cycle.
// Latency    eccel_mul_pkg::word_latency: 1 to low_o; Pipelined: 3 with one digit, 4 with two
//
// With two digits the two middle products are added first, and their sum then to the outer ones, in
// two chains that fit the two halves.

module eccel_mul_word #(
    parameter int Width     = 32,
    parameter int WidthA    = 32,
    parameter bit Pipelined = 1'b0
) (
    input  logic              clk_i,
    input  logic              a_en_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [ Width-1:0] b_i,
    output logic [ Width-1:0] low_o,
    output logic [WidthA-1:0] high_o
);

  if (Width > 36 || WidthA > Width) begin : gen_too_wide
    $error("eccel_mul_word: a word has at most 36 bits");
  end

  if (Width <= 18) begin : gen_one
    logic [WidthA+Width-1:0] product, piped;
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
      always_ff @(posedge clk_i) piped <= product;
    end else begin : gen_no_reg
      assign piped = product;
    end
    assign low_o = piped[Width-1:0];
    always_ff @(posedge clk_i) high_o <= piped[WidthA+Width-1:Width];
  end else begin : gen_four
    localparam int Digit = (Width + 1) / 2;
    localparam int HighB = Width - Digit;
    localparam int LowA = WidthA > Digit ? Digit : WidthA;
    localparam int HighA = WidthA - LowA;  // may be 0

    logic [2*Digit-1:0] p[4];  // p[0] and p[3]: the outer products; p[1] and p[2]: the middle
    logic [2*Digit:0] middle, middle_p;
    logic [4*Digit-1:0] outer;
    logic [HighB:0] low_sum;
    logic [WidthA-1:0] high_a, high_b;
    logic [WidthA:0] high_sum;
    logic high_c;

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
        .Width(HighB)
    ) u_low (
        .a_i  (outer[Digit+:HighB]),
        .b_i  (middle_p[HighB-1:0]),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(low_sum)
    );
    eccel_add #(
        .Width(WidthA)
    ) u_high (
        .a_i  (high_a),
        .b_i  (high_b),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (high_c),
        .sum_o(high_sum)
    );

    if (Pipelined) begin : gen_reg
      always_ff @(posedge clk_i) begin
        outer    <= {p[3], p[0]};
        middle_p <= middle;
        low_o    <= {low_sum[HighB-1:0], outer[Digit-1:0]};
        high_c   <= low_sum[HighB];
        high_a   <= WidthA'(outer >> Width);
        high_b   <= WidthA'(middle_p >> HighB);
      end
    end else begin : gen_no_reg
      assign outer    = {p[3], p[0]};
      assign middle_p = middle;
      assign low_o    = {low_sum[HighB-1:0], outer[Digit-1:0]};
      assign high_c   = low_sum[HighB];
      assign high_a   = WidthA'(outer >> Width);
      assign high_b   = WidthA'(middle_p >> HighB);
    end
    always_ff @(posedge clk_i) high_o <= high_sum[WidthA-1:0];
  end

endmodule
