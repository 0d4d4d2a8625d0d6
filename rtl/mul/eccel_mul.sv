// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A multiplier of any kind: p = a * b.
//
// Parameters Kind: see eccel_mul_pkg. Bits >= 2. Levels (Karatsuba), Word (carry-save, broadcast),
//            Lanes (Comba), Pipelined: see the unit of the kind. A parameter that the kind does not
//            have is ignored.
// Requires   Operands are taken in a cycle with valid_i and ready_o.
// Guarantees valid_o is high for one cycle with p_o, latency_o cycles after operands were taken.
//            ready_o is low for interval_o - 1 cycles after that cycle. rst_i forgets all products
//            on the way. No timing depends on data.
// Latency    eccel_mul_pkg::latency(Kind, Bits, Levels, Word, Lanes, Pipelined), also on latency_o
// Interval   eccel_mul_pkg::interval(..) of the same, also on interval_o

module eccel_mul #(
    parameter int Kind      = eccel_mul_pkg::ShiftAdd,
    parameter int Bits      = 32,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  if (Kind == eccel_mul_pkg::ShiftAdd) begin : gen_shift_add
    eccel_mul_shift_add #(
        .Bits     (Bits),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else if (Kind == eccel_mul_pkg::CarrySave) begin : gen_carry_save
    eccel_mul_carry_save #(
        .Bits     (Bits),
        .Word     (Word),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else if (Kind == eccel_mul_pkg::Booth) begin : gen_booth
    eccel_mul_booth #(
        .Bits     (Bits),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else if (Kind == eccel_mul_pkg::Karatsuba) begin : gen_karatsuba
    eccel_mul_karatsuba #(
        .Bits     (Bits),
        .Levels   (Levels),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else if (Kind == eccel_mul_pkg::Broadcast) begin : gen_broadcast
    eccel_mul_broadcast #(
        .Bits     (Bits),
        .Word     (Word),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else if (Kind == eccel_mul_pkg::Comba) begin : gen_comba
    eccel_mul_comba #(
        .Bits     (Bits),
        .Lanes    (Lanes),
        .Pipelined(Pipelined)
    ) u_mul (
        .clk_i,
        .rst_i,
        .valid_i,
        .ready_o,
        .a_i,
        .b_i,
        .valid_o,
        .p_o,
        .latency_o,
        .interval_o
    );
  end else begin : gen_unknown
    $error("eccel_mul: Kind is 0 to 5");
  end

endmodule
