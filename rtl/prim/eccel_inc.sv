// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Incrementer for short counters: q = d + 1 modulo 2^Width.
//
// Parameters 1 <= Width <= 8.
// Guarantees q_o = d_i + 1 modulo 2^Width. Combinational, in LUTs: below eight bits they are fewer
//            than the cells of a carry chain, which also needs cells to enter and to leave it.

module eccel_inc #(
    parameter int Width = 6
) (
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);

  for (genvar i = 0; i < Width; i++) begin : gen_bit
    if (i == 0) begin : gen_first
      assign q_o[i] = !d_i[i];
    end else begin : gen_other
      assign q_o[i] = d_i[i] ^ (&d_i[i-1:0]);
    end
  end

endmodule
