// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register file of the turbo field unit: one bank of memory for each word of an element. An access
// moves from bank to bank, one in a cycle.
//
// Parameters Words: number of banks; Depth: number of elements.
// Requires   A product and a sum do not begin to be written in the same cycle. Two products, and
//            two sums, begin at least Words cycles apart.
// Guarantees Access j of a stream that starts in cycle t goes to bank j in cycle t + j, so that
//            streams never conflict if they start in different cycles. A read of element raddr_i
//            starts in each cycle; rdata_o[j] is its word j in cycle t + j + 2. A write starts with
//            *_first_i, word 0 on *_word_i and the element on *_addr_i, and goes on with one word
//            in each cycle. first_o, addr_o: word 0 is being written. busy_o: some word is being
//            written.
// Latency    A read of the same element that starts 2 cycles after *_first_i or later gets the new
//            words, one that starts 1 cycle after it undefined ones.

module eccel_turbo_file #(
    parameter int Words = 8,
    parameter int Depth = 256,
    parameter int WordBits = 32,
    localparam int AddrBits = $clog2(Depth)
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [AddrBits-1:0] raddr_i,
    output logic [WordBits-1:0] rdata_o[Words],

    input logic                mul_first_i,
    input logic [AddrBits-1:0] mul_addr_i,
    input logic [WordBits-1:0] mul_word_i,
    input logic                sum_first_i,
    input logic [AddrBits-1:0] sum_addr_i,
    input logic [WordBits-1:0] sum_word_i,

    output logic                first_o,
    output logic [AddrBits-1:0] addr_o,
    output logic                busy_o
);

  logic [Words-1:0] mul_at, sum_at;  // word j is on *_word_i
  logic [Words-1:1] mul_at_q, sum_at_q;
  logic [Words-1:0] we_q;
  logic [AddrBits-1:0] raddr[Words], waddr_q[Words];

  assign mul_at = {mul_at_q, mul_first_i};
  assign sum_at = {sum_at_q, sum_first_i};

  always_ff @(posedge clk_i) begin
    mul_at_q <= mul_at[Words-2:0];
    sum_at_q <= sum_at[Words-2:0];
    we_q     <= mul_at | sum_at;
    if (!rst_ni) begin
      mul_at_q <= '0;
      sum_at_q <= '0;
      we_q     <= '0;
    end
  end

  always_ff @(posedge clk_i) waddr_q[0] <= mul_first_i ? mul_addr_i : sum_addr_i;
  assign raddr[0] = raddr_i;

  for (genvar j = 0; j < Words; j++) begin : gen_bank
    logic [WordBits-1:0] wdata_q;

    if (j > 0) begin : gen_behind
      always_ff @(posedge clk_i) begin
        raddr[j]   <= raddr[j-1];
        waddr_q[j] <= waddr_q[j-1];
      end
    end
    always_ff @(posedge clk_i) wdata_q <= mul_at[j] ? mul_word_i : sum_word_i;

    eccel_ram #(
        .Width(WordBits),
        .Depth(Depth)
    ) u_bank (
        .clk_i,
        .clr_i(1'b0),
        .we_i   (we_q[j]),
        .waddr_i(waddr_q[j]),
        .wdata_i(wdata_q),
        .raddr_i(raddr[j]),
        .rdata_o(rdata_o[j])
    );
  end

  assign first_o = we_q[0];
  assign addr_o  = waddr_q[0];
  assign busy_o  = mul_first_i || sum_first_i || (|we_q);

endmodule
