// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Field unit of the turbo engine: products and sums modulo one sparse prime p, at the same time, on
// 64 registers for each thread.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg with `words` W >= 5; Threads T: 1, 2, 4
//            or 8. Karatsuba: three quarters of the multipliers (P-256, secp256k1).
// Requires   valid_i comes with op_i (see eccel_turbo_pkg), the registers, and sel_i, the secret
//            bit B of each thread. ready_o accepts the instruction. Operands of mul, mull, mulh,
//            mulw, add, sub, addsub and canon are below 2^n, n the number of bits of p. rd of mulw
//            is even. port_start_i comes only with idle_o.
// Guarantees Registers of each thread change as if instructions ran one by one:
//              mul, add, sub     ra * rb, ra + rb, ra - rb mod p, in [0, 2^n)
//              addsub            B ? ra - rb : ra + rb mod p, in [0, 2^n)
//              canon             ra mod p, in [0, p)
//              mull, mulh        ra * rb mod 2^n, floor(ra * rb / 2^n)
//              mulw              both: rd as mull, rd + 1 as mulh
//              mov               ra, all of W words
//              csel              B ? rb : ra, all of W words
//              iadd, isub        ra + rb, ra - rb mod 2^(32 W); C = carry or borrow
//              cadd              ra + (B ? rb : 0) mod 2^(32 W); C = carry
//              caddc             ra + (C ? rb : 0) mod 2^(32 W); C = carry; an operand or the
//                                result is the register that the operation which set C wrote
//              mov with rb_i[0]  the words that come to the port, all of W words
//            zero_o and carry_o, valid with idle_o, are flags Z and C of each thread. All
//            operations but products set Z: the result is 0 in all words. Timing does not depend on
//            data, only on operations and register numbers.
// Port       port_start_i moves W words of register port_reg_i of thread port_thread_i; word j
//            moves 7 + j cycles after port_start_i. With port_we_i it is port_wdata_i, else
//            port_rdata_o. Flags do not change. Of a mov with rb_i[0], word j is port_wdata_i 4 + j
//            cycles after take_o, threads in order. port_wdata_i is 0 in all other cycles in which
//            a sum is in flight.
// Trace      done_o: word 0 of register rd_o of thread_o is being written.
// Interval   For each thread a product takes 2 W cycles, a sum W (rounded up to even). The threads
//            of an instruction follow in order, 0 first.
// Latency    From the issue of an operation to the issue of one that reads its result: product 4 W
//            + 15 + last_position cycles (P-256: 55; with Karatsuba 6 more), sum W + 11. mulw
//            takes W more, for either result. An instruction issues 5 cycles after valid_i if
//            nothing delays it.

module eccel_gfp_turbo
  import eccel_solinas_pkg::*;
  import eccel_turbo_isa_pkg::*;
  import eccel_turbo_pkg::*;
#(
    parameter int Prime = P256,
    parameter int Threads = 4,
    parameter bit Karatsuba = 1'b0,
    localparam int WordBits = 32,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic               valid_i,
    input  logic [        3:0] op_i,
    input  logic [Threads-1:0] sel_i,
    input  logic [        5:0] rd_i,
    input  logic [        5:0] ra_i,
    input  logic [        5:0] rb_i,
    output logic               ready_o,
    output logic               idle_o,
    output logic [Threads-1:0] zero_o,
    output logic [Threads-1:0] carry_o,

    input  logic                  port_start_i,
    input  logic                  port_we_i,
    input  logic [ThreadBits-1:0] port_thread_i,
    input  logic [           5:0] port_reg_i,
    input  logic [  WordBits-1:0] port_wdata_i,
    output logic [  WordBits-1:0] port_rdata_o,
    output logic                  take_o,

    output logic                  done_o,
    output logic [           5:0] rd_o,
    output logic [ThreadBits-1:0] thread_o
);

  localparam field_t Field = field(Prime);
  localparam int Words = Field.words;
  localparam int DigitBits = Field.digit_bits;
  localparam int AddrBits = $clog2(64 * Threads);
  // Cycles from *_issue_o to the first word of the result.
  localparam int MulFirst = product_latency(Words, Field.multiply_latency, Karatsuba) - 2;
  localparam int SumFirst = sum_latency(Words) - 2;

  if (2 * DigitBits != WordBits || Words < 5) begin : gen_words
    $error("eccel_gfp_turbo: words of 32 bits, five at least");
  end

  typedef logic [WordBits-1:0] word_t;

  logic mul_issue, sum_issue, take, terms_first, terms_pass, mul_first, sum_first, file_busy, issue_busy;
  half_e half;
  sum_t sum_op, op, last_op;
  logic [AddrBits-1:0] raddr, mul_waddr, sum_waddr, waddr;
  logic [ThreadBits-1:0] sum_thread;
  logic flag_carry_q[Threads];
  word_t rdata[Words];
  word_t x, y, mul_word, sum_word;

  // ------------------------------------------------------------------ times of the two pipelines

  // *_issue, as many cycles ago. The second result of a product comes as if it had been issued W
  // cycles later.
  logic [MulFirst-1:1] mul_at_q;
  logic [SumFirst+Words+1:1] sum_at_q;
  logic [2:1] mul_read_q;
  logic mul_again, mul_more_q;  // the second result, as if issued again
  logic mul_part, mul_part_q, mul_second_q;  // first of two results; the second one is written

  always_ff @(posedge clk_i) begin
    mul_read_q <= {mul_read_q[1], mul_issue};
    mul_at_q   <= {mul_at_q[MulFirst-2:1], mul_issue || mul_again};
    if (mul_issue) mul_more_q <= half == BothHalves;
    else if (mul_again) mul_more_q <= 1'b0;
    if (mul_at_q[MulFirst-2]) mul_part_q <= mul_part;
    if (mul_first) mul_second_q <= mul_at_q[MulFirst-Words] && !mul_second_q;
    sum_at_q <= {sum_at_q[SumFirst+Words:1], sum_issue};
    if (!rst_ni) begin
      mul_at_q     <= '0;
      sum_at_q     <= '0;
      mul_read_q   <= '0;
      mul_more_q   <= 1'b0;
      mul_part_q   <= 1'b0;
      mul_second_q <= 1'b0;
    end
  end

  assign mul_again = mul_at_q[Words] && mul_more_q;
  // Products are 2 W cycles apart, so that an issue W cycles after one stands for its second
  // result.
  assign mul_part  = mul_at_q[MulFirst-2-Words] && !mul_part_q;

  eccel_turbo_issue #(
      .Prime    (Prime),
      .Threads  (Threads),
      .Karatsuba(Karatsuba)
  ) u_issue (
      .clk_i,
      .rst_ni,
      .valid_i,
      .op_i        (op_e'(op_i)),
      .sel_i,
      .rd_i,
      .ra_i,
      .rb_i,
      .ready_o,
      .port_start_i,
      .port_we_i,
      .port_thread_i,
      .port_reg_i,
      .carry_i     (flag_carry_q),
      .clash_i     (mul_at_q[MulFirst-SumFirst-2]),
      .mul_done_i  (mul_at_q[MulFirst-2] && !mul_part),
      .sum_done_i  (sum_at_q[SumFirst-2]),
      .mul_waddr_o (mul_waddr),
      .sum_waddr_o (sum_waddr),
      .sum_thread_o(sum_thread),
      .mul_issue_o (mul_issue),
      .half_o      (half),
      .sum_issue_o (sum_issue),
      .sum_o       (sum_op),
      .take_o      (take),
      .raddr_o     (raddr),
      .busy_o      (issue_busy)
  );

  eccel_turbo_file #(
      .Words   (Words),
      .Depth   (64 * Threads),
      .WordBits(WordBits)
  ) u_file (
      .clk_i,
      .rst_ni,
      .raddr_i    (raddr),
      .rdata_o    (rdata),
      .mul_first_i(mul_first),
      .mul_addr_i (mul_waddr | AddrBits'(mul_second_q)),
      .mul_word_i (mul_word),
      .sum_first_i(sum_first),
      .sum_addr_i (sum_waddr),
      .sum_word_i (sum_word),
      .first_o    (done_o),
      .addr_o     (waddr),
      .busy_o     (file_busy)
  );

  // ------------------------------------------------------------------ arithmetic

  localparam int FactorBits = Karatsuba ? 2 * DigitBits : DigitBits;

  logic start, carry;
  logic [Field.lanes*DigitBits-1:0] a;
  logic [FactorBits-1:0] b_digit;

  if (Karatsuba) begin : gen_factors
    if (Words != 8 || Field.lanes != 16) begin : gen_sizes
      $error("eccel_gfp_turbo: with Karatsuba 8 words and 16 digits");
    end
    eccel_karatsuba_factors #(
        .DigitBits(DigitBits)
    ) u_factors (
        .clk_i,
        .rst_ni,
        .read_i  (mul_read_q[2]),
        .rdata_i (rdata),
        .start_o (start),
        .a_o     (a),
        .digits_o(b_digit)
    );
  end else begin : gen_factors
    eccel_turbo_factors #(
        .DigitBits(DigitBits),
        .Words    (Words),
        .Lanes    (Field.lanes)
    ) u_factors (
        .clk_i,
        .rst_ni,
        .read_i (mul_read_q[2]),
        .rdata_i(rdata),
        .start_o(start),
        .a_o    (a),
        .digit_o(b_digit)
    );
  end

  eccel_turbo_terms #(
      .Prime(Prime)
  ) u_terms (
      .clk_i,
      .rst_ni,
      .issue_i  (sum_issue),
      .op_i     (sum_op),
      .rdata_i  (rdata),
      .port_i   (port_wdata_i),
      .end_i    (sum_at_q[Words]),
      .first_o  (terms_first),
      .pass_o   (terms_pass),
      .op_o     (op),
      .last_op_o(last_op),
      .x_soon_o (port_rdata_o),
      .x_o      (x),
      .y_o      (y)
  );

  eccel_solinas_core #(
      .Prime    (Prime),
      .Karatsuba(Karatsuba)
  ) u_core (
      .clk_i,
      .rst_ni,
      .mul_start_i(start),
      .half_i     (half),
      .a_i        (a),
      .b_digit_i  (b_digit),
      .mul_first_o(mul_first),
      .mul_word_o (mul_word),
      .sum_first_i(terms_first),
      .sum_pass_i (terms_pass),
      .add_i      (op.add),
      .sub_i      (op.sub),
      .whole_i    (op.whole),
      .canon_i    (op.canon),
      .x_i        (x),
      .y_i        (y),
      .carry_o    (carry),
      .sum_first_o(sum_first),
      .sum_word_o (sum_word)
  );

  // ------------------------------------------------------------------ flags

  localparam int Parts = WordBits / 4;

  logic [Parts-1:0] part_q;  // some bit of four is 1
  logic some_q, idle_q;
  logic port_q;  // a transfer of the port sets no flags

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Parts; i++) part_q[i] <= |sum_word[4*i+:4];
    some_q <= (|part_q) || some_q && !sum_at_q[SumFirst+1];
    if (sum_at_q[SumFirst+Words+1]) begin
      port_q <= 1'b0;
      if (!port_q) zero_o <= Threads'({!some_q, zero_o} >> 1);
    end
    if (port_start_i) port_q <= 1'b1;
    for (int t = 0; t < Threads; t++) begin
      if (sum_at_q[Words+5] && last_op.set_carry && int'(sum_thread) == t) flag_carry_q[t] <= carry;
    end
    idle_q <= !issue_busy && !file_busy && !port_start_i;
    if (!rst_ni) begin
      idle_q <= 1'b0;
      port_q <= 1'b0;
    end
  end

  for (genvar t = 0; t < Threads; t++) begin : gen_carry
    assign carry_o[t] = flag_carry_q[t];
  end

  assign idle_o = idle_q && ready_o;
  assign take_o = sum_issue && take;
  assign rd_o   = waddr[5:0];
  if (Threads > 1) begin : gen_thread
    assign thread_o = waddr[AddrBits-1:6];
  end else begin : gen_one_thread
    assign thread_o = 1'b0;
  end

endmodule
