// Sample for the flow's own tests: a multiply-accumulate lane that reads a RAM and a ROM. It has
// more ports than a device has pins.
//
// acc <= (clear ? 0 : acc) + ram[addr] * rom[addr]; all registers of memories and of the multiplier
// are inside their blocks.

module sample_mac #(
    parameter ImageFile = "coefficients.hex",
    parameter int AccBits = 40
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               we_i,
    input  logic [        8:0] waddr_i,
    input  logic [       15:0] wdata_i,
    input  logic [        8:0] addr_i,
    input  logic               clear_i,
    output logic [AccBits-1:0] acc_o,
    output logic               zero_o
);
  logic [15:0] x, y;
  logic [31:0] p, p_q;
  logic [ 5:0] clear_q;

  eccel_ram #(.Width(16), .Depth(512)) u_ram (
      .clk_i, .clr_i(1'b0), .we_i, .waddr_i, .wdata_i, .raddr_i(addr_i), .rdata_o(x)
  );
  eccel_rom #(.Width(16), .Depth(512), .InitFile(ImageFile)) u_rom (.clk_i, .raddr_i(addr_i), .rdata_o(y));
  eccel_mul18 #(.WidthA(16), .WidthB(16)) u_mul (
      .clk_i, .a_en_i(1'b1), .a_clr_i(1'b0), .a_i(x), .b_en_i(1'b1), .b_i(y), .p_o(p)
  );

  always_ff @(posedge clk_i) begin
    p_q     <= p;
    clear_q <= {clear_q[4:0], clear_i};
    acc_o   <= (clear_q[5] ? '0 : acc_o) + AccBits'(p_q);
    if (!rst_ni) acc_o <= '0;
    zero_o <= acc_o == '0;
  end
endmodule
