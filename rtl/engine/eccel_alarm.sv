// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What an engine does about an error that one of its checks has found, or about a job that the
// watchdog ends.
//
// Requires   bad_i, timeout_i: pulses or levels. busy_i: a packet is under way. finish_i comes with
//            status_i, the status of a job that ends.
// Guarantees break_o comes in the cycle after bad_i or timeout_i: all parts stop what they do, and
//            the job port runs the zeroise handler. With forget_o, after bad_i only, curve and key
//            are forgotten before that. Until the packet is answered further bad_i do not count,
//            and fault_o tells the port to answer FAULT. alarm_o rises with forget_o, and when a
//            program ends with FAULT; only a reset lowers it.

module eccel_alarm
  import eccel_isa_pkg::STATUS_FAULT;
(
    input logic clk_i,
    input logic rst_ni,

    input logic       bad_i,
    input logic       timeout_i,
    input logic       busy_i,
    input logic       finish_i,
    input logic [7:0] status_i,

    output logic break_o,
    output logic forget_o,
    output logic fault_o,
    output logic alarm_o
);

  // Of all statuses a program can end with, only FAULT has bit 6.
  localparam int FaultBit = 6;
  if (!STATUS_FAULT[FaultBit]) begin : gen_check
    $error("eccel_alarm: the status FAULT has changed");
  end

  // What the checks say of the state before a reset is on its way for some cycles after it.
  logic [3:0] rested_q;
  logic bad;
  assign bad = bad_i && rested_q[3] && !fault_o && !forget_o;

  always_ff @(posedge clk_i) begin
    rested_q <= {rested_q[2:0], 1'b1} & {4{rst_ni}};
    forget_o <= bad && rst_ni;
    break_o  <= (bad || timeout_i) && rst_ni;
    fault_o  <= (fault_o && busy_i || forget_o) && rst_ni;
    alarm_o  <= (alarm_o || forget_o || finish_i && status_i[FaultBit]) && rst_ni;
  end

endmodule
