// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Field unit of the binary engine: 64 registers, products that may be followed by a sum and by
// squares, and whole steps of the Montgomery ladder.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). DigitBits, Part, Leaf,
//            OperandStage: see eccel_gf2m_mul; generic builds have no OperandStage. Divider:
//            divide_i may be used.
// Requires   field_i < number of fields, constant from the cycle before valid_i while the unit is
//            busy. In a generic build degree_i = m, constant from four cycles before valid_i, and
//            RegPoly holds the polynomial. valid_i comes with one of three requests: operation_i
//            (with fewer squares than the degree of the field; in a generic build as
//            eccel_gf2m_step requires); step_i for a step of the ladder on its registers; with a
//            divider divide_i for RegInv = 1 / RegInv, or 0 for 0. take_i is the secret bit: 1
//            selects the upper one of two registers as an operand. The request is stable until
//            ready_o accepts it. The port may be used only with idle_o. After port_begin_i, each
//            port_shift_i shifts port_wdata_i into the staging register, least significant word
//            first, a whole register each time. port_write_i, alone, copies it to register
//            port_reg_i, which can be read four cycles later. port_read_i copies register
//            port_reg_i, which must have been selected for two cycles, to the staging register.
// Guarantees Registers change as if operations ran one by one. port_rdata_o is the lowest word of
//            the staging register. zero_o, valid with idle_o: the result of the last operation is
//            0. If the operation wrote its whole value, that is tested, else its product. No timing
//            and no address depends on take_i or on data.
// Interval   see eccel_gf2m_issue.
// Latency    An operation starts three cycles after valid_i if nothing delays it, in a generic
//            build five. divide_i waits for idle_o and is accepted 2m + 6 cycles after that.

module eccel_gf2m_unit
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter int Part = 16,
    parameter int Leaf = 16,
    parameter bit OperandStage = 1'b0,
    parameter bit Divider = 1'b0,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields),
    localparam int WordBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [ IndexBits-1:0] field_i,
    input logic [DegreeBits-1:0] degree_i,

    input  logic       valid_i,
    input  logic       step_i,
    input  logic       divide_i,
    input  operation_t operation_i,
    input  logic       take_i,
    output logic       ready_o,
    output logic       idle_o,
    output logic       zero_o,

    input  logic                port_begin_i,
    input  logic                port_shift_i,
    input  logic                port_write_i,
    input  logic                port_read_i,
    input  reg_t                port_reg_i,
    input  logic [WordBits-1:0] port_wdata_i,
    output logic [WordBits-1:0] port_rdata_o,

    // Trace: an operation is writing register rd_o.
    output logic done_o,
    output reg_t rd_o
);

  localparam bit Generic = generic_build(Fields);

  operation_t operation;
  logic issue_ready, addend_next, addend, many, after_next, after_soon, after_valid, start;
  logic [SquaresBits-1:0] interval, squares;
  from_t a_from, b_from, c_from;
  reg_t a_reg[2], a_read[2], b_reg[2], c_reg[2];
  reg_t write_reg, port_reg;
  logic we, changed;
  logic [Width-1:0] product, whole;
  logic [Width-1:0] a[2], b[2], c[2];

  logic other, step_ready, step_waiting, step_valid, step_take, issue_empty, issue_idle;
  logic core_zero, dividing, divide_done;
  logic [Width-1:0] quotient, low;  // low: the polynomial of a generic build

  eccel_gf2m_issue #(
      .OperandStage(OperandStage && !Generic)
  ) u_issue (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .valid_i(step_valid),
      .operation_i(operation),
      .take_i(step_take),
      .ready_o(issue_ready),
      .idle_o(issue_empty),
      .interval_i(interval),
      .changed_i(changed),
      .a_o(a_reg),
      .b_o(b_reg),
      .c_o(c_reg),
      .we_o(we),
      .waddr_o(write_reg),
      .start_o(start),
      .a_from_o(a_from),
      .b_from_o(b_from),
      .addend_i(addend),
      .c_from_o(c_from),
      .squares_o(squares),
      .many_o(many),
      .addend_next_i(addend_next),
      .after_next_i(after_next),
      .after_soon_i(after_soon),
      .after_valid_i(after_valid)
  );

  assign issue_idle = issue_empty && !step_waiting;

  eccel_gf2m_step #(
      .Squarer(!Generic)
  ) u_step (
      .clk_i,
      .rst_ni,
      .valid_i    (other),
      .step_i,
      .operation_i,
      .take_i,
      .ready_o    (step_ready),
      .waiting_o  (step_waiting),
      .valid_o    (step_valid),
      .operation_o(operation),
      .take_o     (step_take),
      .ready_i    (issue_ready),
      .reg_i      (port_reg_i),
      .reg_o      (port_reg)
  );

  eccel_gf2m_arithmetic #(
      .Fields      (Fields),
      .DigitBits   (DigitBits),
      .Part        (Part),
      .Leaf        (Leaf),
      .OperandStage(OperandStage)
  ) u_arithmetic (
      .clk_i,
      .rst_ni,
      .field_i,
      .degree_i,
      .low_i        (low),
      .interval_o   (interval),
      .start_i      (start),
      .a_from_i     (a_from),
      .b_from_i     (b_from),
      .a_i          (a),
      .b_i          (b),
      .addend_next_o(addend_next),
      .addend_o     (addend),
      .c_from_i     (c_from),
      .c_i          (c),
      .squares_i    (squares),
      .many_i       (many),
      .after_next_o (after_next),
      .after_soon_o (after_soon),
      .after_valid_o(after_valid),
      .product_o    (product),
      .whole_o      (whole),
      .zero_o       (core_zero)
  );

  // ---- division

  if (Divider) begin : gen_division
    logic last_q, division_ready, none;

    assign other = valid_i && !divide_i;
    assign ready_o = divide_i ? division_ready : step_ready;
    assign idle_o = issue_idle && !dividing;
    assign zero_o = last_q ? none : core_zero;

    eccel_gf2m_division #(
        .Fields(Fields)
    ) u_division (
        .clk_i,
        .rst_ni,
        .field_i,
        .degree_i,
        .low_i     (low),
        .valid_i   (valid_i && divide_i),
        .idle_i    (issue_idle),
        .x_i       (a[0]),
        .ready_o   (division_ready),
        .busy_o    (dividing),
        .done_o    (divide_done),
        .quotient_o(quotient),
        .none_o    (none)
    );

    always_ff @(posedge clk_i) begin
      if (valid_i) last_q <= divide_i;
    end
  end else begin : gen_no_division
    logic unused_division;

    assign other = valid_i;
    assign ready_o = step_ready;
    assign idle_o = issue_idle;
    assign zero_o = core_zero;
    assign {dividing, divide_done, quotient} = '0;
    assign unused_division = divide_i || low != '0;
  end

  // ---- registers and port

  assign a_read = '{dividing ? RegInv : issue_idle ? port_reg : a_reg[0], a_reg[1]};

  eccel_gf2m_registers #(
      .Fields(Fields)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .degree_i,
      .a_reg_i      (a_read),
      .b_reg_i      (b_reg),
      .c_reg_i      (c_reg),
      .a_o          (a),
      .b_o          (b),
      .c_o          (c),
      .we_i         (we),
      .waddr_i      (write_reg),
      .product_i    (product),
      .after_soon_i (after_soon),
      .whole_i      (whole),
      .divide_done_i(divide_done),
      .quotient_i   (quotient),
      .port_begin_i,
      .port_shift_i,
      .port_write_i,
      .port_poly_i  (port_reg_i == RegPoly),
      .port_read_i,
      .port_waddr_i (port_reg),
      .port_wdata_i,
      .port_rdata_o,
      .low_o        (low),
      .changed_o    (changed),
      .done_o,
      .rd_o
  );

endmodule
