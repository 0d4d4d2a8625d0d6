// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// FIFO of whole packets in block RAM. Its words are those of packet_t. A packet appears at the
// output after its last word is stored, without being asked for (first-word fall-through).
//
// Parameters AddrBits 4..12: the FIFO holds 2^AddrBits - 2 words, and no packet may be longer.
//            KeepLast: if 0, out_o.last is 0, and the memory has 32 bits.
// Requires   drop_i comes only if no word comes in the 2 cycles before and the cycle after.
// Guarantees No word is lost or repeated. out_o is stable while out_o.valid && !out_ready_i.
//            in_ready_o and out_o.valid are registers: they depend on no input of the same cycle.
//            A packet that is shown can be read to its end, whatever happens at the input.
//            drop_i removes the packet whose last word has not come. Its words leave the RAM behind
//            those of the packets before it; in_ready_o is 0 until then.
//            A word leaves no trace: it is overwritten with 0 after it was read or dropped. After
//            reset every word of the RAM is overwritten with 0, in 2^AddrBits cycles, and again
//            until a turn ends with hold_i = 0. wiped_o is 1 in the cycle in which this ends;
//            in_ready_o and out_o.valid are 0 until then.
// Latency    A packet appears 5 cycles after its last word. The FIFO accepts a word every 3 cycles
//            and returns one every 4, since neither logic nor a buffer follows the output register
//            of the RAM.
// Area       The pointers are maximal-length shift registers, which need one LUT and no carry
//            chain: the fill level is not needed, only full and empty. The pointers never have the
//            value 0.
// After      Tap table: P. Alfke, Xilinx XAPP 052 (1996).

module eccel_fifo
  import eccel_packet_pkg::*;
#(
    parameter int AddrBits = 9,
    parameter bit KeepLast = 1'b1
) (
    input  logic    clk_i,
    input  logic    rst_ni,
    input  logic    hold_i,
    output logic    wiped_o,
    input  packet_t in_i,
    output logic    in_ready_o,
    input  logic    drop_i,
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

  addr_t wptr_q, stored_q, rptr_q;  // last word written, of a whole packet or to be dropped, read
  pairs_t full_q, empty_q;
  logic wipe_q, wipe_dly_q, turn_q, we_q, last_q, ready_q;
  logic [31:0] data_q;
  logic push, pop, pop_q, empty;
  logic settle_q, valid_q, skip_q;  // skip_q: a word to be dropped is at the output
  logic drop_q, dropping_q, dropping_dly_q, drops;

  assign push  = in_i.valid && ready_q;
  assign pop   = skip_q || valid_q && out_ready_i;
  assign empty = &empty_q;

  // ---- write side ----

  // A word goes to an input register, and a cycle later to the RAM at the pointer, which has
  // advanced by then. After a push, ready_q is 0 until the comparison has seen the new pointer; it
  // may see a pop late. A turn of the wipe ends after "full": then all words are overwritten, and
  // the pointer returns to its start.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= wipe_q && (&full_q);
  end

  assign wiped_o = turn_q && !hold_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || turn_q) wptr_q <= First;
    else if (push || wipe_q) wptr_q <= next(wptr_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= '0;  // a FIFO that was full is wiped too
    else full_q <= same(next(wptr_q), rptr_q);

    if (!rst_ni) wipe_q <= 1'b1;
    else if (wiped_o) wipe_q <= 1'b0;

    if (!rst_ni) we_q <= 1'b1;
    else we_q <= push || wipe_q;

    if (!rst_ni || push || we_q) ready_q <= 1'b0;
    else ready_q <= !(&full_q) && !drop_q;
  end

  // data_q is 0 but in the cycle after a push.
  always_ff @(posedge clk_i) begin
    data_q <= push ? in_i.data : '0;
    if (push) last_q <= in_i.last;
  end

  // ---- packets ----

  // Once the packets before it have left, the packet to be dropped counts as stored, and its words
  // are taken from the output at once. The comparison needs a cycle to see that.

  assign drops = drop_q && empty && !dropping_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stored_q <= First;
    else if (we_q && last_q && !wipe_q || drops) stored_q <= wptr_q;

    if (!rst_ni || dropping_dly_q && empty) begin
      drop_q         <= 1'b0;
      dropping_q     <= 1'b0;
      dropping_dly_q <= 1'b0;
    end else begin
      drop_q         <= drop_q || drop_i;
      dropping_q     <= dropping_q || drops;
      dropping_dly_q <= dropping_q;
    end
  end

  // ---- read side: the RAM is addressed with the head until a word was there for three cycles ----

  always_ff @(posedge clk_i) begin
    empty_q    <= same(stored_q, rptr_q);
    pop_q      <= pop;
    wipe_dly_q <= wipe_q;  // the comparison still sees the wipe's pointer
    if (!rst_ni || wipe_dly_q || pop || pop_q) begin
      settle_q <= 1'b0;
      valid_q  <= 1'b0;
      skip_q   <= 1'b0;
    end else begin
      settle_q <= !empty;
      valid_q  <= settle_q && !dropping_q;
      skip_q   <= settle_q && dropping_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rptr_q <= First;
    else if (pop) rptr_q <= next(rptr_q);
  end

  // In a cycle without a word for it, the RAM overwrites the word that was read last. This never
  // takes longer than until the next word is read, since words come at most every 3 cycles.
  localparam int Width = KeepLast ? 33 : 32;
  logic [32:0] shown;

  assign {out_o.last, out_o.data} = shown;
  if (!KeepLast) begin : gen_no_last
    assign shown[32] = 1'b0;
  end

  eccel_ram #(
      .Width(Width),
      .Depth(2 ** AddrBits)
  ) u_ram (
      .clk_i,
      .clr_i(1'b0),
      .we_i(1'b1),
      .waddr_i(we_q ? wptr_q : rptr_q),
      .wdata_i(Width'({last_q, data_q})),
      .raddr_i(next(rptr_q)),
      .rdata_o(shown[Width-1:0])
  );

  assign in_ready_o  = ready_q;
  assign out_o.valid = valid_q;
  assign empty_o     = empty;

endmodule
