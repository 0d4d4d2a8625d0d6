// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Handshake of a multiplier with a fixed interval and latency.
//
// Parameters Interval >= 1; Latency > Interval.
// Guarantees start_o is high in the cycle in which operands are taken: this is cycle 0. ready_o is
//            low in cycles 1 .. Interval - 1. first_o is high in cycle 1, last_o in cycle Interval,
//            valid_o in cycle Latency. Only start_o depends on an input without a register.
//
// rst_i forgets all products on the way.

module eccel_mul_pace #(
    parameter int Interval = 1,
    parameter int Latency  = 2
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic valid_i,
    output logic ready_o,
    output logic start_o,
    output logic first_o,
    output logic last_o,
    output logic valid_o
);

  localparam int After = Latency - Interval;  // cycles from last_o to valid_o

  logic [After:1] after_q;

  assign start_o = valid_i && ready_o;
  assign valid_o = after_q[After];

  always_ff @(posedge clk_i) begin
    first_o <= start_o;
    after_q <= After'({after_q, last_o});
    if (rst_i) begin
      first_o <= 1'b0;
      after_q <= '0;
    end
  end

  if (Interval == 1) begin : gen_always_ready
    assign ready_o = 1'b1;
    assign last_o  = first_o;
  end else begin : gen_count
    localparam int CountBits = $clog2(Interval);
    logic [CountBits-1:0] left_q;  // cycles until ready_o rises
    logic ends;

    assign ends = left_q == 1 && !ready_o;

    always_ff @(posedge clk_i) begin
      left_q <= start_o ? CountBits'(Interval - 1) : left_q - 1'b1;
      if (start_o) ready_o <= 1'b0;
      else if (ends) ready_o <= 1'b1;
      last_o <= ends;
      if (rst_i) begin
        ready_o <= 1'b1;
        last_o  <= 1'b0;
      end
    end
  end

endmodule
