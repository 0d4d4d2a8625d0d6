// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What eccel_gf2m_wide_issue tells eccel_gf2m_wide_core in each cycle. Of each choice at most one bit; none stands for 0.

package eccel_gf2m_wide_pkg;

  // First operand of the product that starts in the next cycle.
  typedef struct packed {
    logic lower;    // the file's candidates
    logic upper;
    logic result;
    logic sum;
    logic after;
    logic product;  // the one that is being reduced
    logic xs;
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
    logic zd;
  } wide_b_t;

  // What is added to the product that is being reduced.
  typedef struct packed {
    logic lower;
    logic upper;
    logic result;
    logic sum;
    logic after;
    logic xd;
  } wide_c_t;

  // What goes to the file.
  typedef struct packed {
    logic result;
    logic sum;
    logic after;
    logic xs;
    logic zs;
    logic xd;
    logic zd;
  } wide_write_t;

  // Squares in a cycle, at most.
  localparam int MostSquares = 8;

  typedef struct packed {
    wide_a_t a;
    wide_b_t b;
    wide_c_t c;
    logic result_we;        // the product
    logic sum_we;           // the product and c
    logic sum_squares_we;   // MostSquares squares of sum
    logic after_we;         // squares of sum
    logic [MostSquares-1:0] after_count;  // how many: bit i for i + 1
    logic load;             // the state of the ladder from the file
    logic xs_we;
    logic zs_we;
    logic xd_we;
    logic zd_we;
    wide_write_t write;
  } wide_control_t;

endpackage
