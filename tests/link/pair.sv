// Two ends of a link and the channels between them, for the tests of rtl/link.
// SPDX-License-Identifier: Apache-2.0
//
// Side 0 and side 1; channel 0 goes from side 0 to side 1. Elements of an array belong to a side,
// or to a channel.

module pair
  import eccel_link_pkg::*;
#(
    parameter int Width = 64,
    parameter int SlotWords = 4,
    parameter int Slots = 4,
    parameter int RetryCycles = 128,
    parameter int MaxTries = 3,
    parameter int QuietCycles = 32,
    parameter int SyncCycles = 2048,
    parameter int Num = 1,
    parameter int Den = 1,
    parameter int Latency = 4
) (
    input  logic             clk_i,
    input  logic [      1:0] rst_i,
    input  logic [      1:0] valid_i,
    output logic [      1:0] ready_o,
    input  logic [Width-1:0] data_i[2],
    input  logic [      1:0] last_i,
    output logic [      1:0] valid_o,
    input  logic [      1:0] ready_i,
    output logic [Width-1:0] data_o[2],
    output logic [      1:0] last_o,
    output logic [      6:0] room_o[2],
    input  logic [      1:0] end_i,
    output logic [      1:0] up_o,
    output logic [      1:0] dead_o,
    output logic [      2:0] reason_o[2],
    output logic [     15:0] retries_o[2],
    output logic [     15:0] errors_o[2],
    input  logic [      1:0] cut_i,
    input  logic [      2:0] fault_i[2],
    input  logic [  Width:0] flip_i[2],
    output logic [     31:0] count_o[2],
    output logic [      1:0] pass_o,
    output logic [      1:0] head_o
);

  logic [1:0] ch_valid, ch_ready, ch_head, far_valid, far_head;
  logic [Width-1:0] ch_data[2], far_data[2];
  reason_t reason[2];

  assign pass_o = ch_valid & ch_ready;
  assign head_o = ch_head;

  for (genvar i = 0; i < 2; i++) begin : gen_side
    assign reason_o[i] = reason[i];

    eccel_link #(
        .Width(Width),
        .SlotWords(SlotWords),
        .Slots(Slots),
        .RetryCycles(RetryCycles),
        .MaxTries(MaxTries),
        .QuietCycles(QuietCycles),
        .SyncCycles(SyncCycles)
    ) u_link (
        .clk_i,
        .rst_i(rst_i[i]),
        .valid_i(valid_i[i]),
        .ready_o(ready_o[i]),
        .data_i(data_i[i]),
        .last_i(last_i[i]),
        .room_o(room_o[i]),
        .valid_o(valid_o[i]),
        .ready_i(ready_i[i]),
        .data_o(data_o[i]),
        .last_o(last_o[i]),
        .end_i(end_i[i]),
        .up_o(up_o[i]),
        .dead_o(dead_o[i]),
        .reason_o(reason[i]),
        .retries_o(retries_o[i]),
        .errors_o(errors_o[i]),
        .ch_valid_o(ch_valid[i]),
        .ch_ready_i(ch_ready[i]),
        .ch_head_o(ch_head[i]),
        .ch_data_o(ch_data[i]),
        .ch_valid_i(far_valid[1-i]),
        .ch_head_i(far_head[1-i]),
        .ch_data_i(far_data[1-i])
    );

    eccel_link_channel #(
        .Width(Width),
        .Num(Num),
        .Den(Den),
        .Latency(Latency)
    ) u_channel (
        .clk_i,
        .rst_i(&rst_i),
        .valid_i(ch_valid[i]),
        .ready_o(ch_ready[i]),
        .head_i(ch_head[i]),
        .data_i(ch_data[i]),
        .valid_o(far_valid[i]),
        .head_o(far_head[i]),
        .data_o(far_data[i]),
        .cut_i(cut_i[i]),
        .fault_i(fault_i[i]),
        .flip_i(flip_i[i]),
        .count_o(count_o[i])
    );
  end

endmodule
