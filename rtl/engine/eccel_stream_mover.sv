// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// eccel_mover for one word a cycle: between a mailbox slot and registers of DigitBits-wide digits, or their words.
//
// Parameters DigitBits in {32, 64}.
// Requires   as eccel_mover; rf_rdata_i two cycles behind rf_addr_o, mb_rdata_i two cycles behind mb_word_o.
// Guarantees what eccel_mover does to slots and registers. word_o, load: rf_wdata_o has a word in its upper half, low one first; store:
//            in the next cycle a word is taken. rf_wdata_o is 0 but when a load is under way. Same cycles for every value. mb_word_o is 0 while !busy_o.
// Latency    busy for words + 3 cycles (load), + 2 (store), where words are those of whole digits of the long length; random: a
//            cycle for each of words_i + 3 that come, and one; fill: 33.

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

  // A word's number, and as many cycles later; it is under way while valid.
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
    // Slots are read a cycle behind the word's number, filled likewise, written two.
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

  // Data are 0 unless words move: they are joined by OR with the other writers'.
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
