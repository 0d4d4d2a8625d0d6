// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of a number and a few bits in carry-save form, with a new product in each cycle:
// a * b = low + 2^Rows * (s + c).
//
// Parameters Bits, Rows >= 1. Registers: after each row.
// Guarantees The equation above, and s_o + c_o < 2^Bits.
// Latency    Rows; 0 without registers
//
// Two rows between registers would save half of the flip-flops, but Yosys then maps both of them to
// functions of eight inputs, which take six times the LUT4 on families with multiplexers for that.

module eccel_mul_row_pipe #(
    parameter int Bits      = 32,
    parameter int Rows      = 8,
    parameter bit Registers = 1'b1
) (
    input  logic            clk_i,
    input  logic [Bits-1:0] a_i,
    input  logic [Rows-1:0] b_i,
    output logic [Rows-1:0] low_o,
    output logic [Bits-1:0] s_o,
    output logic [Bits-1:0] c_o
);

  if (!Registers) begin : gen_rows
    logic unused_clk;
    assign unused_clk = clk_i;
    eccel_mul_rows #(
        .Bits(Bits),
        .Rows(Rows)
    ) u_rows (
        .s_i('0),
        .c_i('0),
        .a_i,
        .b_i,
        .low_o,
        .s_o,
        .c_o
    );
  end else begin : gen_stages
    // In front of row i the lowest i bits of `word` are final, those above are of b.
    logic [Bits-1:0] a[Rows+1], s[Rows+1], c[Rows+1];
    logic [Rows-1:0] word[Rows+1];

    assign a[0]    = a_i;
    assign s[0]    = '0;
    assign c[0]    = '0;
    assign word[0] = b_i;
    assign low_o   = word[Rows];
    assign s_o     = s[Rows];
    assign c_o     = c[Rows];

    for (genvar i = 0; i < Rows; i++) begin : gen_row
      logic [Bits-1:0] next_s, next_c;
      logic low;

      eccel_mul_rows #(
          .Bits(Bits),
          .Rows(1)
      ) u_row (
          .s_i  (s[i]),
          .c_i  (c[i]),
          .a_i  (a[i]),
          .b_i  (word[i][i]),
          .low_o(low),
          .s_o  (next_s),
          .c_o  (next_c)
      );
      always_ff @(posedge clk_i) begin
        a[i+1]       <= a[i];
        s[i+1]       <= next_s;
        c[i+1]       <= next_c;
        word[i+1]    <= word[i];
        word[i+1][i] <= low;
      end
    end
  end

endmodule
