// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A small multiple of d = 2^n - p, for a sparse prime p.
//
// Parameters Prime: number of a prime p in eccel_solinas_pkg. Width: bits of k.
// Requires   k_i * d < 2^n. If a word of d is negative, Width is at most 5.
// Guarantees d_o = k_i * d. Combinational.
//
// If no word of d is negative, the words of the multiple are those of d times k, which are below
// 2^32. Else each bit is a function of the few bits of k.

module eccel_fold_multiple
  import eccel_solinas_pkg::*;
  import eccel_fold_pkg::*;
#(
    parameter int Prime = P256,
    parameter int Width = 4,
    localparam field_t Field = field(Prime),
    localparam int Bits = Field.bits
) (
    input  logic [Width-1:0] k_i,
    output logic [ Bits-1:0] d_o
);

  localparam bit ByWords = !has_negative(Prime);

  function automatic bit has_negative(int prime);
    bit found;
    found = 1'b0;
    for (int j = 0; j < MaxWords; j++) if (fold_word(prime, j) < 0) found = 1'b1;
    return found;
  endfunction

  typedef logic [31:0][FoldBits-1:0] table_t;

  function automatic table_t multiples(fold_t d);
    table_t found;
    found[0] = '0;
    for (int k = 1; k < 32; k++) found[k] = found[k-1] + d;
    return found;
  endfunction

  if (ByWords) begin : gen_words
    logic [Field.words*WordBits-1:0] product;
    for (genvar j = 0; j < Field.words; j++) begin : gen_word
      localparam logic [Digits-1:0] Plus = naf(Digits'(fold_word(Prime, j)), 0);
      localparam logic [Digits-1:0] Minus = naf(Digits'(fold_word(Prime, j)), 1);
      logic [Digits:0][WordBits-1:0] plus, minus;  // sums of the digits below
      assign plus[0]  = '0;
      assign minus[0] = '0;
      for (genvar s = 0; s < Digits; s++) begin : gen_digit
        assign plus[s+1]  = plus[s] + (Plus[s] ? WordBits'(k_i) << s : '0);
        assign minus[s+1] = minus[s] + (Minus[s] ? WordBits'(k_i) << s : '0);
      end
      assign product[WordBits*j+:WordBits] = plus[Digits] - minus[Digits];
    end
    assign d_o = Bits'(product);
  end else begin : gen_table
    if (Width > 5) begin : gen_wide
      $error("eccel_fold_multiple: more than five bits for a table");
    end
    localparam table_t Table = multiples(fold(Prime));
    for (genvar i = 0; i < Bits; i++) begin : gen_bit
      logic [31:0] own;  // this bit of every multiple
      for (genvar k = 0; k < 32; k++) begin : gen_multiple
        assign own[k] = Table[k][i];
      end
      assign d_o[i] = own[5'(k_i)];
    end
  end

endmodule
