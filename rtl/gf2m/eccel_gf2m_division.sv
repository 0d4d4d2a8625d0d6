// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Divisions of the binary field unit. Each runs alone, in the divider that the fields of the build
// need.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg).
// Requires   valid_i asks for 1 / x and is held until ready_o. idle_i: no other operation is in
//            flight. From the cycle with both until done_o no other operation starts, and field_i,
//            or in a generic build degree_i and low_i, are constant. x_i is the register to be
//            inverted, as elements are stored in this build, from four cycles after that cycle.
// Guarantees busy_o is high from the cycle after that until ready_o. With done_o quotient_o = 1 /
//            x, or 0 for 0. none_o, from then until the end of the next division: see the dividers.
//            ready_o comes one cycle after done_o. Timing does not depend on x_i.
// Latency    ready_o comes 2m + 6 cycles after valid_i and idle_i.

module eccel_gf2m_division
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [ IndexBits-1:0] field_i,
    input logic [DegreeBits-1:0] degree_i,
    input logic [     Width-1:0] low_i,

    input  logic             valid_i,
    input  logic             idle_i,
    input  logic [Width-1:0] x_i,
    output logic             ready_o,
    output logic             busy_o,
    output logic             done_o,
    output logic [Width-1:0] quotient_o,
    output logic             none_o
);

  logic begins, start, busy_q, ready_q;
  logic [3:0] wait_q;  // cycles until the last write can be read, and is read

  assign begins = valid_i && idle_i && !busy_q;
  assign start = wait_q[3];
  assign busy_o = busy_q;
  assign ready_o = ready_q;

  if (generic_build(Fields)) begin : gen_generic
    logic unused_field;

    assign unused_field = field_i != '0;

    eccel_gf2m_generic_divider #(
        .Width(Width)
    ) u_divider (
        .clk_i,
        .rst_ni,
        .degree_i,
        .low_i,
        .start_i(start),
        .x_i,
        .done_o,
        .quotient_o,
        .none_o
    );
  end else begin : gen_named
    logic unused_generic;

    assign unused_generic = degree_i != '0 || low_i != '0;

    eccel_gf2m_divider #(
        .Fields(Fields)
    ) u_divider (
        .clk_i,
        .rst_ni,
        .field_i,
        .start_i(start),
        .y_i(unsigned'(Width'(1))),
        .x_i,
        .done_o,
        .quotient_o,
        .none_o
    );
  end

  always_ff @(posedge clk_i) begin
    ready_q <= done_o;
    if (!rst_ni) begin
      busy_q <= 1'b0;
      wait_q <= '0;
    end else begin
      busy_q <= begins || busy_q && !ready_q;
      wait_q <= {wait_q[2:0], begins};
    end
  end

endmodule
