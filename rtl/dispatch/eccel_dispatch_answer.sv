// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Receives the responses of one engine: checks each word, and keeps one response until it is passed
// on to the host.
//
// Parameters MaxWords: words of the widest element.
// Requires   owed_i and group_i are the tickets and the group of the jobs that the engine has not
//            answered yet. release_i comes only while answered_o. read_i, read_header_i and
//            read_index_i are stable until the word has come. header_valid_i comes at most once in
//            4 cycles.
// Guarantees answered_o rises only after a response with the internal tag of a pending job, with
//            its operation, and with as many words as its header says, at most two elements. After
//            any other response bad_o is 1 for one cycle. stop_i ends an incomplete response.
//            The words are overwritten with 0 when the response is released, and after reset.
// Latency    A word is accepted every fifth cycle. data_o follows the address by 4 cycles.

module eccel_dispatch_answer
  import eccel_dispatch_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int MaxWords = 8,
    localparam int IndexBits = $clog2(2 + 2 * MaxWords)
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t rsp_i,
    output logic    rsp_ready_o,

    input  logic [MaxThreads-1:0] owed_i,
    input  logic [ GroupBits-1:0] group_i,
    input  logic                  stop_i,
    output logic                  bad_o,
    output logic                  answered_o,
    output logic [TicketBits-1:0] ticket_o,  // of the response that is kept
    input  logic                  release_i,
    output logic                  taken_o,   // a word is transferred
    output logic                  midst_o,   // the next word of a response may come
    output logic                  empty_o,

    // the host's headers of the jobs, by ticket
    input logic                  header_valid_i,
    input logic [TicketBits-1:0] header_ticket_i,
    input logic [          31:0] header_i,

    input  logic                  read_i,
    input  logic                  read_header_i,
    input  logic [TicketBits-1:0] read_ticket_i,
    input  logic [ IndexBits-1:0] read_index_i,
    output logic [          31:0] data_o  // 0 unless read_i
);

  localparam int LowBits = IndexBits > TicketBits ? IndexBits : TicketBits;

  typedef enum logic [5:0] {  // one-hot
    Take  = 6'h01,
    Test  = 6'h02,
    Judge = 6'h04,
    Store = 6'h08,
    Hold  = 6'h10,
    Clear = 6'h20
  } state_e;

  state_e state_q;
  logic [31:0] data_q, rdata;
  tag_t tag;
  logic [LowBits-1:0] index_q;
  logic [5:0] left_q;
  logic last_q, ready_q, read_q, stop_q;
  logic [TicketBits-1:0] ticket_q;
  logic first_q, second_q;  // index_q is 0, 1
  logic not_owed_q, bad_parity_q, bad_group_q, bad_op_q, large_q, excess_q, bad_last_q, bad_q;
  logic write_q, write;
  logic [LowBits:0] waddr_q, raddr_q;
  logic [31:0] wdata_q;

  assign tag = data_q[31:16];
  assign rsp_ready_o = ready_q;
  assign taken_o = rsp_i.valid && ready_q;
  assign midst_o = ready_q && !first_q;

  // A word is checked in three steps: Test, Judge, Store.
  always_ff @(posedge clk_i) begin
    stop_q       <= stop_i;
    not_owed_q   <= !owed_i[tag.ticket];
    bad_parity_q <= tag.parity != ^tag.ticket;
    bad_group_q  <= tag.group != group_i;
    bad_op_q     <= data_q[15:8] != tag.op;
    large_q      <= data_q[31:6] != 0;
    excess_q     <= int'(data_q[5:0]) > 2 * MaxWords;
    bad_last_q   <= last_q != (first_q ? 1'b0 : second_q ? data_q[5:0] == 0 : left_q == 1);
    bad_q        <= first_q && (not_owed_q || bad_parity_q || bad_group_q || bad_op_q) ||
                    second_q && (large_q || excess_q) || bad_last_q;
  end
  assign write = state_q == Store || state_q == Clear;

  always_ff @(posedge clk_i) begin
    first_q  <= index_q == 0;
    second_q <= index_q == 1;
    bad_o    <= 1'b0;
    ready_q  <= state_q == Take && !taken_o && !stop_q;
    unique case (state_q)
      Take: begin
        data_q <= rsp_i.data;
        last_q <= rsp_i.last;
        if (taken_o) state_q <= Test;
        else if (stop_q && !ready_q) state_q <= Clear;
      end
      Test:  state_q <= Judge;
      Judge: state_q <= Store;
      Store:
      if (!header_valid_i) begin
        state_q <= last_q ? Hold : Take;
        left_q  <= second_q ? data_q[5:0] : left_q - 1'b1;
        if (first_q) ticket_q <= tag.ticket;
        if (bad_q || stop_q) begin
          bad_o   <= 1'b1;
          state_q <= Clear;
        end else if (!last_q) index_q <= index_q + 1'b1;
      end
      Hold: if (release_i) state_q <= Clear;
      Clear:
      if (!header_valid_i) begin
        if (index_q == 0) state_q <= Take;
        else index_q <= index_q - 1'b1;
      end
      default: state_q <= Clear;
    endcase
    if (!rst_ni) begin
      state_q <= Clear;
      index_q <= '1;
      ready_q <= 1'b0;
      bad_o   <= 1'b0;
    end
  end

  assign answered_o = state_q == Hold;
  assign ticket_o = ticket_q;
  assign empty_o = ready_q && first_q;

  always_ff @(posedge clk_i) begin
    write_q <= header_valid_i || write;
    waddr_q <= header_valid_i ? {1'b1, LowBits'(header_ticket_i)} : {1'b0, index_q};
    wdata_q <= header_valid_i ? header_i : data_q & {32{state_q == Store}};
    raddr_q <= read_header_i ? {1'b1, LowBits'(read_ticket_i)} : {1'b0, LowBits'(read_index_i)};
    read_q  <= read_i;
    data_o  <= rdata & {32{read_q}};
  end

  eccel_ram #(
      .Width(32),
      .Depth(2 ** (LowBits + 1))
  ) u_words (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (write_q),
      .waddr_i(waddr_q),
      .wdata_i(wdata_q),
      .raddr_i(raddr_q),
      .rdata_o(rdata)
  );

endmodule
