// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Instructions of the study core. The images are those of eccelerate/ucode/study, which has the
// same fields in study_words.py.

package eccel_study_pkg;

  localparam int RegBits = 4;
  localparam int MaxMultipliers = 3;

  typedef logic [RegBits-1:0] reg_t;

  // What follows the last cycle of an instruction: the next one; the next one if an operation is
  // offered; the first digit that is not 0 is searched; the next digit if this one is 0; the next
  // digit; the first instruction.
  typedef enum logic [2:0] {
    ControlNext = 3'd0,
    ControlIdle = 3'd1,
    ControlScan = 3'd2,
    ControlSkip = 3'd3,
    ControlStep = 3'd4,
    ControlDone = 3'd5
  } control_t;

  // The first operand: at most one bit is set; without any it is 0.
  typedef struct packed {
    logic                      c;         // b^(1/4)
    logic                      one;
    logic                      y;         // the operands of the operation
    logic                      x;
    logic                      quotient;
    logic [MaxMultipliers-1:0] mult;      // the products
    logic                      stored;    // register a
  } source_t;

  // The second operand is register b. `more`: cycles in which the instruction is executed again.
  typedef struct packed {
    control_t control;
    logic [7:0] more;
    source_t source;
    reg_t a;
    reg_t b;
    reg_t d;  // register for the result
    logic we;
    logic add;  // the result is the sum of both operands, else the first one
    logic square;  // ... and is squared
    logic [MaxMultipliers-1:0] start;
    logic divide;  // the divider starts with first / second operand
  } word_t;

  localparam int WordBits = $bits(word_t);

endpackage
