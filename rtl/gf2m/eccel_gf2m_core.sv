// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the binary field unit: (a * b + c)^(2^n) in one of several named fields, and a * b by the way.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg); DigitBits, Leaf: see eccel_gf2m_mul.
// Requires   field_i < number of fields, constant while anything is under way. start_i with operands: where an operand comes
//            from (file: of the two candidates the one that take_i says, for a and b alike; or a register of this module, as
//            it is in this cycle; of nothing a and c are 0, b is 1). Starts are at least digits(m) cycles apart.
//            In the cycle of addend_o: where c comes from, likewise, and squares_i = n. The next addend_o is at least
//            max(1, n) cycles behind. Elements are 0 above the field's degree.
// Guarantees result_o = a * b from result_valid_o to the next; after_o = (a * b + c)^(2^n) from after_valid_o until
//            the next operation's first step, one cycle behind its result_valid_o; after_soon_o comes a cycle before. take_i chooses data only: no timing
//            depends on it. zero_o: the newest after_o is 0, from two cycles behind its operation's result_valid_o to the next addend_o.
// Latency    addend_o, result_valid_o digits(m) + 2, + 3 cycles behind start_i; after_valid_o max(1, n) behind result_valid_o.

module eccel_gf2m_core
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 24'h000144,
    parameter int DigitBits = 64,
    parameter int Leaf = 8,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [IndexBits-1:0] field_i,

    input logic             start_i,
    input logic             take_i,
    input from_e            a_from_i,
    input from_e            b_from_i,
    input logic [Width-1:0] a_i[2],
    input logic [Width-1:0] b_i[2],

    output logic                   addend_o,
    input  logic                   c_take_i,
    input  from_e                  c_from_i,
    input  logic [      Width-1:0] c_i[2],
    input  logic [SquaresBits-1:0] squares_i,

    output logic             result_valid_o,
    output logic [Width-1:0] result_o,
    output logic             after_soon_o,
    output logic             after_valid_o,
    output logic [Width-1:0] after_o,
    output logic             zero_o
);

  localparam int GroupBits = 16;
  localparam int Groups = (Width + GroupBits - 1) / GroupBits;

  logic [Width-1:0] a, b, c, c_q, sum, square, after_q;
  logic [Groups*GroupBits-1:0] first_sum;
  logic [Groups-1:0] group_q;
  logic [SquaresBits-1:0] left_q;
  logic any_q, more_q, again_d, again_q, after_valid_q;

  assign after_o = after_q;
  assign after_valid_o = after_valid_q;

  // The value an operand takes; of nothing 0.
  function automatic logic [Width-1:0] operand(from_e from, logic take, logic [Width-1:0] file0,
                                               logic [Width-1:0] file1, logic [Width-1:0] result,
                                               logic [Width-1:0] after);
    return (from == FromFile && !take ? file0 : '0) | (from == FromFile && take ? file1 : '0)
        | (from == FromResult ? result : '0) | (from == FromAfter ? after : '0);
  endfunction

  assign a = operand(a_from_i, take_i, a_i[0], a_i[1], result_o, after_q);
  assign b = operand(b_from_i, take_i, b_i[0], b_i[1], result_o, after_q) | Width'(b_from_i == FromNothing);
  assign c = operand(c_from_i, c_take_i, c_i[0], c_i[1], result_o, after_q);

  eccel_gf2m_mul #(
      .Fields(Fields),
      .DigitBits(DigitBits),
      .Leaf(Leaf)
  ) u_mul (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .field_i(field_i),
      .start_i(start_i),
      .a_i(a),
      .b_i(b),
      .soon_o(addend_o),
      .valid_o(result_valid_o),
      .result_o(result_o)
  );

  // ---- sum and squares: a step in the cycle of result_valid_o, more while again_q

  assign sum = again_q ? after_q : result_o ^ c_q;

  eccel_gf2m_square #(
      .Fields(Fields)
  ) u_square (
      .field_i (field_i),
      .value_i (sum),
      .square_o(square)
  );

  // Steps behind the one under way: left_q counts them, more_q says that there are some.
  assign again_d = (result_valid_o || again_q) && more_q;
  assign after_soon_o = (result_valid_o || again_q) && !more_q;

  always_ff @(posedge clk_i) begin
    if (addend_o) c_q <= c;
    if (addend_o) any_q <= squares_i != '0;
    if (addend_o) begin
      left_q <= squares_i - 1'b1;
      more_q <= squares_i > unsigned'(SquaresBits'(1));
    end else if (again_d) begin
      left_q <= left_q - 1'b1;
      more_q <= left_q > unsigned'(SquaresBits'(1));
    end
    if (result_valid_o || again_q) after_q <= any_q ? square : sum;
  end

  // A square is 0 where its root is: the first sum decides, and there is time until the operation's end.
  assign first_sum = (Groups * GroupBits)'(result_o ^ c_q);

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Groups; i++) group_q[i] <= |first_sum[i*GroupBits+:GroupBits];
    zero_o <= group_q == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      again_q <= 1'b0;
      after_valid_q <= 1'b0;
    end else begin
      again_q <= again_d;
      after_valid_q <= after_soon_o;
    end
  end

endmodule
