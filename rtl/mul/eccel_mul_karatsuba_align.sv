// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Registers that give each bit of a skewed number the delay from one place of use to another.
//
// Parameters Width >= 1. Bit i comes as bit FromLow + i of a number of FromTop bits whose lowest
//            segment is valid at time From, and leaves as bit ToLow + i of one of ToTop bits whose
//            lowest segment is valid at time To. FromSkew = 0: all bits come at time From.
//            Segment: see eccel_mul_karatsuba_pkg; 0 for no registers.
// Requires   No bit is needed before it comes.
// Guarantees d_o = d_i, delayed as said.

module eccel_mul_karatsuba_align #(
    parameter int Width    = 32,
    parameter int Segment  = 32,
    parameter bit FromSkew = 1'b1,
    parameter int From     = 0,
    parameter int FromLow  = 0,
    parameter int FromTop  = Width,
    parameter int To       = 0,
    parameter int ToLow    = 0,
    parameter int ToTop    = Width
) (
    input  logic             clk_i,
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] d_o
);

  import eccel_mul_karatsuba_pkg::at;

  function automatic int delay(int i);
    return To + at(ToLow + i, ToTop, Segment)
        - From - (FromSkew ? at(FromLow + i, FromTop, Segment) : 0);
  endfunction

  function automatic int most();
    int found;
    found = 0;
    for (int i = 0; i < Width; i++) found = delay(i) > found ? delay(i) : found;
    return found;
  endfunction

  localparam int Most = Segment == 0 ? 0 : most();

  if (Most == 0) begin : gen_none
    logic unused_clk;
    assign unused_clk = clk_i;
    assign d_o = d_i;
  end else begin : gen_delay
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Most:1][Width-1:0] d_q;  // each bit uses the first of its registers only
    /* verilator lint_on UNUSEDSIGNAL */

    always_ff @(posedge clk_i) begin
      d_q[1] <= d_i;
      for (int k = 2; k <= Most; k++) d_q[k] <= d_q[k-1];
    end
    for (genvar i = 0; i < Width; i++) begin : gen_bit
      if (delay(i) < 0) begin : gen_late
        $error("eccel_mul_karatsuba_align: a bit is needed before it comes");
      end else if (delay(i) == 0) begin : gen_wire
        assign d_o[i] = d_i[i];
      end else begin : gen_register
        assign d_o[i] = d_q[delay(i)][i];
      end
    end
  end

endmodule
