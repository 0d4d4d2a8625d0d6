// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// CRC-32C of the words of a frame, a word in each cycle.
//
// Parameter  Width: bits of a word, any.
// Requires   first_i marks the first word of a frame; it counts only with en_i.
// Guarantees After a word with en_i, crc_o is the CRC of all words of the frame so far. Nothing
//            moves in a cycle with go_i = 0.
// Latency    2 cycles with go_i. The contribution of the word alone is computed in the first, the
//            sum with the CRC before it in the second: both are short trees of XOR, because the
//            CRC is linear.

module eccel_link_crc #(
    parameter int Width = 64,
    localparam int CrcBits = 32
) (
    input  logic               clk_i,
    input  logic               go_i,
    input  logic               en_i,
    input  logic               first_i,
    input  logic [  Width-1:0] data_i,
    output logic [CrcBits-1:0] crc_o
);

  localparam logic [CrcBits-1:0] Polynomial = 32'h1edc6f41;

  function automatic logic [CrcBits-1:0] step(logic [CrcBits-1:0] crc, logic [Width-1:0] data);
    logic [CrcBits-1:0] c;
    c = crc;
    for (int i = Width - 1; i >= 0; i--) begin
      c = {c[CrcBits-2:0], 1'b0} ^ (c[CrcBits-1] ^ data[i] ? Polynomial : '0);
    end
    return c;
  endfunction

  typedef logic [CrcBits-1:0][Width-1:0] word_masks_t;
  typedef logic [CrcBits-1:0][CrcBits-1:0] crc_masks_t;

  // Bit i of the CRC of a word is the parity of its bits in mask i; likewise for the CRC before it.
  function automatic word_masks_t word_masks();
    logic [CrcBits-1:0] c;
    logic [Width-1:0] one;
    for (int j = 0; j < Width; j++) begin
      one = '0;
      one[j] = 1'b1;
      c = step('0, one);
      for (int i = 0; i < CrcBits; i++) word_masks[i][j] = c[i];
    end
  endfunction

  function automatic crc_masks_t crc_masks();
    logic [CrcBits-1:0] c, one;
    for (int j = 0; j < CrcBits; j++) begin
      one = '0;
      one[j] = 1'b1;
      c = step(one, '0);
      for (int i = 0; i < CrcBits; i++) crc_masks[i][j] = c[i];
    end
  endfunction

  localparam word_masks_t WordMasks = word_masks();
  localparam crc_masks_t CrcMasks = crc_masks();

  logic [CrcBits-1:0] earlier, word, shifted;
  logic en_q, first_q;
  logic [CrcBits-1:0] word_q, crc_q;

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      en_q    <= en_i;
      first_q <= first_i;
      word_q  <= word;
      if (en_q) crc_q <= shifted ^ word_q;
    end
  end

  assign earlier = first_q ? '1 : crc_q;

  always_comb begin
    for (int i = 0; i < CrcBits; i++) begin
      word[i] = ^(data_i & WordMasks[i]);
      shifted[i] = ^(earlier & CrcMasks[i]);
    end
  end

  assign crc_o = crc_q;

endmodule
