// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Watchdog of an engine: ends a job that takes longer than any job of correct microcode.
//
// Parameters Bits: 12 to 28, or 0 for no watchdog.
// Requires   run_i is 1 while a job or the zeroise handler runs, and 0 for a clock between two of
//            them. count_i is 0 while the job waits for an entropy word. begin_i comes for one
//            clock before a job runs.
// Guarantees fire_o comes for one clock when 2^Bits clocks with count_i have passed since run_i
//            rose, give or take 4, and again after as many if run_i is still 1. fired_o is 1 from
//            fire_o until the next begin_i.
// Cost       Two shift registers with synchronous reset and about ten LUTs.

module eccel_watchdog #(
    parameter int Bits = 25
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic begin_i,
    input  logic run_i,
    input  logic count_i,
    output logic fire_o,
    output logic fired_o
);

  // Taps of maximal-length shift registers (Xilinx XAPP 052); bit i - 1 is tap i.
  function automatic logic [27:0] taps(int bits);
    unique case (bits)
      12: return 28'h829;
      13: return 28'h100d;
      14: return 28'h2015;
      15: return 28'h6000;
      16: return 28'hd008;
      17: return 28'h12000;
      18: return 28'h20400;
      19: return 28'h40023;
      20: return 28'h90000;
      21: return 28'h140000;
      22: return 28'h300000;
      23: return 28'h420000;
      24: return 28'he10000;
      25: return 28'h1200000;
      26: return 28'h2000023;
      27: return 28'h4000013;
      28: return 28'h9000000;
      default: return '0;
    endcase
  endfunction

  // Only before it begins anew does the register receive Bits - 1 zeros in a row. Another one
  // counts them: its comparison is smaller than that of the register itself would be. This is
  // the state of that one after so many zeros.
  function automatic logic [4:0] zeros(int count);
    logic [4:0] state = '0;
    for (int i = 0; i < count; i++) state = {state[3:0], state[4] ~^ state[2]};
    return state;
  endfunction

  if (Bits == 0) begin : gen_none
    assign fire_o  = 1'b0;
    assign fired_o = 1'b0;
  end else begin : gen_watchdog
    localparam logic [Bits-1:0] Taps = Bits'(taps(Bits));
    localparam logic [4:0] LastZeros = zeros(Bits - 1);

    logic [Bits-1:0] shift_q;
    logic [4:0] zeros_q;
    logic end_q, past_q;

    always_ff @(posedge clk_i) begin
      if (!run_i) shift_q <= '0;
      else if (count_i) shift_q <= {shift_q[Bits-2:0], ~^(shift_q & Taps)};
      if (!run_i || shift_q[0]) zeros_q <= '0;
      else if (count_i) zeros_q <= {zeros_q[3:0], zeros_q[4] ~^ zeros_q[2]};
      end_q  <= run_i && zeros_q == LastZeros;
      past_q <= end_q;
      fire_o <= end_q && !past_q;
      fired_o <= fired_o && !begin_i || fire_o;
      if (!rst_ni) fired_o <= 1'b0;
    end
  end

endmodule
