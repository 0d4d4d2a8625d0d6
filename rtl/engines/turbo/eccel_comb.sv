// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Tables of multiples of the base point, read in constant time: all entries of a table pass, and
// each thread keeps the one that its scalar's bits select (eccelerate/model/comb.py defines digits
// and tables).
//
// Parameters Threads, power of two; Words of a coordinate; Columns e of the comb; TableFile:
//            Comb.words() for $readmemh.
// Requires   scan_i and wait_i come with busy_o low. The slot of the scalar is at the mailboxes
//            until busy_o falls. From scan_i until a wait_i is answered, and from take_i until the
//            next scan_i, only instructions that wait for an idle field unit use the mailboxes.
//            bit_i is the bit at position pos_o of seven clocks ago, which is then stable for four.
// Guarantees scan: after all takes, the bits j + (6 t + i) e, i = 0 to 5, of each thread's scalar
//            are read; t counts from 0 to 3 with each scan, then j falls by 1. rewind_i forgets
//            digits and sets t = 0, j = e - 1. busy_o falls, and the 32 entries of table t are
//            written to every mailbox, word word_o of slot {2'b01, keep_o, half_o}, x below y:
//            keep_o of a thread comes with the entry of its digit, so that slots 6 and 7 keep it
//            and all other entries pass through slots 4 and 5. wait: busy_o falls when the entry is
//            there. take_i: an instruction will read one half of the entry, x first. After issue_i,
//            the next thread's, on_o holds the mailboxes and keep_o is 1; word j is addressed j
//            clocks later, and serves_o names that thread two clocks after that. stop_i ends what
//            runs, and frees the mailboxes: what is taken meanwhile is undefined. Bits of scalars
//            change nothing but keep_o: every thread writes in the same clocks, whatever its digit
//            is.
// Latency    A scan takes 30 clocks until busy_o falls; a wait is answered 64 Words + 2 clocks
//            later at the earliest.

module eccel_comb #(
    parameter int Threads = 4,
    parameter int Words = 8,
    parameter int Columns = 11,
    parameter TableFile = "",
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    // sequencer
    input  logic               rewind_i,
    input  logic               scan_i,
    input  logic               wait_i,
    input  logic               stop_i,
    output logic               busy_o,
    output logic [        9:0] pos_o,       // 0 while none is read
    output logic               due_o,       // bit_i is one
    input  logic [Threads-1:0] bit_i,

    // field unit
    input  logic                  take_i,   // accepted
    input  logic                  issue_i,  // by the next thread
    output logic [Threads-1:0]    serves_o,

    // mailboxes
    output logic               on_o,
    output logic               half_o,
    output logic [Threads-1:0] keep_o,
    output logic [        4:0] word_o,   // 0 while !on_o
    output logic               we_o,
    output logic [       31:0] wdata_o   // 0 while nothing is written
);

  localparam int Teeth = 6;
  localparam int Tables = 4;
  localparam int Depth = Tables * 64 * Words;
  localparam int AddrBits = $clog2(Depth);
  localparam logic [4:0] LastWord = 5'(Words - 1);
  localparam logic [2:0] LastTooth = 3'(Teeth - 1);
  // To the next bit of a column, and from the last one to the first one of the next column.
  localparam logic [9:0] Step = 10'(Columns);
  localparam logic [9:0] Back = -10'((Tables * Teeth - 1) * Columns + 1);

  typedef enum logic [2:0] {  // one-hot
    Idle   = 3'h1,
    Settle = 3'h2,  // takes go first
    Gather = 3'h4
  } state_e;

  state_e state_q;
  logic sync_q, run_q, taking, streaming, settled_q;

  assign busy_o = state_q != Idle || sync_q;

  // ------------------------------------------------------------------ bits of the scalars

  logic [9:0] pos_q, step_q;
  logic [2:0] tooth_q;
  logic [1:0] table_q, phase_q;
  logic last_phase, gathered;
  logic [Teeth-1:0] digit_q[Threads];  // top tooth at the left: the digit's sign

  assign last_phase = phase_q == '1;
  assign gathered   = tooth_q == LastTooth + 3'd1;  // except for its bit
  assign pos_o      = pos_q & {10{state_q == Gather}};

  always_ff @(posedge clk_i) begin
    sync_q  <= (wait_i || sync_q && streaming) && !stop_i;
    step_q  <= tooth_q == LastTooth && table_q == '1 ? Back : Step;
    phase_q <= state_q == Gather ? phase_q + 1'b1 : '0;
    settled_q <= state_q == Settle && !taking && !streaming;
    due_o   <= state_q == Gather && phase_q == 2'd2 && tooth_q != '0;
    unique case (state_q)
      Idle: if (scan_i) state_q <= Settle;
      Settle: begin
        tooth_q <= '0;
        if (settled_q) state_q <= Gather;
      end
      Gather: begin
        if (last_phase) begin
          tooth_q <= tooth_q + 1'b1;
          if (gathered) state_q <= Idle;
          else pos_q <= pos_q + step_q;
        end
      end
      default: state_q <= Idle;
    endcase
    for (int t = 0; t < Threads; t++) begin
      if (due_o) digit_q[t] <= {bit_i[t], digit_q[t][Teeth-1:1]};
      if (rewind_i) digit_q[t] <= '0;
    end
    if (rewind_i) pos_q <= 10'(Columns - 1);
    if (!rst_ni || stop_i) state_q <= Idle;
    if (!rst_ni) sync_q <= 1'b0;
  end

  // ------------------------------------------------------------------ all entries pass

  logic [AddrBits-1:0] addr;
  logic [4:0] word_q, entry_q, entry_1, word_1, word_2, word_3;
  logic half_q, last_word_q, last_entry_q, last, half_1, half_2, run_1, run_2;
  logic [Teeth-2:0] digit_entry[Threads];  // the number of the entry
  logic [Threads-1:0] match_2;
  logic [31:0] rom;

  assign last      = last_word_q && half_q && last_entry_q;
  assign streaming = run_q || run_1 || run_2;

  eccel_rom #(
      .Width(32),
      .Depth(Depth),
      .InitFile(TableFile)
  ) u_table (
      .clk_i,
      .raddr_i(addr),
      .rdata_o(rom)
  );

  if (Words == 2 ** $clog2(Words)) begin : gen_fields
    assign addr = {table_q, entry_q, half_q, word_q[$clog2(Words)-1:0]};
  end else begin : gen_counter
    logic wrap_q;  // the first table follows the last one
    always_ff @(posedge clk_i) begin
      wrap_q <= run_q && last && table_q == '1;
      if (run_q) addr <= addr + 1'b1;
      if (rewind_i || wrap_q) addr <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (run_q) begin
      word_q <= last_word_q ? '0 : word_q + 1'b1;
      half_q <= half_q ^ last_word_q;
      if (last_word_q && half_q) entry_q <= entry_q + 1'b1;
    end else begin
      word_q  <= '0;
      half_q  <= 1'b0;
      entry_q <= '0;
    end
    last_word_q  <= run_q && word_q == LastWord - 1'b1;
    last_entry_q <= &entry_q;
    if (run_q && last) table_q <= table_q + 1'b1;
    if (rewind_i) table_q <= '0;

    run_q <= (state_q == Gather && last_phase && gathered || run_q && !last) && !stop_i;
    run_1 <= run_q && !stop_i;
    run_2 <= run_1 && !stop_i;
    {word_1, half_1} <= {word_q, half_q};
    {word_2, half_2} <= {word_1, half_1};
    word_3  <= word_2 & {5{run_2 && !stop_i}};
    wdata_o <= rom & {32{run_2}};
    entry_1 <= entry_q;
    for (int t = 0; t < Threads; t++) begin
      digit_entry[t] <= digit_q[t][Teeth-2:0] ^ {5{!digit_q[t][Teeth-1]}};
      match_2[t]     <= entry_1 == digit_entry[t];
    end
    keep_o  <= match_2 | {Threads{!run_2}};
    we_o    <= run_2 && !stop_i;
    if (!rst_ni) begin
      run_q <= 1'b0;
      run_1 <= 1'b0;
      run_2 <= 1'b0;
      we_o  <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ the field unit reads

  logic [1:0] takes_q;  // accepted, not all threads of which have issued
  logic [ThreadBits-1:0] next_q, thread_q;
  logic [4:0] read_q;
  logic take_q, on_q, reads_q, read_half_q, read_half_next, all_issue, read_last;

  localparam logic [ThreadBits-1:0] LastThread = ThreadBits'(Threads - 1);

  assign all_issue = issue_i && next_q == LastThread;
  assign read_last = read_q == LastWord;
  assign read_half_next = (read_half_q ^ (read_last && thread_q == LastThread)) && state_q != Gather;
  assign taking    = take_q || takes_q != '0 || read_q != '0 || on_q;

  always_ff @(posedge clk_i) begin
    take_q  <= take_i;
    takes_q <= takes_q + 2'(take_q) - 2'(all_issue);
    on_q    <= (takes_q != '0 || read_q != '0 || run_2) && !stop_i;
    if (issue_i) begin
      next_q   <= next_q == LastThread ? '0 : next_q + 1'b1;
      thread_q <= next_q;
    end
    reads_q <= issue_i || read_q != '0;
    for (int t = 0; t < Threads; t++) serves_o[t] <= reads_q && int'(thread_q) == t;
    if (issue_i || read_q != '0) read_q <= read_last ? '0 : read_q + 1'b1;
    if (stop_i) read_q <= '0;  // takes that are still issued read nothing
    read_half_q <= read_half_next;
    half_o      <= half_2 && run_2 || read_half_next;  // is part of an address with a parity
    if (!rst_ni) begin
      take_q   <= 1'b0;
      takes_q  <= '0;
      next_q   <= '0;
      thread_q <= '0;
      read_q   <= '0;
      on_q     <= 1'b0;
    end
  end

  assign on_o   = on_q;
  assign word_o = word_3 | read_q;

endmodule
