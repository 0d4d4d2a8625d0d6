// A bundle's top driven over its bus: sends the words of request.hex ({last, word}), writes the response words to
// stdout until the response that carries the last tag is through.
module bundle_bench;
  localparam int Words = `WORDS;
  localparam logic [15:0] LastTag = `TAG;
  localparam logic [5:0] Status = 6'h08, RspData = 6'h10, ReqData = 6'h18, ReqLast = 6'h1c;

  logic clk = 0, rst_n = 0;
  logic [5:0] awaddr = 0, araddr = 0;
  logic [31:0] wdata = 0, rdata, got;
  logic awvalid = 0, arvalid = 0, rvalid, bvalid, awready, wready, arready, irq, ext_ready;
  logic [1:0] bresp, rresp;
  logic [32:0] request[Words];

  `TOP dut (
      .clk_i(clk), .rst_ni(rst_n),
      .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
      .s_axil_wdata(wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(awvalid), .s_axil_wready(wready),
      .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
      .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
      .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
      .irq_o(irq), .zeroise_i(1'b0), .ext_ent_valid_i(1'b0), .ext_ent_ready_o(ext_ready), .ext_ent_data_i(32'd0)
  );

  always #5 clk = !clk;

  task automatic write(logic [5:0] address, logic [31:0] data);
    awaddr = address;
    wdata = data;
    awvalid = 1;
    do @(negedge clk); while (!awready);
    @(negedge clk) awvalid = 0;
    while (!bvalid) @(negedge clk);
    if (bresp != 0) $display("error write %h", address);
  endtask

  task automatic read(logic [5:0] address);
    araddr = address;
    arvalid = 1;
    do @(negedge clk); while (!arready);
    @(negedge clk) arvalid = 0;
    while (!rvalid) @(negedge clk);
    got = rdata;
    if (rresp != 0) $display("error read %h", address);
    @(negedge clk);
  endtask

  // The words of one response.
  task automatic respond(output logic [15:0] tag);
    logic last, first;
    first = 1;
    do begin
      do read(Status); while (!got[1]);
      last = got[2];
      read(RspData);
      if (first) tag = got[31:16];
      first = 0;
      $display("word %h", got);
    end while (!last);
  endtask

  logic [15:0] tag;
  initial begin
    $readmemh("request.hex", request);
    repeat (4) @(negedge clk);
    rst_n = 1;
    for (int i = 0; i < Words; i++) begin
      do read(Status); while (!got[0]);
      write(request[i][32] ? ReqLast : ReqData, request[i][31:0]);
      if (request[i][32]) respond(tag);
    end
    if (tag != LastTag) $display("error tag");
    $finish;
  end
  initial begin
    #20000000 $display("error time");
    $finish;
  end
endmodule
