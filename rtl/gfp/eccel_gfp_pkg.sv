// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Types and pipeline stages of the digit-serial prime-field unit (eccel_gfp_cios).
//
// A row is one pass over all digits of an element, digit 0 first, one digit a cycle. A digit runs
// down the pipeline of the unit: stage k is the cycle k cycles after the digit was addressed in the
// register file.

package eccel_gfp_pkg;

  import eccel_compact_isa_pkg::*;

  localparam int RowStage = 6;  // the adders form the sum of the row
  localparam int SumStage = 7;  // the sum is in its register

  // The stage in which the highest digit decides between t and t corrected by the modulus. With
  // 16-bit digits the carry that decides is registered first.
  function automatic int keep_stage(int digit_bits);
    return digit_bits == 16 ? SumStage + 1 : SumStage;
  endfunction

  // Which value the final pass writes: the result t of the last row, or d, which is t corrected by
  // the modulus.
  typedef enum logic [1:0] {
    KeepT,        // integer operations, moves, selections
    KeepReduced,  // mul, add, half: d = t - m when t >= m
    KeepBorrow    // sub: d = t + m when the subtraction borrowed
  } keep_e;

  // A field operation, decoded. mul and half are Montgomery products; every other operation is a
  // single row that adds two streams of digits: x is register ra or rb, y is register rb.
  typedef struct packed {
    logic       is_mul;    // a Montgomery product
    logic       is_half;   // such a product of one row, by 2^(DigitBits - 1)
    logic       y_en;      // add or subtract y
    logic       y_neg;     // subtract y
    logic       d_neg;     // d = t - m, else t + m
    keep_e      keep;
    logic       set_carry; // the operation defines the C flag
    logic       is_long;   // an integer operation over the long length
  } op_t;

  // An operation and its registers.
  typedef struct packed {
    op_t        op;
    logic [5:0] rd;
    logic [5:0] ra;
    logic [5:0] rb;
  } instruction_t;

  // What the pipeline does with one digit.
  typedef struct packed {
    logic valid;   // this is one of the digits 0..s of a row
    logic first;   // digit 0: carries start here
    logic top;     // digit s
    logic finish;  // digit s of the last row: it completes the result
    logic product; // multiply this digit of a or x
    logic reduce;  // multiply this digit of m
    logic y_en;    // add or subtract this digit of y
    logic t_en;    // add the digit of the previous row
    logic t_top;   // add the top bit of the previous row
    logic y_neg;
    logic d_neg;
  } digit_t;

  // Whether x is register rb: movx, and csel if the secret select bit is 1. csel selects by
  // address, so that the same registers get a word in the same cycles for either bit; a mask would
  // keep one of them at 0.
  function automatic logic x_is_rb(logic [3:0] code, logic sel);
    return op_e'(code) == OpMovx || op_e'(code) == OpCsel && sel;
  endfunction

  // Decode an operation code of eccel_compact_isa_pkg; sel is the secret select bit. csel and movx
  // are moves of x. A code that is no operation decodes as a move, too; the sequencer never issues
  // it.
  function automatic op_t decode(logic [3:0] code, logic sel);
    op_t op;
    op      = '0;
    op.keep = KeepT;
    unique case (op_e'(code))
      OpMul, OpMulx: begin
        op.is_mul = 1'b1;
        op.d_neg  = 1'b1;
        op.keep   = KeepReduced;
      end
      OpAdd: begin
        op.y_en  = 1'b1;
        op.d_neg = 1'b1;
        op.keep  = KeepReduced;
      end
      OpSub: begin
        op.y_en  = 1'b1;
        op.y_neg = 1'b1;
        op.keep  = KeepBorrow;
      end
      OpHalf: begin
        op.is_mul  = 1'b1;
        op.is_half = 1'b1;
        op.d_neg   = 1'b1;
        op.keep    = KeepReduced;
      end
      OpIadd, OpIaddl: begin
        op.y_en      = 1'b1;
        op.set_carry = 1'b1;
      end
      OpIsub, OpIsubl: begin
        op.y_en      = 1'b1;
        op.y_neg     = 1'b1;
        op.set_carry = 1'b1;
      end
      OpCadd, OpCaddl: begin
        op.y_en      = sel;
        op.set_carry = 1'b1;
      end
      default: ;  // OpMov, OpMovl, OpMovx, OpCsel
    endcase
    op.is_long = op_e'(code) inside {OpIaddl, OpIsubl, OpCaddl, OpMovl};
    return op;
  endfunction

endpackage
