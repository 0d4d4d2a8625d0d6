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

  localparam int UnitBits = DigitBits < 32 ? DigitBits : 32;

  logic [5:0] unit_q, units;
  logic [1:0] phase_q;  // address, array, data
  logic busy_q, transfer;
  logic [4:0] word, unit_word;
  logic [31:0] in_word;

  assign transfer = busy_q && phase_q == 2'd2;
  assign busy_o = busy_q;
  assign word = DigitBits == 16 ? unit_q[5:1] : unit_q[4:0];
  assign unit_word = words_i + 5'd3;

  always_comb begin
    unique case (DigitBits)
      16:      units = {unit_word, 1'b0};
      64:      units = {1'b0, unit_word + 5'(!unit_word[0]) + 5'd1 & 5'h1e};
      default: units = {1'b0, unit_word};
    endcase
  end

  always_ff @(posedge clk_i) begin
    phase_q <= phase_q == 2'd2 ? 2'd0 : phase_q + 1'b1;
    if (transfer) begin
      unit_q <= unit_q + 1'b1;
      if (unit_q == units - 1'b1) busy_q <= 1'b0;
    end
    if (start_i) begin
      busy_q  <= 1'b1;
      unit_q  <= '0;
      phase_q <= '0;
    end
    if (!rst_ni) busy_q <= 1'b0;
  end

  assign in_word   = word < words_i ? mb_rdata_i : '0;
  assign mb_addr_o = {slot_i, word};

  if (DigitBits == 16) begin : gen_16
    logic [15:0] low_q;
    always_ff @(posedge clk_i) if (transfer) low_q <= rf_rdata_i;
    assign mb_we_o    = transfer && store_i && unit_q[0];
    assign mb_wdata_o = {rf_rdata_i, low_q};
    assign rf_we_o    = transfer && !store_i;
    assign rf_addr_o  = {reg_i, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = unit_q[0] ? in_word[31:16] : in_word[15:0];
  end else if (DigitBits == 32) begin : gen_32
    assign mb_we_o    = transfer && store_i;
    assign mb_wdata_o = rf_rdata_i;
    assign rf_we_o    = transfer && !store_i;
    assign rf_addr_o  = {reg_i, unit_q[IndexBits-1:0]};
    assign rf_wdata_o = in_word;
  end else begin : gen_64
    logic [31:0] low_q;
    always_ff @(posedge clk_i) if (transfer) low_q <= in_word;
    assign mb_we_o    = transfer && store_i;
    assign mb_wdata_o = unit_q[0] ? rf_rdata_i[63:32] : rf_rdata_i[31:0];
    assign rf_we_o    = transfer && !store_i && unit_q[0];
    assign rf_addr_o  = {reg_i, unit_q[IndexBits:1]};
    assign rf_wdata_o = {in_word, low_q};
  end

  if (UnitBits > 32) begin : gen_unused
    $error("eccel_mover: DigitBits must be 16, 32 or 64");
  end

endmodule
