// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// One bit of a Montgomery product in one segment of its sum, combinational:
// s' = (s + q n) / 2 + a b.
//
// Parameters Segment >= 3: bits of b and n.
// Requires   s_i < 2^(Segment + 2). The bit that leaves the segment above is above_i.
// Guarantees s_o < 2^(Segment + 2). low_o is the bit that leaves this segment.
//            The bound holds because s_o <= (s + n) / 2 + 2^(Segment - 1) + b, and n and b are
//            below 2^Segment.
//
// Both carry chains end with the segment. What they carry out stays in the two upper bits of s.

module eccel_montgomery_step #(
    parameter int Segment = 65
) (
    input  logic [Segment+1:0] s_i,
    input  logic               q_i,
    input  logic [Segment-1:0] n_i,
    input  logic               above_i,
    input  logic               a_i,
    input  logic [Segment-1:0] b_i,
    output logic               low_o,
    output logic [Segment+1:0] s_o
);

  logic [Segment:0] u, v;
  logic [2:0] top;
  logic [Segment+1:0] half;

  eccel_add_mux #(
      .Width(Segment + 1)
  ) u_modulus (
      .a_i  ({1'b0, s_i[Segment-1:0]}),
      .b_i  ({1'b0, n_i}),
      .c_i  ('0),
      .sel_i(q_i),
      .sum_o(u)
  );
  eccel_add_mux #(
      .Width(Segment + 1)
  ) u_factor (
      .a_i  ({1'b0, half[Segment-1:0]}),
      .b_i  ({1'b0, b_i}),
      .c_i  ('0),
      .sel_i(a_i),
      .sum_o(v)
  );

  assign top = 3'(s_i[Segment+1:Segment]) + 3'(u[Segment]) + 3'(above_i);
  assign half = {top, u[Segment-1:1]};
  assign low_o = u[0];
  assign s_o = {half[Segment+1:Segment] + 2'(v[Segment]), v[Segment-1:0]};

endmodule
