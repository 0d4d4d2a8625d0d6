// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ECP5 twin of rtl/prim/eccel_ff_copy.sv, which has the contract.

module eccel_ff_copy (
    input  logic clk_i,
    input  logic d_i,
    output logic q_o
);

  FD1S3AX #(
      .GSR("DISABLED")
  ) u_ff (
      .CK(clk_i),
      .D (d_i),
      .Q (q_o)
  );

endmodule
