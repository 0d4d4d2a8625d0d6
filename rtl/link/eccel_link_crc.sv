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

  logic en_q, first_q;
  logic [CrcBits-1:0] word_q, crc_q;

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      en_q    <= en_i;
      first_q <= first_i;
      word_q  <= step('0, data_i);
      if (en_q) crc_q <= step(first_q ? '1 : crc_q, '0) ^ word_q;
    end
  end

  assign crc_o = crc_q;

endmodule
