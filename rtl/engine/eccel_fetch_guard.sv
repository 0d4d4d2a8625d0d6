// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Checks the instructions on their way from the microcode memory to the sequencer. Each word has
// three check bits: bit 0, with which its parity is even, and its address modulo 3.
//
// Requires   decode_i: check_i are the bits of the instruction that is decoded; instr_i holds that
//            instruction from the next cycle on. altered_i: instr_i is changed on purpose.
//            fetches_i comes before a decode_i whose instruction does not follow the one before.
// Guarantees bad_o comes two cycles after a bit of an instruction, of its check bits or of instr_i
//            has been found changed, and after an instruction that follows another one and has not
//            the next address. An odd number of changed bits is always found.

module eccel_fetch_guard
  import eccel_isa_pkg::WORD_BITS;
(
    input logic clk_i,
    input logic rst_ni,

    input logic                 decode_i,
    input logic [          2:0] check_i,
    input logic                 fetches_i,
    input logic                 altered_i,
    input logic [WORD_BITS-1:0] instr_i,

    output logic bad_o
);

  logic [2:0] check_q;
  logic [1:0] next_q;
  logic known_q, checked_q, strange_q, odd_q;

  always_ff @(posedge clk_i) begin
    if (decode_i) begin
      check_q <= check_i;
      next_q  <= check_i[2] ? 2'd0 : {check_i[1], !check_i[1]};
    end
    known_q   <= (known_q || decode_i) && !fetches_i && rst_ni;
    strange_q <= decode_i && known_q && check_i[2:1] != next_q;
    checked_q <= (checked_q && !altered_i || decode_i) && rst_ni;
    odd_q     <= checked_q && (^instr_i ^ check_q[0]);
    bad_o     <= strange_q || odd_q && checked_q;
  end

endmodule
