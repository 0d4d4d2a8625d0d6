// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Commands of eccel_gf2m_wide_issue and eccel_gf2m_wide_steps to eccel_gf2m_wide_core, one set in
// each cycle. Of each choice at most one bit is set; without any the value is 0.

package eccel_gf2m_wide_pkg;

  // First operand of the product that starts in the next cycle.
  typedef struct packed {
    logic lower;    // the two words of the register file
    logic upper;
    logic result;
    logic sum;
    logic after;
    logic product;  // the product that is being reduced
    logic square;   // of sum
    logic xs;
    logic zs;
    logic xd;
  } wide_a_t;

  // Second operand.
  typedef struct packed {
    logic lower;
    logic upper;
    logic result;
    logic sum;
    logic after;
    logic one;
    logic square;  // of sum
    logic zs;
    logic xd;
    logic zd;
  } wide_b_t;

  // The addend of the product that is being reduced.
  typedef struct packed {
    logic lower;
    logic upper;
    logic result;
    logic sum;
    logic after;
    logic xd;
  } wide_c_t;

  // The value that is written to the register file.
  typedef struct packed {
    logic result;
    logic sum;
    logic after;
    logic xs;
    logic zs;
    logic xd;
    logic zd;
  } wide_write_t;

  // Most squares in one cycle.
  localparam int MostSquares = 8;

  typedef struct packed {
    wide_a_t a;
    wide_b_t b;
    wide_c_t c;
    logic result_we;        // result becomes the product
    logic sum_we;           // sum becomes the product plus c
    logic sum_squares_we;   // sum is squared MostSquares times
    logic after_we;         // after becomes sum, squared as often as after_count says
    logic [MostSquares-1:0] after_count;  // bit i stands for i + 1 squares
    logic load;             // the state of the ladder comes from the register file
    logic xs_we;
    logic zs_we;
    logic xd_we;
    logic zd_we;
    wide_write_t write;
  } wide_control_t;

endpackage
