// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// AXI4-Lite shell of one engine, or of one cluster: the bus protocol, the decoders, reset and
// zeroise, and one or more windows with registers (regs/eccel.rdl), FIFOs and interrupt each.
//
// Parameters DigitBits (multiple of 8, 8..120) and MaxWords (6..31): of the engine.
//            Each FIFO holds 2^FifoAddrBits - 2 words. FifoAddrBits is 6..12, and the longest
//            request, 8 * MaxWords + 2 words, must fit.
//            Windows: 1, 2, 4 or 8. Window w has the addresses from w * 4096 on.
//            ExternalEntropy: if 1, the stream ext_ent_* feeds the engine; if 0, the register
//            ENT_DATA does. It must be 1 if there are several windows: whoever chooses the entropy
//            knows the nonces of all.
// Requires   The engine has the ports of docs/architecture.md ("Engine ports"), and eng_rst_no is
//            its reset. It is busy from at most 60 cycles after zeroise_o to the end of its wipe.
// Guarantees Every bus access is answered. The idle shell answers a write 2 cycles and a read 3
//            cycles after it is presented; no access waits for the engine or for another window.
//            An access is answered with SLVERR, and has no effect, in these cases: the address has
//            no register in that direction; a write does not carry all four bytes; a request word
//            is refused (eccel_axil_window); RSP_DATA is read and no response is there; ENT_DATA is
//            written while its last word is unused.
//            Of the words that the bus writes, only IRQ_ENABLE can be read back. Reads that are
//            refused return 0.
//            A packet reaches the engine only when its last word was accepted. A packet that is not
//            accepted leaves no trace and gets no answer. No word of a window, no response and no
//            bit of STATUS is seen in another window, but for CLEARED.
//            With one window a full response FIFO stops the engine; with several, a window has no
//            more requests under way than its response FIFO has room for. No response is lost.
// Rate       The shell accepts one request word every 3 cycles and returns one response word every
//            4.
// Reset      rst_ni, CONTROL.RESET, CONTROL.ZEROISE and the rise of zeroise_i reach the engine and
//            all FIFOs one cycle later. The last two, and zeroise_i while it is 1, reach zeroise_o
//            another cycle later. Then all FIFOs are overwritten with 0. They accept words again
//            when that is done, the engine has ended its wipe, and zeroise_i is 0; CLEARED is then
//            set in every window. The bus side, IRQ_ENABLE and OVERFLOW are reset by rst_ni only.
//
// The AXI ports have the names of the AXI standard, by which integration tools recognise the
// interface.

module eccel_axil_shell
  import eccel_reg_pkg::AddrBits, eccel_reg_pkg::PageBits;
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter int FifoAddrBits = 9,
    parameter int Windows = 1,
    parameter bit ExternalEntropy = 1'b0,
    localparam int AxilAddrBits = Windows == 1 ? AddrBits : PageBits + $clog2(Windows)
) (
    input  logic clk_i,
    input  logic rst_ni,
    // AXI4-Lite subordinate, 32 bits
    input  logic [AxilAddrBits-1:0] s_axil_awaddr,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [AxilAddrBits-1:0] s_axil_araddr,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic [ Windows-1:0] irq_o,
    // tamper input, synchronous to clk_i
    input  logic zeroise_i,
    // the engine has found an error of its own since rst_ni
    output logic alarm_o,
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
    input  logic     busy_i,
    input  logic     alarm_i
);
  import eccel_reg_pkg::*;

  if (DigitBits % 8 != 0 || DigitBits < 8 || DigitBits > 120) begin : gen_bad_digit_bits
    $error("eccel_axil_shell: DigitBits must be 8, 16, .. 120");
  end
  if (MaxWords < 6 || MaxWords > 31) begin : gen_bad_max_words
    $error("eccel_axil_shell: MaxWords must be 6..31");
  end
  if (FifoAddrBits < 6 || FifoAddrBits > 12 || 2 ** FifoAddrBits < 8 * MaxWords + 4) begin : gen_bad_fifo
    $error("eccel_axil_shell: FifoAddrBits must be 6..12, and 8 * MaxWords + 2 words must fit");
  end
  if (Windows != 1 && Windows != 2 && Windows != 4 && Windows != 8) begin : gen_bad_windows
    $error("eccel_axil_shell: Windows must be 1, 2, 4 or 8");
  end
  if (Windows != 1 && !ExternalEntropy) begin : gen_bad_entropy
    $error("eccel_axil_shell: several Windows need ExternalEntropy = 1");
  end
  // The decoders use bit 2 of the address to choose between two registers in a row.
  if (ReqDataWord[0] || ReqLastWord != (ReqDataWord | 1) || IdWord != 0 || ConfigWord != 1 || StatusWord != 2 ||
      IrqEnableWord != 3 || RspDataWord != 4) begin : gen_bad_map
    $error("eccel_axil_shell: built for another register map");
  end

  // ---- windows: a page of addresses each, whose first 2^AddrBits bytes have registers ----

  localparam int WindowBits = Windows == 1 ? 1 : $clog2(Windows);
  typedef logic [WindowBits-1:0] window_t;

  window_t w_window, r_window;
  logic w_inside, r_inside;

  if (Windows == 1) begin : gen_no_pages
    assign {w_window, r_window} = '0;
    assign {w_inside, r_inside} = '1;
  end else begin : gen_pages
    assign w_window = s_axil_awaddr[PageBits+:WindowBits];
    assign r_window = s_axil_araddr[PageBits+:WindowBits];
    assign w_inside = s_axil_awaddr[PageBits-1:AddrBits] == 0;
    assign r_inside = s_axil_araddr[PageBits-1:AddrBits] == 0;
  end

  logic [Windows-1:0] wr_window, refused, pop;
  logic [6:0] status[Windows], irq_enable[Windows];
  packet_t window_rsp[Windows];
  logic rsp_valid;
  logic [31:0] rsp_data;  // the next word for the bus

  // ---- write channel ----

  // Address and data are accepted together. A write takes effect in the one cycle w_go_q. Address
  // and data have been stable since the cycle before it, so that the decoders can be registered.

  logic w_go, w_go_q, bvalid_q, berr_q;
  logic wr_known_q, wr_status_q, wr_irq_q, wr_control_q, wr_req_q, wr_ent_q;
  window_t w_window_q;
  logic w_last;
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
    if (!rst_ni || !w_go || !(&s_axil_wstrb) || !w_inside) begin
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
    w_window_q <= w_window;
    if (w_go_q) berr_q <= !wr_known_q || (wr_req_q && refused[w_window_q]) || (wr_ent_q && ent_full);
  end

  assign s_axil_awready = w_go_q;
  assign s_axil_wready  = w_go_q;
  assign s_axil_bvalid  = bvalid_q;
  assign s_axil_bresp   = {berr_q, 1'b0};

  // ---- reset, zeroise ----

  logic rst_nq, zero_q, zeroise_q, hold;
  logic [2:0] rested_q;  // the engine's alarm falls some cycles after the reset

  always_ff @(posedge clk_i) begin
    rst_nq    <= rst_ni && !(zeroise_i && !zero_q) &&
                 !(wr_control_q && (s_axil_wdata[ControlResetLsb] || s_axil_wdata[ControlZeroiseLsb]));
    rested_q  <= {rested_q[1:0], 1'b1} & {3{rst_ni}};
    alarm_o   <= (alarm_o || alarm_i) && rested_q[2] && rst_ni;
    zero_q    <= zeroise_i || wr_control_q && s_axil_wdata[ControlZeroiseLsb];
    zeroise_q <= zero_q;
  end

  assign eng_rst_no = rst_nq;
  assign zeroise_o  = zeroise_q;
  assign hold       = busy_i || zeroise_q;

  // ---- windows, and their way to the engine ----

  packet_t to_engine[Windows], to_window[Windows];
  logic [Windows-1:0] to_engine_ready, to_window_ready, busy;

  for (genvar w = 0; w < Windows; w++) begin : gen_window
    assign wr_window[w] = w_window_q == window_t'(w);

    eccel_axil_window #(
        .FifoAddrBits(FifoAddrBits)
    ) u_window (
        .clk_i,
        .rst_ni,
        .clear_ni    (rst_nq),
        .hold_i      (hold),
        .wr_status_i (wr_status_q && wr_window[w]),
        .wr_irq_i    (wr_irq_q && wr_window[w]),
        .wr_control_i(wr_control_q && wr_window[w]),
        .wr_req_i    (wr_req_q && wr_window[w]),
        .w_last_i    (w_last),
        .wdata_i     (s_axil_wdata),
        .refused_o   (refused[w]),
        .status_o    (status[w]),
        .irq_enable_o(irq_enable[w]),
        .irq_o       (irq_o[w]),
        .rsp_o       (window_rsp[w]),
        .pop_i       (pop[w]),
        .ent_wanted_i(ent_wanted),
        .req_o       (to_engine[w]),
        .req_ready_i (to_engine_ready[w]),
        .rsp_i       (to_window[w]),
        .rsp_ready_o (to_window_ready[w]),
        .busy_i      (busy[w])
    );
  end

  if (Windows == 1) begin : gen_straight
    assign req_o           = to_engine[0];
    assign to_engine_ready = req_ready_i;
    assign to_window[0]    = rsp_i;
    assign rsp_ready_o     = to_window_ready;
    assign busy            = busy_i;
  end else begin : gen_router
    localparam int Fit = (2 ** FifoAddrBits - 2) / (2 * MaxWords + 2);
    eccel_window_router #(
        .Windows(Windows),
        .Answers(Fit > 15 ? 15 : Fit)
    ) u_router (
        .clk_i,
        .rst_ni     (rst_nq),
        .req_i      (to_engine),
        .req_ready_o(to_engine_ready),
        .rsp_o      (to_window),
        .rsp_ready_i(to_window_ready),
        .read_i     (pop),
        .word_i     (rsp_data[5:0]),
        .busy_o     (busy),
        .req_o,
        .req_ready_i,
        .rsp_i,
        .rsp_ready_o
    );
  end

  // ---- entropy: from the register, one word at a time, or from the port ----

  if (ExternalEntropy) begin : gen_ext_entropy
    assign ent_full        = 1'b1;
    assign ent_wanted      = 1'b0;
    assign ent_o           = '{failed: 1'b0, valid: ext_ent_valid_i, data: ext_ent_data_i};
    assign ext_ent_ready_o = ent_ready_i;
  end else begin : gen_reg_entropy
    logic ent_valid_q;
    logic [31:0] ent_data_q;

    always_ff @(posedge clk_i) begin
      if (!rst_nq) ent_valid_q <= 1'b0;
      else ent_valid_q <= wr_ent_q || (ent_valid_q && !ent_ready_i);
    end

    // A word that was used, or that a reset has taken back, is overwritten.
    always_ff @(posedge clk_i) begin
      if (!ent_valid_q) ent_data_q <= wr_ent_q ? s_axil_wdata : '0;
    end

    assign ent_full        = ent_valid_q;
    assign ent_wanted      = ent_ready_i && !ent_valid_q;
    assign ent_o           = '{failed: 1'b0, valid: ent_valid_q, data: ent_data_q};
    assign ext_ent_ready_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, ext_ent_valid_i, ext_ent_data_i};
  end

  // ---- read channel ----

  // r_go_q accepts the address and removes the word from the response FIFO. r_do_q loads the data:
  // the RAM still shows the removed word. Reads take effect at least four cycles apart, which is
  // the time that the response FIFO needs to show its next word.

  logic r_go_q, r_do_q, rvalid_q, rerr_q, r_idle;
  logic hit_const_q, hit_state_q, hit_rsp_q, rd_rsp;
  logic odd_q, rsp_q, clear_high_q, clear_mid_q, clear_low_q;
  logic [31:0] rdata_q;
  logic [AddrBits-3:0] r_word;
  window_t r_window_q;

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

  assign r_word    = s_axil_araddr[AddrBits-1:2];
  assign rsp_valid = window_rsp[r_window_q].valid;
  assign rsp_data  = window_rsp[r_window_q].data;
  assign rd_rsp    = hit_rsp_q && rsp_valid;

  for (genvar w = 0; w < Windows; w++) begin : gen_pop
    assign pop[w] = r_go_q && rd_rsp && r_window_q == window_t'(w);
  end

  // The address has been stable since the cycle before r_go_q. A part of the word that has no
  // source is cleared, by the reset input of its flip-flops and without a LUT; all of them are when
  // the bus has taken the word.
  assign r_idle = !r_go_q && !r_do_q && !rvalid_q;

  always_ff @(posedge clk_i) begin
    r_window_q   <= r_window;
    hit_const_q  <= r_inside && r_word[AddrBits-3:1] == IdWord[AddrBits-3:1];
    hit_state_q  <= r_inside && r_word[AddrBits-3:1] == StatusWord[AddrBits-3:1];
    hit_rsp_q    <= r_inside && r_word == RspDataWord;
    odd_q        <= r_word[0];
    rsp_q        <= hit_rsp_q;
    clear_high_q <= r_go_q && !hit_const_q && !rd_rsp || r_idle;
    clear_mid_q  <= r_go_q && !rd_rsp || r_idle;
    clear_low_q  <= r_go_q && !hit_state_q && !rd_rsp || r_idle;
    if (r_go_q) rerr_q <= !(hit_const_q || hit_state_q || rd_rsp);
  end

  localparam logic [31:0] Config = {
    4'(DigitBits / 8), ExternalEntropy, 2'($clog2(Windows)), 5'(MaxWords), 4'(FifoAddrBits), 16'h0
  };

  always_ff @(posedge clk_i) begin
    if (clear_high_q) rdata_q[31:16] <= '0;
    else if (r_do_q) rdata_q[31:16] <= rsp_q ? rsp_data[31:16] : odd_q ? Config[31:16] : IdValue[31:16];

    if (clear_mid_q) rdata_q[15:7] <= '0;
    else if (r_do_q) rdata_q[15:7] <= rsp_data[15:7];

    if (clear_low_q) rdata_q[6:0] <= '0;
    else if (r_do_q) begin
      rdata_q[6:0] <= rsp_q ? rsp_data[6:0] : odd_q ? irq_enable[r_window_q] : status[r_window_q];
    end
  end

  assign s_axil_arready = r_go_q;
  assign s_axil_rvalid  = rvalid_q;
  assign s_axil_rresp   = {rerr_q, 1'b0};
  assign s_axil_rdata   = rdata_q;

  logic unused_addr;
  assign unused_addr = &{1'b0, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

endmodule
