// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Connects eccel_gf2m_unit to a sequencer and its mover: operations, field number, words of a
// value.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg), one field of each degree; Divider: of
//            eccel_gf2m_unit, which then executes recip.
// Requires   valid_i, op_i to rb_i and take_i keep the contract of eccel_useq; pbits_i and count_i
//            have been stable for two cycles. load_i and store_i come with idle_o and begin to move
//            a value, which lasts while moving_i. next_i, load: word_i is the next word. next_i,
//            store: the unit's next word is read in the next cycle, the first one three cycles
//            after store_i.
// Guarantees ready_o comes as soon as the previous operation has left for the unit, before that is
//            done. idle_o: all operations are done, the last scalar is cleared, and zero_o is that
//            of the last operation. Load: the register becomes the number of the words modulo
//            2^pbits_i; missing words count as 0; hold_o lasts until the register is written.
//            carry_o: the number has a bit from pbits_i on. Words for register RegScalar go nowhere
//            but to the bits of steps, and a constant is added to them, which words for register
//            RegConstant set; there carry_o means a bit from number count_i on. known_o: a
//            field of the build has pbits_i bits (a generic one: 5 to its largest degree); field_o
//            is its number. No timing depends on take_i or data. zeroise_i ends steps with its
//            current step.
// Operations mul, add, mula, mov, csel, sqr, step, steps, recip as docs/isa.md defines them; other
// codes do nothing.

module eccel_gf2m_port
  import eccel_gf2m_pkg::*;
  import eccel_binary_isa_pkg::*;
  import eccel_isa_pkg::COUNTER_BITS;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter bit Divider = 1'b0,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int WordBits = 32,
    localparam int Words = (max_degree(Fields) + WordBits - 1) / WordBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroise_i,

    input  logic [             9:0] pbits_i,
    input  logic [COUNTER_BITS-1:0] count_i,
    output logic                    known_o,

    input  logic       valid_i,
    output logic       ready_o,
    input  logic [3:0] op_i,
    input  logic       take_i,
    input  reg_t       rd_i,
    input  reg_t       ra_i,
    input  reg_t       rb_i,
    output logic       idle_o,
    output logic       carry_o,

    input  logic                load_i,
    input  logic                store_i,
    input  reg_t                reg_i,     // of both
    input  logic                moving_i,  // the mover is busy
    input  logic                next_i,
    input  logic [WordBits-1:0] word_i,
    output logic                hold_o,

    // eccel_gf2m_unit
    output logic [IndexBits-1:0] field_o,
    output logic                 valid_o,
    output logic                 step_o,
    output logic                 divide_o,
    output operation_t           operation_o,
    output logic                 take_o,
    input  logic                 ready_i,
    input  logic                 idle_i,
    output logic                 shift_o,
    output logic                 write_o,
    output logic                 read_o,
    output logic [ WordBits-1:0] wdata_o
);

  // ------------------------------------------------------------------ field

  localparam bit Generic = generic_build(Fields);
  localparam logic [9:0] LeastDegree = 10'd5;  // the programs' inversion takes no smaller ones

  logic [SquaresBits-1:0] squares_q, most_q;

  always_ff @(posedge clk_i) begin
    known_o <= 1'b0;
    field_o <= '0;
    for (int f = 0; f < Count; f++) begin
      if (Generic ? pbits_i >= LeastDegree && pbits_i <= unsigned'(10'(polynomial(Fields, f).m))
          : pbits_i == unsigned'(10'(polynomial(Fields, f).m))) begin
        known_o <= 1'b1;
        field_o <= unsigned'(IndexBits'(f));
      end
    end
    // For sqr: as the counter falls to 0, these are the prefixes of m - 1 except for the last one,
    // as an inversion needs them.
    most_q    <= (pbits_i - 1'b1) >> 1;
    squares_q <= most_q >> count_i;
  end

  // ------------------------------------------------------------------ instructions

  logic scalar_we_q, scalar_q, constant_q, loading_q;
  logic [4:0] at_q;  // words so far
  logic [WordBits-1:0] word_q;  // the word that moves
  logic full_q, step_q, steps_q, invert_q, take_q, invert_last, start, clearing, stream_valid, stream_bit, stream_last;
  operation_t operation, operation_q, invert;

  always_comb begin
    operation = '0;
    operation.a = {ra_i, ra_i};
    operation.b = {rb_i, rb_i};
    operation.c = {rb_i, rb_i};
    operation.plain = rd_i;
    operation.after = rd_i;
    unique case (op_e'(op_i))
      OpMul: operation.plain_we = 1'b1;
      OpAdd: begin
        operation.one = 1'b1;
        operation.add = 1'b1;
        operation.after_we = 1'b1;
      end
      OpMula: begin
        operation.c = {rd_i, rd_i};
        operation.add = 1'b1;
        operation.after_we = 1'b1;
      end
      OpMov: begin
        operation.one = 1'b1;
        operation.plain_we = 1'b1;
      end
      OpCsel: begin
        operation.a = {rb_i, ra_i};
        operation.one = 1'b1;
        operation.plain_we = 1'b1;
      end
      OpSqr: begin
        operation.one = 1'b1;
        operation.squares = squares_q;
        operation.after_we = 1'b1;
      end
      default: ;
    endcase
    if (operation.one) operation.b = operation.a;
  end

  assign ready_o = !full_q;
  assign idle_o = !full_q && idle_i && !clearing;
  assign valid_o = full_q && (stream_valid || !steps_q);
  assign step_o = step_q;
  assign operation_o = invert_q ? invert : operation_q;
  assign take_o = steps_q ? stream_bit : take_q;
  assign start = !full_q && valid_i && op_i == OpStep && rd_i[0];

  always_ff @(posedge clk_i) begin
    if (!full_q) begin
      operation_q <= operation;
      step_q <= op_i == OpStep && !rd_i[1];
      invert_q <= op_i == OpStep && rd_i[1];
      steps_q <= op_i == OpStep && rd_i[0];
      take_q <= take_i;
    end
    full_q <= full_q ? !(steps_q ? stream_last : invert_q ? invert_last : ready_i) : valid_i;
    if (!rst_ni) full_q <= 1'b0;
  end

  if (Divider) begin : gen_divide
    assign divide_o = invert_q;
    assign invert = '0;
    assign invert_last = ready_i;
  end else begin : gen_invert
    assign divide_o = 1'b0;

    eccel_gf2m_invert #(
        .Fused(!generic_build(Fields))
    ) u_invert (
        .clk_i,
        .rst_ni,
        .pbits_i,
        .run_i      (full_q && invert_q),
        .ready_i,
        .operation_o(invert),
        .last_o     (invert_last)
    );
  end

  eccel_scalar_stream u_stream (
      .clk_i,
      .rst_ni,
      .zeroise_i,
      .clearing_o(clearing),
      .loading_i (loading_q && scalar_q),
      .constant_i(constant_q),
      .we_i   (scalar_we_q),
      .at_i   (at_q),
      .word_i (word_q),
      .start_i(start),
      .count_i(count_i[9:0]),
      .valid_o(stream_valid),
      .bit_o  (stream_bit),
      .take_i (steps_q && valid_o && ready_i),
      .last_o (stream_last)
  );

  // ------------------------------------------------------------------ words

  logic wanted, complete_q, next, next_q, shift_q;
  logic [1:0] store_q;
  logic [9:0] limit_q;
  logic [WordBits-1:0] above, above_q;

  // Missing words are filled up with 0; the staging register rests when it has all words.
  assign wanted = at_q < unsigned'(5'(Words));
  assign next = next_i || loading_q && !moving_i && wanted;

  // What is above the field's degree in the word that comes, or above the bits of a scalar.
  always_comb begin
    above = '0;
    if (at_q == limit_q[9:5]) above = '1 << limit_q[4:0];
    if (at_q > limit_q[9:5]) above = '1;
  end

  assign hold_o  = loading_q;
  assign shift_o = shift_q;
  assign write_o = loading_q && complete_q && !scalar_q;
  assign read_o  = store_q[1];
  assign wdata_o = word_q & ~above_q;

  always_ff @(posedge clk_i) begin
    next_q  <= next;
    shift_q <= next && wanted && !scalar_q;
    scalar_we_q <= next && wanted && scalar_q;
    limit_q <= scalar_q ? count_i[9:0] : pbits_i;
    word_q  <= word_i & {WordBits{next_i}};
    above_q <= above;
    store_q <= {store_q[0], store_i};
    complete_q <= !wanted;
    if (next) at_q <= at_q + 1'b1;
    if (next_q && (word_q & above_q) != '0) carry_o <= 1'b1;
    if (complete_q) loading_q <= 1'b0;
    if (load_i || store_i) begin
      at_q <= '0;
      complete_q <= 1'b0;
    end
    if (load_i) begin
      carry_o <= 1'b0;
      loading_q <= 1'b1;
    end
    if (load_i || store_i) begin
      scalar_q   <= load_i && (reg_i == RegScalar || reg_i == RegConstant);
      constant_q <= reg_i == RegConstant;
    end
    if (!rst_ni) loading_q <= 1'b0;
  end

endmodule
