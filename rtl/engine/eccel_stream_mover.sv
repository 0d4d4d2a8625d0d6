// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eccel_mover at one word a cycle: between a mailbox slot and registers of DigitBits-wide digits,
// or a unit that reads and writes their words.
//
// Parameters DigitBits: 32 or 64; 2^IndexBits digits of a register.
// Requires   As eccel_mover. rf_rdata_i follows rf_addr_o by two cycles, mb_rdata_i follows
//            mb_word_o by two.
// Guarantees Slots and registers change as under eccel_mover. word_o, load: the upper half of
//            rf_wdata_o holds a word; the lowest word comes first. word_o, store: a word is read in
//            the next cycle. rf_wdata_o is 0 unless a load is under way. The number of cycles does
//            not depend on values. mb_word_o is 0 while !busy_o.
// Latency    busy_o lasts words + 3 cycles (load) or words + 2 (store), where words are those of
//            whole digits of the long length; random: one cycle for each of the words_i + 3 words
//            of entropy, and one; fill: 33.

module eccel_stream_mover
  import eccel_engine_pkg::*;
#(
    parameter int DigitBits = 64,
    parameter int IndexBits = 4
) (
    input logic clk_i,
    input logic rst_ni,

    input  move_t      move_i,
    input  logic [4:0] words_i,
    output logic       busy_o,
    output logic [1:0] first_o,   // in the next cycle word 0, 1 is read
    output logic       word_o,

    output logic        mb_we_o,
    output logic [ 4:0] mb_word_o,
    output logic [31:0] mb_wdata_o,
    input  logic [31:0] mb_rdata_i,

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    output logic                   rf_we_o,
    output logic [6+IndexBits-1:0] rf_addr_o,
    output logic [  DigitBits-1:0] rf_wdata_o,
    input  logic [  DigitBits-1:0] rf_rdata_i
);

  localparam int RatioBits = DigitBits == 64 ? 1 : 0;  // words of a digit

  // word_q[i], valid_q[i]: a word's number i cycles later, and whether that word is under way.
  logic [4:0] word, word_next, word_q[1:3], last_word_q;
  logic [3:1] valid_q;
  logic [5:0] reg_q;
  logic run_q, step, last, we_q, keep_q, one_q;
  logic [4:0] mb_word_q;
  logic [31:0] entropy_q, stored, loaded, low_q;
  logic [IndexBits-1:0] digit;

  eccel_inc #(.Width(5)) u_inc (.d_i(word), .q_o(word_next));

  assign ent_ready_o = run_q && move_i.random;
  assign step = run_q && (!move_i.random || ent_valid_i);
  assign last = word == last_word_q;
  assign busy_o = run_q || valid_q != '0;

  always_ff @(posedge clk_i) begin
    last_word_q <= move_i.fill ? 5'd31 : move_i.random || RatioBits == 0 ? words_i + 5'd2 :
                   {words_i[4:1] + 4'd1 + 4'(words_i[0]), 1'b1};
    reg_q     <= move_i.reg_index;
    valid_q   <= {valid_q[2] && !move_i.store, valid_q[1] && !move_i.fill && !move_i.random, step};
    word_q[1] <= word;
    word_q[2] <= word_q[1];
    word_q[3] <= word_q[2];
    if (move_i.start) run_q <= 1'b1;
    else if (step && last) run_q <= 1'b0;
    if (!run_q) word <= '0;
    else if (step) word <= word_next;
    // A slot is read or filled one cycle after the word's number, written two cycles after it.
    mb_word_q <= move_i.store ? word_q[1] : word;
    if (!(move_i.store ? valid_q[1] : run_q)) mb_word_q <= '0;
    we_q      <= step && (move_i.fill || move_i.random) || valid_q[1] && move_i.store;
    entropy_q <= move_i.random ? ent_data_i : '0;
    one_q     <= run_q && move_i.one && word == '0;
    keep_q    <= valid_q[2] && move_i.load && word_q[2] < words_i;
    if (move_i.stop || !rst_ni) begin
      run_q   <= 1'b0;
      valid_q <= '0;
      we_q    <= 1'b0;
    end
  end

  assign first_o = {2{valid_q[2]}} & {word_q[2] == 5'd1, word_q[2] == 5'd0};
  assign word_o = valid_q[3] && move_i.load || valid_q[1] && move_i.store;
  assign mb_we_o = we_q;
  assign mb_word_o = mb_word_q;
  assign mb_wdata_o = stored | entropy_q | 32'(one_q);

  // Data are 0 unless words move: an OR joins them with those of the other writers.
  assign loaded = mb_rdata_i & {32{keep_q}};
  assign digit = move_i.load ? IndexBits'(word_q[3] >> RatioBits) : IndexBits'(word >> RatioBits);
  assign rf_addr_o = {reg_q, digit};
  assign rf_we_o = valid_q[3] && move_i.load && (RatioBits == 0 || word_q[3][0]);

  always_ff @(posedge clk_i) low_q <= loaded;

  if (RatioBits == 0) begin : gen_32
    assign stored = rf_rdata_i & {32{move_i.store}};
    assign rf_wdata_o = loaded;
  end else begin : gen_64
    assign stored = (word_q[2][0] ? rf_rdata_i[63:32] : rf_rdata_i[31:0]) & {32{move_i.store}};
    assign rf_wdata_o = {loaded, low_q};
  end

endmodule
