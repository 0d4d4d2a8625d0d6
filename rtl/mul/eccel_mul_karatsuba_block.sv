// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Multiplier block of the divide-and-conquer multiplier, with a register for its long output wires.
//
// Parameters WidthA, WidthB, Signed: see eccel_mul18_signed. Registers: 0 for a combinational one.
// Guarantees p_o = a_i * b_i.
// Latency    eccel_mul_karatsuba_pkg::BlockCycles with Registers, else 0

module eccel_mul_karatsuba_block #(
    parameter int WidthA    = 18,
    parameter int WidthB    = 18,
    parameter bit Signed    = 1'b1,
    parameter bit Registers = 1'b1
) (
    input  logic                     clk_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);

  logic [WidthA+WidthB-1:0] product;

  eccel_mul18_signed #(
      .WidthA   (WidthA),
      .WidthB   (WidthB),
      .Signed   (Signed),
      .Registers(Registers)
  ) u_mul (
      .clk_i,
      .a_i,
      .b_i,
      .p_o(product)
  );

  if (Registers) begin : gen_register
    always_ff @(posedge clk_i) p_o <= product;
  end else begin : gen_wire
    assign p_o = product;
  end

endmodule
