// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the modules of the microsequencer tell each other.

package eccel_useq_pkg;

  // A control instruction, decoded; all 0 for a field operation.
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

  // What the curve and the job are, as conditions of a branch.
  typedef struct packed {
    logic [3:0] flags;
    logic loaded;
    logic am3;
    logic montgomery;
    logic key;
    logic comb;
  } facts_t;

endpackage
