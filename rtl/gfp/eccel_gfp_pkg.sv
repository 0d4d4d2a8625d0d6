// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Types of the digit-serial prime-field unit.

package eccel_gfp_pkg;

  import eccel_compact_isa_pkg::*;

  // Which value the final pass keeps: t, or t corrected by the modulus (d).
  typedef enum logic [1:0] {
    KeepT,        // integer operations, moves, selections
    KeepReduced,  // mul, add, half: d = t - m when t >= m
    KeepBorrow    // sub: d = t + m when the subtraction borrowed
  } keep_e;

  // A field operation, decoded. x and y are the operand streams of the single-row operations.
  typedef struct packed {
    logic       is_mul;    // rows of a Montgomery product
    logic       is_half;   // one such row, by half of 2^DigitBits
    logic       x_en;      // let x through (csel masks it with the secret bit)
    logic       y_en;
    logic       y_neg;     // subtract y
    logic       d_neg;     // d = t - m, else t + m
    keep_e      keep;
    logic       set_carry; // the operation defines the C flag
    logic       is_long;   // integer operation over the long length
  } op_t;

  // What one digit carries down the pipeline.
  typedef struct packed {
    logic valid;   // one of the digits 0..s of a row
    logic first;   // digit 0: carries start here
    logic top;     // digit s
    logic finish;  // digit s of the last row: the result is complete behind it
    logic product; // multiply this digit of a or x
    logic reduce;  // multiply this digit of m
    logic y_en;
    logic t_en;    // add the digit of the previous row
    logic t_top;   // add the top bit of the previous row
    logic y_neg;
    logic d_neg;
  } digit_t;

  // Decode an operation code of eccel_compact_isa_pkg; sel is the secret select bit. A code that is no operation decodes
  // as a move; the sequencer never issues one.
  function automatic op_t decode(logic [3:0] code, logic sel);
    op_t op;
    op      = '0;
    op.x_en = 1'b1;
    op.keep = KeepT;
    unique case (op_e'(code))
      OpMul, OpMulx: begin
        op.is_mul = 1'b1;
        op.x_en   = 1'b0;
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
        op.x_en    = 1'b0;
        op.d_neg   = 1'b1;
        op.keep    = KeepReduced;
      end
      OpCsel: begin
        op.x_en = !sel;
        op.y_en = sel;
      end
      OpIadd, OpIaddl: begin
        op.y_en      = 1'b1;
        op.set_carry = 1'b1;
      end
      OpIsub: begin
        op.y_en      = 1'b1;
        op.y_neg     = 1'b1;
        op.set_carry = 1'b1;
      end
      OpCadd, OpCaddl: begin
        op.y_en      = sel;
        op.set_carry = 1'b1;
      end
      OpMovx: begin
        op.x_en = 1'b0;
        op.y_en = 1'b1;
      end
      default: ;  // OpMov, OpMovl
    endcase
    op.is_long = op_e'(code) inside {OpIaddl, OpCaddl, OpMovl};
    return op;
  endfunction

endpackage
