// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Several turbo engines behind one dispatcher, with the ports of one engine: wiring only.
// Parameters, timing and guarantees are those of the two.

module eccel_turbo_cluster #(
    parameter int Engines = 2,
    parameter int Prime = eccel_solinas_pkg::P256,
    parameter int Threads = 4,
    parameter UcodeFile = "ucode_turbo.hex",
    parameter int UcodeDepth = 2048,
    parameter CombFile = ""
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        req_valid_i,
    output logic        req_ready_o,
    input  logic [31:0] req_data_i,
    input  logic        req_last_i,
    output logic        rsp_valid_o,
    input  logic        rsp_ready_i,
    output logic [31:0] rsp_data_o,
    output logic        rsp_last_o,

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    input  logic zeroise_i,
    output logic busy_o
);

  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);

  logic [Engines-1:0] rst_n, req_valid, req_ready, req_last, rsp_valid, rsp_ready, rsp_last;
  logic [Engines-1:0] ent_valid, ent_ready, zeroise, busy;
  logic [31:0] req_data[Engines], rsp_data[Engines], ent_data[Engines];

  eccel_dispatch #(
      .Engines (Engines),
      .Threads (Threads),
      .MaxWords(Field.words)
  ) u_dispatch (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .req_data_i,
      .req_last_i,
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_data_o,
      .rsp_last_o,
      .ent_valid_i,
      .ent_ready_o,
      .ent_data_i,
      .zeroise_i,
      .busy_o,
      .eng_rst_no     (rst_n),
      .eng_req_valid_o(req_valid),
      .eng_req_ready_i(req_ready),
      .eng_req_data_o (req_data),
      .eng_req_last_o (req_last),
      .eng_rsp_valid_i(rsp_valid),
      .eng_rsp_ready_o(rsp_ready),
      .eng_rsp_data_i (rsp_data),
      .eng_rsp_last_i (rsp_last),
      .eng_ent_valid_o(ent_valid),
      .eng_ent_ready_i(ent_ready),
      .eng_ent_data_o (ent_data),
      .eng_zeroise_o  (zeroise),
      .eng_busy_i     (busy)
  );

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    eccel_ecp_turbo #(
        .Prime     (Prime),
        .Threads   (Threads),
        .WaitClocks(2047),  // longer than a group is open in the dispatcher, with time to load a packet
        .UcodeFile (UcodeFile),
        .UcodeDepth(UcodeDepth),
        .CombFile  (CombFile)
    ) u_engine (
        .clk_i,
        .rst_ni     (rst_n[e]),
        .req_valid_i(req_valid[e]),
        .req_ready_o(req_ready[e]),
        .req_data_i (req_data[e]),
        .req_last_i (req_last[e]),
        .rsp_valid_o(rsp_valid[e]),
        .rsp_ready_i(rsp_ready[e]),
        .rsp_data_o (rsp_data[e]),
        .rsp_last_o (rsp_last[e]),
        .ent_valid_i(ent_valid[e]),
        .ent_ready_o(ent_ready[e]),
        .ent_data_i (ent_data[e]),
        .zeroise_i  (zeroise[e]),
        .busy_o     (busy[e])
    );
  end

endmodule
