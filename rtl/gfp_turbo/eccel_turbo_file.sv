// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register file of the turbo field unit: a bank for each word of an element, accessed one bank behind the other.
//
// Parameters Words, banks; Depth, elements.
// Requires   no product and sum begin to be written in the same clock.
// Guarantees Access j of a stream that starts in clock t goes to bank j in clock t + j, so that streams never meet if
//            they start in different clocks. Reads: every clock starts one, of element raddr_i; rdata_o[j] is its word j
//            in clock t + j + 2. Writes: *_first_i with word 0 on *_word_i and the element's *_addr_i; one word a clock.
//            first_o, addr_o: word 0 is being written. busy_o: words are.
// Latency    a read of the element that starts 2 clocks behind *_first_i has the new words.

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

  logic [Words-1:0] mul_at, sum_at;  // word j comes
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
