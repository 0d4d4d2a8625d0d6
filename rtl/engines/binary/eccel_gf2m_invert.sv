// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Makes the operations of an inversion in GF(2^m): RegInv = 1 / RegInv, 0 for 0.
//
// Parameters Fused: a product and the squares after it are one operation.
// Requires   pbits_i = m > 4 is stable from three cycles before run_i on. run_i stays 1 until
//            last_o.
// Guarantees operation_o is an operation for eccel_gf2m_unit, the next one after ready_i; last_o
//            comes with the last one. RegT1 and RegT3 are overwritten. No timing depends on data.
// Cost       bits(m - 1) + weight(m - 1) - 1 operations with m - 1 squares, each after the previous
//            one.
// After      T. Itoh, S. Tsujii, Inf. Comput. 78 (1988): x^(2^(m-1) - 1) by the prefixes e of m - 1
//            from the top, x^(2^2e - 1) = (x^(2^e - 1))^(2^e) x^(2^e - 1), and with the next bit
//            set its square times x. The squares that an operation's result needs next are made in
//            the same operation, if the unit has a squarer.

module eccel_gf2m_invert
  import eccel_gf2m_pkg::*;
#(
    parameter bit Fused = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [9:0] pbits_i,
    input  logic       run_i,
    input  logic       ready_i,
    output operation_t operation_o,
    output logic       last_o
);

  localparam int Bits = SquaresBits;

  typedef enum logic [1:0] {
    First,
    Double,    // the prefix
    Increment  // by one
  } state_e;

  state_e state_q;
  // first_q, now_q: the bit of m - 1 after the highest one, and that at at_q.
  logic begun_q, half_q, whole, first_q, now_q, done;
  logic [Bits-1:0] degree_q, top, second_q, at_q, prefix;
  logic [Bits-2:0] prefix_q;

  // The highest bit of m - 1.
  always_comb begin
    top = '0;
    for (int i = 0; i < Bits; i++) begin
      if (degree_q[i]) top = unsigned'(Bits'(1)) << i;
    end
  end

  assign prefix = {prefix_q, now_q};
  assign done = at_q[0] && !(state_q == Double && now_q) && state_q != First;
  assign whole = Fused || half_q || state_q == First;
  assign last_o = run_i && ready_i && whole && done;

  always_comb begin
    operation_o = '0;
    operation_o.plain = RegT1;
    operation_o.plain_we = 1'b1;
    operation_o.after = done ? RegInv : RegT3;
    operation_o.after_we = 1'b1;
    unique case (state_q)
      Double: begin
        operation_o.a = {RegInv, RegInv};
        if (begun_q) operation_o.a = {RegT1, RegT1};
        operation_o.b = {RegT3, RegT3};
        operation_o.squares = now_q || done ? unsigned'(Bits'(1)) : prefix;
      end
      Increment: begin
        operation_o.a = {RegT3, RegT3};
        operation_o.b = {RegInv, RegInv};
        operation_o.squares = done ? unsigned'(Bits'(1)) : prefix;
      end
      default: begin
        operation_o.a = {RegInv, RegInv};
        operation_o.b = {RegInv, RegInv};
        operation_o.one = 1'b1;
        operation_o.plain_we = 1'b0;
        operation_o.squares = unsigned'(Bits'(1));
      end
    endcase
    if (!whole) operation_o.after_we = 1'b0;
    if (!whole) operation_o.squares = '0;
    if (!Fused && half_q) begin
      operation_o.a = {RegT1, RegT1};
      operation_o.b = {RegT1, RegT1};
      operation_o.one = 1'b1;
      operation_o.plain_we = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) half_q <= 1'b0;
    else if (run_i && ready_i) half_q <= !whole;
  end

  always_ff @(posedge clk_i) begin
    degree_q <= pbits_i - 1'b1;
    second_q <= top >> 1;
    first_q  <= (degree_q & second_q) != '0;
    if (!rst_ni) state_q <= First;
    else if (run_i && ready_i && whole) begin
      begun_q <= state_q != First;
      unique case (state_q)
        First: begin
          state_q  <= Double;
          at_q     <= second_q;
          now_q    <= first_q;
          prefix_q <= (Bits - 1)'(1);
        end
        default: begin
          state_q <= state_q == Double && now_q ? Increment : done ? First : Double;
          if (!(state_q == Double && now_q)) begin
            at_q     <= at_q >> 1;
            now_q    <= (degree_q & (at_q >> 1)) != '0;
            prefix_q <= prefix[Bits-2:0];
          end
        end
      endcase
    end
  end

endmodule
