// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Small packet FIFO in block RAM. Its words are those of packet_t. The first word appears at the
// output without being asked for (first-word fall-through).
//
// Parameters AddrBits 4..12: the FIFO holds 2^AddrBits - 2 words.
//            WholePackets: if 1, a packet appears at the output only after its last word is stored.
//            Then no packet may be longer than the FIFO, which would stop for good.
// Requires   end_i is 1 only while in_ready_o is 0, and only if no word came in the 2 cycles
//            before.
// Guarantees No word is lost or repeated. out_o is stable while out_o.valid && !out_ready_i.
//            in_ready_o and out_o.valid are registers: they depend on no input of the same cycle.
//            end_i marks the newest word in a full FIFO as the last of its packet, which ends a
//            truncated packet without needing room. After the last word of a packet it has no
//            effect. After reset every word of the RAM is overwritten with 0, in 2^AddrBits cycles,
//            so that no secret outlives a reset; in_ready_o and out_o.valid are 0 until then.
// Latency    A word appears 4 cycles after it comes; with WholePackets its packet appears 5 cycles
//            after the last word. The FIFO accepts a word every 3 cycles and returns one every 4,
//            since neither logic nor a buffer follows the output register of the RAM.
// Area       The pointers are maximal-length shift registers, which need one LUT and no carry
//            chain: the fill level is not needed, only full and empty. The pointers never have the
//            value 0.
// After      Tap table: P. Alfke, Xilinx XAPP 052 (1996).

module eccel_fifo
  import eccel_packet_pkg::*;
#(
    parameter int AddrBits = 9,
    parameter bit WholePackets = 1'b0
) (
    input  logic    clk_i,
    input  logic    rst_ni,
    input  packet_t in_i,
    output logic    in_ready_o,
    input  logic    end_i,
    output logic    empty_o,
    output packet_t out_o,
    input  logic    out_ready_i
);

  typedef logic [AddrBits-1:0] addr_t;

  // XAPP 052 numbers bits from 1: bit n of an entry here is bit n + 1 there.
  function automatic addr_t taps();
    case (AddrBits)
      4: return addr_t'('h00c);
      5: return addr_t'('h014);
      6: return addr_t'('h030);
      7: return addr_t'('h060);
      8: return addr_t'('h0b8);
      9: return addr_t'('h110);
      10: return addr_t'('h240);
      11: return addr_t'('h500);
      default: return addr_t'('h829);
    endcase
  endfunction

  localparam addr_t Taps = taps();

  function automatic addr_t next(addr_t a);
    return {a[AddrBits-2:0], ^(a & Taps)};
  endfunction

  localparam addr_t First = addr_t'(1);

  // A comparison of pointers has a register in the middle. It holds one bit for each two address
  // bits, which is 1 if they are equal.
  localparam int Pairs = (AddrBits + 1) / 2;
  typedef logic [Pairs-1:0] pairs_t;

  function automatic pairs_t same(addr_t a, addr_t b);
    logic [2*Pairs-1:0] differ;
    pairs_t result;
    differ = (2 * Pairs)'(a ^ b);
    for (int i = 0; i < Pairs; i++) result[i] = differ[2*i+:2] == 2'b00;
    return result;
  endfunction

  addr_t wptr_q, stored_q, rptr_q;  // last word written, shown, popped
  pairs_t full_q, empty_q;
  logic wipe_q, wipe_dly_q, wiped_q, we_q, last_q, ready_q;
  logic [31:0] data_q;
  logic push, pop, pop_q;
  logic [1:0] settle_q;

  assign push = in_i.valid && ready_q;
  assign pop  = out_o.valid && out_ready_i;

  // ---- write side ----

  // A word goes to an input register, and a cycle later to the RAM at the pointer, which has
  // advanced by then. After a push, ready_q is 0 until the comparison has seen the new pointer; it
  // may see a pop late. The wipe ends after "full": then all words are overwritten, and the pointer
  // returns to its start.

  always_ff @(posedge clk_i) wiped_q <= wipe_q && (&full_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wiped_q) wptr_q <= First;
    else if (push || wipe_q) wptr_q <= next(wptr_q);
  end

  always_ff @(posedge clk_i) begin
    full_q <= same(next(wptr_q), rptr_q);

    if (!rst_ni) wipe_q <= 1'b1;
    else if (wiped_q) wipe_q <= 1'b0;

    if (!rst_ni) we_q <= 1'b1;
    else we_q <= push || wipe_q || end_i;

    if (!rst_ni || push || we_q) ready_q <= 1'b0;
    else ready_q <= !(&full_q);
  end

  always_ff @(posedge clk_i) begin
    if (wipe_q) data_q <= '0;
    else if (push) data_q <= in_i.data;
    if (push) last_q <= in_i.last;
    else if (end_i) last_q <= 1'b1;
  end

  if (WholePackets) begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (!rst_ni) stored_q <= First;
      else if (we_q && last_q && !wipe_q) stored_q <= wptr_q;
    end
  end else begin : gen_words
    assign stored_q = wptr_q;
  end

  // ---- read side: the RAM is addressed with the head until a word was there for three cycles ----

  always_ff @(posedge clk_i) begin
    empty_q <= same(stored_q, rptr_q);
    pop_q   <= pop;
    wipe_dly_q <= wipe_q;  // the comparison still sees the wipe's pointer
    if (!rst_ni || wipe_dly_q || pop || pop_q) settle_q <= '0;
    else settle_q <= {settle_q[0], !(&empty_q)};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rptr_q <= First;
    else if (pop) rptr_q <= next(rptr_q);
  end

  eccel_ram #(
      .Width(33),
      .Depth(2 ** AddrBits)
  ) u_ram (
      .clk_i,
      .we_i(we_q),
      .waddr_i(wptr_q),
      .wdata_i({last_q, data_q}),
      .raddr_i(next(rptr_q)),
      .rdata_o({out_o.last, out_o.data})
  );

  assign in_ready_o  = ready_q;
  assign out_o.valid = settle_q[1];
  assign empty_o     = &empty_q;

endmodule
