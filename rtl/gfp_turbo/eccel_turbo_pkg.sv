// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operations of the field unit of the turbo engine (eccel_gfp_turbo), and their times in cycles.

package eccel_turbo_pkg;

  import eccel_turbo_isa_pkg::*;

  // An operation x +- y of the adder, as it goes down the pipeline.
  typedef struct packed {
    logic take_y;     // y instead of x
    logic add;        // add y; with neither add nor sub the result is x
    logic sub;
    logic whole;      // an operation on integers, else modulo p
    logic canon;      // y = 2^n - p
    logic set_carry;
    logic load;       // x comes from the port
  } sum_t;

  function automatic logic is_product(op_e op);
    return op inside {OpMul, OpMull, OpMulh, OpMulx, OpMulw};
  endfunction

  // Whether words of a table entry replace register ra; mark: lowest bit of rb.
  function automatic logic takes(op_e op, logic mark);
    return op == OpMov && mark;
  endfunction

  // Whether register rb is an operand.
  function automatic logic reads_b(op_e op);
    return !(op inside {OpCanon, OpMov});
  endfunction

  // Whether rb is the first operand, x, and ra the second one. A waiting operation reads x, and
  // selections usually replace ra: x should not be what the last one wrote.
  function automatic logic swaps(op_e op);
    return op == OpCsel;
  endfunction

  // Whether a register is another one; pair: or its even or odd neighbour.
  function automatic logic overlap(logic [5:0] a, logic [5:0] b, logic pair);
    return a[5:1] == b[5:1] && (pair || a[0] == b[0]);
  endfunction

  // b: the secret bit that the operation uses.
  function automatic sum_t decode(op_e op, logic b);
    sum_t sum;
    sum       = '0;
    sum.whole = op inside {OpMov, OpMovx, OpCsel, OpIadd, OpIsub, OpCadd, OpCaddc};
    unique case (op)
      OpAdd:   sum.add = 1'b1;
      OpSub:   sum.sub = 1'b1;
      OpCanon: {sum.add, sum.canon} = '1;
      OpCsel:  sum.take_y = !b;
      OpMovx:  sum.take_y = 1'b1;
      OpIadd:  {sum.add, sum.set_carry} = '1;
      OpIsub:  {sum.sub, sum.set_carry} = '1;
      OpCadd, OpCaddc: {sum.add, sum.set_carry} = {b, 1'b1};
      OpAddsub: {sum.sub, sum.add} = {b, !b};
      default: ;
    endcase
    return sum;
  endfunction

  // Cycles from the issue of an operation on W words to that of one that reads its result; mulw: W
  // more. With Karatsuba the core takes words / 2 + 3 more, and starts words - 7 earlier.
  function automatic int product_latency(int words, int core_latency, bit karatsuba);
    return core_latency + (karatsuba ? words / 2 + 13 : words + 3);
  endfunction

  function automatic int sum_latency(int words);
    return words + 11;
  endfunction

  // Least cycles between two operations of the adder: y comes one word after x, from the other
  // banks.
  function automatic int sum_interval(int words);
    return words + words % 2;
  endfunction

  // Most instructions of a pipeline in flight when the next one must be ready to follow without a
  // gap.
  function automatic int flights(int latency, int interval, int threads);
    return 1 + (latency - interval + 3 + interval * threads) / (interval * threads);
  endfunction

endpackage
