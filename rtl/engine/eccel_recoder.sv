// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Two recoders that take turns: bits of public scalars, highest first, become signed digits 0, +-1,
// +-3 to +-15. On average one digit of six differs from 0.
//
// Requires   The bits are those of 32 k, which end with five zeros. Six zeros or clear_i come
//            before them.
// Guarantees While bit j of 32 k is at bit_i, digit j is at the outputs: due_o if it is not 0; then
//            sign_o if it is negative, and window_o = (|digit| - 1) / 2.
// Latency    0 from bit_i. step_i stores what the next bit but one needs. clear_i and step_i are at
//            least two cycles apart.
// After      Okeya, Schmidt-Samoa, Spahn, Takagi, CRYPTO 2004 (wMOF, w = 5). Differences: a window
//            ends at its lowest digit that is not 0, so that table entries are odd; since that
//            digit of the difference form is 1, the bits above it, relative to the first, are
//            |digit| without its lowest bit.

module eccel_recoder (
    input  logic       clk_i,
    input  logic       clear_i,
    input  logic       step_i,
    input  logic       bit_i,
    output logic       due_o,
    output logic       sign_o,
    output logic [2:0] window_o
);

  typedef struct packed {
    logic [4:0] ahead;  // bits j .. j-4 of k; bit j-5 is at bit_i
    logic [3:0] age;    // one-hot: digits since the open window began, 1 to 4; 0: none is open
    logic       sign;   // the bit that opened the window
    logic [2:0] window;
  } state_t;

  state_t now_q, other_q, next;
  logic start;
  logic [3:1] same;  // same[i]: bits j-1 .. j-1-i are equal
  logic due_q, due_if_same_q, start_q;  // without bit j-5; if that is also equal

  assign start = now_q.age == 0 && now_q.ahead[4] != now_q.ahead[3];
  assign same[1] = now_q.ahead[3] == now_q.ahead[2];
  assign same[2] = same[1] && now_q.ahead[3] == now_q.ahead[1];
  assign same[3] = same[2] && now_q.ahead[3] == now_q.ahead[0];

  always_ff @(posedge clk_i) begin
    start_q       <= start;
    due_q         <= now_q.age[0] && same[3] || now_q.age[1] && same[2] || now_q.age[2] && same[1] || now_q.age[3];
    due_if_same_q <= start && same[3];
  end

  assign due_o    = due_q || due_if_same_q && now_q.ahead[3] == bit_i;
  assign sign_o   = start_q ? now_q.ahead[4] : now_q.sign;
  assign window_o = start_q ? 3'd0 : now_q.window;

  always_comb begin
    next.ahead  = {now_q.ahead[3:0], bit_i};
    next.age    = due_o ? 4'd0 : {now_q.age[2:0], start_q};
    next.sign   = sign_o;
    next.window = {window_o[1:0], now_q.ahead[4] ^ sign_o};
  end

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      now_q   <= other_q;
      other_q <= next;
    end
    if (clear_i) begin
      now_q   <= '0;
      other_q <= '0;
    end
  end

endmodule
