// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of the streams between the bus, the dispatcher and the engines. Each stream has a ready
// signal in the opposite direction. A word is transferred in each clock in which valid and ready
// are both 1.
//
// Guarantees The source of a packet keeps valid, last and data unchanged until the word is
//            transferred, unless it is reset.

package eccel_packet_pkg;

  // One word of a packet. As a plain vector: valid is bit 33, last is bit 32, data is bits 31 to 0.
  typedef struct packed {
    logic        valid;
    logic        last;   // the word is the last one of its packet
    logic [31:0] data;
  } packet_t;

  // One random word. As a plain vector: failed is bit 33, valid is bit 32, data is bits 31 to 0.
  typedef struct packed {
    logic        failed;  // the source is broken, and gives no more words until it is reset
    logic        valid;
    logic [31:0] data;
  } entropy_t;

endpackage
