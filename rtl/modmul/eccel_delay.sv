// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A value, some cycles later.
//
// Parameters Width >= 1. Cycles >= 0.
// Guarantees q_o is d_i of `Cycles` cycles before.
// Latency    Cycles

module eccel_delay #(
    parameter int Width  = 1,
    parameter int Cycles = 1
) (
    // verilator lint_off UNUSEDSIGNAL
    input  logic             clk_i,   // not used without registers
    // verilator lint_on UNUSEDSIGNAL
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);

  if (Cycles == 0) begin : gen_wire
    assign q_o = d_i;
  end else begin : gen_registers
    logic [Width-1:0] value_q[Cycles];
    always_ff @(posedge clk_i) begin
      value_q[0] <= d_i;
      for (int i = 1; i < Cycles; i++) value_q[i] <= value_q[i-1];
    end
    assign q_o = value_q[Cycles-1];
  end

endmodule
