// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Types and constants that the parts of the dispatcher share: its own operations, and what it
// decodes of a packet.

package eccel_dispatch_pkg;

  // Operations of the dispatcher itself: the curve id in the header is the number of an engine.
  localparam logic [7:0] OpCounters = 8'h40;
  localparam logic [7:0] OpRestart = 8'h41;

  localparam int MaxThreads = 8;  // jobs of an engine at once
  localparam int TicketBits = $clog2(MaxThreads);
  localparam int GroupBits = 8 - TicketBits - 1;
  localparam int CounterCount = 4;  // jobs, resets, busy clocks, clocks; 32 bits each
  localparam int UnitClocks = 1024;  // unit of the last two

  // Engines of one configuration form a pool. The upper bits of a curve id are the number of the
  // pool.
  localparam int MaxEngines = 16;
  localparam int MaxPools = 4;
  localparam int PoolBits = $clog2(MaxPools);
  localparam int ThreadCountBits = $clog2(MaxThreads + 1);
  localparam int WidthBits = 5;  // bits of W, the number of words of an element

  typedef logic [PoolBits-1:0] pool_t;

  // The engines that a packet may go to.
  typedef struct packed {
    pool_t pool;
    logic  every;  // engines of every pool
  } aim_t;

  typedef enum logic [1:0] {
    Ordinary,    // to one engine of its pool
    Shared,      // to every engine of its pool that is in service
    Everywhere,  // to every engine of its pool, or of every pool
    Own          // the dispatcher itself answers
  } route_e;

  // Internal tag of a job in an engine. A tag with one wrong bit belongs to no other job.
  typedef struct packed {
    logic [7:0]            op;
    logic [GroupBits-1:0]  group;
    logic                  parity;  // of the ticket
    logic [TicketBits-1:0] ticket;
  } tag_t;

  // Ordinary jobs of the same kind may form a group in an engine. The engine also compares the
  // rest.
  typedef struct packed {
    route_e     route;
    logic [5:0] op;
    logic [3:0] flags;
  } kind_t;

endpackage
