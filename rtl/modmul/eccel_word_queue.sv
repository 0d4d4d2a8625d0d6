// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Values that wait for a result of a pipeline, first in, first out.
//
// Parameters Width >= 1. Depth >= 1: most values that wait.
// Requires   No pop_i without a value that was pushed in an earlier cycle, and no more than Depth
//            values at a time. A value may be pushed in the cycle in which the queue is full and
//            pop_i is 1.
// Guarantees data_o is the oldest value, one cycle after pop_i. rst_i empties the queue.
//
// The memory is read without a clock, so that devices with LUT RAM put it there.

module eccel_word_queue #(
    parameter int Width = 256,
    parameter int Depth = 16
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    input  logic             pop_i,
    output logic [Width-1:0] data_o
);

  if (Depth == 1) begin : gen_register
    logic [Width-1:0] value_q;
    logic unused_reset;

    assign unused_reset = rst_i;

    always_ff @(posedge clk_i) begin
      if (push_i) value_q <= data_i;
      if (pop_i) data_o <= value_q;
    end
  end else begin : gen_memory
    localparam int AddrBits = $clog2(Depth);
    localparam logic [AddrBits-1:0] Last = AddrBits'(Depth - 1);

    logic [Width-1:0] mem[Depth];
    logic [AddrBits-1:0] write_q, read_q;
    // The initial value keeps Yosys from moving this register into the memory (memory_dff).
    /* verilator lint_off PROCASSINIT */
    logic [Width-1:0] data_q = '0;
    /* verilator lint_on PROCASSINIT */

    assign data_o = data_q;

    always_ff @(posedge clk_i) if (push_i) mem[write_q] <= data_i;

    always_ff @(posedge clk_i) begin
      data_q <= mem[read_q];
      if (push_i) write_q <= write_q == Last ? '0 : write_q + 1'b1;
      if (pop_i) read_q <= read_q == Last ? '0 : read_q + 1'b1;
      if (rst_i) begin
        write_q <= '0;
        read_q  <= '0;
      end
    end
  end

endmodule
