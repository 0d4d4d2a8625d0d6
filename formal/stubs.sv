// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Stand-ins for memories and multipliers in proofs that control does not depend on secrets: their
// data outputs may have any value, and their control inputs are wires named formal_*, which the
// proof must find equal.
//
// The contents of RAMs and all products are secret and may change in every cycle. A ROM gives the
// same word in both copies of the design that the proof compares: formal_public. That assumes
// nothing about time: two ROMs with equal contents give equal words if their addresses were equal
// two cycles before, which the proof shows (formal_raddr).

// This module has no body: the proof replaces q_o by a free value.
(* blackbox *)
module eccel_free #(
    parameter int Width = 1
) (
    output logic [Width-1:0] q_o
);
endmodule

module eccel_ram #(
    parameter int Width = 32,
    parameter int Depth = 512,
    parameter InitFile = "",
    localparam int AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                clr_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [   Width-1:0] wdata_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [   Width-1:0] rdata_o
);
  (* keep *) logic formal_we;
  (* keep *) logic [AddrBits-1:0] formal_waddr, formal_raddr;
  assign formal_we = we_i;
  assign formal_waddr = we_i ? waddr_i : '0;
  assign formal_raddr = raddr_i;
  eccel_free #(.Width(Width)) u_free (.q_o(rdata_o));
endmodule

module eccel_rom #(
    parameter int Width = 24,
    parameter int Depth = 2048,
    parameter InitFile = "",
    localparam int AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [   Width-1:0] rdata_o
);
  (* keep *) logic [AddrBits-1:0] formal_raddr;
  (* keep *) logic [Width-1:0] formal_public;
  assign formal_raddr = raddr_i;
  assign formal_public = rdata_o;
  eccel_free #(.Width(Width)) u_free (.q_o(rdata_o));
endmodule

module eccel_mul18 #(
    parameter int WidthA = 18,
    parameter int WidthB = 18,
    parameter bit Pipe   = 1'b0,
    parameter bit OutReg = 1'b1
) (
    input  logic                     clk_i,
    input  logic                     a_en_i,
    input  logic                     a_clr_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic                     b_en_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);
  (* keep *) logic [2:0] formal_control;
  assign formal_control = {a_en_i, a_clr_i, b_en_i};
  eccel_free #(.Width(WidthA + WidthB)) u_free (.q_o(p_o));
endmodule
