// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Hedged draws: a sponge between the entropy port and the mover. A word that the mover draws
// depends on all words of entropy and all mailbox words that the sponge has taken since its reset.
//
// Parameters Columns: of eccel_ascon.
// Requires   ent_ready_i is 1 while the mover waits for a word, until it has it. old_i is the word
//            in the place of the mailbox to which the mover writes next; it is valid from Settle
//            clocks after ent_ready_i, or after the word before, until the next word is given.
// Guarantees Each word of entropy gives one word: the sponge takes {old_i, word of ent_i} and is
//            permuted, and its lowest 32 bits are the word. A reset wipes the sponge and the word.
//            A failure of ent_i is passed on. The number of clocks does not depend on values.
// Latency    Settle + 3 + 24 * 64 / Columns clocks for a word, and the wait for ent_i.

module eccel_hedge
  import eccel_packet_pkg::*;
#(
    parameter int Columns = 8
) (
    input logic clk_i,
    input logic rst_ni,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input logic [31:0] old_i,

    output entropy_t ent_o,
    input  logic     ent_ready_i
);

  localparam int Settle = 8;

  logic [$clog2(Settle)-1:0] wait_q;
  logic settled_q, works_q, given_q, busy, start;
  logic [63:0] word;

  eccel_ascon #(
      .Columns(Columns)
  ) u_sponge (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .word_i ({old_i, ent_i.data}),
      .busy_o (busy),
      .word_o (word)
  );

  assign start       = settled_q && ent_i.valid;
  assign ent_ready_o = settled_q;
  assign ent_o       = '{failed: ent_i.failed, valid: given_q, data: word[31:0]};

  // A word is awaited (wait_q, settled_q), made (works_q), given (given_q).
  always_ff @(posedge clk_i) begin
    wait_q    <= wait_q + 1'b1;
    settled_q <= (settled_q || int'(wait_q) == Settle - 1) && ent_ready_i && !start;
    if (!ent_ready_i || settled_q || works_q || given_q) wait_q <= '0;
    if (start) works_q <= 1'b1;
    else if (!busy) works_q <= 1'b0;
    given_q <= works_q && !busy && !start || given_q && !ent_ready_i;
    if (!rst_ni) begin
      settled_q <= 1'b0;
      works_q   <= 1'b0;
      given_q   <= 1'b0;
    end
  end

endmodule
