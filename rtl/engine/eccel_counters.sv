// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The counters c0 to c3: loop, setc, and the number of the bit that ldb and its relatives read.
//
// Parameters DigitBits: of the field unit; Columns: of the base point's comb, 0 if setc cannot name
//            it. Guarded: the counters have parity bits.
// Requires   fetched_i holds the instruction in the cycle of decode_i, instr_i after it. execute_i
//            of setc or loop comes two cycles after decode_i.
// Guarantees count_o is the counter of the instruction from the cycle after decode_i on. A loop
//            decrements its counter unless it is 0. With Guarded, bad_o comes two cycles after a
//            read_i for which a bit of the counter has changed since it was written.
// Latency    After setc and loop the counter is right for the next decode_i.

module eccel_counters
  import eccel_isa_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int Columns = 0,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,

    input logic                 decode_i,
    input logic [WORD_BITS-1:0] fetched_i,
    input logic                 execute_i,
    input logic [WORD_BITS-1:0] instr_i,
    input logic                 setc_i,
    input logic                 loop_i,
    input logic                 read_i,     // the instruction uses its counter

    // bases of setc
    input logic [4:0] words_i,
    input logic [9:0] pbits_i,
    input logic [9:0] nbits_i,

    output logic [COUNTER_BITS-1:0] count_o,
    output logic [COUNTER_BITS-1:0] last_o,   // c3
    output logic                    bad_o
);

  logic [COUNTER_BITS-1:0] counter_q[COUNTERS];
  logic [COUNTER_BITS-1:0] base, base_q, addend_q, next;
  logic again_q, loop_q;

  assign last_o = counter_q[COUNTERS-1];

  always_comb begin
    unique case (instr_i[F_BASE_LSB+1+:2])
      BASE_PBITS[2:1]: base = COUNTER_BITS'(pbits_i);
      BASE_NBITS[2:1]: base = COUNTER_BITS'(nbits_i);
      BASE_RBITS[2:1]: base = {words_i, 5'd0} + (DigitBits == 64 && words_i[0] ? 11'd32 : 11'd0);
      default:         base = Columns != 0 && instr_i[F_BASE_LSB] ? COUNTER_BITS'(Columns) : '0;
    endcase
  end

  // loop: the counter - 1; setc: base + immediate
  always_ff @(posedge clk_i) begin
    if (decode_i) count_o <= counter_q[fetched_i[F_COUNTER_LSB+:2]];
    again_q  <= loop_i && count_o != 0;
    loop_q   <= loop_i;
    base_q   <= base;
    addend_q <= loop_i ? '1 : instr_i[COUNTER_BITS-1:0];
    if (execute_i && (setc_i || again_q)) counter_q[instr_i[F_COUNTER_LSB+:2]] <= next;
  end

  // The parity is computed a cycle after the counter, which comes from an adder.
  if (Guarded) begin : gen_guard
    logic parity_q[COUNTERS];
    logic stored_q, wrote_q;
    logic [1:0] index_q;
    logic [COUNTER_BITS-1:0] next_q;
    always_ff @(posedge clk_i) begin
      wrote_q <= execute_i && (setc_i || again_q);
      index_q <= instr_i[F_COUNTER_LSB+:2];
      next_q  <= next;
      if (wrote_q) parity_q[index_q] <= ^next_q;
      stored_q <= parity_q[instr_i[F_COUNTER_LSB+:2]];
      bad_o <= read_i && stored_q != ^count_o;
    end
  end else begin : gen_unguarded
    logic unused_read;
    assign unused_read = read_i;
    assign bad_o = 1'b0;
  end

  eccel_add_mux #(
      .Width(COUNTER_BITS)
  ) u_add (
      .a_i  (addend_q),
      .b_i  (count_o),
      .c_i  (base_q),
      .sel_i(loop_q),
      .sum_o(next)
  );

endmodule
