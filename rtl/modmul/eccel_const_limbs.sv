// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A number times a constant, as two sums in limbs: a * Constant = plus - minus. LUTs only.
//
// Parameters Constant >= 1, below 2^ConstBits. InBits >= 1: of a. Limb >= 1: bits between limbs.
//            Window, 2 to 5: see eccel_fixed_pkg; 2 is the canonical signed-digit form.
// Guarantees plus_o, minus_o: limb j is worth 2^(Limb * j), and has guard bits above its Limb bits.
// Latency    eccel_fixed_pkg::limbs_latency(Constant, Window, InBits, Pipelined)
// Interval   1
// Cost       About ConstBits / (Window + 1) * (InBits + Window - 1) bits of adders, and for Window
//            > 2 those of 2^(Window-2) - 1 multiples of a.
//
// The limbs are never joined here, so that no carry chain is longer than a limb.

module eccel_const_limbs
  import eccel_fixed_pkg::*;
#(
    parameter int ConstBits = 8,
    parameter logic [ConstBits-1:0] Constant = '1,
    parameter int InBits = 8,
    parameter int Limb = 32,
    parameter int Window = MaxWindow,
    parameter bit Pipelined = 1'b1,
    localparam int Span = InBits + Window - 1,
    localparam int Limbs = (ConstBits + Span + Limb) / Limb,
    localparam int Rows = max_rows(constant_t'(Constant), Window, Span),
    localparam int SumBits = Limb + $clog2(Rows)
) (
    input  logic                           clk_i,
    input  logic [InBits-1:0]              a_i,
    output logic [Limbs-1:0][SumBits-1:0]  plus_o,
    output logic [Limbs-1:0][SumBits-1:0]  minus_o
);

  localparam int Depth = $clog2(Rows);

  typedef logic [Span-1:0] span_t;

  // ------------------------------------------------------------------ odd multiples of a

  localparam int Multiples = 2 ** (Window - 2);

  logic [Multiples-1:0][Span-1:0] multiple;  // 1, 3, 5 .. times a
  span_t a_1, a_2, three_1;

  if (Pipelined) begin : gen_registers
    always_ff @(posedge clk_i) begin
      a_1 <= span_t'(a_i);
      a_2 <= a_1;
      three_1 <= (span_t'(a_i) << 1) + span_t'(a_i);
    end
  end else begin : gen_wires
    assign a_1 = span_t'(a_i);
    assign a_2 = a_1;
    assign three_1 = (a_1 << 1) + a_1;
  end

  assign multiple[0] = a_2;
  for (genvar i = 1; i < Multiples; i++) begin : gen_multiple
    span_t sum;
    if (2 * i + 1 == 3) begin : gen_three
      assign sum = three_1;
    end else if (2 * i + 1 == 11) begin : gen_eleven
      assign sum = (a_1 << 3) + three_1;
    end else if (2 * i + 1 == 13) begin : gen_thirteen
      assign sum = (a_1 << 4) - three_1;
    end else if (2 * i + 1 == 7) begin : gen_seven
      assign sum = (a_1 << 3) - a_1;
    end else if (2 * i + 1 == 15) begin : gen_fifteen
      assign sum = (a_1 << 4) - a_1;
    end else begin : gen_two_bits  // 5, 9
      assign sum = (a_1 << (2 * i + 1 == 5 ? 2 : 3)) + a_1;
    end
    if (Pipelined) begin : gen_register
      always_ff @(posedge clk_i) multiple[i] <= sum;
    end else begin : gen_wire
      assign multiple[i] = sum;
    end
  end

  // ------------------------------------------------------------------ rows, and their sums

  for (genvar sign = 0; sign < 2; sign++) begin : gen_sign
    localparam digits_t Digits = recode(constant_t'(Constant), Window, sign == 1);
    localparam rows_t Row = pack(Digits, Span);

    logic [Rows-1:0][Limbs*Limb-1:0] row;

    // Each multiple, and the zeros between it and the next one of its row.
    for (genvar i = 0; i <= ConstBits; i++) begin : gen_digit
      if (Digits[i] != '0) begin : gen_multiple
        localparam int Next = next_place(Digits, Row, int'(Row[i]), i + 1, Limbs * Limb);
        assign row[Row[i]][i+:Span] = multiple[Digits[i]>>1];
        if (Next > i + Span) begin : gen_zeros
          assign row[Row[i]][Next-1:i+Span] = '0;
        end
      end
    end
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      localparam int First = next_place(Digits, Row, r, 0, Limbs * Limb);
      if (First > 0) begin : gen_zeros
        assign row[r][First-1:0] = '0;
      end
    end

    for (genvar j = 0; j < Limbs; j++) begin : gen_limb
      logic [Rows-1:0][Limb-1:0] part;
      logic [SumBits-1:0] sum;
      for (genvar r = 0; r < Rows; r++) begin : gen_part
        assign part[r] = row[r][Limb*j+:Limb];
      end
      eccel_tree_add #(
          .Terms    (Rows),
          .Width    (Limb),
          .Depth    (Depth),
          .Pipelined(Pipelined)
      ) u_sum (
          .clk_i,
          .term_i(part),
          .sum_o (sum)
      );
      if (sign == 0) begin : gen_plus
        assign plus_o[j] = sum;
      end else begin : gen_minus
        assign minus_o[j] = sum;
      end
    end
  end

endmodule
