// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// S-box of AES and its inverse, combinational.
//
// Parameters Form of the inversion in GF(2^8), which both directions share. 0: in a tower of
//            fields; 1: a table.
// Guarantees y_o is SubBytes of x_i, or with decrypt_i InvSubBytes.

module eccel_aes_sbox
  import eccel_aes_pkg::*;
#(
    parameter int Form = 0
) (
    input  logic       decrypt_i,
    input  logic [7:0] x_i,
    output logic [7:0] y_o
);

  logic [7:0] x, t, u;

  if (Form == 0) begin : gen_tower
    assign x = x_i ^ AffineConstant;
    assign t = decrypt_i ? linear(UnAffineToTower, x) : linear(ToTower, x_i);
    assign u = invert_tower(t);
    assign y_o = decrypt_i ? linear(FromTower, u) : linear(FromTowerAffine, u) ^ AffineConstant;
  end else begin : gen_table
    localparam logic [2047:0] Inverses = inverses();
    assign x = x_i ^ AffineConstant;
    assign t = decrypt_i ? linear(UnAffine, x) : x_i;
    assign u = Inverses[8*t+:8];
    assign y_o = decrypt_i ? u : linear(Affine, u) ^ AffineConstant;
  end

endmodule
