// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Bridge between a serial port (docs/links.md) and an engine or a cluster.
//
// Parameters Step: 2^19 * baud / clock, rounded, 1..65536. AddrBits 8..12: each buffer holds
//            2^AddrBits - 2 words or more; it is FIFO_LOG2 of CONFIG. DigitBits, MaxWords: of the
//            engine, for CONFIG. ClockKhz, Name: for STATUS; the first character of Name is in bits
//            7..0. SmallRam: the buffer of entropy is in single-port memory. ExternalEntropy: there
//            is none; ext_ent_i feeds the engine, and frames of entropy are dropped.
// Requires   The engine has the ports of docs/architecture.md ("Engine ports"), and eng_rst_no is
//            its reset. It is busy from at most 60 cycles after zeroise_o to the end of its wipe.
//            zeroise_i is synchronous to clk_i.
// Guarantees Whatever the line carries, the bridge goes on with the next frame. The engine gets
//            whole requests whose CRC is right, in their order, and nothing else. Every response is
//            sent. A request for which there is no room changes nothing and is reported. A frame of
//            entropy is used as a whole or not at all. A request waits until more than 64 words of
//            entropy are there, but not longer than 2^DryBits cycles after the last frame of
//            entropy. CONTROL, and the rise of zeroise_i, act at once: the engine is reset, all
//            buffers are overwritten with 0, and the frame of a response under way is cut. CONTROL
//            2 and zeroise_i also wipe the engine, zeroise_i as long as it is 1. Requests are
//            refused until all of that is done; then STATUS says so. STATUS is sent after a reset,
//            a zeroise and a HELLO, and while entropy is wanted once for each frame of entropy and
//            for each lost frame. busy_o: a request, a response or a wipe is under way. lost_o: a
//            frame was lost.
// Memory     Three buffers of 2^AddrBits words.

module eccel_uart_bridge
  import eccel_packet_pkg::*;
  import eccel_uart_pkg::*;
#(
    parameter int Step = 65536,
    parameter int AddrBits = 9,
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter int ClockKhz = 0,
    parameter logic [191:0] Name = '0,
    parameter bit SmallRam = 1'b0,
    parameter int DryBits = 24,
    parameter bit ExternalEntropy = 1'b0
) (
    input  logic     clk_i,
    input  logic     rst_ni,
    // serial port
    input  logic     rxd_i,
    output logic     txd_o,
    // tamper input
    input  logic     zeroise_i,
    // entropy source, used with ExternalEntropy = 1 only
    input  entropy_t ext_ent_i,
    output logic     ext_ent_ready_o,
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
    // lamps
    output logic     busy_o,
    output logic     lost_o
);

  if (AddrBits < 8 || AddrBits > 12) begin : gen_bad_size
    $error("eccel_uart_bridge: AddrBits must be 8..12: the longest request has 160 words");
  end

  // ---- from the host ----

  logic rx_valid, rx_ok;
  logic [7:0] rx_data;

  eccel_uart_rx #(
      .Step(Step)
  ) u_rx (
      .clk_i,
      .rst_ni,
      .rxd_i,
      .valid_o(rx_valid),
      .ok_o   (rx_ok),
      .data_o (rx_data)
  );

  logic pass_q;  // the engine gets the request at the output of the queue
  packet_t word;
  frame_t frame;
  error_e reason;
  logic is_entropy, req_ready, ent_ready, rst_nq;

  eccel_uart_frame_in u_in (
      .clk_i,
      .rst_ni,
      .valid_i  (rx_valid),
      .ok_i     (rx_ok),
      .data_i   (rx_data),
      .word_o   (word),
      .entropy_o(is_entropy),
      .ready_i  (is_entropy ? ent_ready : req_ready),
      .clear_i  (!rst_nq),
      .frame_o  (frame),
      .error_o  (reason)
  );

  // ---- reset, zeroise ----

  logic zero_q, zeroise_q, clearing_q, hold, wiped;

  always_ff @(posedge clk_i) begin
    rst_nq    <= rst_ni && !(zeroise_i && !zero_q) && !frame.restart && !frame.zeroise;
    zero_q    <= rst_ni && (zeroise_i || frame.zeroise);
    zeroise_q <= zero_q;
  end

  assign eng_rst_no = rst_nq;
  assign zeroise_o  = zeroise_q;
  assign hold       = busy_i || zeroise_q;

  // The buffers take longer to be wiped than the engine takes to become busy.
  logic req_wiped, ent_wiped, rsp_wiped, rsp_wiped_q;

  assign wiped = req_wiped && ent_wiped && rsp_wiped_q && rsp_ready_o && !hold;

  always_ff @(posedge clk_i) begin
    if (!rst_nq) rsp_wiped_q <= 1'b0;
    else if (rsp_wiped) rsp_wiped_q <= 1'b1;

    if (!rst_nq) clearing_q <= 1'b1;
    else if (wiped) clearing_q <= 1'b0;
  end

  // ---- buffers ----

  packet_t req_in, ent_in, req, rsp;
  logic req_room_unused, req_many_unused, req_queue_ready, ent_many, req_empty, ent_room, rsp_empty, rsp_take;

  assign req_ready = req_queue_ready && !clearing_q;
  assign req_in = '{valid: word.valid && !is_entropy && !clearing_q, last: word.last, data: word.data};
  assign ent_in = '{valid: word.valid && is_entropy, last: 1'b0, data: word.data};

  eccel_uart_queue #(
      .AddrBits(AddrBits)
  ) u_requests (
      .clk_i,
      .rst_ni    (rst_nq),
      .wiped_o   (req_wiped),
      .room_o    (req_room_unused),
      .many_o    (req_many_unused),
      .empty_o   (req_empty),
      .in_i      (req_in),
      .in_ready_o(req_queue_ready),
      .commit_i  (frame.request),
      .drop_i    (frame.lost),
      .out_o     (req),
      .out_ready_i(req_ready_i && pass_q)
  );

  if (ExternalEntropy) begin : gen_ext_entropy
    assign ent_o           = ext_ent_i;
    assign ext_ent_ready_o = ent_ready_i;
    assign ent_wiped       = 1'b1;
    assign {ent_room, ent_ready} = '0;
    assign ent_many        = 1'b1;

    logic unused;
    assign unused = &{1'b0, ent_in};
  end else begin : gen_entropy
    // verilator lint_off UNUSEDSIGNAL
    packet_t ent;
    logic empty;
    // verilator lint_on UNUSEDSIGNAL

    eccel_uart_queue #(
        .AddrBits(AddrBits),
        .KeepLast(1'b0),
        .SinglePort(SmallRam)
    ) u_queue (
        .clk_i,
        .rst_ni    (rst_nq),
        .wiped_o   (ent_wiped),
        .room_o    (ent_room),
        .many_o    (ent_many),
        .empty_o   (empty),
        .in_i      (ent_in),
        .in_ready_o(ent_ready),
        .commit_i  (frame.entropy),
        .drop_i    (frame.lost || frame.spilt),
        .out_o     (ent),
        .out_ready_i(ent_ready_i)
    );

    assign ent_o           = '{failed: 1'b0, valid: ent.valid, data: ent.data};
    assign ext_ent_ready_o = 1'b0;

    logic unused;
    assign unused = &{1'b0, ext_ent_i};
  end

  eccel_fifo #(
      .AddrBits(AddrBits),
      .KeepLast(1'b0)
  ) u_responses (
      .clk_i,
      .rst_ni     (rst_nq),
      .hold_i     (1'b0),
      .wiped_o    (rsp_wiped),
      .in_i       (rsp_i),
      .in_ready_o (rsp_ready_o),
      .drop_i     (1'b0),
      .empty_o    (rsp_empty),
      .out_o      (rsp),
      .out_ready_i(rsp_take)
  );

  // ---- requests wait for entropy ----

  // An engine gives a job up that waits for entropy for 65,534 cycles, and a host needs longer to
  // answer. So a request goes to the engine when there is entropy for it, or when the host has sent
  // none for long. After a reset the engine takes all words for its start-up test, so that requests
  // wait for the end of this test.
  typedef logic [DryBits-1:0] wait_t;

  logic dry_q;
  wait_t waited_q;

  always_ff @(posedge clk_i) begin
    if (!rst_nq || req.valid && pass_q && req_ready_i && req.last) pass_q <= 1'b0;
    else if (req.valid && (ent_many || dry_q)) pass_q <= 1'b1;

    if (!rst_nq || ent_many || frame.entropy) begin
      dry_q    <= 1'b0;
      waited_q <= '0;
    end else if (!dry_q) begin
      dry_q    <= &waited_q;
      waited_q <= waited_q + wait_t'(1);
    end
  end

  assign req_o = '{valid: req.valid && pass_q, last: req.last, data: req.data};

  // ---- what the host has to be told ----

  logic status_q, tell_q, status_take, cleared_q, asked_q, ask, error_q, error_take, busy_q, clearing_dly_q;
  error_e reason_q;
  logic [15:0] lost_q;

  assign ask = ent_room && !asked_q && !clearing_q;

  always_ff @(posedge clk_i) begin
    clearing_dly_q <= clearing_q;
    busy_q <= busy_i || !req_empty || !rsp_empty || !rsp_ready_o || clearing_q;

    if (!rst_nq || !ent_room || frame.entropy || frame.spilt || frame.lost) asked_q <= 1'b0;
    else if (ask) asked_q <= 1'b1;

    if (!rst_ni) status_q <= 1'b0;
    else if (frame.hello || ask || clearing_dly_q && !clearing_q) status_q <= 1'b1;
    else if (status_take) status_q <= 1'b0;

    tell_q <= status_q && !clearing_q;

    if (!rst_ni) cleared_q <= 1'b0;
    else if (clearing_dly_q && !clearing_q) cleared_q <= 1'b1;
    else if (status_take) cleared_q <= 1'b0;

    if (!rst_ni) error_q <= 1'b0;
    else if (frame.lost) error_q <= 1'b1;
    else if (error_take) error_q <= 1'b0;
    if (frame.lost) reason_q <= reason;

    if (!rst_nq) lost_q <= '0;
    else if (frame.lost) lost_q <= lost_q + 16'd1;
  end

  assign busy_o = busy_q;
  assign lost_o = frame.lost;

  // ---- to the host ----

  localparam logic [31:0] Config = {
    4'(DigitBits / 8), ExternalEntropy, 2'd0, 5'(MaxWords), 4'(AddrBits), 16'h0
  };

  logic tx_valid, tx_ready;
  logic [7:0] tx_data;

  eccel_uart_frame_out #(
      .Config  (Config),
      .ClockKhz(ClockKhz),
      .Name    (Name)
  ) u_out (
      .clk_i,
      .rst_ni,
      .rsp_i        (rsp),
      .rsp_ready_o  (rsp_take),
      .abort_i      (!rst_nq),
      .status_i     (tell_q),
      .status_take_o(status_take),
      .state_i      ({lost_q, 13'd0, busy_q, cleared_q, ent_room}),
      .error_i      (error_q),
      .error_take_o (error_take),
      .reason_i     (reason_q),
      .valid_o      (tx_valid),
      .data_o       (tx_data),
      .ready_i      (tx_ready)
  );

  eccel_uart_tx #(
      .Step(Step)
  ) u_tx (
      .clk_i,
      .rst_ni,
      .valid_i(tx_valid),
      .ready_o(tx_ready),
      .data_i (tx_data),
      .txd_o
  );

endmodule
