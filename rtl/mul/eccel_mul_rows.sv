// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Rows of a product, added in carry-save form: s + c + a * b = low + 2^Rows * (s' + c').
//
// Parameters Bits, Rows >= 1.
// Requires   s_i + c_i < 2^Bits.
// Guarantees The equation above for low_o, s_o and c_o, and s_o + c_o < 2^Bits. Combinational: one
//            level of LUTs in each row, no carry chain.
// After      Knuth, The Art of Computer Programming 2, section 4.3.1, with saved carries.

module eccel_mul_rows #(
    parameter int Bits = 32,
    parameter int Rows = 1
) (
    input  logic [Bits-1:0] s_i,
    input  logic [Bits-1:0] c_i,
    input  logic [Bits-1:0] a_i,
    input  logic [Rows-1:0] b_i,
    output logic [Rows-1:0] low_o,
    output logic [Bits-1:0] s_o,
    output logic [Bits-1:0] c_o
);

  logic [Bits-1:0] s[Rows+1], c[Rows+1];

  assign s[0] = s_i;
  assign c[0] = c_i;
  assign s_o  = s[Rows];
  assign c_o  = c[Rows];

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    logic [Bits-1:0] row, sum;
    assign row      = a_i & {Bits{b_i[i]}};
    assign sum      = s[i] ^ c[i] ^ row;
    assign low_o[i] = sum[0];
    assign s[i+1]   = sum >> 1;
    assign c[i+1]   = (s[i] & c[i]) | (s[i] & row) | (c[i] & row);
  end

endmodule
