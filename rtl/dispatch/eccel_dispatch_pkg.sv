// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What the parts of the dispatcher share: its own operations, and what it looks at in a packet.

package eccel_dispatch_pkg;

  // The curve id of their header is the number of an engine.
  localparam logic [7:0] OpCounters = 8'h40;
  localparam logic [7:0] OpRestart = 8'h41;

  localparam int MaxThreads = 8;  // jobs at once in an engine
  localparam int TicketBits = $clog2(MaxThreads);
  localparam int GroupBits = 8 - TicketBits - 1;
  localparam int CounterCount = 4;  // jobs, resets, busy, clocks: 32 bits each, the last two in units of UnitClocks
  localparam int UnitClocks = 1024;

  // Engines of a dispatcher, and pools: engines of one configuration. The upper bits of a curve id name the pool.
  localparam int MaxEngines = 16;
  localparam int MaxPools = 4;
  localparam int PoolBits = $clog2(MaxPools);
  localparam int ThreadCountBits = $clog2(MaxThreads + 1);
  localparam int WidthBits = 5;  // of W, words of an element

  typedef logic [PoolBits-1:0] pool_t;

  // Whose engines a packet is for.
  typedef struct packed {
    pool_t pool;
    logic  every;  // those of every pool
  } aim_t;

  typedef enum logic [1:0] {
    Ordinary,    // for one engine of its pool
    Shared,      // for every one in service
    Everywhere,  // for every one
    Own          // for the dispatcher itself
  } route_e;

  // Tag of a job in an engine: one wrong bit makes it the tag of no other job.
  typedef struct packed {
    logic [7:0]            op;
    logic [GroupBits-1:0]  group;
    logic                  parity;  // of the ticket
    logic [TicketBits-1:0] ticket;
  } tag_t;

  // Ordinary jobs of equal kinds can form a group in an engine; the engine looks closer.
  typedef struct packed {
    route_e     route;
    logic [5:0] op;
    logic [3:0] flags;
  } kind_t;

endpackage
