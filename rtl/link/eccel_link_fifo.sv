// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Small FIFO in registers. Between the framing and the pins it evens out the cycles in which one of
// the two has no word or takes none.
//
// Parameters Width: bits of a word. Depth: words, a power of two.
// Requires   push_i only while full_o is 0, pop_i only while valid_o is 1.
// Guarantees Words leave in the order in which they came. full_o and valid_o are functions of
//            registers only.
// Latency    1 cycle. A word in each cycle.

module eccel_link_fifo #(
    parameter int Width = 65,
    parameter int Depth = 4
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    output logic             full_o,
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    input  logic             pop_i
);

  localparam int AddrBits = $clog2(Depth);

  logic [AddrBits:0] write_q, read_q;
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (push_i) mem[write_q[AddrBits-1:0]] <= data_i;
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (push_i) write_q <= write_q + 1'b1;
      if (pop_i) read_q <= read_q + 1'b1;
    end
  end

  assign data_o  = mem[read_q[AddrBits-1:0]];
  assign valid_o = write_q != read_q;
  assign full_o  = write_q == {~read_q[AddrBits], read_q[AddrBits-1:0]};

endmodule
