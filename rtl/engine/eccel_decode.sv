// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Instruction register and decoder.
//
// Parameters Lockstep: 1 if there are scan, caught and rewind.
// Requires   fetched_i holds the instruction in the cycle of decode_i. index_i comes in the next
//            cycle at the earliest.
// Guarantees instr_o and the decoded outputs are valid from the cycle after decode_i on, the
//            register of an indexed operation from the cycle after index_i on. After a reset is_o
//            is no control instruction.
// Latency    1

module eccel_decode
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter bit Lockstep = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                 decode_i,
    input logic [WORD_BITS-1:0] fetched_i,
    input logic                 index_i,    // rb OR x_i
    input logic [          3:0] x_i,

    output logic [WORD_BITS-1:0] instr_o,
    output logic                 field_o,    // an operation of the field unit
    output logic                 indexed_o,  // mulx, movx
    output control_t             is_o,
    output logic                 on_unit_o,     // as a br: looks at Z or C
    output logic                 from_flags_o   // as a setb: looks at Z or C
);

  logic [3:0] op;
  logic [2:0] fn;
  control_t control;

  assign op = fetched_i[22:19];
  assign fn = fetched_i[F_FN_LSB+:3];

  always_comb begin
    control        = '0;
    control.br     = op == OP_BR[3:0];
    control.call   = op == OP_CALL[3:0];
    control.ret    = op == OP_RET[3:0];
    control.jumps  = op inside {OP_JMP[3:0], OP_CALL[3:0], OP_RET[3:0]};
    control.target = op inside {OP_JMP[3:0], OP_CALL[3:0], OP_BR[3:0], OP_LOOP[3:0]};
    control.setc   = op == OP_SETC[3:0];
    control.loop   = op == OP_LOOP[3:0];
    control.bits   = op inside {OP_LDB[3:0], OP_LDX[3:0]};
    control.setb   = op == OP_SETB[3:0];
    control.load   = op == OP_LD[3:0];
    control.store  = op == OP_ST[3:0];
    control.rnd    = op == OP_RND[3:0];
    control.mod    = op == OP_MOD[3:0];
    control.chk    = op == OP_CHK[3:0];
    control.done   = op == OP_DONE[3:0];
    control.sys    = op == OP_SYS[3:0];
    control.fill   = control.sys && fn inside {SYS_WIPE, SYS_PUT1};
    control.put1   = control.sys && fn == SYS_PUT1;
    control.par    = control.sys && fn == SYS_PAR;
    control.scan   = Lockstep && control.sys && fn == SYS_SCAN;
    control.caught = Lockstep && control.sys && fn == SYS_CAUGHT;
    control.waits  = op inside {OP_LD[3:0], OP_ST[3:0], OP_MOD[3:0], OP_DONE[3:0]};
  end

  always_ff @(posedge clk_i) begin
    if (decode_i) begin
      instr_o      <= fetched_i;
      field_o      <= !fetched_i[23];
      indexed_o    <= fetched_i[23:19] inside {OP_MULX, OP_MOVX};
      is_o         <= control;
      on_unit_o    <= fetched_i[F_COND_LSB+:4] inside {COND_Z, COND_C};
      from_flags_o <= fetched_i[3:0] inside {SETB_C, SETB_NOT_C, SETB_Z, SETB_NOT_Z, SETB_B_OR_C, SETB_B_OR_Z,
                                             SETB_B_AND_C, SETB_B_AND_Z};
    end
    if (index_i) instr_o[F_RB_LSB+:4] <= instr_o[F_RB_LSB+:4] | x_i;
    if (decode_i && !fetched_i[23] || !rst_ni) is_o <= '0;
  end

endmodule
