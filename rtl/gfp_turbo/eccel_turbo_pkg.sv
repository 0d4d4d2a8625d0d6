// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operations and clocks of the turbo engine's field unit.

package eccel_turbo_pkg;

  import eccel_turbo_isa_pkg::*;

  // An operation x +- y of the adder, as it goes down the pipeline.
  typedef struct packed {
    logic drop_x;     // 0 in the place of x
    logic add;        // y; neither: x alone
    logic sub;
    logic whole;      // of integers, else modulo p
    logic canon;      // y = 2^n - p
    logic set_carry;
    logic load;       // x from outside
  } sum_t;

  function automatic logic is_product(op_e op);
    return op inside {OpMul, OpMull, OpMulh, OpMulx, OpMulw};
  endfunction

  // Whether words of a table entry take the place of register ra; mark: lowest bit of rb.
  function automatic logic takes(op_e op, logic mark);
    return op == OpMov && mark;
  endfunction

  // Whether register rb is an operand.
  function automatic logic reads_b(op_e op);
    return !(op inside {OpCanon, OpMov});
  endfunction

  // Whether a register is another one; pair: or its even or odd neighbour.
  function automatic logic overlap(logic [5:0] a, logic [5:0] b, logic pair);
    return a[5:1] == b[5:1] && (pair || a[0] == b[0]);
  endfunction

  // b: the secret bit that the operation looks at.
  function automatic sum_t decode(op_e op, logic b);
    sum_t sum;
    sum       = '0;
    sum.whole = op inside {OpMov, OpMovx, OpCsel, OpIadd, OpIsub, OpCadd, OpCaddc};
    unique case (op)
      OpAdd:   sum.add = 1'b1;
      OpSub:   sum.sub = 1'b1;
      OpCanon: {sum.add, sum.canon} = '1;
      OpCsel:  {sum.drop_x, sum.add} = {2{b}};
      OpMovx:  {sum.drop_x, sum.add} = '1;
      OpIadd:  {sum.add, sum.set_carry} = '1;
      OpIsub:  {sum.sub, sum.set_carry} = '1;
      OpCadd, OpCaddc: {sum.add, sum.set_carry} = {b, 1'b1};
      OpAddsub: {sum.sub, sum.add} = {b, !b};
      default: ;
    endcase
    return sum;
  endfunction

  // Clocks between reads of a register of W words: result of one operation, operand of the next; of mulw W more.
  function automatic int product_latency(int words, int core_latency);
    return words + core_latency + 3;
  endfunction

  function automatic int sum_latency(int words);
    return words + 11;
  endfunction

  // Least clocks between two operations of the adder: y is one word behind x, from the other banks.
  function automatic int sum_interval(int words);
    return words + words % 2;
  endfunction

  // Instructions of a pipeline that are under way when the next one has to be there for the last to be followed at once.
  function automatic int flights(int latency, int interval, int threads);
    return 1 + (latency - interval + 3 + interval * threads) / (interval * threads);
  endfunction

endpackage
