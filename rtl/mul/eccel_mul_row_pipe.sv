// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of a number and a few bits in carry-save form, with a new product in each cycle:
// a * b = low + 2^Rows * (s + c).
//
// Parameters Bits, Rows >= 1. Group >= 1: rows between registers; 0: no registers.
// Guarantees The equation above, and s_o + c_o < 2^Bits.
// Latency    ceil(Rows / Group); 0 without registers
//
// In group i the rows of bits i * Group .. of b are added.

module eccel_mul_row_pipe #(
    parameter int Bits  = 32,
    parameter int Rows  = 8,
    parameter int Group = 2
) (
    input  logic            clk_i,
    input  logic [Bits-1:0] a_i,
    input  logic [Rows-1:0] b_i,
    output logic [Rows-1:0] low_o,
    output logic [Bits-1:0] s_o,
    output logic [Bits-1:0] c_o
);

  if (Group == 0) begin : gen_rows
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
  end else begin : gen_groups
    localparam int Groups = (Rows + Group - 1) / Group;

    // In front of group i the bits below row i * Group of `word` are final, those above are of b.
    logic [Bits-1:0] a[Groups+1], s[Groups+1], c[Groups+1];
    logic [Rows-1:0] word[Groups+1];

    assign a[0]    = a_i;
    assign s[0]    = '0;
    assign c[0]    = '0;
    assign word[0] = b_i;
    assign low_o   = word[Groups];
    assign s_o     = s[Groups];
    assign c_o     = c[Groups];

    for (genvar i = 0; i < Groups; i++) begin : gen_group
      localparam int At = i * Group;
      localparam int Size = At + Group > Rows ? Rows - At : Group;
      logic [Bits-1:0] next_s, next_c;
      logic [Size-1:0] low;

      eccel_mul_rows #(
          .Bits(Bits),
          .Rows(Size)
      ) u_rows (
          .s_i  (s[i]),
          .c_i  (c[i]),
          .a_i  (a[i]),
          .b_i  (word[i][At+:Size]),
          .low_o(low),
          .s_o  (next_s),
          .c_o  (next_c)
      );
      always_ff @(posedge clk_i) begin
        a[i+1]              <= a[i];
        s[i+1]              <= next_s;
        c[i+1]              <= next_c;
        word[i+1]           <= word[i];
        word[i+1][At+:Size] <= low;
      end
    end
  end

endmodule
