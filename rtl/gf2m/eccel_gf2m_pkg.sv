// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Types of the binary field unit, and the fields that a build can have: polynomials with hard-wired
// reduction, or any polynomial up to a degree.
//
// A build names its fields by a mask: bit i stands for row i of the table below. The table has
// first the polynomials of the curve catalogue, ordered by degree, then small ones for tests, then
// generic rows. The fields of a build are numbered 0, 1, ... in the order of the table. A generic
// row is the only one of its build.

package eccel_gf2m_pkg;

  // z^m + z^e3 + z^e2 + z^e1 + 1 with m > e3 >= e2 >= e1; an exponent of 0 means that there is no
  // such term. e3 = 0: any polynomial of a degree up to m, given at run time.
  typedef struct packed {
    int m;
    int e3;
    int e2;
    int e1;
  } poly_t;

  // Where an operand comes from: one of two words of the register file, a result register of
  // eccel_gf2m_core, or the value 1. At most one bit is set; without any the operand is 0.
  typedef struct packed {
    logic one;
    logic after;
    logic result;
    logic upper;
    logic lower;
  } from_t;

  // An operation of the unit: (a * b + c)^(2^squares), or with `one` (a + c)^(2^squares), where the
  // registers of b are those of a. The secret bit selects one of each pair of registers.
  localparam int RegBits = 6;
  localparam int SquaresBits = 10;
  localparam int DegreeBits = 10;

  typedef logic [RegBits-1:0] reg_t;

  typedef struct packed {
    reg_t [1:0] a;
    reg_t [1:0] b;
    reg_t [1:0] c;
    logic one;  // b is 1
    logic add;  // else c is 0
    logic [SquaresBits-1:0] squares;
    logic plain_we;
    reg_t plain;  // register for a * b
    logic after_we;
    reg_t after;  // register for the whole value
  } operation_t;

  // The register of the polynomial, and those of the ladder (model/lopez_dahab.py). The registers
  // of a state exist twice, for the current state and the next one, which change places after each
  // step. So a program finds the current state in XS to ZD after any number of steps.
  localparam reg_t RegPoly = 6'd0;  // generic builds: the polynomial without its highest term
  localparam reg_t RegX = 6'd48;
  localparam reg_t RegC = 6'd49;
  localparam reg_t RegT1 = 6'd50;
  localparam reg_t RegT2 = 6'd51;
  localparam reg_t RegT3 = 6'd52;
  localparam reg_t RegXs = 6'd56;
  localparam reg_t RegZs = 6'd57;
  localparam reg_t RegXd = 6'd58;
  localparam reg_t RegZd = 6'd59;
  localparam reg_t RegInv = 6'd39;  // the operand and result of a division
  // Not registers: loading these gives the scalar of `steps`, and the constant that is added to it.
  localparam reg_t RegScalar = 6'd47;
  localparam reg_t RegConstant = 6'd44;
  localparam reg_t Next = 6'd4;  // offset of the next state

  // The place of a register in the file, with the two states in turn.
  function automatic reg_t place(reg_t register, logic swap);
    return register ^ (register[5:3] == RegXs[5:3] && swap ? Next : '0);
  endfunction

  // An operation with its registers' places.
  function automatic operation_t placed(operation_t operation, logic swap);
    operation_t result = operation;
    for (int i = 0; i < 2; i++) begin
      result.a[i] = place(operation.a[i], swap);
      result.b[i] = place(operation.b[i], swap);
      result.c[i] = place(operation.c[i], swap);
    end
    result.plain = place(operation.plain, swap);
    result.after = place(operation.after, swap);
    return result;
  endfunction

  // The same register for both values of the secret bit.
  function automatic reg_t [1:0] both(reg_t register);
    return {register, register};
  endfunction

  localparam int Polynomials = 26;

  localparam poly_t Table[Polynomials] = '{
      '{m: 113, e3: 9, e2: 0, e1: 0},
      '{m: 131, e3: 8, e2: 3, e1: 2},
      '{m: 163, e3: 7, e2: 6, e1: 3},
      '{m: 163, e3: 8, e2: 2, e1: 1},
      '{m: 176, e3: 43, e2: 2, e1: 1},
      '{m: 191, e3: 9, e2: 0, e1: 0},
      '{m: 193, e3: 15, e2: 0, e1: 0},
      '{m: 208, e3: 83, e2: 2, e1: 1},
      '{m: 233, e3: 74, e2: 0, e1: 0},
      '{m: 239, e3: 36, e2: 0, e1: 0},
      '{m: 239, e3: 158, e2: 0, e1: 0},
      '{m: 272, e3: 56, e2: 3, e1: 1},
      '{m: 283, e3: 12, e2: 7, e1: 5},
      '{m: 304, e3: 11, e2: 2, e1: 1},
      '{m: 359, e3: 68, e2: 0, e1: 0},
      '{m: 368, e3: 85, e2: 2, e1: 1},
      '{m: 409, e3: 87, e2: 0, e1: 0},
      '{m: 431, e3: 120, e2: 0, e1: 0},
      '{m: 571, e3: 10, e2: 5, e1: 2},
      '{m: 5, e3: 2, e2: 0, e1: 0},
      '{m: 5, e3: 3, e2: 2, e1: 1},
      '{m: 6, e3: 1, e2: 0, e1: 0},
      '{m: 7, e3: 1, e2: 0, e1: 0},
      '{m: 8, e3: 4, e2: 3, e1: 1},
      '{m: 8, e3: 0, e2: 0, e1: 0},
      '{m: 255, e3: 0, e2: 0, e1: 0}
  };

  // How many fields a build has.
  function automatic int count(logic [Polynomials-1:0] mask);
    return $countones(mask);
  endfunction

  // The polynomial of field number `index` of a build.
  function automatic poly_t polynomial(logic [Polynomials-1:0] mask, int index);
    poly_t found = Table[0];
    int seen = 0;

    for (int i = 0; i < Polynomials; i++) begin
      if (mask[i]) begin
        if (seen == index) found = Table[i];
        seen++;
      end
    end
    return found;
  endfunction

  // Whether a build's polynomial is given at run time, in register RegPoly.
  function automatic bit generic_build(logic [Polynomials-1:0] mask);
    return polynomial(mask, 0).e3 == 0;
  endfunction

  // The largest degree of a build.
  function automatic int max_degree(logic [Polynomials-1:0] mask);
    int most = 0;

    for (int i = 0; i < Polynomials; i++) begin
      if (mask[i] && Table[i].m > most) most = Table[i].m;
    end
    return most;
  endfunction

  // The least digit size with which all fields of a build have as many digits as with `bits`.
  function automatic int digit(logic [Polynomials-1:0] mask, int bits);
    int least = 1;

    for (int i = 0; i < Polynomials; i++) begin
      if (mask[i]) begin
        int digits = (Table[i].m + bits - 1) / bits;
        int needed = (Table[i].m + digits - 1) / digits;
        if (needed > least) least = needed;
      end
    end
    return least;
  endfunction

  // How often `width` coefficients are halved until they are at most `part`.
  function automatic int levels(int width, int part);
    int number = 0;

    while ((width + 2 ** number - 1) / 2 ** number > part) number++;
    return number;
  endfunction

  // How often the part from z^m on has to be folded in until `width` coefficients are m.
  function automatic int folds(int m, int e3, int width);
    int left = width;
    int number = 0;

    while (left > m) begin
      left = left - m + e3 > m ? left - m + e3 : m;
      number++;
    end
    return number;
  endfunction

  // Most coefficients that the schoolbook multiplies.
  localparam int LeafBits = 16;

  // Product of two binary polynomials of `width` coefficients, column by column. Verilator must not
  // inline this function: a full-width product of 571 coefficients calls it 2187 times, and a model
  // with a copy for each call takes more than ten minutes to build.
  function automatic logic [2*LeafBits-2:0] schoolbook(logic [LeafBits-1:0] a, logic [LeafBits-1:0] b, int width);
    /* verilator no_inline_task */
    logic [LeafBits-1:0] mirrored;
    logic [2*LeafBits-2:0] product = '0;

    for (int i = 0; i < LeafBits; i++) mirrored[i] = b[LeafBits-1-i];
    mirrored = mirrored >> (LeafBits - width);
    for (int k = 0; k < 2 * LeafBits - 1; k++) begin
      if (k < width) product[k] = ^(a & (mirrored >> (width - 1 - k)));
      else if (k < 2 * width - 1) product[k] = ^((a >> (k - width + 1)) & mirrored);
    end
    return product;
  endfunction

endpackage
