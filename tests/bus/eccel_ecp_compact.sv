// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Stand-in for the compact engine in tests of the bus side. It has the same name and ports, and its
// jobs compute nothing.
//
//   op 0x01  answers with its operand words
//   op 0x02  the same, after as many cycles as its first operand word says
//   op 0x03  answers with one word from the entropy port
//   op 0x04  as 0x01, and raises alarm_o, which falls in the second cycle after a reset
//
// A packet whose word count differs from its header is answered with BAD_LENGTH (0x11), and a job
// during which zeroise_i rises with ZEROISED (0x1b). Without a job zeroise_i makes the engine busy
// for WipeClocks, in which it accepts no word. Handshakes come at pseudo-random times unless
// header flag 0 is set. Packets of more than 64 words are only counted.

module eccel_ecp_compact
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    // verilator lint_off UNUSEDPARAM
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 25,
    parameter bit TightMemory = 1'b0,
    parameter bit HealthTest = 1'b1,
    parameter int StartupWords = 1024,
    parameter bit Hedged = 1'b0,
    parameter bit Guarded = 1'b1
    // verilator lint_on UNUSEDPARAM
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
    output logic     busy_o,
    output logic     alarm_o
);

  localparam int WipeClocks = 2500;

  typedef enum logic [2:0] {
    Receive,
    Wipe,
    Work,
    Entropy,
    Send
  } state_e;

  state_e state_q;
  logic [31:0] words[64];
  logic [15:0] count_q, sent_q, results_q;
  logic [31:0] wait_q, random_q;
  logic [7:0] status_q;
  logic zeroised_q, offer_q, fast, alarm_q, rst_q;
  logic [7:0] op;

  assign op          = words[0][7:0];
  assign fast        = count_q >= 2 && words[1][16];
  assign alarm_o     = alarm_q;
  assign busy_o      = state_q != Receive || count_q != 0;
  assign ent_ready_o = state_q == Entropy;
  assign req_ready_o = state_q == Receive && !zeroise_i && (fast || random_q[1:0] == 0);
  assign rsp_o.valid = state_q == Send && offer_q;
  assign rsp_o.last  = sent_q == results_q + 16'd1;

  always_comb begin
    case (sent_q)
      16'd0: rsp_o.data = {words[0][31:16], op, status_q};
      16'd1: rsp_o.data = {16'd0, results_q};
      default: rsp_o.data = words[sent_q[5:0]];
    endcase
  end

  always_ff @(posedge clk_i) begin
    random_q <= {random_q[30:0], random_q[31] ^ random_q[21] ^ random_q[1] ^ random_q[0]};
    if (zeroise_i && count_q != 0 && state_q != Send) zeroised_q <= 1'b1;
    rst_q   <= !rst_ni;
    alarm_q <= (alarm_q || state_q == Send && op == 8'h04) && !rst_q;

    case (state_q)
      Wipe: begin
        wait_q <= wait_q + 32'd1;
        if (wait_q == WipeClocks) state_q <= Receive;
      end
      Receive:
      if (zeroise_i && count_q == 0) begin
        wait_q  <= '0;
        state_q <= Wipe;
      end else if (req_i.valid && req_ready_o) begin
        if (count_q < 64) words[count_q[5:0]] <= req_i.data;
        if (count_q != '1) count_q <= count_q + 16'd1;
        wait_q <= '0;
        if (req_i.last) state_q <= Work;
      end
      Work: begin
        wait_q <= wait_q + 32'd1;
        sent_q <= '0;
        results_q <= '0;
        if (zeroised_q) begin
          status_q <= 8'h1b;
          state_q  <= Send;
        end else if (count_q < 2 || count_q > 64 || words[1][15:0] != count_q - 16'd2) begin
          status_q <= 8'h11;
          state_q  <= Send;
        end else if (op == 8'h03) begin
          state_q <= Entropy;
        end else if (op != 8'h02 || wait_q >= words[2]) begin
          status_q  <= 8'h00;
          results_q <= count_q - 16'd2;
          state_q   <= Send;
        end
      end
      Entropy:
      if (ent_i.valid) begin
        words[2]  <= ent_i.data;
        status_q  <= 8'h00;
        results_q <= 16'd1;
        state_q   <= Send;
      end
      default: begin
        if (fast || random_q[2:0] == 0) offer_q <= 1'b1;
        if (rsp_o.valid && rsp_ready_i) begin
          offer_q <= 1'b0;
          sent_q  <= sent_q + 16'd1;
          if (rsp_o.last) begin
            state_q    <= Receive;
            count_q    <= '0;
            zeroised_q <= 1'b0;
          end
        end
      end
    endcase

    if (!rst_ni) begin
      state_q    <= Receive;
      count_q    <= '0;
      offer_q    <= 1'b0;
      zeroised_q <= 1'b0;
      random_q   <= DigitBits + MaxWords + 1;
    end
  end

endmodule
