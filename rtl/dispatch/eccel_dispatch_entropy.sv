// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Shares one entropy port among engines. Each engine has a register for one word.
//
// Requires   shared_i is 1 from before the first until after the last word that a job for all
//            engines draws. Meanwhile targets_i is stable.
// Guarantees A word goes to one engine only. While shared_i is 1, it goes to all engines of
//            targets_i that are not given up, so that they draw the same numbers; a word that one
//            of them has not used is dropped at the end. An engine that is given up (fault_i) keeps
//            no word. Engine e sees e + 1 clocks later that the source has failed.
// Latency    An engine gets a word within 2 * Engines + 6 cycles after it asks, if the source has
//            one.

module eccel_dispatch_entropy
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2
) (
    input logic clk_i,
    input logic rst_ni,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input logic               shared_i,
    input logic [Engines-1:0] targets_i,
    input logic [Engines-1:0] fault_i,

    output entropy_t           eng_o[Engines],
    input  logic [Engines-1:0] eng_ready_i
);

  typedef logic [Engines-1:0] mask_t;

  typedef enum logic [3:0] {  // one-hot
    Look = 4'h1,
    Draw = 4'h2,
    Fill = 4'h4,
    Rest = 4'h8
  } state_e;

  state_e state_q;
  mask_t full_q, wants_q, content_q, turn_q, chosen_q, fill_q;  // content_q: needs no word
  logic [31:0] data_q, word_q[Engines];
  // One register could not lie near all engines of a large cluster: the failure takes a clock from
  // each engine to the next.
  mask_t failed_q;
  logic shared_q, drop_q, rest_q, some_q, all_q, mine_q;

  always_ff @(posedge clk_i) begin
    shared_q <= shared_i;
    failed_q <= mask_t'({failed_q, ent_i.failed});
    drop_q   <= shared_i != shared_q;
    wants_q  <= eng_ready_i & ~full_q & ~fault_i;
    fill_q   <= '0;
    rest_q   <= state_q == Fill;
    content_q <= wants_q | ~targets_i | fault_i;
    some_q   <= |wants_q;
    all_q    <= &content_q && some_q;
    mine_q   <= |(wants_q & turn_q);
    unique case (state_q)
      Look: begin
        // One engine at a time, two cycles each: mine_q is about turn_q.
        chosen_q <= shared_q ? targets_i & ~fault_i : turn_q;
        rest_q   <= !rest_q;
        if (rest_q && (shared_q ? all_q : mine_q)) state_q <= Draw;
        else if (rest_q) turn_q <= mask_t'({turn_q, turn_q[Engines-1]});
      end
      Draw: begin
        data_q <= ent_i.data;
        if (ent_i.valid) begin
          fill_q  <= chosen_q;
          state_q <= Fill;
        end
      end
      Fill: state_q <= Rest;
      default: begin  // until wants_q has seen the word
        turn_q <= mask_t'({turn_q, turn_q[Engines-1]});
        rest_q <= 1'b0;
        if (!rest_q) state_q <= Look;
      end
    endcase
    for (int e = 0; e < Engines; e++) begin
      if (fill_q[e]) word_q[e] <= data_q;
      full_q[e] <= (fill_q[e] || full_q[e] && !eng_ready_i[e]) && !fault_i[e] && !drop_q;
    end
    if (!rst_ni || drop_q) state_q <= Look;
    if (!rst_ni) begin
      full_q <= '0;
      turn_q <= mask_t'(1);
    end
  end

  assign ent_ready_o = state_q == Draw;
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    assign eng_o[e] = '{failed: failed_q[e], valid: full_q[e], data: word_q[e]};
  end

endmodule
