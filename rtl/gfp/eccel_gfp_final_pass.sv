// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Final pass of the prime-field unit: writes a result to the register file.
//
// A result comes as pairs of digits: t, and t corrected by the modulus. The carries of the last
// pair tell which of the two is right. The pairs are therefore stored until then. Then they are
// read again, one a cycle, and the chosen digits are written while the first row of the next
// operation already runs.
//
// Parameters DigitBits; IndexBits: width of a digit's number.
// Requires   finish_i comes while digit s of the last row is addressed, with op_i, rd_i and
//            digits_i = s. pair_we_i comes with each pair, digit 0 first. choose_i comes when top_i
//            (the bit of t above its digits) and corr_carry_i (the carry of the correction) are
//            valid. start_i comes one or two cycles before choose_i; no pair may be read in the
//            cycle in which it is stored. At most one pass runs at a time. port_we_i only while
//            !active_o; port_wdata_i = 0 without it.
// Guarantees Digits 0 .. s - 1 are written to register rd, one a cycle. The flags zero_o and
//            carry_o then hold until the next result. Writes, addresses and done_o depend on
//            finish_i, start_i and digits_i only, never on data.
// Latency    first_o, with digit 0 at rf_we_o, comes 4 cycles after start_i; done_o s + 2 cycles
//            after start_i, when the last digit is on its way to rf_we_o. A write of the port
//            reaches rf_we_o one cycle later.

module eccel_gfp_final_pass
  import eccel_gfp_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5,
    localparam int AddrBits = 6 + IndexBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                 finish_i,
    input op_t                  op_i,
    input logic [          5:0] rd_i,
    input logic [IndexBits-1:0] digits_i,

    input logic                 pair_we_i,
    input logic [IndexBits-1:0] pair_addr_i,
    input logic [DigitBits-1:0] t_i,
    input logic [DigitBits-1:0] d_i,

    input logic start_i,
    input logic choose_i,
    input logic top_i,
    input logic corr_carry_i,

    input logic                 port_we_i,
    input logic [ AddrBits-1:0] port_addr_i,
    input logic [DigitBits-1:0] port_wdata_i,

    output logic                 rf_we_o,
    output logic [ AddrBits-1:0] rf_addr_o,
    output logic [DigitBits-1:0] rf_wdata_o,
    output logic                 first_o,   // rf_we_o is that of digit 0
    output logic                 active_o,

    output logic       done_o,
    output logic [5:0] rd_o,
    output logic       zero_o,
    output logic       carry_o
);

  typedef logic [IndexBits-1:0] index_t;

  op_t op_q;
  logic [5:0] next_rd_q, rd_q;
  index_t next_last_q, last_q, raddr_q, raddr_next, waddr_q, waddr_next;
  logic run_q, last, keep_d, keep_d_q, write, write_q, zero_q, carry_q;
  logic fetch_q[1:2];
  logic last_dly_q[1:2];
  logic [2*DigitBits-1:0] pair;

  eccel_inc #(.Width(IndexBits)) u_inc_r (.d_i(raddr_q), .q_o(raddr_next));
  eccel_inc #(.Width(IndexBits)) u_inc_w (.d_i(waddr_q), .q_o(waddr_next));

  eccel_ram #(
      .Width(2 * DigitBits),
      .Depth(1 << IndexBits)
  ) u_result (
      .clk_i,
      .clr_i  (!run_q && !fetch_q[1]),  // 0 follows while no result is read
      .we_i   (pair_we_i),
      .waddr_i(pair_addr_i),
      .wdata_i({d_i, t_i}),
      .raddr_i(raddr_q),
      .rdata_o(pair)
  );

  always_comb begin
    unique case (op_q.keep)
      KeepT:       keep_d = 1'b0;
      KeepReduced: keep_d = top_i | corr_carry_i;
      KeepBorrow:  keep_d = !top_i;
      default:     keep_d = 1'b0;
    endcase
  end

  assign last = raddr_q == last_q;

  always_ff @(posedge clk_i) begin
    if (finish_i) begin
      op_q        <= op_i;
      next_rd_q   <= rd_i;
      next_last_q <= digits_i;
    end

    raddr_q <= raddr_next;
    if (last) run_q <= 1'b0;
    if (start_i) begin
      run_q   <= 1'b1;
      raddr_q <= '0;
      last_q  <= next_last_q;
    end
    fetch_q[1]    <= run_q;
    fetch_q[2]    <= fetch_q[1];
    last_dly_q[1] <= run_q && last;
    last_dly_q[2] <= last_dly_q[1];

    if (write) waddr_q <= waddr_next;
    if (choose_i) begin
      rd_q     <= next_rd_q;
      keep_d_q <= keep_d;
      waddr_q  <= '0;
      if (op_q.set_carry) carry_q <= top_i ^ op_q.y_neg;
    end
    first_o    <= write && waddr_q == 0;
    rf_we_o    <= write || port_we_i;
    rf_addr_o  <= port_we_i ? port_addr_i : {rd_q, waddr_q};
    // port_wdata_i is 0 unless the port writes, and then the pair is 0.
    rf_wdata_o <= (keep_d_q ? pair[2*DigitBits-1:DigitBits] : pair[DigitBits-1:0]) | port_wdata_i;
    write_q    <= write;
    if (write_q) zero_q <= (rf_wdata_o == 0) && (zero_q || first_o);
    if (!rst_ni) begin
      run_q         <= 1'b0;
      fetch_q[1]    <= 1'b0;
      fetch_q[2]    <= 1'b0;
      last_dly_q[1] <= 1'b0;
      last_dly_q[2] <= 1'b0;
      write_q       <= 1'b0;
      first_o       <= 1'b0;
      rf_we_o       <= 1'b0;
    end
  end

  // s + 1 pairs are read: the last one only marks the end.
  assign write = fetch_q[2] && !last_dly_q[2];
  assign active_o = run_q || fetch_q[1] || fetch_q[2] || write_q;

  assign done_o  = last_dly_q[1];
  assign rd_o    = rd_q;
  assign zero_o  = zero_q;
  assign carry_o = carry_q;

endmodule
