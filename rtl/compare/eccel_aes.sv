// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// AES-128: encryption and decryption, one round in a cycle, with the key expansion.
//
// Parameters Form of the S-boxes: see eccel_aes_sbox.
// Requires   See the interface in README.md. A key was loaded before the first block.
// Guarantees load_i = 1: data_i is the key of the blocks that follow, and data_o means nothing.
//            load_i = 0: data_o is the encryption of data_i, or with decrypt_i its decryption.
//            The first byte of a block or key is the most significant. No timing depends on data.
// Latency    A block 11, a key 12; interval: the same.
// After      FIPS 197.
//
// The key expansion needs four S-boxes and a register. It uses those of the state, because no block
// is on its way while a key is loaded. It writes the 11 round keys into a memory, from which both
// directions read them.
//
// Decryption has its parts in the order of FIPS 197: InvShiftRows, InvSubBytes, AddRoundKey,
// InvMixColumns. Thus it needs no other round keys. InvMixColumns is unmix_column, then MixColumns.

module eccel_aes
  import eccel_aes_pkg::*;
#(
    parameter int Form = 0
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic         load_i,
    input  logic         decrypt_i,
    input  logic [127:0] data_i,
    output logic         valid_o,
    output logic [127:0] data_o
);

  logic [127:0] keys[2**4];
  logic [127:0] state_q, state_d, key, substituted, before_mix, mixed, after_round, expanded;
  logic [3:0] slot, slot_q;
  logic busy_q, load_q, decrypt_q, start, last;
  logic [31:0] g;

  assign ready_o = !busy_q;
  assign start = valid_i && ready_o;
  assign last = slot_q == (decrypt_q ? 4'd0 : 4'(Rounds));
  assign data_o = state_q;

  // Round key slot_q belongs to this cycle. The first one is added when the block arrives.
  assign slot = busy_q ? slot_q : decrypt_i ? 4'(Rounds) : 4'd0;
  assign key = keys[slot];

  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    eccel_aes_sbox #(
        .Form(Form)
    ) u_sbox (
        .decrypt_i(decrypt_q),
        .x_i      (state_q[8*i+:8]),
        .y_o      (substituted[8*i+:8])
    );
  end

  assign before_mix = shift_rows(substituted, decrypt_q) ^ (decrypt_q ? key : '0);

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] column;
    assign column = before_mix[32*c+:32];
    assign mixed[32*c+:32] = mix_column(decrypt_q ? unmix_column(column) : column);
  end

  assign after_round = (last ? before_mix : mixed) ^ (decrypt_q ? '0 : key);

  assign g = {substituted[23:0], substituted[31:24]} ^ {round_constant(slot_q), 24'd0};
  assign expanded = next_key(state_q, g);

  always_comb begin
    if (!busy_q) state_d = data_i ^ (load_i ? '0 : key);
    else if (load_q) state_d = expanded;
    else state_d = after_round;
  end

  always_ff @(posedge clk_i) begin
    if (busy_q && load_q) keys[slot] <= state_q;
    if (start || busy_q) state_q <= state_d;
    if (start) begin
      load_q <= load_i;
      decrypt_q <= decrypt_i && !load_i;
      slot_q <= load_i ? 4'd0 : decrypt_i ? 4'(Rounds - 1) : 4'd1;
    end else begin
      slot_q <= decrypt_q ? slot_q - 4'd1 : slot_q + 4'd1;
    end
    if (rst_i) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      busy_q  <= start || (busy_q && !last);
      valid_o <= busy_q && last;
    end
  end

endmodule
