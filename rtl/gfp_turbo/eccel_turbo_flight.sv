// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Instructions in flight in one pipeline of the turbo field unit: which registers they will write,
// and for which threads they are done.
//
// Parameters Entries: most instructions in flight; Threads: a power of two; Pairs: some
//            instructions write two registers.
// Requires   begin_i comes only without full_o. Each instruction gets done_i once for each thread,
//            0 first, in the order of begin_i. pair_i: rd_i is even, and rd_i + 1 is written too.
//            With single_i and begin_i it gets one done_i, for thread thread_i, and no other
//            instruction is in flight.
// Guarantees hit_o[e], two cycles later: entry e will write ra_i (rb_i with reads_b_i) or rd_i.
//            freed_o[e] comes one cycle after the last done_i of entry e. oldest_o: the entry whose
//            thread thread_o will be done next. waddr_o, two cycles after done_i: {thread,
//            register}. Timing does not depend on data.

module eccel_turbo_flight
  import eccel_turbo_pkg::overlap;
#(
    parameter int Entries = 2,
    parameter int Threads = 4,
    parameter bit Pairs = 1'b0,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1,
    localparam int AddrBits = $clog2(64 * Threads)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                  begin_i,
    input logic [           5:0] begin_rd_i,
    input logic                  pair_i,
    input logic                  single_i,
    input logic [ThreadBits-1:0] thread_i,
    input logic                  done_i,

    input logic [5:0] ra_i,
    input logic [5:0] rb_i,
    input logic [5:0] rd_i,
    input logic       reads_b_i,

    output logic [   Entries-1:0] hit_o,
    output logic [   Entries-1:0] freed_o,
    output logic [   Entries-1:0] oldest_o,
    output logic [ThreadBits-1:0] thread_o,
    output logic [  AddrBits-1:0] waddr_o,
    output logic                  full_o,
    output logic                  empty_o
);

  logic [Entries-1:0] valid_q, newest_q, oldest_q;  // newest: the place of the next one
  logic [Entries-1:0] pair_q, same_a_q, same_b_q, same_d_q;
  logic [5:0] rd_q[Entries];
  logic [5:0] oldest_rd;
  logic [ThreadBits-1:0] thread_q;
  logic [AddrBits-1:0] waddr_q;
  logic single_q, last;

  localparam logic [ThreadBits-1:0] Last = ThreadBits'(Threads - 1);

  assign last    = single_q || thread_q == Last;

  always_comb begin
    oldest_rd = '0;
    for (int e = 0; e < Entries; e++) if (oldest_q[e]) oldest_rd |= rd_q[e];
  end

  always_ff @(posedge clk_i) begin
    freed_o <= oldest_q & {Entries{done_i && last}};
    valid_q <= (valid_q & ~freed_o) | (newest_q & {Entries{begin_i}});
    for (int e = 0; e < Entries; e++) begin
      if (begin_i && newest_q[e]) begin
        rd_q[e]   <= begin_rd_i;
        pair_q[e] <= Pairs && pair_i;
      end
      same_a_q[e] <= overlap(rd_q[e], ra_i, pair_q[e]);
      same_b_q[e] <= overlap(rd_q[e], rb_i, pair_q[e]);
      same_d_q[e] <= overlap(rd_q[e], rd_i, pair_q[e] || pair_i);
      hit_o[e]    <= valid_q[e] && !freed_o[e] && (same_a_q[e] || same_d_q[e] || reads_b_i && same_b_q[e]);
    end
    if (begin_i) begin
      newest_q <= {newest_q[Entries-2:0], newest_q[Entries-1]};
      single_q <= single_i;
    end
    if (done_i) begin
      thread_q <= last ? '0 : thread_q + 1'b1;
      if (last) oldest_q <= {oldest_q[Entries-2:0], oldest_q[Entries-1]};
    end
    if (single_i && begin_i) thread_q <= thread_i;
    waddr_q <= AddrBits'({thread_q, oldest_rd});
    waddr_o <= waddr_q;
    if (!rst_ni) begin
      freed_o  <= '0;
      valid_q  <= '0;
      newest_q <= Entries'(1);
      oldest_q <= Entries'(1);
      thread_q <= '0;
      single_q <= 1'b0;
    end
  end

  assign oldest_o = oldest_q;
  assign thread_o = thread_q;
  assign full_o   = |(newest_q & valid_q);
  assign empty_o  = valid_q == '0;

endmodule
