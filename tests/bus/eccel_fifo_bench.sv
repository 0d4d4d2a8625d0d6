// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Test bench of eccel_fifo in every size, with and without WholePackets, each between a counting
// source and a checking sink. Words are 0, 1, 2, ..; every fifth one is the last of its packet.
// push_i and pop_i enable sources and sinks; with random_i each of them works in half of the
// cycles, chosen at random. For each size (index AddrBits - 4) and kind there are the numbers of
// words pushed and popped since reset; error_o rises when a word is wrong.

module eccel_fifo_bench
  import eccel_packet_pkg::*;
(
    input  logic clk_i,
    input  logic rst_ni,
    input  logic push_i,
    input  logic pop_i,
    input  logic random_i,
    output logic [17:0][31:0] pushed_o,
    output logic [17:0][31:0] popped_o,
    output logic [17:0] error_o
);

  for (genvar i = 0; i < 18; i++) begin : gen_fifo
    packet_t in, out;
    logic in_ready, out_ready, empty, error_q, in_dice, out_dice;
    logic [31:0] pushed_q, popped_q;

    assign in = '{valid: push_i && (!random_i || in_dice), last: pushed_q % 5 == 4, data: pushed_q};
    assign out_ready = pop_i && (!random_i || out_dice);

    eccel_fifo #(
        .AddrBits(4 + i / 2),
        .WholePackets(1'(i % 2))
    ) u_fifo (
        .clk_i,
        .rst_ni,
        .in_i(in),
        .in_ready_o(in_ready),
        .end_i(1'b0),
        .empty_o(empty),
        .out_o(out),
        .out_ready_i(out_ready)
    );

    always_ff @(posedge clk_i) begin
      in_dice  <= $urandom_range(1) != 0;
      out_dice <= $urandom_range(1) != 0;
      if (!rst_ni) begin
        pushed_q <= '0;
        popped_q <= '0;
        error_q  <= 1'b0;
      end else begin
        if (in.valid && in_ready) pushed_q <= pushed_q + 32'd1;
        if (out.valid && out_ready) popped_q <= popped_q + 32'd1;
        if (out.valid && (out.data != popped_q || out.last != (popped_q % 5 == 4) || empty)) error_q <= 1'b1;
        // Whole packets: a packet that is shown can be read to its end.
        if (i % 2 == 1 && out.valid && pushed_q / 5 <= popped_q / 5) error_q <= 1'b1;
      end
    end

    assign pushed_o[i] = pushed_q;
    assign popped_o[i] = popped_q;
    assign error_o[i]  = error_q;
  end

endmodule
