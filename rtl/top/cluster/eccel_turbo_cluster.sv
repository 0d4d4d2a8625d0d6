// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Several turbo engines behind one dispatcher, with the ports of one engine: wiring only.
// Parameters, timing and guarantees are those of the two.

module eccel_turbo_cluster
  import eccel_packet_pkg::*;
#(
    parameter int Engines = 2,
    parameter int Prime = eccel_solinas_pkg::P256,
    parameter int Threads = 4,
    parameter UcodeFile = "ucode_turbo.hex",
    parameter int UcodeDepth = 2048,
    parameter CombFile = ""
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input  logic zeroise_i,
    output logic busy_o
);

  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);

  packet_t req[Engines], rsp[Engines];
  entropy_t ent[Engines];
  logic [Engines-1:0] rst_n, req_ready, rsp_ready, ent_ready, zeroise, busy;

  eccel_dispatch #(
      .Engines (Engines),
      .Threads (Threads),
      .MaxWords(Field.words)
  ) u_dispatch (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .ent_i,
      .ent_ready_o,
      .zeroise_i,
      .busy_o,
      .eng_rst_no     (rst_n),
      .eng_req_o      (req),
      .eng_req_ready_i(req_ready),
      .eng_rsp_i      (rsp),
      .eng_rsp_ready_o(rsp_ready),
      .eng_ent_o      (ent),
      .eng_ent_ready_i(ent_ready),
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
        .req_i      (req[e]),
        .req_ready_o(req_ready[e]),
        .rsp_o      (rsp[e]),
        .rsp_ready_i(rsp_ready[e]),
        .ent_i      (ent[e]),
        .ent_ready_o(ent_ready[e]),
        .zeroise_i  (zeroise[e]),
        .busy_o     (busy[e])
    );
  end

endmodule
