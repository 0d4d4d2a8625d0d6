// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Gives the operands of a packet to a unit that has no back pressure: a job starts only when there
// is room for its result behind those that are still on the way.
//
// Parameters Width: bits of a word. Words >= 2: of the operands of a job. Frames: slots of its
//            result. Steps: operations of the unit for a job.
// Requires   room_i: free slots for results. sent_i: the last word of a result goes to its slot.
// Guarantees For each job the unit gets Steps operations, unit_valid_o && unit_ready_i, numbered by
//            step_o; operands_o is stable from the first to the last of them.
// Latency    1 cycle from the last word to the first operation. A job every max(Words, Steps *
//            interval of the unit) cycles.

module eccel_link_serve
  import eccel_link_pkg::seq_t;
#(
    parameter int Width = 64,
    parameter int Words = 4,
    parameter int Frames = 1,
    parameter int Steps = 1,
    localparam int StepBits = Steps == 1 ? 1 : $clog2(Steps)
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [      Width-1:0] data_i,
    input  seq_t                   room_i,
    input  logic                   sent_i,
    output logic                   unit_valid_o,
    input  logic                   unit_ready_i,
    output logic [   StepBits-1:0] step_o,
    output logic [Words*Width-1:0] operands_o
);

  typedef logic [StepBits-1:0] step_t;

  step_t step_q;
  seq_t flight_q;  // slots that are promised to jobs on the way
  logic valid, issue, last;

  assign unit_valid_o = valid && (step_q != 0 || room_i >= flight_q + seq_t'(Frames));
  assign issue = unit_valid_o && unit_ready_i;
  assign last = step_q == step_t'(Steps - 1);
  assign step_o = step_q;

  eccel_link_feed #(
      .Width(Width),
      .Words(Words)
  ) u_feed (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .data_i,
      .valid_o(valid),
      .ready_i(issue && last),
      .value_o(operands_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      step_q   <= '0;
      flight_q <= '0;
    end else begin
      if (issue) step_q <= last ? '0 : step_q + 1'b1;
      flight_q <= flight_q + (issue && step_q == 0 ? seq_t'(Frames) : '0) -
          (sent_i ? seq_t'(Frames) : '0);
    end
  end

endmodule
