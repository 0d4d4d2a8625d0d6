// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Issue of the turbo field unit: takes instructions in program order and issues their threads in
// two streams, products and sums.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg; Threads: a power of two; Karatsuba: of
//            the core.
// Requires   valid_i comes with op_i, sel_i and the registers; ready_o accepts the instruction.
//            port_start_i comes only if no instruction is waiting or in flight. *_done_i comes as
//            often as an operation was issued, in order, 3 cycles before the first cycle in which a
//            read of the result may start. clash_i: a sum issued in the next cycle would be written
//            together with a product. carry_i: flag C of each thread.
// Guarantees An instruction leaves its buffer when the last thread of the former instruction of its
//            kind has issued and no instruction of the other kind has still to read its result
//            register. Thread t issues when thread t of all earlier instructions that write its
//            operands or its result is done. Products issue at most every 2 * words cycles and
//            before sums; sums at most every `words` cycles (rounded up to even). mul_issue_o,
//            sum_issue_o: an operation issues; raddr_o is the address of its first operand, one
//            cycle later of its second one. half_o and sum_o are constant until the next operation
//            of the kind. *_waddr_o is valid two cycles after *_done_i. Timing does not depend on
//            data.
// Latency    *_issue_o comes at least 6 cycles after valid_i, and 3 cycles after port_start_i.

module eccel_turbo_issue
  import eccel_solinas_pkg::*;
  import eccel_turbo_isa_pkg::*;
  import eccel_turbo_pkg::*;
#(
    parameter int Prime = P256,
    parameter int Threads = 4,
    parameter bit Karatsuba = 1'b0,
    localparam field_t Field = field(Prime),
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1,
    localparam int AddrBits = $clog2(64 * Threads)
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic               valid_i,
    input  op_e                op_i,
    input  logic [Threads-1:0] sel_i,
    input  logic [        5:0] rd_i,
    input  logic [        5:0] ra_i,
    input  logic [        5:0] rb_i,
    output logic               ready_o,

    input logic                  port_start_i,
    input logic                  port_we_i,
    input logic [ThreadBits-1:0] port_thread_i,
    input logic [           5:0] port_reg_i,

    input  logic                carry_i[Threads],
    input  logic                clash_i,
    input  logic                mul_done_i,
    input  logic                sum_done_i,
    output logic [AddrBits-1:0] mul_waddr_o,
    output logic [AddrBits-1:0] sum_waddr_o,
    output logic [ThreadBits-1:0] sum_thread_o,  // the thread that will be done next

    output logic                mul_issue_o,
    output half_e               half_o,
    output logic                sum_issue_o,
    output sum_t                sum_o,
    output logic                take_o,  // with sum_issue_o: x comes from the port
    output logic [AddrBits-1:0] raddr_o,
    output logic                busy_o
);

  localparam int Interval = 2 * Field.words;
  localparam int SumInterval = sum_interval(Field.words);
  localparam int MulLatency = product_latency(Field.words, Field.multiply_latency, Karatsuba);
  localparam int MulEntries = flights(MulLatency, Interval, Threads);
  localparam int SumEntries = flights(sum_latency(Field.words), SumInterval, Threads);
  localparam int Entries = MulEntries + SumEntries;

  typedef logic [ThreadBits-1:0] thread_t;

  // ------------------------------------------------------------------ buffer of one instruction

  logic head_q, compared_q, head_product_q;
  logic mul_known_q, sum_known_q;  // hit and free belong to this instruction
  logic head_pair_q, reads_b_q;  // it writes two registers; it reads rb
  logic free_q, mul_a_q, mul_b_q, sum_a_q, sum_b_q;  // its result is this operand of the slot
  op_e op_q;
  logic [Threads-1:0] sel_q;
  logic [5:0] rd_q, ra_q, rb_q;
  logic mul_load, sum_load, mul_full, sum_full;
  logic mul_valid, sum_valid, mul_ok, sum_ok;
  logic [5:0] mul_ra, mul_rb, sum_ra, sum_rb;

  assign ready_o  = !head_q;
  // A free register stays free until this instruction uses it, so that free_q may be one cycle old.
  assign mul_load = mul_known_q && free_q;
  assign sum_load = sum_known_q && free_q;

  always_ff @(posedge clk_i) begin
    if (!head_q) begin
      head_q         <= valid_i;
      head_product_q <= is_product(op_i);
      head_pair_q    <= op_i == OpMulw;
      reads_b_q      <= reads_b(op_i);
      op_q           <= op_i;
      sel_q          <= sel_i;
      rd_q           <= rd_i;
      ra_q           <= swaps(op_i) ? rb_i : ra_i;
      rb_q           <= swaps(op_i) ? ra_i : rb_i;
    end
    compared_q <= head_q;
    mul_known_q <= compared_q && head_product_q;
    sum_known_q <= compared_q && !head_product_q;
    if (mul_load || sum_load) begin
      head_q     <= 1'b0;
      compared_q <= 1'b0;
      {mul_known_q, sum_known_q} <= '0;
    end
    mul_a_q <= rd_q == mul_ra;
    mul_b_q <= rd_q == mul_rb;
    sum_a_q <= overlap(rd_q, sum_ra, head_pair_q);
    sum_b_q <= overlap(rd_q, sum_rb, head_pair_q);
    free_q  <= head_product_q ? !mul_valid && !mul_full && !(sum_valid && (sum_a_q || sum_b_q))
                              : !sum_valid && !sum_full && !(mul_valid && (mul_a_q || mul_b_q));
    if (!rst_ni) begin
      head_q     <= 1'b0;
      compared_q <= 1'b0;
      {mul_known_q, sum_known_q} <= '0;
    end
  end

  // ------------------------------------------------------------------ instructions in flight

  logic [MulEntries-1:0] mul_hit, mul_freed, mul_oldest;
  logic [SumEntries-1:0] sum_hit, sum_freed, sum_oldest;
  thread_t mul_done_thread, sum_done_thread, mul_thread, sum_thread;
  logic mul_empty, sum_empty;

  // Registered one cycle after the slot: the next instruction compares at least three cycles later.
  logic mul_begin_q, sum_begin_q, port_q;
  logic [5:0] port_reg_q;

  always_ff @(posedge clk_i) begin
    mul_begin_q <= mul_load;
    sum_begin_q <= sum_load || port_start_i;
    port_q      <= port_start_i;
    port_reg_q  <= port_reg_i;
    if (!rst_ni) {mul_begin_q, sum_begin_q} <= '0;
  end

  eccel_turbo_flight #(
      .Entries(MulEntries),
      .Threads(Threads),
      .Pairs  (1'b1)
  ) u_mul_flight (
      .clk_i,
      .rst_ni,
      .begin_i   (mul_begin_q),
      .begin_rd_i(rd_q),
      .pair_i    (head_pair_q),
      .single_i  (1'b0),
      .thread_i  ('0),
      .done_i    (mul_done_i),
      .ra_i      (ra_q),
      .rb_i      (rb_q),
      .rd_i      (rd_q),
      .reads_b_i (reads_b_q),
      .hit_o     (mul_hit),
      .freed_o   (mul_freed),
      .oldest_o  (mul_oldest),
      .thread_o  (mul_done_thread),
      .waddr_o   (mul_waddr_o),
      .full_o    (mul_full),
      .empty_o   (mul_empty)
  );

  eccel_turbo_flight #(
      .Entries(SumEntries),
      .Threads(Threads)
  ) u_sum_flight (
      .clk_i,
      .rst_ni,
      .begin_i   (sum_begin_q),
      .begin_rd_i(port_q ? port_reg_q : rd_q),
      .pair_i    (head_pair_q),
      .single_i  (port_q),
      .thread_i  (sum_thread),
      .done_i    (sum_done_i),
      .ra_i      (ra_q),
      .rb_i      (rb_q),
      .rd_i      (rd_q),
      .reads_b_i (reads_b_q),
      .hit_o     (sum_hit),
      .freed_o   (sum_freed),
      .oldest_o  (sum_oldest),
      .thread_o  (sum_done_thread),
      .waddr_o   (sum_waddr_o),
      .full_o    (sum_full),
      .empty_o   (sum_empty)
  );

  // ------------------------------------------------------------------ slots

  logic mul_go, sum_go;
  op_e sum_op_q;
  logic [Threads-1:0] sum_sel_q;
  half_e mul_half_q;
  logic load_q, take_q;

  function automatic logic [Entries-1:0] done(thread_t thread);
    return {
      mul_oldest & {MulEntries{thread < mul_done_thread}}, sum_oldest & {SumEntries{thread < sum_done_thread}}
    };
  endfunction

  eccel_turbo_slot #(
      .Entries(Entries),
      .Threads(Threads)
  ) u_mul_slot (
      .clk_i,
      .rst_ni,
      .load_i  (mul_load),
      .ra_i    (ra_q),
      .rb_i    (rb_q),
      .single_i(1'b0),
      .thread_i('0),
      .hit_i   ({mul_hit, sum_hit}),
      .freed_i ({mul_freed, sum_freed}),
      .done_i  (done(mul_thread)),
      .issue_i (mul_go),
      .valid_o (mul_valid),
      .ok_o    (mul_ok),
      .thread_o(mul_thread),
      .ra_o    (mul_ra),
      .rb_o    (mul_rb)
  );

  eccel_turbo_slot #(
      .Entries(Entries),
      .Threads(Threads)
  ) u_sum_slot (
      .clk_i,
      .rst_ni,
      .load_i  (sum_load || port_start_i),
      .ra_i    (port_q ? port_reg_q : ra_q),
      .rb_i    (rb_q),
      .single_i(port_start_i),
      .thread_i(port_thread_i),
      .hit_i   ({mul_hit, sum_hit} & {Entries{!port_start_i}}),
      .freed_i ({mul_freed, sum_freed}),
      .done_i  (done(sum_thread)),
      .issue_i (sum_go),
      .valid_o (sum_valid),
      .ok_o    (sum_ok),
      .thread_o(sum_thread),
      .ra_o    (sum_ra),
      .rb_o    (sum_rb)
  );

  always_ff @(posedge clk_i) begin
    if (mul_load) begin
      unique case (op_q)
        OpMull:  mul_half_q <= LowHalf;
        OpMulh:  mul_half_q <= HighHalf;
        OpMulw:  mul_half_q <= BothHalves;
        default: mul_half_q <= Reduced;
      endcase
    end
    if (sum_load) sum_sel_q <= sel_q;
    if (sum_load || port_start_i) begin
      sum_op_q <= port_start_i ? OpMov : op_q;
      load_q   <= port_start_i ? port_we_i : takes(op_q, rb_q[0]);
      take_q   <= !port_start_i;
    end
  end

  // ------------------------------------------------------------------ issue

  // Each issue takes two cycles, for the reads of its two operands. A sum does not issue in the
  // cycle before a product is due, so that a stream of products has no gaps.
  logic [Interval-1:1] mul_at_q;
  logic [SumInterval-1:1] sum_at_q;
  logic second_q, mul_wait_q, mul_far_q, mul_can_q, sum_wait_q, sum_can_q;
  logic go, mul_wait, sum_wait, pick_mul, select_q;
  logic [5:0] second_reg_q;
  sum_t sum_d;

  assign mul_go   = mul_ok && mul_can_q;
  assign sum_go   = sum_ok && sum_can_q && !(mul_ok && !mul_far_q);
  assign go       = mul_go || sum_go;
  assign mul_wait = mul_go || mul_wait_q && !mul_at_q[Interval-1];
  assign sum_wait = sum_go || sum_wait_q && !sum_at_q[SumInterval-1];
  assign pick_mul = mul_ok && mul_can_q;

  always_comb begin
    sum_d      = decode(sum_op_q, select_q);
    sum_d.load = load_q;
  end

  always_ff @(posedge clk_i) begin
    mul_at_q   <= {mul_at_q[Interval-2:1], mul_go};
    sum_at_q   <= {sum_at_q[SumInterval-2:1], sum_go};
    select_q   <= sum_op_q == OpCaddc ? carry_i[sum_thread] : sum_sel_q[sum_thread];
    second_q   <= go;
    mul_wait_q <= mul_wait;
    mul_can_q  <= !mul_wait && !go;
    mul_far_q  <= mul_go || mul_far_q && !mul_at_q[Interval-2];
    sum_wait_q <= sum_wait;
    sum_can_q  <= !sum_wait && !go && !clash_i;
    if (mul_go) half_o <= mul_half_q;
    if (sum_go) sum_o <= sum_d;
    if (sum_go) take_o <= load_q && take_q;
    second_reg_q <= pick_mul ? mul_rb : sum_rb;
    raddr_o[5:0] <= second_q ? second_reg_q : pick_mul ? mul_ra : sum_ra;
    if (!rst_ni) begin
      mul_at_q   <= '0;
      sum_at_q   <= '0;
      second_q   <= 1'b0;
      mul_wait_q <= 1'b0;
      mul_far_q  <= 1'b0;
      sum_wait_q <= 1'b0;
    end
  end
  if (Threads > 1) begin : gen_thread
    always_ff @(posedge clk_i) if (!second_q) raddr_o[AddrBits-1:6] <= pick_mul ? mul_thread : sum_thread;
  end

  assign mul_issue_o  = mul_at_q[1];
  assign sum_issue_o  = sum_at_q[1];
  assign sum_thread_o = sum_done_thread;
  assign busy_o = head_q || mul_valid || sum_valid || !mul_empty || !sum_empty;

endmodule
