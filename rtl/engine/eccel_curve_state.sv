// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Keeps what the engine knows of the curve and the key between jobs: sys functions par, loaded,
// keyv. Decides whether the key may be used in a job.
//
// Parameters Lockstep: 1 if the second argument of loaded is a table of the base point. Otherwise
//            it sets the fact a = -3, which binary engines use for N = 2 n. Guarded: what is kept
//            has a parity bit.
// Requires   job_i is stable during a job. execute_i is 1 for one cycle of a sys instruction. par
//            reads a slot: first_i[0] is 1 for some cycles, and in the next one word 0 of the slot
//            is at rdata_i; the same holds for first_i[1] and word 1.
// Guarantees par forgets the curve and stores W of the packet. It stores bits(p), bits 9..0 of word
//            0, and bits(n), bits 25..16; and Montgomery, bit 0 of word 1, and a = -3, bit 8.
//            loaded stores the curve id. A reset forgets curve and key. facts_o.comb counts only
//            with facts_o.loaded. keyv stores the attributes of the key, flags 5 to 7 of the job
//            that sets it. facts_o.permit counts only with facts_o.key, in ECDSA_SIGN and ECDH: a
//            key with NO_SIGN does not sign, one with NO_AGREE does no ECDH, and one without
//            HOST_NONCE signs only with RANDOM. forget_i is as a reset. With Guarded, bad_o comes
//            two cycles after a bit has changed that was not written.
// Latency    1 from execute_i, 2 for the fact a = -3; 1 from the first cycle in which first_i[0] or
//            first_i[1] is 0 again.

module eccel_curve_state
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter bit Lockstep = 1'b0,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic forget_i,

    input logic                 execute_i,
    input logic [WORD_BITS-1:0] instr_i,
    input job_t                 job_i,
    input logic [          1:0] first_i,
    input logic [         31:0] rdata_i,

    output logic [9:0] pbits_o,
    output logic [9:0] nbits_o,
    output logic [4:0] words_o,
    output logic [7:0] curve_o,
    output curve_facts_t facts_o,
    output logic bad_o
);

  logic montgomery_q, am3_q, loaded_q, key_q, comb_q, permit_q;
  logic no_sign_q, no_agree_q, host_nonce_q, signs, sets_am3_q;
  logic [1:0] par_q;

  // Bit 0 of the operation tells ECDSA_SIGN from ECDH: no other job asks.
  assign signs = job_i.op[0] == JOB_ECDSA_SIGN[0];

  always_ff @(posedge clk_i) begin
    permit_q <= signs ? !no_sign_q && (host_nonce_q || job_i.flags[JOB_FLAG_RANDOM]) : !no_agree_q;
    if (execute_i) begin
      unique case (instr_i[F_FN_LSB+:3])
        SYS_KEYV: begin
          key_q        <= instr_i[0];
          no_sign_q    <= job_i.flags[JOB_FLAG_NO_SIGN];
          no_agree_q   <= job_i.flags[JOB_FLAG_NO_AGREE];
          host_nonce_q <= job_i.flags[JOB_FLAG_HOST_NONCE];
        end
        SYS_PAR: begin
          loaded_q <= 1'b0;
          comb_q   <= 1'b0;
          words_o  <= job_i.words;
        end
        SYS_LOADED: begin
          loaded_q <= instr_i[0];
          comb_q   <= Lockstep && instr_i[1];
          curve_o  <= job_i.curve;
        end
        default: ;
      endcase
    end
    sets_am3_q <= !Lockstep && execute_i && instr_i[F_FN_LSB+:3] == SYS_LOADED && instr_i[1];
    if (sets_am3_q) am3_q <= 1'b1;
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
    if (!rst_ni || forget_i) begin
      loaded_q <= 1'b0;
      key_q    <= 1'b0;
    end
  end

  // The parity follows the registers while they may change, and is compared when they rest.
  if (Guarded) begin : gen_guard
    logic writes, wrote_q, rests_q, parity_q, kept_q;
    assign writes = execute_i || sets_am3_q || par_q != 0 || !rst_ni || forget_i;
    always_ff @(posedge clk_i) begin
      wrote_q  <= writes;
      rests_q  <= !writes && !wrote_q;
      parity_q <= ^{montgomery_q, am3_q, loaded_q, key_q, comb_q, no_sign_q, no_agree_q, host_nonce_q, pbits_o,
                    nbits_o, words_o, curve_o};
      kept_q   <= parity_q;
      bad_o    <= rests_q && parity_q != kept_q;
    end
  end else begin : gen_unguarded
    assign bad_o = 1'b0;
  end

  assign facts_o = '{
          loaded: loaded_q,
          am3: am3_q,
          montgomery: montgomery_q,
          key: key_q,
          permit: permit_q,
          comb: comb_q
      };

endmodule
