// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Functions of AES-128: bytes, columns and rows of the state, and inversion in a tower of fields.
//
// A state has the bytes of FIPS 197 in the order in which they arrive: the first is the most
// significant, and byte r of column c is at place r + 4 * c.
//
// The field of AES is GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. In the tower it is GF(16) with
// z^2 = z + Lambda, over GF(4) with y^2 = y + w, over GF(2) with w^2 = w + 1. A square matrix of
// 8 bits maps one to the other: the choice with the fewest ones among all 8 roots and all Lambda.
// After Satoh, Morioka, Takano, Munetoh 2001.

package eccel_aes_pkg;

  localparam int Rounds = 10;
  localparam int Bytes = 16;

  typedef logic [7:0] byte_t;

  localparam logic [3:0] Lambda = 4'b1001;
  // Row r of a matrix gives bit r, and is in byte r.
  localparam logic [63:0] Affine = 64'hf87c3e1f_8fc7e3f1;
  localparam logic [63:0] UnAffine = 64'h5229944a_259249a4;
  localparam logic [63:0] ToTower = 64'ha07ed2dc_c6580a8f;
  localparam logic [63:0] UnAffineToTower = 64'hc6097886_a0466c08;
  localparam logic [63:0] FromTowerAffine = 64'h84908c3d_011f8b41;
  localparam logic [63:0] FromTower = 64'h26cca61a_d232d017;
  localparam logic [7:0] AffineConstant = 8'h63;

  function automatic logic [7:0] linear(logic [63:0] matrix, logic [7:0] x);
    for (int row = 0; row < 8; row++) linear[row] = ^(matrix[8*row+:8] & x);
  endfunction

  // x * a, in the field of AES.
  function automatic logic [7:0] twice(logic [7:0] a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  function automatic logic [1:0] mul4(logic [1:0] a, logic [1:0] b);
    return {(a[1] & b[1]) ^ (a[1] & b[0]) ^ (a[0] & b[1]), (a[0] & b[0]) ^ (a[1] & b[1])};
  endfunction

  function automatic logic [3:0] mul16(logic [3:0] a, logic [3:0] b);
    logic [1:0] high, low;
    high = mul4(a[3:2], b[3:2]);
    low  = mul4(a[1:0], b[1:0]);
    return {mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]) ^ low, low ^ mul4(high, 2'b10)};
  endfunction

  // a^14, which is 1 / a, and 0 for 0.
  function automatic logic [3:0] invert16(logic [3:0] a);
    logic [3:0] a2, a4, a8;
    a2 = mul16(a, a);
    a4 = mul16(a2, a2);
    a8 = mul16(a4, a4);
    return mul16(mul16(a2, a4), a8);
  endfunction

  // 1 / a in the tower, and 0 for 0: a = h z + l has the inverse (h z + h + l) / norm.
  function automatic logic [7:0] invert_tower(logic [7:0] a);
    logic [3:0] h, l, inverse;
    h = a[7:4];
    l = a[3:0];
    inverse = invert16(mul16(mul16(h, h), Lambda) ^ mul16(h, l) ^ mul16(l, l));
    return {mul16(h, inverse), mul16(h ^ l, inverse)};
  endfunction

  // The table of 1 / a in the field of AES, as 256 bytes.
  function automatic logic [2047:0] inverses();
    for (int a = 0; a < 256; a++) begin
      inverses[8*a+:8] = linear(FromTower, invert_tower(linear(ToTower, byte_t'(a))));
    end
  endfunction

  // ShiftRows, and InvShiftRows with inverse: row r moves r places to the left, or to the right.
  function automatic logic [127:0] shift_rows(logic [127:0] state, logic inverse);
    for (int r = 0; r < 4; r++) begin
      for (int c = 0; c < 4; c++) begin
        shift_rows[120-8*(r+4*c)+:8] = inverse ? state[120-8*(r+4*((c+4-r)%4))+:8] :
            state[120-8*(r+4*((c+r)%4))+:8];
      end
    end
  endfunction

  // MixColumns of one column.
  function automatic logic [31:0] mix_column(logic [31:0] column);
    logic [7:0] a, b, c, d;
    for (int r = 0; r < 4; r++) begin
      a = column[24-8*r+:8];
      b = column[24-8*((r+1)%4)+:8];
      c = column[24-8*((r+2)%4)+:8];
      d = column[24-8*((r+3)%4)+:8];
      mix_column[24-8*r+:8] = twice(a ^ b) ^ b ^ c ^ d;
    end
  endfunction

  // MixColumns after this is InvMixColumns: 5 a + 4 c for each byte a, where c is two rows below.
  function automatic logic [31:0] unmix_column(logic [31:0] column);
    logic [7:0] a, c;
    for (int r = 0; r < 4; r++) begin
      a = column[24-8*r+:8];
      c = column[24-8*((r+2)%4)+:8];
      unmix_column[24-8*r+:8] = a ^ twice(twice(a ^ c));
    end
  endfunction

  // The constant of the step of the key schedule that follows round key `round`: x^round.
  function automatic logic [7:0] round_constant(logic [3:0] round);
    round_constant = 8'h01;
    for (int i = 0; i < Rounds - 1; i++) begin
      if (i < int'(round)) round_constant = twice(round_constant);
    end
  endfunction

  // The round key after `key`; `g` is SubWord(RotWord(last word)) with the constant.
  function automatic logic [127:0] next_key(logic [127:0] key, logic [31:0] g);
    logic [31:0] word;
    word = g;
    for (int i = 3; i >= 0; i--) begin
      word ^= key[32*i+:32];
      next_key[32*i+:32] = word;
    end
  endfunction

endpackage
