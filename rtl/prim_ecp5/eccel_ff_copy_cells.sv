// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Black box of the ECP5 cell that eccel_ff_copy.sv instantiates. It is for front ends that need
// every module declared (slang). Vendor tools have their own: leave this file out there.

(* blackbox *)
module FD1S3AX #(
    parameter GSR = "ENABLED"
) (
    input  logic CK,
    input  logic D,
    output logic Q
);
endmodule
