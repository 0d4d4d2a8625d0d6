// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_gfp_pkg::decode: each operation code selects what the instruction set says.
//
// Parameters Each mask has one bit for each code; masks named *Sel are for a select bit of 1. They
//            come from the instruction table (tests/formal/test_arithmetic.py).

module eccel_gfp_decode_formal
  import eccel_gfp_pkg::*;
#(
    parameter logic [15:0] Product = 0,
    parameter logic [15:0] Long = 0,
    parameter logic [15:0] Carry = 0,
    parameter logic [15:0] Half = 0,
    parameter logic [15:0] Subtract = 0,
    parameter logic [15:0] XIsRb = 0,
    parameter logic [15:0] XIsRbSel = 0,
    parameter logic [15:0] UsesY = 0,
    parameter logic [15:0] UsesYSel = 0,
    parameter logic [15:0] Reduced = 0,
    parameter logic [15:0] Borrow = 0
) (
    input logic [3:0] code_i,
    input logic       sel_i
);

  op_t op;
  assign op = decode(code_i, sel_i);

  always_comb begin
    assume (code_i < 4'd14);
    assert (op.is_mul == (Product[code_i] || Half[code_i]));
    assert (op.is_long == Long[code_i]);
    assert (op.set_carry == Carry[code_i]);
    assert (op.is_half == Half[code_i]);
    assert ((op.y_neg && op.y_en) == Subtract[code_i]);
    assert (x_is_rb(code_i, sel_i) == (sel_i ? XIsRbSel[code_i] : XIsRb[code_i]));
    assert (op.y_en == (sel_i ? UsesYSel[code_i] : UsesY[code_i]));
    assert ((op.keep == KeepReduced && op.d_neg) == Reduced[code_i]);
    assert ((op.keep == KeepBorrow && !op.d_neg) == Borrow[code_i]);
    assert (op.keep != KeepT || !op.d_neg);
  end

endmodule
