// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One instruction of the turbo field unit while its threads wait to issue.
//
// Parameters Entries: most instructions in flight in both pipelines; Threads: a power of two.
// Requires   load_i comes only without valid_o, single_i only with load_i. issue_i comes only with
//            ok_o, and not in the two cycles after an issue_i.
// Guarantees ok_o: the operation of thread thread_o needs no result that is not there yet. Thread t
//            waits for thread t of the instructions in hit_i, and for no other. There is one
//            issue_i for each thread, 0 first; with single_i only for thread_i.
// Latency    ok_o comes 2 cycles after load_i, and 2 cycles after the freed_i or done_i that it
//            waits for.

module eccel_turbo_slot #(
    parameter int Entries = 4,
    parameter int Threads = 4,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                  load_i,
    input logic [           5:0] ra_i,      // one cycle after load_i
    input logic [           5:0] rb_i,
    input logic                  single_i,
    input logic [ThreadBits-1:0] thread_i,
    input logic [   Entries-1:0] hit_i,
    input logic [   Entries-1:0] freed_i,
    input logic [   Entries-1:0] done_i,    // thread thread_o is done

    input  logic                  issue_i,
    output logic                  valid_o,
    output logic                  ok_o,
    output logic [ThreadBits-1:0] thread_o,
    output logic [           5:0] ra_o,
    output logic [           5:0] rb_o
);

  logic [Entries-1:0] hit_q, done_q;
  localparam logic [ThreadBits-1:0] Last = ThreadBits'(Threads - 1);

  logic last, single_q, load_q;

  assign last = single_q || thread_o == Last;

  always_ff @(posedge clk_i) begin
    load_q <= load_i;
    if (load_q) {ra_o, rb_o} <= {ra_i, rb_i};
    ok_o   <= valid_o && (hit_q & ~done_q) == '0;
    hit_q  <= (load_i ? hit_i : hit_q) & ~freed_i;
    done_q <= done_i;
    if (load_i) begin
      valid_o  <= 1'b1;
      single_q <= single_i;
    end else if (issue_i) begin
      valid_o  <= !last;
      thread_o <= last ? '0 : thread_o + 1'b1;  // 0 early: done_i may be one cycle old
    end
    if (single_i) thread_o <= thread_i;
    if (!rst_ni) begin
      valid_o  <= 1'b0;
      ok_o     <= 1'b0;
      thread_o <= '0;
    end
  end

endmodule
