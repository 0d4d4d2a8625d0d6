// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Moves a number between a mailbox slot (32-bit words) and a field register (DigitBits-wide digits).
//
// Requires   start_i only while !busy_o and the field unit is idle; words_i in 6..MaxWords.
// Guarantees load: digits 0 .. s + s_ext - 1 written, words from words_i on count as 0. Store: words 0 .. words_i + 2
//            written. Same cycles for every value.
// Latency    3 cycles for each unit of min(DigitBits, 32) bits, words_i + 3 words (64-bit digits: s + 2 digits).

module eccel_mover #(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic       start_i,
    input  logic       store_i,
    input  logic [5:0] reg_i,
    input  logic [3:0] slot_i,
    input  logic [4:0] words_i,
    output logic       busy_o,

    output logic        mb_we_o,
    output logic [ 8:0] mb_addr_o,
    output logic [31:0] mb_wdata_o,
    input  logic [31:0] mb_rdata_i,

    output logic                   rf_we_o,
    output logic [6+IndexBits-1:0] rf_addr_o,
    output logic [  DigitBits-1:0] rf_wdata_o,
    input  logic [  DigitBits-1:0] rf_rdata_i
);

  logic [5:0] unit_q, unit_next;
  logic [2:0] phase_q;  // one-hot: address, array, data
  logic busy_q, last_q, inside_q, store_q, load_q, odd_q;
  logic [5:0] units_q;  // number of units
  logic [4:0] word;
  logic [31:0] in_word;

  assign busy_o = busy_q;
  assign word = DigitBits == 16 ? unit_q[5:1] : unit_q[4:0];

  eccel_inc #(.Width(6)) u_inc (.d_i(unit_q), .q_o(unit_next));

  // 16-bit digits: two units a word; 64-bit digits: an even number of units covers s + 2 digits.
  always_ff @(posedge clk_i) begin
    unique case (DigitBits)
      16:      units_q <= {words_i + 5'd3, 1'b0};
      64:      units_q <= {1'b0, words_i[4:1] + 4'd2 + 4'(words_i[0]), 1'b0};
      default: units_q <= {1'b0, words_i + 5'd3};
    endcase
    phase_q  <= {phase_q[1:0], phase_q[2]};
    last_q   <= unit_next == units_q;
    inside_q <= word < words_i;
    if (phase_q[2]) begin
      unit_q <= unit_next;
      if (last_q) busy_q <= 1'b0;
    end
    if (start_i) begin
      busy_q  <= 1'b1;
      unit_q  <= '0;
      phase_q <= 3'b001;
    end
    if (!rst_ni) busy_q <= 1'b0;
    store_q <= busy_q && phase_q[1] && store_i;
    load_q  <= busy_q && phase_q[1] && !store_i;
    odd_q   <= unit_q[0];
  end

  assign in_word   = mb_rdata_i & {32{inside_q}};
  assign mb_addr_o = {slot_i, word};

  // Data leave only while they are being written, 0 otherwise: they are joined by OR with the other writers'.
  if (DigitBits == 16) begin : gen_16
    logic [15:0] low_q;
    always_ff @(posedge clk_i) if (phase_q[2]) low_q <= rf_rdata_i;
    assign mb_we_o    = store_q && odd_q;
    assign mb_wdata_o = {rf_rdata_i, low_q} & {32{store_q}};
    assign rf_we_o    = load_q;
    assign rf_addr_o  = {reg_i, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = (odd_q ? in_word[31:16] : in_word[15:0]) & {16{load_q}};
  end else if (DigitBits == 32) begin : gen_32
    assign mb_we_o    = store_q;
    assign mb_wdata_o = rf_rdata_i & {32{store_q}};
    assign rf_we_o    = load_q;
    assign rf_addr_o  = {reg_i, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = in_word & {32{load_q}};
  end else begin : gen_64
    logic [31:0] low_q;
    always_ff @(posedge clk_i) if (phase_q[2]) low_q <= in_word;
    assign mb_we_o    = store_q;
    assign mb_wdata_o = (odd_q ? rf_rdata_i[63:32] : rf_rdata_i[31:0]) & {32{store_q}};
    assign rf_we_o    = load_q && odd_q;
    assign rf_addr_o  = {reg_i, unit_q[IndexBits:1]};
    assign rf_wdata_o = {in_word, low_q} & {64{load_q && odd_q}};
  end

endmodule
