// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Selects an operand of the binary field unit.
//
// Parameters Width of an element.
// Requires   from_i says where the operand comes from. file_i: two words of the register file.
//            result_i, after_i: result registers. one_i: the value 1 as elements are stored.
// Guarantees value_o is the value that from_i names, or 0. Combinational. The masked values are
//            added over GF(2), so that synthesis can join this sum with those that follow.

module eccel_gf2m_operand
  import eccel_gf2m_pkg::from_t;
#(
    parameter int Width = 163
) (
    input  from_t            from_i,
    input  logic [Width-1:0] file_i[2],
    input  logic [Width-1:0] result_i,
    input  logic [Width-1:0] after_i,
    input  logic [Width-1:0] one_i,
    output logic [Width-1:0] value_o
);

  assign value_o = (from_i.lower ? file_i[0] : '0) ^ (from_i.upper ? file_i[1] : '0)
      ^ (from_i.result ? result_i : '0) ^ (from_i.after ? after_i : '0) ^ (from_i.one ? one_i : '0);

endmodule
