// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Moves a number between a mailbox slot (32-bit words) and a field register (DigitBits-wide
// digits); fills a slot.
//
// Parameters DigitBits: 16, 32 or 64; 2^IndexBits digits of a register.
// Requires   move_i.start comes only while !busy_o and, for load and store, with an idle field
//            unit. The rest of move_i is stable from the cycle before start to the end; at most one
//            of load, store, random and fill is set; one is set only with fill. words_i is 6 to the
//            engine's MaxWords.
// Guarantees load: writes digits 0 to s + s_ext - 1; words from words_i on count as 0. store:
//            writes words 0 to words_i + 2. random: writes the same words from the entropy port.
//            fill: all 32 words become 0, and word 0 becomes 1 with one. None of these: as load,
//            but nothing is written. The number of cycles does not depend on values. mb_word_o is 0
//            while !busy_o. mb_wdata_o is 0 unless store, random or one is set.
// Latency    3 cycles for each unit of min(DigitBits, 32) bits of words_i + 3 words (load and store
//            of 64-bit digits: of s + 2 digits); random also waits for entropy. fill: 1 cycle for
//            each unit of 32 words, and one more.

module eccel_mover
  import eccel_engine_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5
) (
    input logic clk_i,
    input logic rst_ni,

    input  move_t      move_i,
    input  logic [4:0] words_i,
    output logic       busy_o,
    output logic [1:0] first_o,   // at word 0, 1

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

  logic [5:0] unit_q, unit_next, reg_q;
  logic [2:0] phase_q;  // one-hot: address, memory, data
  logic busy_q, last_q, odd, put_q, load_q, keep_q, one_q, hold;
  logic [5:0] units_q;  // number of units - 1
  logic [4:0] word;
  logic [31:0] entropy_q, stored;

  assign busy_o = busy_q;
  assign word = DigitBits == 16 ? unit_q[5:1] : unit_q[4:0];
  assign odd = unit_q[0];
  assign first_o = {word == 5'd1, word == 5'd0};
  assign hold = ent_ready_o && !ent_valid_i;

  eccel_inc #(.Width(6)) u_inc (.d_i(unit_q), .q_o(unit_next));

  // 16-bit digits: two units a word; 64-bit digits: an even number of units covers s + 2 digits.
  always_ff @(posedge clk_i) begin
    unique case (DigitBits)
      16:      units_q <= move_i.fill ? 6'd63 : {words_i + 5'd2, 1'b1};
      64:      units_q <= move_i.fill ? 6'd31 : move_i.random ? {1'b0, words_i + 5'd2} :
                          {1'b0, words_i[4:1] + 4'd1 + 4'(words_i[0]), 1'b1};
      default: units_q <= move_i.fill ? 6'd31 : {1'b0, words_i + 5'd2};
    endcase
    phase_q <= {phase_q[1] && !hold || move_i.fill, phase_q[0] || phase_q[1] && hold, phase_q[2] && !move_i.fill};
    last_q  <= unit_q == units_q;
    reg_q   <= move_i.reg_index;
    one_q   <= move_i.start && move_i.one || DigitBits == 16 && one_q && !odd;
    if (phase_q[2]) begin
      unit_q <= unit_next;
      // A fill ends one unit late; in this unit nothing is written.
      if (last_q) busy_q <= 1'b0;
    end
    if (move_i.start) begin
      busy_q  <= 1'b1;
      phase_q <= {move_i.fill, 1'b0, !move_i.fill};
    end
    if (!busy_q) unit_q <= '0;
    if (move_i.stop || !rst_ni) busy_q <= 1'b0;
    put_q  <= busy_q && phase_q[1] && (move_i.store || move_i.random && ent_valid_i) && (DigitBits != 16 || odd);
    load_q <= busy_q && phase_q[1] && move_i.load;
    keep_q <= busy_q && phase_q[1] && move_i.load && word < words_i;
    entropy_q <= move_i.random ? ent_data_i : '0;
    // Only in the second phase.
    ent_ready_o <= busy_q && (phase_q[0] || hold) && move_i.random && (DigitBits != 16 || odd) && !move_i.stop &&
                   rst_ni;
  end

  assign mb_word_o   = word;
  assign mb_we_o     = put_q || busy_q && move_i.fill && !last_q;
  assign mb_wdata_o  = stored | entropy_q | 32'(one_q);
  assign rf_we_o     = load_q && (DigitBits != 64 || odd);

  // Data are 0 unless they move: an OR joins them with those of the other writers.
  if (DigitBits == 16) begin : gen_16
    logic [15:0] low_q;
    always_ff @(posedge clk_i) begin
      if (!move_i.store) low_q <= '0;
      else if (phase_q[2]) low_q <= rf_rdata_i;
    end
    assign stored     = {rf_rdata_i & {16{move_i.store}}, low_q};
    assign rf_addr_o  = {reg_q, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = (odd ? mb_rdata_i[31:16] : mb_rdata_i[15:0]) & {16{keep_q}};
  end else if (DigitBits == 32) begin : gen_32
    assign stored     = rf_rdata_i & {32{move_i.store}};
    assign rf_addr_o  = {reg_q, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = mb_rdata_i & {32{keep_q}};
  end else begin : gen_64
    logic [31:0] low_q;
    always_ff @(posedge clk_i) begin
      if (!move_i.load || phase_q[2] && !keep_q) low_q <= '0;
      else if (phase_q[2]) low_q <= mb_rdata_i;
    end
    assign stored     = (odd ? rf_rdata_i[63:32] : rf_rdata_i[31:0]) & {32{move_i.store}};
    assign rf_addr_o  = {reg_q, unit_q[IndexBits:1]};
    assign rf_wdata_o = {mb_rdata_i & {32{keep_q}}, low_q};
  end

endmodule
