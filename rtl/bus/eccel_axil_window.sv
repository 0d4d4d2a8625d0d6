// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One window of the AXI4-Lite shell: the state behind one page of registers (regs/eccel.rdl), with
// a FIFO for requests, a FIFO for responses and an interrupt. The shell does the bus protocol.
//
// Parameters FifoAddrBits: each FIFO holds 2^FifoAddrBits - 2 words. The shell checks the range.
// Requires   At most one write strobe (wr_*_i) in a cycle, and at most one in 3 cycles; wdata_i and
//            w_last_i come with it. pop_i comes only with rsp_o.valid, at most once in 4 cycles.
//            clear_ni is 0 while rst_ni is.
// Guarantees req_o shows a packet only when its last word (REQ_LAST) was accepted, and then to its
//            end. A packet under way reaches nobody but the RAM of this window. It is dropped, with
//            all of its words, if one of them meets a full FIFO, and when CONTROL is written.
//            After a refused word the rest of the packet is refused too, up to REQ_LAST or a write
//            to CONTROL; each refused word sets OVERFLOW. So is the rest of a packet in which
//            clear_ni came, unless CONTROL of this window caused it.
//            rsp_o shows whole responses. After clear_ni both FIFOs are overwritten with 0, and
//            words are refused until that is done and hold_i is 0; then CLEARED is set.

module eccel_axil_window
  import eccel_packet_pkg::*;
#(
    parameter int FifoAddrBits = 9
) (
    input logic clk_i,
    input logic rst_ni,    // resets what software has set
    input logic clear_ni,  // resets the FIFOs
    input logic hold_i,    // the engine is not ready for requests after clear_ni

    // registers
    input  logic        wr_status_i,
    input  logic        wr_irq_i,
    input  logic        wr_control_i,
    input  logic        wr_req_i,
    input  logic        w_last_i,
    // verilator lint_off UNUSEDSIGNAL
    input  logic [31:0] wdata_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic        refused_o,     // a request word is refused
    output logic [ 6:0] status_o,
    output logic [ 6:0] irq_enable_o,
    output logic        irq_o,
    output packet_t     rsp_o,         // without last
    input  logic        pop_i,
    input  logic        ent_wanted_i,

    // engine
    output packet_t req_o,
    input  logic    req_ready_i,
    input  packet_t rsp_i,
    output logic    rsp_ready_o,
    input  logic    busy_i        // with packets of this window
);
  import eccel_reg_pkg::*;

  logic req_ready, req_empty, rsp_empty, wiped, rsp_wiped_unused;
  logic in_packet_q, refuse_q, overflow_q, cleared_q, busy_q, drop;
  logic [6:0] status, irq_enable_q;
  packet_t written;

  // ---- requests ----

  assign refused_o = refuse_q || !req_ready || !clear_ni;
  assign written   = '{valid: wr_req_i && !refuse_q, last: w_last_i, data: wdata_i};
  assign drop      = in_packet_q && !refuse_q && (wr_control_i || wr_req_i && !req_ready);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wr_control_i) begin
      in_packet_q <= 1'b0;
      refuse_q    <= 1'b0;
    end else if (wr_req_i) begin
      in_packet_q <= !w_last_i;
      refuse_q    <= refused_o && !w_last_i;
    end else if (!clear_ni) begin
      refuse_q <= in_packet_q;
    end
  end

  eccel_fifo #(
      .AddrBits(FifoAddrBits)
  ) u_req_fifo (
      .clk_i,
      .rst_ni(clear_ni),
      .hold_i,
      .wiped_o(wiped),
      .in_i(written),
      .in_ready_o(req_ready),
      .drop_i(drop),
      .empty_o(req_empty),
      .out_o(req_o),
      .out_ready_i(req_ready_i)
  );

  // ---- responses ----

  eccel_fifo #(
      .AddrBits(FifoAddrBits),
      .KeepLast(1'b0)
  ) u_rsp_fifo (
      .clk_i,
      .rst_ni(clear_ni),
      .hold_i(1'b0),
      .wiped_o(rsp_wiped_unused),
      .in_i(rsp_i),
      .in_ready_o(rsp_ready_o),
      .drop_i(1'b0),
      .empty_o(rsp_empty),
      .out_o(rsp_o),
      .out_ready_i(pop_i)
  );

  // ---- status, interrupt ----

  always_ff @(posedge clk_i) begin
    // Without a gap: after the last word of a response its FIFO is not ready until it is not empty.
    busy_q <= busy_i || !req_empty || !rsp_empty || !rsp_ready_o;

    if (!rst_ni) overflow_q <= 1'b0;
    else if (wr_req_i && refused_o) overflow_q <= 1'b1;
    else if (wr_status_i && wdata_i[StatusOverflowLsb]) overflow_q <= 1'b0;

    if (!clear_ni) cleared_q <= 1'b0;
    else if (wiped) cleared_q <= 1'b1;
    else if (wr_status_i && wdata_i[StatusClearedLsb]) cleared_q <= 1'b0;
  end

  always_comb begin
    status = '0;
    status[StatusReqReadyLsb]  = req_ready;
    status[StatusRspValidLsb]  = rsp_o.valid;
    status[StatusBusyLsb]      = busy_q;
    status[StatusEntWantedLsb] = ent_wanted_i;
    status[StatusOverflowLsb]  = overflow_q;
    status[StatusPartialLsb]   = in_packet_q;
    status[StatusClearedLsb]   = cleared_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      irq_enable_q <= '0;
      irq_o <= 1'b0;
    end else begin
      if (wr_irq_i) irq_enable_q <= wdata_i[6:0] & IrqEnableMask[6:0];
      irq_o <= |(status & irq_enable_q);
    end
  end

  assign status_o     = status;
  assign irq_enable_o = irq_enable_q;

endmodule
