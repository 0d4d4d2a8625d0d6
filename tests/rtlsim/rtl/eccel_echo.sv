// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
//
// Stand-in engine for tests of the simulation harness. It answers a packet with the packet's own
// operand words. It has the ports of an engine (docs/architecture.md).
//
// Requires   A packet has at most Depth operand words.
// Guarantees Response header 0 is request header 0 with the status byte OK (0), or ZEROISED (0x1b)
//            if zeroise_i was high after the packet began. Header 1 is the number of words. The
//            words are the operands; then one word from the entropy port if flag bit 1 (RANDOM) is
//            set; then the first word of the microcode image if flag bit 0 is set.
// Latency    Wait + 1 clocks from the last request word to the first response word.
module eccel_echo
  import eccel_packet_pkg::*;
#(
  parameter int unsigned Wait = 10,
  parameter int unsigned Depth = 64,
  parameter UcodeFile = ""
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  input  packet_t  req_i,
  output logic     req_ready_o,
  output packet_t  rsp_o,
  input  logic     rsp_ready_i,
  input  entropy_t ent_i,
  output logic     ent_ready_o,
  input  logic     zeroise_i,
  output logic     busy_o
);
  typedef enum logic [1:0] {StTake, StWait, StDraw, StGive} state_e;

  logic [31:0] image [1];
  initial $readmemh(UcodeFile, image);

  logic [31:0] words_q [Depth+4];
  logic [15:0] count_q, index_q;
  logic        zeroised_q;
  state_e      state_q;

  // The event signals of a real engine, so that their recording can be tested.
  logic [10:0] instr_pc    /* verilator public_flat_rd */;
  logic        instr_valid /* verilator public_flat_rd */;
  logic        fu_valid    /* verilator public_flat_rd */;
  logic        fu_ready    /* verilator public_flat_rd */;
  logic [4:0]  fu_op       /* verilator public_flat_rd */;
  logic        fu_done     /* verilator public_flat_rd */;

  assign instr_pc    = 11'(index_q);
  assign instr_valid = state_q == StWait;
  assign fu_valid    = state_q == StWait && index_q == 0;
  assign fu_ready    = 1'b1;
  assign fu_op       = 5'd7;
  assign fu_done     = state_q == StWait && index_q == 16'(Wait - 1);

  assign req_ready_o = state_q == StTake;
  assign rsp_o.valid = state_q == StGive;
  assign rsp_o.last  = index_q + 16'd1 == count_q;
  assign ent_ready_o = state_q == StDraw;
  assign busy_o      = state_q != StTake || count_q != 0;

  always_comb begin
    rsp_o.data = words_q[index_q];
    if (index_q == 0) rsp_o.data = {words_q[0][31:8], zeroised_q ? 8'h1b : 8'h00};
    if (index_q == 1) rsp_o.data = 32'(count_q) - 32'd2;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StTake;
      count_q    <= '0;
      index_q    <= '0;
      zeroised_q <= 1'b0;
    end else begin
      if (zeroise_i && busy_o) zeroised_q <= 1'b1;
      unique case (state_q)
        StTake: if (req_i.valid) begin
          words_q[count_q] <= req_i.data;
          count_q          <= count_q + 16'd1;
          if (req_i.last) state_q <= StWait;
        end
        StWait: begin
          index_q <= index_q + 16'd1;
          if (index_q == 16'(Wait - 1)) begin
            index_q <= '0;
            state_q <= words_q[1][17] ? StDraw : StGive;
            if (words_q[1][16]) begin
              words_q[count_q] <= image[0];
              count_q          <= count_q + 16'd1;
            end
          end
        end
        StDraw: if (ent_i.valid) begin
          words_q[count_q] <= ent_i.data;
          count_q          <= count_q + 16'd1;
          state_q          <= StGive;
        end
        StGive: if (rsp_ready_i) begin
          index_q <= index_q + 16'd1;
          if (rsp_o.last) begin
            state_q    <= StTake;
            count_q    <= '0;
            index_q    <= '0;
            zeroised_q <= 1'b0;
          end
        end
        default: state_q <= StTake;
      endcase
    end
  end
endmodule
