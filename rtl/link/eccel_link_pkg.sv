// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Frames of a link between two devices: header, sizes, CRC.
//
// A frame is a header, `length` words of payload and a CRC, each in whole words of the link. The
// first word of a frame is marked by `head`, a bit beside the word (a control character of 8b/10b,
// a synchronisation header of 64b/66b). A frame without payload carries only `ack` and `limit`.
//
//   kind    what the frame is for (kind_t)
//   flag    Data: the last frame of a packet. Sync: a Sync of the other side has been heard
//   length  words of payload, 0 unless kind is Data
//   seq     number of a Data frame
//   ack     number of the Data frame that the sender of this frame expects next
//   limit   number of the first Data frame for which the sender of this frame has no room
//
// Numbers are modulo 128. `limit` is the credit in absolute form: a lost frame loses no credit.
//
// The CRC is CRC-32C, of header and payload, most significant bit first, with the start value all
// ones. Its distance is 6 up to 5,243 bits (Koopman 2002): any 5 wrong bits in a frame are found,
// and every burst of up to 32 bits. Of other errors one in 2^32 is not found.

package eccel_link_pkg;

  localparam int HeaderBits = 32;
  localparam int SeqBits = 7;
  localparam int LengthBits = 8;

  typedef logic [SeqBits-1:0] seq_t;
  typedef logic [LengthBits-1:0] length_t;
  typedef enum logic [1:0] {
    Control = 2'd0,
    Data = 2'd1,
    Sync = 2'd2
  } kind_t;

  typedef struct packed {
    kind_t   kind;
    logic    flag;
    length_t length;
    seq_t    seq;
    seq_t    ack;
    seq_t    limit;
  } header_t;

  // Why a link is dead; None while it is not.
  typedef enum logic [2:0] {
    None = 3'd0,
    Retries = 3'd1,     // a frame was sent MaxTries times without an answer
    Silence = 3'd2,     // no intact frame came for a long time
    PeerReset = 3'd3,   // the other side was reset, so that frames may be lost
    Ended = 3'd4        // end_i was 1
  } reason_t;

  // Words of a header or of a CRC (both have 32 bits).
  function automatic int overhead_words(int width);
    return width >= HeaderBits ? 1 : HeaderBits / width;
  endfunction

  // Whether number a comes before number b, for numbers that are less than 64 apart.
  function automatic logic precedes(seq_t a, seq_t b);
    seq_t distance;
    distance = b - a;
    return distance != 0 && !distance[SeqBits-1];
  endfunction

endpackage
