// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Joins the packet streams of several windows to the one stream of an engine, and brings each
// response to the window of its request.
//
// Parameters Windows: 2, 4 or 8. Answers (1..15): a window has at most so many requests that are
//            with the engine, or whose response was not yet read.
// Requires   A window shows a packet only when it is whole, with a word every few cycles until its
//            end. The engine gives each request one response, with its tag. Answers responses of
//            any length fit the response FIFO of a window. read_i comes for each word of a response
//            that leaves this FIFO, and word_i has the low bits of this word.
// Guarantees The engine gets whole packets, never words of two windows in one packet. Windows take
//            turns: between two packets of a window, each other window that has one, and room for
//            its response, passes a packet.
//            A response goes to the window of its request, in whatever order the engine answers:
//            the upper TagBits of the tag are the number of the window on their way to the engine
//            and back, whatever the window wrote there. They are 0 in the response.
//            A window that does not read its responses stops nobody but itself.
//            busy_o tells each window of its own packets only.
// Latency    A request word passes in one cycle. A new packet waits up to Windows - 1 cycles for
//            its turn if no other one is there.

module eccel_window_router
  import eccel_packet_pkg::*;
#(
    parameter int Windows = 2,
    parameter int Answers = 3
) (
    input logic clk_i,
    input logic rst_ni,

    // windows
    input  packet_t              req_i      [Windows],
    output logic   [Windows-1:0] req_ready_o,
    output packet_t              rsp_o      [Windows],
    input  logic   [Windows-1:0] rsp_ready_i,
    input  logic   [Windows-1:0] read_i,
    input  logic   [        5:0] word_i,
    output logic   [Windows-1:0] busy_o,

    // engine
    output packet_t req_o,
    input  logic    req_ready_i,
    input  packet_t rsp_i,
    output logic    rsp_ready_o
);

  localparam int WindowBits = $clog2(Windows);
  localparam int TagBits = 3;
  localparam logic [3:0] Most = 4'(Answers);
  typedef logic [WindowBits-1:0] window_t;

  // ---- requests ----

  window_t turn_q;
  logic in_packet_q, load, first;
  logic [Windows-1:0] room_q;
  packet_t head, out_q;

  assign head  = req_i[turn_q];
  assign first = head.valid && room_q[turn_q] && !in_packet_q;
  assign load  = head.valid && (room_q[turn_q] || in_packet_q) && !out_q.valid;

  always_comb begin
    req_ready_o = '0;
    req_ready_o[turn_q] = (room_q[turn_q] || in_packet_q) && !out_q.valid;
  end

  // The turn passes on after a packet, and from a window that has none to send.
  always_ff @(posedge clk_i) begin
    if (load) begin
      in_packet_q <= !head.last;
      if (head.last) turn_q <= turn_q + 1'b1;
    end else if (!first && !in_packet_q) begin
      turn_q <= turn_q + 1'b1;
    end
    if (!rst_ni) begin
      turn_q      <= '0;
      in_packet_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || out_q.valid && req_ready_i) begin
      out_q <= '0;
    end else if (load) begin
      out_q <= head;
      if (first) out_q.data[31-:TagBits] <= TagBits'(turn_q);
    end
  end

  assign req_o = out_q;

  // ---- responses ----

  window_t to_q, to;
  logic begun_q;

  assign to          = begun_q ? to_q : rsp_i.data[32-TagBits+:WindowBits];
  assign rsp_ready_o = rsp_ready_i[to];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begun_q <= 1'b0;
    else if (rsp_i.valid && rsp_ready_o) begun_q <= !rsp_i.last;
    if (rsp_i.valid) to_q <= to;
  end

  // ---- requests of each window that are with the engine, or whose response is not yet read ----

  for (genvar w = 0; w < Windows; w++) begin : gen_window
    logic [3:0] count_q;
    logic [5:0] left_q;  // words of the response that are still to be read
    logic sent, taken, second_q, results_q;

    assign sent      = load && first && turn_q == window_t'(w);
    assign taken     = read_i[w] && (second_q ? word_i == 0 : results_q && left_q == 1);
    assign busy_o[w] = count_q != 0;

    // The second word of a response tells how many follow.
    always_ff @(posedge clk_i) begin
      if (read_i[w]) begin
        second_q  <= !second_q && !results_q;
        results_q <= second_q ? word_i != 0 : results_q && left_q != 1;
        left_q    <= second_q ? word_i : left_q - 1'b1;
      end
      if (!rst_ni) begin
        second_q  <= 1'b0;
        results_q <= 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else if (sent != taken) count_q <= sent ? count_q + 1'b1 : count_q - 1'b1;
      room_q[w] <= rst_ni && count_q != Most;
    end

    assign rsp_o[w].valid = rsp_i.valid && to == window_t'(w);
    assign rsp_o[w].last  = rsp_i.last;
    assign rsp_o[w].data  = begun_q ? rsp_i.data : {TagBits'(0), rsp_i.data[31-TagBits:0]};
  end

endmodule
