// Sample for placement part by part: two engines between registers. Each has a multiplier, a block
// RAM, a counter with enable and reset, and some logic.

module flow_twins_engine #(
    parameter logic [15:0] Seed = 0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        step_i,
    input  logic [15:0] data_i,
    output logic [15:0] data_o
);
  logic [15:0] count_q, mixed_q, read;
  logic [31:0] product;

  eccel_ram #(.Width(16), .Depth(512)) u_ram (
      .clk_i, .clr_i(1'b0), .we_i(step_i), .waddr_i(count_q[8:0]), .wdata_i(mixed_q), .raddr_i(data_i[8:0]), .rdata_o(read)
  );
  eccel_mul18 #(.WidthA(16), .WidthB(16)) u_mul (
      .clk_i, .a_en_i(1'b1), .a_clr_i(1'b0), .a_i(read), .b_en_i(1'b1), .b_i(mixed_q), .p_o(product)
  );

  always_ff @(posedge clk_i) begin
    if (step_i) count_q <= count_q + (data_i ^ Seed);
    if (!rst_ni) count_q <= Seed;
    mixed_q <= {mixed_q[14:0], mixed_q[15] ^ data_i[3]} ^ (step_i ? data_i : count_q);
    data_o  <= product[31:16] ^ product[15:0] ^ count_q;
  end
endmodule

module flow_twins (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 1:0] step_i,
    input  logic [15:0] data_i,
    output logic [15:0] data_o
);
  logic [1:0] step_q;
  logic [1:0][15:0] data_q, answer, answer_q;

  for (genvar e = 0; e < 2; e++) begin : gen_engine
    flow_twins_engine #(.Seed(16'h2357 + 16'(e))) u_engine (
        .clk_i, .rst_ni, .step_i(step_q[e]), .data_i(data_q[e]), .data_o(answer[e])
    );
  end

  always_ff @(posedge clk_i) begin
    step_q   <= step_i;
    data_q   <= {~data_i, data_i};
    answer_q <= answer;
    data_o   <= answer_q[0] + answer_q[1];
  end
endmodule
