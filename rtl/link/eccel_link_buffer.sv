// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Frames in block RAM: slots of equal size that are written word by word and read frame by frame.
//
// Parameters Width: bits of a word. SlotWords: words of a slot. Slots. Both are powers of two from
//            2 on.
// Requires   start_i only while idle_o is 1, with a length of 1 to SlotWords and a slot whose
//            words were written in earlier cycles and stay until they were read.
// Guarantees The words of the frames that were started appear at the output in order, each once;
//            end_o is 1 with the last word of a frame, flag_o is then its flag_i.
// Latency    The first word of a frame appears 4 cycles after start_i. A word in each cycle, also
//            from one frame to the next, if the next frame is started while the last words of
//            the one before are still read (idle_o).

module eccel_link_buffer
  import eccel_link_pkg::length_t;
#(
    parameter int Width = 64,
    parameter int SlotWords = 32,
    parameter int Slots = 8,
    localparam int SlotBits = $clog2(Slots),
    localparam int WordBits = $clog2(SlotWords)
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic                we_i,
    input  logic [SlotBits-1:0] wslot_i,
    input  logic [WordBits-1:0] windex_i,
    input  logic [   Width-1:0] wdata_i,
    input  logic                start_i,
    input  logic [SlotBits-1:0] slot_i,
    input  length_t             length_i,
    input  logic                flag_i,
    output logic                idle_o,
    output logic                valid_o,
    output logic [   Width-1:0] data_o,
    output logic                end_o,
    output logic                flag_o,
    input  logic                pop_i
);

  // Words that are addressed and not yet taken: as many as the FIFO at the output holds.
  localparam int Ahead = 4;
  typedef logic [$clog2(Ahead):0] ahead_t;

  logic [SlotBits-1:0] slot_q;
  logic [WordBits-1:0] index_q;
  length_t left_q;
  logic flag_q;
  ahead_t ahead_q;
  logic issue, last;
  logic [1:0] came_q, end_q, last_flag_q;  // with the two cycles of the RAM
  logic [Width-1:0] rdata;

  assign last   = left_q == length_t'(1);
  assign issue  = left_q != 0 && ahead_q != ahead_t'(Ahead);
  assign idle_o = left_q == 0 || issue && last;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      slot_q  <= slot_i;
      index_q <= '0;
      flag_q  <= flag_i;
    end else if (issue) begin
      index_q <= index_q + 1'b1;
    end

    if (rst_i) left_q <= '0;
    else if (start_i) left_q <= length_i;
    else if (issue) left_q <= left_q - 1'b1;

    if (rst_i) ahead_q <= '0;
    else if (issue != pop_i) ahead_q <= issue ? ahead_q + 1'b1 : ahead_q - 1'b1;

    came_q      <= rst_i ? '0 : {came_q[0], issue};
    end_q       <= {end_q[0], last};
    last_flag_q <= {last_flag_q[0], last && flag_q};
  end

  eccel_ram #(
      .Width(Width),
      .Depth(Slots * SlotWords)
  ) u_ram (
      .clk_i,
      .clr_i(1'b0),
      .we_i,
      .waddr_i({wslot_i, windex_i}),
      .wdata_i,
      .raddr_i({slot_q, index_q}),
      .rdata_o(rdata)
  );

  logic full;  // never: words are addressed only while there is room

  eccel_link_fifo #(
      .Width(Width + 2),
      .Depth(Ahead)
  ) u_ahead (
      .clk_i,
      .rst_i,
      .push_i(came_q[1] && !full),
      .data_i({last_flag_q[1], end_q[1], rdata}),
      .full_o(full),
      .valid_o,
      .data_o({flag_o, end_o, data_o}),
      .pop_i
  );

endmodule
