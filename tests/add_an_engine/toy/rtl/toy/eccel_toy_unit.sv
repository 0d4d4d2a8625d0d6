// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Toy field unit: arithmetic modulo a number of at most 32 bits, in one clock, on eight registers.
//
//   mul, add, sub    a * b, a + b, a - b mod m
//   isub             a - b mod 2^32; carry_o is set if a < b
//
// Requires   Register 0 or 1 holds m > 0. The operands of mul, add and sub are in [0, m).
// Guarantees The results of mul, add and sub are in [0, m). A register that is loaded through the
//            port with a number of more than 32 bits keeps the lowest word, and a mark. For isub a
//            marked number is larger than any without a mark.
// Latency    An operation is accepted in every cycle with valid_i; its result and flags are there
//            in the next one. port_rdata_o follows port_addr_i without a register.

module eccel_toy_unit
  import eccel_toy_isa_pkg::*;
#(
    parameter int IndexBits = 4  // a register has 2^IndexBits words at the port
) (
    input logic clk_i,

    input logic mod_i,  // m is in this register, 0 or 1

    input  logic       valid_i,
    input  logic [3:0] op_i,
    input  logic [2:0] rd_i,
    input  logic [2:0] ra_i,
    input  logic [2:0] rb_i,
    output logic       zero_o,
    output logic       carry_o,

    input  logic                   port_we_i,
    input  logic [3+IndexBits-1:0] port_addr_i,
    input  logic [           31:0] port_wdata_i,
    output logic [           31:0] port_rdata_o
);

  typedef struct packed {
    logic        wide;  // the mark: a higher word was not 0
    logic [31:0] low;
  } register_t;

  register_t register_q[8];
  register_t a, b;
  logic [31:0] m, result;
  logic [63:0] wide_m, sum, product;
  logic [2:0] port_register;
  logic at_low_word;

  assign a = register_q[ra_i];
  assign b = register_q[rb_i];
  assign m = register_q[{2'b00, mod_i}].low;
  assign wide_m = {32'd0, m};
  assign sum = {32'd0, a.low} + (op_e'(op_i) == OpSub ? wide_m - {32'd0, b.low} : {32'd0, b.low});
  assign product = {32'd0, a.low} * {32'd0, b.low};

  always_comb begin
    unique case (op_e'(op_i))
      OpMul:   result = 32'(product % wide_m);
      OpIsub:  result = a.low - b.low;
      default: result = 32'(sum < wide_m ? sum : sum - wide_m);  // OpAdd, OpSub
    endcase
  end

  assign port_register = port_addr_i[IndexBits+:3];
  assign at_low_word   = port_addr_i[IndexBits-1:0] == '0;
  assign port_rdata_o  = at_low_word ? register_q[port_register].low : '0;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      register_q[rd_i] <= '{wide: 1'b0, low: result};
      zero_o <= result == '0;
      carry_o <= a < b;
    end
    if (port_we_i && at_low_word) register_q[port_register] <= '{wide: 1'b0, low: port_wdata_i};
    if (port_we_i && !at_low_word && port_wdata_i != '0) register_q[port_register].wide <= 1'b1;
  end

endmodule
