// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Modular exponentiation from the highest bit of the exponent, with one Montgomery multiplier.
//
// Parameters Bits of all operands. Segment, Unroll: see eccel_montgomery_array.
// Requires   See the interface in README.md. modulus_i is odd, base_i < modulus_i, and r2_i is
//            R^2 modulo modulus_i with R of eccel_montgomery_array.
// Guarantees power_o = base_i^exponent_i modulo modulus_i, from 0 to modulus_i - 1, for every
//            exponent. The timing does not depend on data.
// Latency    (2 * Bits + 3) * pass_cycles + 1; interval: the same.
// After      Knuth, The Art of Computer Programming 2, 4.6.3 (left to right).
//
// Each bit of the exponent has a square and a product. If the bit is 0, the product is dropped. The
// first two passes bring base and 1 into Montgomery form, with r2 as the second factor. The last
// one brings the result back, with the first factor 1.

module eccel_rsa_l2r
  import eccel_montgomery_pkg::*;
#(
    parameter int Bits    = 1024,
    parameter int Segment = 65,
    parameter int Unroll  = 1
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] base_i,
    input  logic [Bits-1:0] exponent_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] r2_i,
    output logic            valid_o,
    output logic [Bits-1:0] power_o
);

  localparam int Width = segments(Bits, Segment) * Segment;
  localparam int Passes = 2 * Bits + 3;

  typedef logic [Segment-1:0] word_t;
  typedef logic [$clog2(Passes + 1)-1:0] pass_t;

  logic [Bits-1:0] modulus_q, exponent_q;
  logic [Width-1:0] base_q, factor_q, power_q;
  pass_t pass_q;  // passes that are left after this one
  logic busy_q, start, first_pass, first_word_q, last_pass;
  logic square, one, wanted;
  logic take, run, head, stream, pass_ends, ones;
  logic [Unroll-1:0] bits;
  word_t word, product_word, power_word;

  assign ready_o = !busy_q;
  assign start = valid_i && ready_o;
  assign power_o = power_q[Bits-1:0];

  // Passes: base to Montgomery form; 1 to it; a square and a product for each bit; the last one.
  assign first_pass = pass_q == pass_t'(Passes - 1);
  assign last_pass = pass_q == '0;
  assign one = last_pass || pass_q == pass_t'(Passes - 2);
  assign square = !pass_q[0];
  assign wanted = square || one || exponent_q[Bits-1];

  always_comb begin
    if (one) word = word_t'(first_word_q);
    else if (square) word = factor_q[Segment-1:0];
    else word = base_q[Segment-1:0];
  end

  assign power_word = last_pass && ones ? '0 : product_word;

  eccel_montgomery_pass #(
      .Bits   (Bits),
      .Segment(Segment),
      .Unroll (Unroll)
  ) u_pass (
      .clk_i,
      .rst_i,
      .start_i (start || (pass_ends && !last_pass)),
      .word_i  (word),
      .take_o  (take),
      .run_o   (run),
      .head_o  (head),
      .bits_o  (bits),
      .stream_o(stream),
      .last_o  (pass_ends)
  );

  eccel_montgomery_array #(
      .Bits   (Bits),
      .Segment(Segment),
      .Unroll (Unroll)
  ) u_product (
      .clk_i,
      .clear_i  (start),
      .run_i    (run),
      .head_i   (head),
      .stream_i (stream),
      .bits_i   (bits),
      .b_i      (power_q[Bits:0]),
      .modulus_i(modulus_q),
      .word_o   (product_word),
      .ones_o   (ones)
  );

  always_ff @(posedge clk_i) begin
    if (start) modulus_q <= modulus_i;
    // The first factor of squares is a copy of the power. It moves on while it is taken.
    if (start || (take && square) || (stream && wanted && !first_pass)) begin
      factor_q <= start ? Width'(base_i) : {power_word, factor_q[Width-1:Segment]};
    end
    // The base turns round while it is the first factor.
    if ((stream && first_pass) || (take && !square && !one)) begin
      base_q <= {first_pass ? product_word : base_q[Segment-1:0], base_q[Width-1:Segment]};
    end
    // Its first value is r2, which the first product does not replace.
    if (start || (stream && wanted && !first_pass)) begin
      power_q <= start ? Width'(r2_i) : {power_word, power_q[Width-1:Segment]};
    end
    if (start) begin
      exponent_q <= exponent_i;
      pass_q <= pass_t'(Passes - 1);
    end else if (pass_ends) begin
      if (!square && !one) exponent_q <= exponent_q << 1;
      pass_q <= pass_q - pass_t'(1);
    end
    first_word_q <= start || pass_ends;
    if (rst_i) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      busy_q  <= start || (busy_q && !(pass_ends && last_pass));
      valid_o <= pass_ends && last_pass;
    end
  end

endmodule
