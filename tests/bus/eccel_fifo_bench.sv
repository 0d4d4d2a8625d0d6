// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Test bench of eccel_fifo in every size, each between a counting source and a checking sink. Words
// are 0, 1, 2, ..; every fifth one is the last of its packet. push_i and pop_i enable sources and
// sinks; with random_i each of them works in half of the cycles, chosen at random. With drop_i a
// source now and then drops the packet under way, or the FIFO when there is none, and sends the
// packet again. For each size (index AddrBits - 4) there are the numbers of words pushed and popped
// since reset, without those that were dropped; error_o rises when a word is wrong.

module eccel_fifo_bench
  import eccel_packet_pkg::*;
(
    input  logic clk_i,
    input  logic rst_ni,
    input  logic hold_i,
    input  logic push_i,
    input  logic pop_i,
    input  logic drop_i,
    input  logic random_i,
    output logic [8:0][31:0] pushed_o,
    output logic [8:0][31:0] popped_o,
    output logic [8:0][31:0] dropped_o,
    output logic [8:0] error_o
);

  for (genvar i = 0; i < 9; i++) begin : gen_fifo
    packet_t in, out;
    logic in_ready, out_ready, empty, error_q, in_dice, out_dice, drop, wiped, open_q;
    logic [2:0] pause_q;
    logic [4:0] drop_dice;
    logic [31:0] pushed_q, popped_q, dropped_q;

    // No word comes in the two cycles before drop_i and the cycle after, as the FIFO requires.
    assign in = '{
            valid: push_i && (!random_i || in_dice) && pause_q == 0,
            last: pushed_q % 5 == 4,
            data: pushed_q
        };
    assign out_ready = pop_i && (!random_i || out_dice);
    assign drop      = pause_q == 2;

    eccel_fifo #(
        .AddrBits(4 + i)
    ) u_fifo (
        .clk_i,
        .rst_ni,
        .hold_i,
        .wiped_o(wiped),
        .in_i(in),
        .in_ready_o(in_ready),
        .drop_i(drop),
        .empty_o(empty),
        .out_o(out),
        .out_ready_i(out_ready)
    );

    always_ff @(posedge clk_i) begin
      in_dice   <= $urandom_range(1) != 0;
      out_dice  <= $urandom_range(1) != 0;
      drop_dice <= 5'($urandom_range(31));
      if (!rst_ni) begin
        pushed_q  <= '0;
        popped_q  <= '0;
        dropped_q <= '0;
        error_q   <= 1'b0;
        open_q    <= 1'b0;
        pause_q   <= '0;
      end else begin
        if (in.valid && in_ready) pushed_q <= pushed_q + 32'd1;
        if (drop) begin
          pushed_q  <= pushed_q - pushed_q % 5;
          dropped_q <= dropped_q + pushed_q % 5;
        end
        pause_q <= pause_q != 0 ? pause_q - 3'd1 : drop_i && drop_dice == 0 ? 3'd4 : 3'd0;
        if (out.valid && out_ready) popped_q <= popped_q + 32'd1;
        if (out.valid && (out.data != popped_q || out.last != (popped_q % 5 == 4) || empty)) error_q <= 1'b1;
        // Whole packets: a packet that is shown can be read to its end.
        if (out.valid && pushed_q / 5 <= popped_q / 5) error_q <= 1'b1;
        // No word passes before the wipe has ended.
        if (wiped) open_q <= 1'b1;
        if (!open_q && (in_ready || out.valid)) error_q <= 1'b1;
      end
    end

    assign pushed_o[i]  = pushed_q;
    assign popped_o[i]  = popped_q;
    assign dropped_o[i] = dropped_q;
    assign error_o[i]   = error_q;
  end

endmodule
