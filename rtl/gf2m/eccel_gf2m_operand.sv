// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// An operand from where it stands.
//
// Parameters Width of an element.
// Requires   from_i; file_i: the file's two candidates; result_i, after_i: registers; one_i: the value 1, as elements stand.
// Guarantees value_o: what from_i names, or 0. Sums, not disjunctions: what follows are sums as well.

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
