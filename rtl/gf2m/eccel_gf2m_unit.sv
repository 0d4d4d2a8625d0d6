// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Field unit of the binary engine: 64 registers, products with sums and squares behind them, steps of the ladder.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg); DigitBits, Part, Leaf, OperandStage: see eccel_gf2m_mul; generic
//            builds have no OperandStage. Divider: there is one.
// Requires   field_i < number of fields, constant from the cycle before valid_i while busy; of a generic build degree_i = m,
//            constant from four cycles before, and the polynomial in RegPoly. valid_i with operation_i (squares below the
//            field's degree, of a generic build as eccel_gf2m_step requires), or with step_i for a step of the ladder on its registers, or, if there is a divider, with
//            divide_i for RegInv = 1 / RegInv, 0 for 0; take_i, the secret bit: which of two registers
//            operands are, 1 the upper one. Taken with ready_o.
//            The port only with idle_o: behind port_begin_i port_shift_i moves port_wdata_i into the staging register from above, the least
//            significant word first, a whole register each time; port_write_i, alone, copies it to register port_reg_i,
//            which can be read from four cycles behind on; port_read_i copies register port_reg_i, which stood there for
//            two cycles before, to the staging register.
// Guarantees Registers become what operations give as if they ran one by one. port_rdata_o: the lowest word of the staging register.
//            zero_o, with idle_o: the last operation's result is 0, the whole value where it wrote that, else the product.
//            No timing and no address depends on take_i or on data.
// Interval, latency: see eccel_gf2m_issue; an operation starts three cycles behind valid_i when nothing is in its way, five in a generic build. divide_i waits
//            for idle_o, and is taken 2m + 6 cycles behind that.

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

    // Trace: a register is being written.
    output logic done_o,
    output reg_t rd_o
);

  localparam bit Generic = generic_build(Fields);
  localparam int Digit = DigitBits < Width ? DigitBits : Width;
  localparam int LeastInterval = 3;

  operation_t operation;
  logic issue_ready, addend_next, addend, many, after_next, after_soon, after_valid, start;
  logic [SquaresBits-1:0] interval_q, squares;
  from_t a_from, b_from, c_from;
  reg_t a_reg[2], a_read[2], b_reg[2], c_reg[2];
  reg_t write_reg, port_reg;
  logic we, done_q, write_q, changed_q;
  reg_t waddr_q;
  logic [Width-1:0] product, whole, other_value, staged, unused_result, unused_after, wdata_q;
  logic [Width-1:0] a[2], b[2], c[2];

  logic other, step_ready, step_waiting, step_valid, step_take, issue_empty, issue_idle;
  logic core_zero, dividing, divide_done, takes_product;
  logic [Width-1:0] quotient, low;  // low: the polynomial of a generic build

  assign done_o = done_q;
  assign rd_o = waddr_q;

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
      .interval_i(interval_q),
      .changed_i(changed_q),
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

  if (Generic) begin : gen_generic
    logic [Width-1:0] low_q;
    logic [DegreeBits-1:0] interval;
    logic unused_field;

    assign unused_field = field_i != '0 || squares != '0 || many;
    assign low = low_q;

    always_ff @(posedge clk_i) begin
      if (port_write_i && port_reg_i == RegPoly) low_q <= staged;
      interval_q <= interval;
      if (interval < unsigned'(SquaresBits'(LeastInterval))) interval_q <= unsigned'(SquaresBits'(LeastInterval));
    end

    eccel_gf2m_generic_core #(
        .Width(Width),
        .DigitBits(DigitBits),
        .Part(Part),
        .Leaf(Leaf)
    ) u_core (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .degree_i(degree_i),
        .low_i(low_q),
        .interval_o(interval),
        .start_i(start),
        .a_from_i(a_from),
        .b_from_i(b_from),
        .a_i(a),
        .b_i(b),
        .addend_o(addend),
        .c_from_i(c_from),
        .c_i(c),
        .addend_next_o(addend_next),
        .after_next_o(after_next),
        .result_o(unused_result),
        .after_soon_o(after_soon),
        .after_valid_o(after_valid),
        .after_o(unused_after),
        .product_o(product),
        .whole_o(whole),
        .zero_o(core_zero)
    );

    eccel_gf2m_generic_stage #(
        .Width(Width)
    ) u_stage (
        .clk_i(clk_i),
        .degree_i(degree_i),
        .begin_i(port_begin_i),
        .shift_i(port_shift_i),
        .read_i(port_read_i),
        .wdata_i(port_wdata_i),
        .rdata_o(port_rdata_o),
        .value_i(a[0]),
        .value_o(staged)
    );
  end else begin : gen_named
    logic unused_generic;

    assign unused_generic = degree_i != '0 || port_begin_i;
    assign low = '0;

    eccel_gf2m_stage #(
        .Width(Width)
    ) u_stage (
        .clk_i,
        .shift_i(port_shift_i),
        .read_i (port_read_i),
        .wdata_i(port_wdata_i),
        .rdata_o(port_rdata_o),
        .value_i(a[0]),
        .value_o(staged)
    );

    always_ff @(posedge clk_i) begin
      interval_q <= SquaresBits'(LeastInterval);
      for (int f = 0; f < Count; f++) begin
        if (field_i == unsigned'(IndexBits'(f)) && (polynomial(Fields, f).m + Digit - 1) / Digit > LeastInterval) begin
          interval_q <= unsigned'(SquaresBits'((polynomial(Fields, f).m + Digit - 1) / Digit));
        end
      end
    end

    eccel_gf2m_core #(
        .Fields(Fields),
        .DigitBits(DigitBits),
        .Part(Part),
        .Leaf(Leaf),
        .OperandStage(OperandStage)
    ) u_core (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .field_i(field_i),
        .start_i(start),
        .a_from_i(a_from),
        .b_from_i(b_from),
        .a_i(a),
        .b_i(b),
        .addend_o(addend),
        .c_from_i(c_from),
        .c_i(c),
        .squares_i(squares),
        .many_i(many),
        .addend_next_o(addend_next),
        .after_next_o(after_next),
        .result_o(unused_result),
        .after_soon_o(after_soon),
        .after_valid_o(after_valid),
        .after_o(unused_after),
        .product_o(product),
        .whole_o(whole),
        .zero_o(core_zero)
    );
  end

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

  // ---- register file, all that goes to its blocks from registers

  assign a_read = '{dividing ? RegInv : issue_idle ? port_reg : a_reg[0], a_reg[1]};

  eccel_gf2m_file #(
      .Width(Width)
  ) u_file (
      .clk_i,
      .a_reg_i(a_read),
      .b_reg_i(b_reg),
      .c_reg_i(c_reg),
      .a_o    (a),
      .b_o    (b),
      .c_o    (c),
      .we_i   (write_q),
      .waddr_i(waddr_q),
      .wdata_i(wdata_q)
  );

  assign takes_product = !divide_done && !port_write_i && !after_soon;

  always_comb begin
    other_value = whole;
    if (port_write_i) other_value = staged;
    if (divide_done) other_value = quotient;
    if (takes_product) other_value = '0;
  end

  always_ff @(posedge clk_i) begin
    // A product comes late: one gate is left in its way.
    wdata_q <= other_value | (takes_product ? product : '0);
    changed_q <= port_write_i || divide_done;
    waddr_q <= divide_done ? RegInv : port_write_i ? port_reg : write_reg;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q  <= 1'b0;
      write_q <= 1'b0;
    end else begin
      done_q  <= we || divide_done;
      write_q <= we || port_write_i || divide_done;
    end
  end

endmodule
