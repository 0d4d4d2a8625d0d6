// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Small packet FIFO in block RAM: 32-bit words with a `last` mark, first word falls through.
//
// Parameters AddrBits 4..12: room for Capacity = 2^AddrBits - 2 words.
//            WholePackets = 1: a packet is shown at the output only when its last word is stored
//            (then no packet may be longer than Capacity, or the FIFO stops for good).
// Requires   end_i only while in_ready_o = 0 and with no push in the 2 cycles before.
// Guarantees nothing is lost or repeated; out_data_o, out_last_o are stable while out_valid_o && !out_ready_i;
//            in_ready_o and out_valid_o are registers and depend on no input of the same cycle.
//            end_i on a full FIFO marks the newest word as the last of its packet (ends a truncated packet
//            without needing room); after a packet's last word it changes nothing.
//            After reset every word of the RAM is overwritten with 0 in 2^AddrBits cycles; in_ready_o and
//            out_valid_o are 0 meanwhile, so that no secret outlives a reset.
// Latency    push to out_valid_o 4 cycles (WholePackets: 5 from the last word). One push each 3 cycles and one pop
//            each 4 at most: the price of having no logic and no buffer behind the RAM's output register.
// Area       the pointers are maximal-length shift registers, which need one LUT instead of a carry chain;
//            nobody needs the fill level, only full and empty. State 0 is not used.
// After      tap table: P. Alfke, Xilinx XAPP 052 (1996).

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

  // XAPP 052 numbers bits from 1; bit n of a table entry is its bit n + 1.
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

  // Comparisons of pointers are cut by a register: one bit for each two address bits, set when they are equal.
  localparam int Pairs = (AddrBits + 1) / 2;
  typedef logic [Pairs-1:0] pairs_t;

  function automatic pairs_t same(addr_t a, addr_t b);
    logic [2*Pairs-1:0] differ;
    pairs_t result;
    differ = (2 * Pairs)'(a ^ b);
    for (int i = 0; i < Pairs; i++) result[i] = differ[2*i+:2] == 2'b00;
    return result;
  endfunction

  addr_t wptr_q, stored_q, rptr_q;  // word written last, word shown last, word popped last
  pairs_t full_q, empty_q;
  logic wipe_q, wipe_dly_q, wiped_q, we_q, last_q, ready_q;
  logic [31:0] data_q;
  logic push, pop, pop_q;
  logic [1:0] settle_q;

  assign push = in_i.valid && ready_q;
  assign pop  = out_o.valid && out_ready_i;

  // ---- write side: input register, RAM one cycle later at the pointer already advanced ----
  // After a push ready_q is off until the comparison has seen the new pointer; that a pop is seen late does no
  // harm. The wipe ends behind "full": all words are written, and the pointer goes back to its start.

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

  // ---- read side: the address rests on the head until three cycles found a word there ----

  always_ff @(posedge clk_i) begin
    empty_q <= same(stored_q, rptr_q);
    pop_q   <= pop;
    wipe_dly_q <= wipe_q;  // the comparison sees the pointer of the wipe a cycle longer
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
