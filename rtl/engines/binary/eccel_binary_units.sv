// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Two field units as one: GF(2^m) under modulus 0, integers modulo n under modulus 1, each with 64
// registers of its own.
//
// Parameters Fields, DigitBits, OperandStage, Divider: of eccel_gf2m_unit. If a digit holds every
//            field, eccel_gf2m_wide_unit, which has no divider, takes its place. ScalarDigitBits
//            (32, 64), MaxWords: of eccel_gfp_cios.
// Requires   Operations keep the contract of eccel_gfp_cios, loads and stores that of
//            eccel_gf2m_port. A modulus is set only while idle_o. After begin_steps or begin_recip
//            no load_i and no store_i comes before a modulus is set.
// Guarantees Operations, loads and stores use the unit of the modulus that was set last; flags are
//            those of this unit. idle_o: this unit is idle. After begin_steps or begin_recip idle_o
//            is also 1, until a modulus is set or the next operation begins. facts_o.free: the unit
//            for GF(2^m) was idle in the previous cycle. rf_rdata_o under modulus 0: the next word
//            of the value, repeated in every 32 bits. No timing and no address depends on sel_i or
//            data.

module eccel_binary_units
  import eccel_engine_pkg::*;
  import eccel_gf2m_pkg::*;
  import eccel_binary_isa_pkg::OpStep;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter bit OperandStage = 1'b0,
    parameter bit Divider = 1'b0,
    parameter int ScalarDigitBits = 64,
    parameter int MaxWords = 8,
    localparam int IndexBits = $clog2((32 * MaxWords + 96 + ScalarDigitBits - 1) / ScalarDigitBits + 1),
    localparam int FieldBits = count(Fields) > 1 ? $clog2(count(Fields)) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroise_i,

    input  logic [4:0]    words_i,
    input  unit_setting_t setting_i,
    output unit_facts_t   facts_o,

    input  unit_op_t   op_i,
    output logic       ready_o,
    input  logic       sel_i,
    output logic       done_o,
    output logic       idle_o,
    output logic       zero_o,
    output logic       carry_o,

    input  logic                       load_i,
    input  logic                       store_i,
    input  logic                       moving_i,
    input  logic                       next_i,
    output logic                       hold_o,
    input  logic                       rf_we_i,
    input  logic [    6+IndexBits-1:0] rf_addr_i,
    input  logic [ScalarDigitBits-1:0] rf_wdata_i,
    output logic [ScalarDigitBits-1:0] rf_rdata_o
);

  localparam bit Wide = DigitBits >= max_degree(Fields) && !generic_build(Fields);

  // Of each unit: [0] GF(2^m), [1] integers.
  logic [1:0] ready, idle, zero, carry, done;
  logic modulus_q, aside_q, unit_valid, unit_ready, unit_idle, step, divide, take, shift, write, read;
  logic [FieldBits-1:0] field;
  operation_t operation;
  logic [31:0] wdata, rdata;
  logic [ScalarDigitBits-1:0] scalar_rdata;
  reg_t unused_rd[2], port_reg;

  assign port_reg = rf_addr_i[6+IndexBits-1-:6];
  assign ready_o = ready[modulus_q];
  assign idle_o = idle[modulus_q] || aside_q;
  assign zero_o = zero[modulus_q];
  assign carry_o = carry[modulus_q];
  assign done_o = done != '0;
  assign rf_rdata_o = modulus_q ? scalar_rdata : {ScalarDigitBits / 32{rdata}};

  always_ff @(posedge clk_i) begin
    facts_o.free <= idle[0];
    if (setting_i.modulus_set) modulus_q <= setting_i.modulus;
    // What begins now goes on while the other modulus is selected.
    if (setting_i.modulus_set || modulus_q) aside_q <= 1'b0;
    else if (op_i.valid && ready_o) aside_q <= op_i.op == OpStep && op_i.rd[2];
    if (!rst_ni) begin
      modulus_q <= 1'b0;
      aside_q   <= 1'b0;
    end
  end

  eccel_gf2m_port #(
      .Fields (Fields),
      .Divider(Divider && !Wide)
  ) u_port (
      .clk_i,
      .rst_ni,
      .zeroise_i,
      .pbits_i    (setting_i.pbits),
      .count_i    (setting_i.count),
      .known_o    (facts_o.known),
      .valid_i    (op_i.valid && !modulus_q),
      .ready_o    (ready[0]),
      .op_i       (op_i.op),
      .take_i     (sel_i),
      .rd_i       (op_i.rd),
      .ra_i       (op_i.ra),
      .rb_i       (op_i.rb),
      .idle_o     (idle[0]),
      .carry_o    (carry[0]),
      .load_i     (load_i && !modulus_q),
      .store_i    (store_i && !modulus_q),
      .reg_i      (port_reg),
      .moving_i,
      .next_i     (next_i && !modulus_q),
      .word_i     (rf_wdata_i[ScalarDigitBits-1-:32]),
      .hold_o,
      .field_o    (field),
      .valid_o    (unit_valid),
      .step_o     (step),
      .divide_o   (divide),
      .operation_o(operation),
      .take_o     (take),
      .ready_i    (unit_ready),
      .idle_i     (unit_idle),
      .shift_o    (shift),
      .write_o    (write),
      .read_o     (read),
      .wdata_o    (wdata)
  );

  if (Wide) begin : gen_wide
    logic unused_divide;

    assign unused_divide = divide;

    eccel_gf2m_wide_unit #(
        .Fields(Fields)
    ) u_gf2m (
        .clk_i,
        .rst_ni,
        .field_i     (field),
        .degree_i    (setting_i.pbits),
        .valid_i     (unit_valid),
        .step_i      (step),
        .operation_i (operation),
        .take_i      (take),
        .ready_o     (unit_ready),
        .idle_o      (unit_idle),
        .zero_o      (zero[0]),
        .port_begin_i(load_i && !modulus_q),
        .port_shift_i(shift),
        .port_write_i(write),
        .port_read_i (read),
        .port_reg_i  (port_reg),
        .port_wdata_i(wdata),
        .port_rdata_o(rdata),
        .done_o      (done[0]),
        .rd_o        (unused_rd[0])
    );
  end else begin : gen_digits
    eccel_gf2m_unit #(
        .Fields(Fields),
        .DigitBits(DigitBits),
        .OperandStage(OperandStage),
        .Divider(Divider)
    ) u_gf2m (
        .clk_i,
        .rst_ni,
        .field_i     (field),
        .degree_i    (setting_i.pbits),
        .valid_i     (unit_valid),
        .step_i      (step),
        .divide_i    (divide),
        .operation_i (operation),
        .take_i      (take),
        .ready_o     (unit_ready),
        .idle_o      (unit_idle),
        .zero_o      (zero[0]),
        .port_begin_i(load_i && !modulus_q),
        .port_shift_i(shift),
        .port_write_i(write),
        .port_read_i (read),
        .port_reg_i  (port_reg),
        .port_wdata_i(wdata),
        .port_rdata_o(rdata),
        .done_o      (done[0]),
        .rd_o        (unused_rd[0])
    );
  end

  eccel_gfp_cios #(
      .DigitBits(ScalarDigitBits),
      .MaxWords (MaxWords)
  ) u_scalar (
      .clk_i,
      .rst_ni,
      .words_i,
      .mod_i       (1'b1),
      .mod_set_i   (setting_i.modulus_set && setting_i.modulus),
      .valid_i     (op_i.valid && modulus_q),
      .ready_o     (ready[1]),
      .op_i        (op_i.op),
      .sel_i,
      .rd_i        (op_i.rd),
      .ra_i        (op_i.ra),
      .rb_i        (op_i.rb),
      .done_o      (done[1]),
      .rd_o        (unused_rd[1]),
      .idle_o      (idle[1]),
      .zero_o      (zero[1]),
      .carry_o     (carry[1]),
      .port_re_i   (moving_i),
      .port_we_i   (rf_we_i && modulus_q),
      .port_addr_i (rf_addr_i),
      .port_wdata_i(rf_wdata_i),
      .port_rdata_o(scalar_rdata)
  );

endmodule
