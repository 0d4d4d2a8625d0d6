// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Instructions of eccel_field_machine. eccelerate/model/field_program.py has the same tables.

package eccel_field_pkg;

  typedef enum logic [3:0] {
    OpAdd,       // R[d] = R[d] + R[b]
    OpSub,       // R[d] = R[d] - R[b]
    OpMove,      // R[d] = R[b]
    OpNegate,    // R[d] = -R[b]
    OpInput,     // R[d] = operand b
    OpMultiply,  // multiplier `unit` starts R[d] * R[b] / 2^Bits
    OpProduct,   // R[d] = product of multiplier `unit`
    OpDivide,    // the divider starts R[d] / R[b]
    OpQuotient,  // R[d] = quotient
    OpJump,      // to the address {d, b}, of which AddressBits count, if the condition `unit` holds
    OpFlag,      // flag = unit[0]
    OpOutput,    // result `unit` = R[b]
    OpTest,      // compares R[b] with 0
    OpDone       // the results are complete
  } op_t;

  typedef enum logic [2:0] {
    IfAlways,
    IfZero,        // the value tested last is 0
    IfNonzero,
    IfFlag,
    IfNoDigit,     // the digit is 0
    IfNotNegative, // the digit is 0 or 1
    IfMore,        // the digit is not the last one; goes to the next digit in each case
    IfExternal     // external_i
  } condition_t;

  typedef struct packed {
    op_t        op;
    logic [2:0] unit;
    logic [5:0] d;
    logic [5:0] b;
  } instruction_t;

  localparam int AddressBits = 10;

endpackage
