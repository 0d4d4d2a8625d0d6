// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Keeps what the engine knows of the curve and the key between jobs: sys functions par, loaded,
// keyv.
//
// Parameters Lockstep: 1 if loaded has a second argument, a table of the base point.
// Requires   execute_i is 1 for one cycle of a sys instruction. par reads a slot: first_i[0] is 1
//            for some cycles, and in the next one word 0 of the slot is at rdata_i; the same holds
//            for first_i[1] and word 1.
// Guarantees par forgets the curve and stores W of the packet. It stores bits(p), bits 9..0 of word
//            0, and bits(n), bits 25..16; and Montgomery, bit 0 of word 1, and a = -3, bit 8.
//            loaded stores the curve id. A reset forgets curve and key. facts_o.comb counts only
//            with facts_o.loaded.
// Latency    1 from execute_i, and from the first cycle in which first_i[0] or first_i[1] is 0
//            again.

module eccel_curve_state
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter bit Lockstep = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                 execute_i,
    input logic [WORD_BITS-1:0] instr_i,
    input logic [          4:0] words_i,
    input logic [          7:0] curve_i,
    input logic [          1:0] first_i,
    input logic [         31:0] rdata_i,

    output logic [9:0] pbits_o,
    output logic [9:0] nbits_o,
    output logic [4:0] words_o,
    output logic [7:0] curve_o,
    output curve_facts_t facts_o
);

  logic montgomery_q, am3_q, loaded_q, key_q, comb_q;
  logic [1:0] par_q;

  always_ff @(posedge clk_i) begin
    if (execute_i) begin
      unique case (instr_i[F_FN_LSB+:3])
        SYS_KEYV: key_q <= instr_i[0];
        SYS_PAR: begin
          loaded_q <= 1'b0;
          comb_q   <= 1'b0;
          words_o  <= words_i;
        end
        SYS_LOADED: begin
          loaded_q <= instr_i[0];
          comb_q   <= Lockstep && instr_i[1];
          curve_o  <= curve_i;
        end
        default: ;
      endcase
    end
    // What is stored last counts.
    par_q <= first_i;
    if (par_q[0]) begin
      pbits_o <= rdata_i[9:0];
      nbits_o <= rdata_i[25:16];
    end
    if (par_q[1]) begin
      montgomery_q <= rdata_i[0];
      am3_q        <= rdata_i[8];
    end
    if (!rst_ni) begin
      loaded_q <= 1'b0;
      key_q    <= 1'b0;
    end
  end

  assign facts_o = '{
          loaded: loaded_q,
          am3: am3_q,
          montgomery: montgomery_q,
          key: key_q,
          comb: comb_q
      };

endmodule
