// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Queue for packets that can turn out to be bad after their last word: words stay behind a mark
// until commit_i, and drop_i takes them back at once, whatever waits in front of them.
//
// Parameters AddrBits 8..12: the queue holds 2^AddrBits - 1 words. KeepLast: if 0, out_o.last is 0,
//            and the memory has 32 bits. SinglePort: a memory that either reads or writes in a
//            cycle.
// Requires   Words come at most every 8 cycles. commit_i comes together with the last word, or
//            later. After drop_i of n words, neither comes for 2 n + 4 cycles.
// Guarantees Committed words appear at the output in order, each once. A dropped word does not. A
//            word that comes while in_ready_o is 0 is lost. in_ready_o and out_o.valid are
//            registers. Without SinglePort, out_o is stable while out_o.valid && !out_ready_i; with
//            it, out_o.valid falls for some cycles when a word is written. A word leaves no trace:
//            it is overwritten with 0 after it was read or dropped. After reset all words of the
//            memory are, in 2^AddrBits cycles; in_ready_o and out_o.valid are 0 until then, and
//            wiped_o is 1 from then on. room_o: there is room for at least 64 words. many_o: at
//            least 64 words wait, those under way included.
// Latency    A word appears 4 cycles after its commit_i, or after the next memory access that the
//            queue itself makes with SinglePort. The queue returns a word every 3 (4) cycles.

module eccel_uart_queue
  import eccel_packet_pkg::*;
#(
    parameter int AddrBits = 9,
    parameter bit KeepLast = 1'b1,
    parameter bit SinglePort = 1'b0
) (
    input  logic    clk_i,
    input  logic    rst_ni,
    output logic    wiped_o,
    output logic    room_o,
    output logic    many_o,
    output logic    empty_o,
    input  packet_t in_i,
    output logic    in_ready_o,
    input  logic    commit_i,
    input  logic    drop_i,
    output packet_t out_o,
    input  logic    out_ready_i
);

  if (AddrBits < 8 || AddrBits > 12) begin : gen_bad_size
    $error("eccel_uart_queue: AddrBits must be 8..12");
  end

  typedef logic [AddrBits-1:0] addr_t;

  // Addresses of the last word written, of the last one committed, and of the last one read.
  addr_t write_q, commit_q, read_q, next_q;
  addr_t fill_q;  // words in the memory, a cycle late
  logic wipe_q, we_q, mark_q, dropping_q, differ_q, step_q, clean_q, ready_q;
  logic push, pop, empty, drops, we;
  logic [32:0] data_q;
  logic [1:0] age_q;

  assign push  = in_i.valid && ready_q && rst_ni;
  assign pop   = age_q[1] && out_ready_i;
  assign empty = read_q == commit_q;
  assign drops = dropping_q && step_q && differ_q;

  // ---- write side: a word is written in the cycle after the pointer has advanced to it ----

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wipe_q <= 1'b1;
    else if (&write_q) wipe_q <= 1'b0;

    if (!rst_ni) write_q <= '0;
    else if (push || wipe_q) write_q <= write_q + addr_t'(1);
    else if (drops) write_q <= write_q - addr_t'(1);

    we_q     <= push;
    data_q   <= push ? {in_i.last, in_i.data} : '0;
    fill_q   <= write_q - read_q;
    differ_q <= write_q != commit_q;
    ready_q  <= rst_ni && !wipe_q && !push && !dropping_q && !(&fill_q);
  end

  // Every other cycle is left for words that were read, and for the comparison.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      commit_q   <= '0;
      mark_q     <= 1'b0;
      dropping_q <= 1'b0;
      step_q     <= 1'b0;
    end else begin
      mark_q <= commit_i && !wipe_q;
      if (mark_q) commit_q <= write_q;
      dropping_q <= !wipe_q && (drop_i || dropping_q && differ_q);
      step_q     <= !step_q;
    end
  end

  // ---- read side: a word is shown when the memory has been addressed with it for 2 cycles ----

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q  <= '0;
      next_q  <= addr_t'(1);
      clean_q <= 1'b0;
    end else begin
      if (pop) begin
        read_q <= next_q;
        next_q <= next_q + addr_t'(1);
      end
      clean_q <= pop || clean_q && (we_q || drops);
    end

    if (!rst_ni || wipe_q || pop || empty || SinglePort && we) age_q <= '0;
    else age_q <= {age_q[0], 1'b1};
  end

  assign we = we_q || wipe_q || drops || clean_q;

  localparam int Width = KeepLast ? 33 : 32;
  addr_t waddr;
  logic [32:0] shown;

  assign waddr = we_q || wipe_q || drops ? write_q : read_q;

  if (SinglePort) begin : gen_one_port
    eccel_ram_1p #(
        .Width(Width),
        .Depth(2 ** AddrBits)
    ) u_ram (
        .clk_i,
        .we_i   (we),
        .waddr_i(waddr),
        .wdata_i(data_q[Width-1:0]),
        .raddr_i(next_q),
        .rdata_o(shown[Width-1:0])
    );
  end else begin : gen_two_ports
    eccel_ram #(
        .Width(Width),
        .Depth(2 ** AddrBits)
    ) u_ram (
        .clk_i,
        .clr_i  (1'b0),
        .we_i   (we),
        .waddr_i(waddr),
        .wdata_i(data_q[Width-1:0]),
        .raddr_i(next_q),
        .rdata_o(shown[Width-1:0])
    );
  end
  if (!KeepLast) begin : gen_no_last
    assign shown[32] = 1'b0;
    logic unused;
    assign unused = &{1'b0, data_q[32]};
  end

  assign wiped_o    = !wipe_q;
  assign room_o     = !(&fill_q[AddrBits-1:6]);
  assign many_o     = |fill_q[AddrBits-1:7];
  assign empty_o    = empty;
  assign in_ready_o = ready_q;
  assign out_o      = '{valid: age_q[1], last: shown[32], data: shown[31:0]};

endmodule
