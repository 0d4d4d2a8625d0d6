// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A cluster of turbo engines as an AXI4-Lite peripheral: eccel_axil_shell + eccel_turbo_cluster, wiring only.
// Parameters, timing and guarantees are those of the two. Responses come in the order of completion.

module eccel_turbo_cluster_axil
  import eccel_reg_pkg::AddrBits;
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Prime = eccel_solinas_pkg::P256,
    parameter int Threads = 4,
    parameter UcodeFile = "ucode_turbo.hex",
    parameter int UcodeDepth = 2048,
    parameter CombFile = "",
    parameter int FifoAddrBits = 9,
    parameter bit ExternalEntropy = 1'b0
) (
    input  logic                clk_i,
    input  logic                rst_ni,
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
    input  logic                zeroise_i,
    input  logic                ext_ent_valid_i,
    output logic                ext_ent_ready_o,
    input  logic [        31:0] ext_ent_data_i
);

  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);

  logic eng_rst_n, zeroise, busy;
  packet_t req, rsp;
  entropy_t ent;
  logic req_ready, rsp_ready, ent_ready;

  eccel_axil_shell #(
      .DigitBits(Field.digit_bits),
      .MaxWords(Field.words),
      .FifoAddrBits(FifoAddrBits),
      .ExternalEntropy(ExternalEntropy)
  ) u_shell (
      .clk_i,
      .rst_ni,
      .s_axil_awaddr,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .irq_o,
      .zeroise_i,
      .ext_ent_valid_i,
      .ext_ent_ready_o,
      .ext_ent_data_i,
      .eng_rst_no(eng_rst_n),
      .req_o(req),
      .req_ready_i(req_ready),
      .rsp_i(rsp),
      .rsp_ready_o(rsp_ready),
      .ent_o(ent),
      .ent_ready_i(ent_ready),
      .zeroise_o(zeroise),
      .busy_i(busy)
  );

  eccel_turbo_cluster #(
      .Engines(Engines),
      .Prime(Prime),
      .Threads(Threads),
      .UcodeFile(UcodeFile),
      .UcodeDepth(UcodeDepth),
      .CombFile(CombFile)
  ) u_engine (
      .clk_i,
      .rst_ni(eng_rst_n),
      .req_i(req),
      .req_ready_o(req_ready),
      .rsp_o(rsp),
      .rsp_ready_i(rsp_ready),
      .ent_i(ent),
      .ent_ready_o(ent_ready),
      .zeroise_i(zeroise),
      .busy_o(busy)
  );

endmodule
