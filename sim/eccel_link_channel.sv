// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A channel for simulations: it passes words in a given share of the cycles, with a latency, and
// makes the faults that it is told to make. It is not for synthesis of a product.
//
// Parameters Width: bits of a word. Num, Den: Num words in Den cycles, Num <= Den. Latency: cycles
//            from a word in to the word out, from 2 on.
// Guarantees fault_i is the fault of the word that passes in this cycle: 0 none, 1 lost, 2 sent
//            twice, 3 flip_i is added to it (bit Width: the head), 4 exchanged with the next word.
//            With cut_i nothing passes. count_o is the number of words that were taken.

module eccel_link_channel #(
    parameter int Width = 64,
    parameter int Num = 1,
    parameter int Den = 1,
    parameter int Latency = 8
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic             head_i,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    output logic             head_o,
    output logic [Width-1:0] data_o,
    input  logic             cut_i,
    input  logic [      2:0] fault_i,
    input  logic [  Width:0] flip_i,
    output logic [     31:0] count_o
);

  typedef logic [Width:0] word_t;

  // share_q grows by Num in each cycle; a word needs Den.
  logic [31:0] share_q;
  word_t word, kept_q;
  logic again_q, waiting_q, pass;
  logic [Latency-2:0] valid_line_q;
  word_t line_q[Latency-1];

  assign word    = {head_i, data_i};
  assign ready_o = share_q + 32'(Num) >= 32'(Den) && !again_q;
  assign pass    = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    logic out;
    out = 1'b0;
    line_q[0] <= word;
    if (pass) begin
      unique case (fault_i)
        3'd1: ;
        3'd2: begin
          out = 1'b1;
          kept_q <= word;
          again_q <= 1'b1;
        end
        3'd3: begin
          out = 1'b1;
          line_q[0] <= word ^ flip_i;
        end
        3'd4: begin
          kept_q <= word;
          waiting_q <= 1'b1;
        end
        default: out = 1'b1;
      endcase
      if (waiting_q) begin
        waiting_q <= 1'b0;
        again_q <= 1'b1;
      end
    end else if (again_q && share_q + 32'(Num) >= 32'(Den)) begin
      out = 1'b1;
      line_q[0] <= kept_q;
      again_q <= 1'b0;
    end
    for (int i = 1; i < Latency - 1; i++) line_q[i] <= line_q[i-1];
    valid_line_q <= (Latency - 1)'({valid_line_q, out && !cut_i});
    valid_o <= valid_line_q[Latency-2];
    {head_o, data_o} <= line_q[Latency-2];

    if (pass || out) share_q <= share_q + 32'(Num) - 32'(Den);
    else if (share_q < 32'(Den)) share_q <= share_q + 32'(Num);
    count_o <= count_o + 32'(pass);
    if (rst_i) begin
      {valid_line_q, valid_o, again_q, waiting_q} <= '0;
      share_q <= '0;
      count_o <= '0;
    end
  end

endmodule
