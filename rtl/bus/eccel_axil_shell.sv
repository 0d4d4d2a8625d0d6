// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// AXI4-Lite shell of one engine, or of one cluster: registers (regs/eccel.rdl), a FIFO for
// requests, a FIFO for responses, an interrupt.
//
// Parameters DigitBits (multiple of 8, 8..120) and MaxWords (6..31) are shown in CONFIG and have no
//            other effect.
//            Each FIFO holds 2^FifoAddrBits - 2 words. FifoAddrBits is 6..12, and 2^FifoAddrBits
//            must be larger than 2 * MaxWords + 4, so that the longest response fits.
//            ExternalEntropy: if 1, the stream ext_ent_* feeds the engine; if 0, the register
//            ENT_DATA does.
// Requires   The engine has the ports of docs/architecture.md ("Engine ports"), and eng_rst_no is
//            its reset.
// Guarantees Every bus access is answered. The idle shell answers a write 2 cycles and a read 3
//            cycles after it is presented; no access waits for the engine.
//            An access is answered with SLVERR, and has no effect, in these cases: the address has
//            no register in that direction; a write does not carry all four bytes; a request word
//            meets a full FIFO; RSP_DATA is read and no response is there; ENT_DATA is written
//            while its last word is unused.
//            Of the words that the bus writes, only IRQ_ENABLE can be read back. Reads that are
//            refused return 0.
//            A request word that meets a full FIFO sets STATUS.OVERFLOW. If its packet had begun,
//            the newest word in the FIFO is marked as the last of its packet, so that the engine
//            answers BAD_LENGTH, and the shell refuses all words up to and including the next
//            REQ_LAST. A packet whose first word is refused leaves no trace and gets no answer.
//            A full response FIFO stops the engine; no response is lost.
// Rate       The shell accepts one request word every 3 cycles and returns one response word every
//            4.
// Reset      rst_ni and CONTROL.RESET reach the engine and the FIFOs one cycle later,
//            CONTROL.ZEROISE reaches the engine one cycle after that. CONTROL.RESET does not change
//            the bus side, IRQ_ENABLE and OVERFLOW.
//
// The AXI ports have the names of the AXI standard, by which integration tools recognise the
// interface.

module eccel_axil_shell
  import eccel_reg_pkg::AddrBits;
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter int FifoAddrBits = 9,
    parameter bit ExternalEntropy = 1'b0
) (
    input  logic clk_i,
    input  logic rst_ni,
    // AXI4-Lite subordinate, 32 bits
    input  logic [AddrBits-1:0] s_axil_awaddr,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [AddrBits-1:0] s_axil_araddr,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic                irq_o,
    // tamper input, synchronous to clk_i, OR'ed with CONTROL.ZEROISE
    input  logic zeroise_i,
    // entropy source, used with ExternalEntropy = 1 only
    input  logic        ext_ent_valid_i,
    output logic        ext_ent_ready_o,
    input  logic [31:0] ext_ent_data_i,
    // engine
    output logic     eng_rst_no,
    output packet_t  req_o,
    input  logic     req_ready_i,
    input  packet_t  rsp_i,
    output logic     rsp_ready_o,
    output entropy_t ent_o,
    input  logic     ent_ready_i,
    output logic     zeroise_o,
    input  logic     busy_i
);
  import eccel_reg_pkg::*;

  if (DigitBits % 8 != 0 || DigitBits < 8 || DigitBits > 120) begin : gen_bad_digit_bits
    $error("eccel_axil_shell: DigitBits must be 8, 16, .. 120");
  end
  if (MaxWords < 6 || MaxWords > 31) begin : gen_bad_max_words
    $error("eccel_axil_shell: MaxWords must be 6..31");
  end
  if (FifoAddrBits < 6 || FifoAddrBits > 12 || 2 ** FifoAddrBits <= 2 * MaxWords + 4) begin : gen_bad_fifo
    $error("eccel_axil_shell: FifoAddrBits must be 6..12 and leave room for a response of MaxWords");
  end
  // The decoders use bit 2 of the address to choose between two registers in a row.
  if (ReqDataWord[0] || ReqLastWord != (ReqDataWord | 1) || IdWord != 0 || ConfigWord != 1 || StatusWord != 2 ||
      IrqEnableWord != 3 || RspDataWord != 4) begin : gen_bad_map
    $error("eccel_axil_shell: built for another register map");
  end

  // ---- write channel ----

  // Address and data are accepted together. A write takes effect in the one cycle w_go_q. Address
  // and data have been stable since the cycle before it, so that the decoders can be registered.

  logic w_go, w_go_q, bvalid_q, berr_q;
  logic wr_known_q, wr_status_q, wr_irq_q, wr_control_q, wr_req_q, wr_ent_q;
  logic w_last, refused, req_ready;
  logic ent_full, ent_wanted;
  logic [AddrBits-3:0] w_word;

  assign w_go = s_axil_awvalid && s_axil_wvalid && !w_go_q && !bvalid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_go_q   <= 1'b0;
      bvalid_q <= 1'b0;
    end else begin
      w_go_q   <= w_go;
      bvalid_q <= w_go_q || (bvalid_q && !s_axil_bready);
    end
  end

  assign w_word = s_axil_awaddr[AddrBits-1:2];
  assign w_last = w_word[0];  // REQ_LAST, not REQ_DATA

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !w_go || !(&s_axil_wstrb)) begin
      wr_known_q   <= 1'b0;
      wr_status_q  <= 1'b0;
      wr_irq_q     <= 1'b0;
      wr_control_q <= 1'b0;
      wr_req_q     <= 1'b0;
      wr_ent_q     <= 1'b0;
    end else begin
      wr_known_q   <= w_word inside {StatusWord, IrqEnableWord, ControlWord, ReqDataWord, ReqLastWord, EntDataWord};
      wr_status_q  <= w_word == StatusWord;
      wr_irq_q     <= w_word == IrqEnableWord;
      wr_control_q <= w_word == ControlWord;
      wr_req_q     <= w_word[AddrBits-3:1] == ReqDataWord[AddrBits-3:1];
      wr_ent_q     <= w_word == EntDataWord;
    end
  end

  always_ff @(posedge clk_i) begin
    if (w_go_q) berr_q <= !wr_known_q || (wr_req_q && refused) || (wr_ent_q && ent_full);
  end

  assign s_axil_awready = w_go_q;
  assign s_axil_wready  = w_go_q;
  assign s_axil_bvalid  = bvalid_q;
  assign s_axil_bresp   = {berr_q, 1'b0};

  // ---- reset, zeroise ----

  logic rst_nq, zero_q, zeroise_q;

  always_ff @(posedge clk_i) begin
    rst_nq    <= rst_ni && !(wr_control_q && s_axil_wdata[ControlResetLsb]);
    zero_q    <= wr_control_q && s_axil_wdata[ControlZeroiseLsb];
    zeroise_q <= zero_q || zeroise_i;
  end

  assign eng_rst_no = rst_nq;
  assign zeroise_o  = zeroise_q;

  // ---- requests ----

  packet_t written;
  logic drop_q, overflow_q, req_empty;

  assign written = '{valid: wr_req_q && !drop_q, last: w_last, data: s_axil_wdata};
  assign refused = drop_q || !req_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_nq) drop_q <= 1'b0;
    else if (wr_req_q) drop_q <= refused && !w_last;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) overflow_q <= 1'b0;
    else if (wr_req_q && refused) overflow_q <= 1'b1;
    else if (wr_status_q && s_axil_wdata[StatusOverflowLsb]) overflow_q <= 1'b0;
  end

  eccel_fifo #(
      .AddrBits(FifoAddrBits)
  ) u_req_fifo (
      .clk_i,
      .rst_ni(rst_nq),
      .in_i(written),
      .in_ready_o(req_ready),
      .end_i(written.valid && !req_ready),
      .empty_o(req_empty),
      .out_o(req_o),
      .out_ready_i(req_ready_i)
  );

  // ---- responses ----

  packet_t rsp;  // the next word for the bus
  logic rsp_pop, rsp_empty_unused;

  eccel_fifo #(
      .AddrBits(FifoAddrBits),
      .WholePackets(1'b1)
  ) u_rsp_fifo (
      .clk_i,
      .rst_ni(rst_nq),
      .in_i(rsp_i),
      .in_ready_o(rsp_ready_o),
      .end_i(1'b0),
      .empty_o(rsp_empty_unused),
      .out_o(rsp),
      .out_ready_i(rsp_pop)
  );

  // ---- entropy: from the register, one word at a time, or from the port ----

  if (ExternalEntropy) begin : gen_ext_entropy
    assign ent_full        = 1'b1;
    assign ent_wanted      = 1'b0;
    assign ent_o           = '{valid: ext_ent_valid_i, data: ext_ent_data_i};
    assign ext_ent_ready_o = ent_ready_i;
  end else begin : gen_reg_entropy
    logic ent_valid_q;
    logic [31:0] ent_data_q;

    always_ff @(posedge clk_i) begin
      if (!rst_nq) ent_valid_q <= 1'b0;
      else ent_valid_q <= wr_ent_q || (ent_valid_q && !ent_ready_i);
    end

    always_ff @(posedge clk_i) begin
      if (wr_ent_q && !ent_valid_q) ent_data_q <= s_axil_wdata;
    end

    assign ent_full        = ent_valid_q;
    assign ent_wanted      = ent_ready_i && !ent_valid_q;
    assign ent_o           = '{valid: ent_valid_q, data: ent_data_q};
    assign ext_ent_ready_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, ext_ent_valid_i, ext_ent_data_i};
  end

  // ---- status, interrupt ----

  logic [5:0] status, irq_enable_q;
  logic busy_q;

  always_ff @(posedge clk_i) busy_q <= busy_i || !req_empty;

  always_comb begin
    status = '0;
    status[StatusReqReadyLsb]  = req_ready;
    status[StatusRspValidLsb]  = rsp.valid;
    status[StatusRspLastLsb]   = rsp.valid && rsp.last;
    status[StatusBusyLsb]      = busy_q;
    status[StatusEntWantedLsb] = ent_wanted;
    status[StatusOverflowLsb]  = overflow_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      irq_enable_q <= '0;
      irq_o <= 1'b0;
    end else begin
      if (wr_irq_q) irq_enable_q <= s_axil_wdata[5:0] & IrqEnableMask[5:0];
      irq_o <= |(status & irq_enable_q);
    end
  end

  // ---- read channel ----

  // r_go_q accepts the address and removes the word from the response FIFO. r_do_q loads the data:
  // the RAM still shows the removed word. Reads take effect at least four cycles apart, which is
  // the time that the response FIFO needs to show its next word.

  logic r_go_q, r_do_q, rvalid_q, rerr_q;
  logic hit_const_q, hit_state_q, hit_rsp_q, rd_rsp;
  logic odd_q, rsp_q, clear_high_q, clear_mid_q, clear_low_q;
  logic [31:0] rdata_q;
  logic [AddrBits-3:0] r_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_go_q   <= 1'b0;
      r_do_q   <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      r_go_q   <= s_axil_arvalid && !r_go_q && !r_do_q && !rvalid_q;
      r_do_q   <= r_go_q;
      rvalid_q <= r_do_q || (rvalid_q && !s_axil_rready);
    end
  end

  assign r_word  = s_axil_araddr[AddrBits-1:2];
  assign rd_rsp  = hit_rsp_q && rsp.valid;
  assign rsp_pop = r_go_q && rd_rsp;

  // The address has been stable since the cycle before r_go_q. A part of the word that has no
  // source is cleared, by the reset input of its flip-flops and without a LUT.
  always_ff @(posedge clk_i) begin
    hit_const_q  <= r_word[AddrBits-3:1] == IdWord[AddrBits-3:1];
    hit_state_q  <= r_word[AddrBits-3:1] == StatusWord[AddrBits-3:1];
    hit_rsp_q    <= r_word == RspDataWord;
    odd_q        <= r_word[0];
    rsp_q        <= hit_rsp_q;
    clear_high_q <= r_go_q && !hit_const_q && !rd_rsp;
    clear_mid_q  <= r_go_q && !rd_rsp;
    clear_low_q  <= r_go_q && !hit_state_q && !rd_rsp;
    if (r_go_q) rerr_q <= !(hit_const_q || hit_state_q || rd_rsp);
  end

  localparam logic [31:0] Config = {
    4'(DigitBits / 8), ExternalEntropy, 2'b00, 5'(MaxWords), 4'(FifoAddrBits), 16'h0
  };

  always_ff @(posedge clk_i) begin
    if (clear_high_q) rdata_q[31:16] <= '0;
    else if (r_do_q) rdata_q[31:16] <= rsp_q ? rsp.data[31:16] : odd_q ? Config[31:16] : IdValue[31:16];

    if (clear_mid_q) rdata_q[15:6] <= '0;
    else if (r_do_q) rdata_q[15:6] <= rsp.data[15:6];

    if (clear_low_q) rdata_q[5:0] <= '0;
    else if (r_do_q) rdata_q[5:0] <= rsp_q ? rsp.data[5:0] : odd_q ? irq_enable_q : status;
  end

  assign s_axil_arready = r_go_q;
  assign s_axil_rvalid  = rvalid_q;
  assign s_axil_rresp   = {rerr_q, 1'b0};
  assign s_axil_rdata   = rdata_q;

  logic unused_addr;
  assign unused_addr = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

endmodule
