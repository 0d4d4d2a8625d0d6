// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the modules of an engine tell each other.

package eccel_engine_pkg;

  import eccel_isa_pkg::COUNTER_BITS;
  import eccel_isa_pkg::WORD_BITS;

  // A decoded control instruction; all 0 for a field operation.
  typedef struct packed {
    logic br;
    logic call;
    logic ret;
    logic jumps;    // jmp, call, ret
    logic target;   // has an address: jmp, call, br, loop
    logic setc;
    logic loop;
    logic bits;     // ldb, ldd, ldx, ldw
    logic setb;
    logic load;
    logic store;
    logic rnd;
    logic mod;      // in lock step also fail
    logic chk;
    logic done;
    logic sys;
    logic fill;     // wipe, put1
    logic put1;
    logic par;
    logic scan;
    logic caught;   // caught, rewind
    logic waits;    // for an idle unit, whatever its operands
  } control_t;

  // ------------------------------------------------------------------ conditions of a branch

  // What the engine knows of the loaded curve and the key.
  typedef struct packed {
    logic loaded;
    logic am3;
    logic montgomery;
    logic key;
    logic permit;  // the key's attributes permit the job, an ECDH or a signature
    logic comb;    // the base point's table is of this curve
  } curve_facts_t;

  // What the field unit says about itself.
  typedef struct packed {
    logic known;  // condition FIELD: the build has a field of degree bits(p)
    logic free;   // condition FREE: the unit for GF(2^m) is idle; in lock step FAULTY
  } unit_facts_t;

  typedef struct packed {
    logic [4:0]   flags;  // of the job, without those that are attributes of a key
    curve_facts_t curve;
    unit_facts_t  unit;
  } facts_t;

  // ------------------------------------------------------------------ sequencer and threads

  // Phase of an instruction: one bit at most is 1.
  typedef struct packed {
    logic halt;      // no job runs
    logic decode;    // the instruction is fetched
    logic operands;
    logic execute;
    logic answer;    // the mailbox gave the word of the bits to read in the cycle before
    logic work;      // the mover or the table's unit works for the instruction
  } phase_t;

  // The instruction that all threads run.
  typedef struct packed {
    phase_t               phase;
    logic                 hold;     // it stays in execute for another cycle
    logic [WORD_BITS-1:0] fetched;  // the instruction, valid in decode
    logic [WORD_BITS-1:0] instr;    // the instruction, valid from operands on, as the rest
    control_t             is;
    logic                 on_unit;  // as a br: it looks at Z or C
    logic [9:0]           count;    // of the counter that it names
  } step_t;

  // What the thread that leads gives to the sequencer; with one thread, that one.
  typedef struct packed {
    logic       jump;  // a br jumps: valid in the last cycle of execute
    logic       late;  // jump will not be valid in the next cycle
    logic       idle;  // the field unit is idle, and its flags are those of the last operation
    logic [3:0] x;     // addresses registers
  } leader_t;

  // ------------------------------------------------------------------ job port

  // Header of a job.
  typedef struct packed {
    logic [5:0] op;
    logic [7:0] flags;
    logic [3:0] elements;
    logic [4:0] words;  // W; while the zeroise handler runs the largest one
    logic [7:0] curve;
  } job_t;

  // The loaded curve, which a job has to name.
  typedef struct packed {
    logic       loaded;
    logic [4:0] words;
    logic [7:0] id;
  } curve_t;

  // How a job ends.
  typedef struct packed {
    logic [7:0] status;
    logic [3:0] results;  // number of result elements
  } outcome_t;

  // An access to a mailbox.
  typedef struct packed {
    logic        we;
    logic [3:0]  slot;
    logic [4:0]  word;
    logic [31:0] wdata;
  } mailbox_t;

  // ------------------------------------------------------------------ what the sequencer commands

  // An operation of the field unit; its secret select bit travels apart.
  typedef struct packed {
    logic       valid;
    logic [3:0] op;
    logic [5:0] rd;
    logic [5:0] ra;
    logic [5:0] rb;
  } unit_op_t;

  // What the operations of the field unit refer to.
  typedef struct packed {
    logic                    modulus_set;  // modulus is the new one
    logic                    modulus;
    logic [9:0]              pbits;        // bits(p)
    logic [COUNTER_BITS-1:0] count;        // counter 3
  } unit_setting_t;

  // One of load, store, random and fill, or none of them, which reads the slot without writing a
  // register.
  typedef struct packed {
    logic       start;
    logic       stop;
    logic       load;      // ld
    logic       store;     // st
    logic       random;    // rnd
    logic       fill;      // wipe, put1
    logic       one;       // put1
    logic [5:0] reg_index;
  } move_t;

  // eccel_comb, the table of the base point.
  typedef struct packed {
    logic rewind;
    logic scan;
    logic await;
    logic stop;
  } comb_command_t;

  typedef struct packed {
    logic       busy;
    logic [9:0] position;  // of the scalars' bit that is to be read
    logic       due;       // that bit has been read
  } comb_status_t;

  // Its access to the mailboxes, while on: a word of slot {3'b011, half}. word is 0 while !on, and
  // wdata is 0 while nothing is written.
  typedef struct packed {
    logic        on;
    logic        half;
    logic        we;
    logic [4:0]  word;
    logic [31:0] wdata;
  } comb_mailbox_t;

endpackage
