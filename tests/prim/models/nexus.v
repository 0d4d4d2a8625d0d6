// Behaviour of the Nexus block RAM as Yosys maps it, for gate-level simulation: Yosys has a black box only.

module PDPSC16K #(
    parameter DATA_WIDTH_W = "X36", parameter DATA_WIDTH_R = "X36", parameter OUTREG = "BYPASSED",
    parameter RESETMODE = "SYNC", parameter GSR = "ENABLED", parameter ECC = "DISABLED",
    parameter CSDECODE_W = "000", parameter CSDECODE_R = "000", parameter ASYNC_RST_RELEASE = "SYNC",
    parameter [655:0] INITVAL_00 = 0, parameter [655:0] INITVAL_01 = 0, parameter [655:0] INITVAL_02 = 0,
    parameter [655:0] INITVAL_03 = 0, parameter [655:0] INITVAL_04 = 0, parameter [655:0] INITVAL_05 = 0,
    parameter [655:0] INITVAL_06 = 0, parameter [655:0] INITVAL_07 = 0, parameter [655:0] INITVAL_08 = 0,
    parameter [655:0] INITVAL_09 = 0, parameter [655:0] INITVAL_0A = 0, parameter [655:0] INITVAL_0B = 0,
    parameter [655:0] INITVAL_0C = 0, parameter [655:0] INITVAL_0D = 0, parameter [655:0] INITVAL_0E = 0,
    parameter [655:0] INITVAL_0F = 0, parameter [655:0] INITVAL_10 = 0, parameter [655:0] INITVAL_11 = 0,
    parameter [655:0] INITVAL_12 = 0, parameter [655:0] INITVAL_13 = 0, parameter [655:0] INITVAL_14 = 0,
    parameter [655:0] INITVAL_15 = 0, parameter [655:0] INITVAL_16 = 0, parameter [655:0] INITVAL_17 = 0,
    parameter [655:0] INITVAL_18 = 0, parameter [655:0] INITVAL_19 = 0, parameter [655:0] INITVAL_1A = 0,
    parameter [655:0] INITVAL_1B = 0, parameter [655:0] INITVAL_1C = 0, parameter [655:0] INITVAL_1D = 0,
    parameter [655:0] INITVAL_1E = 0, parameter [655:0] INITVAL_1F = 0, parameter [655:0] INITVAL_20 = 0,
    parameter [655:0] INITVAL_21 = 0, parameter [655:0] INITVAL_22 = 0, parameter [655:0] INITVAL_23 = 0,
    parameter [655:0] INITVAL_24 = 0, parameter [655:0] INITVAL_25 = 0, parameter [655:0] INITVAL_26 = 0,
    parameter [655:0] INITVAL_27 = 0, parameter [655:0] INITVAL_28 = 0, parameter [655:0] INITVAL_29 = 0,
    parameter [655:0] INITVAL_2A = 0, parameter [655:0] INITVAL_2B = 0, parameter [655:0] INITVAL_2C = 0,
    parameter [655:0] INITVAL_2D = 0, parameter [655:0] INITVAL_2E = 0, parameter [655:0] INITVAL_2F = 0,
    parameter [655:0] INITVAL_30 = 0, parameter [655:0] INITVAL_31 = 0, parameter [655:0] INITVAL_32 = 0,
    parameter [655:0] INITVAL_33 = 0, parameter [655:0] INITVAL_34 = 0, parameter [655:0] INITVAL_35 = 0,
    parameter [655:0] INITVAL_36 = 0, parameter [655:0] INITVAL_37 = 0, parameter [655:0] INITVAL_38 = 0,
    parameter [655:0] INITVAL_39 = 0, parameter [655:0] INITVAL_3A = 0, parameter [655:0] INITVAL_3B = 0,
    parameter [655:0] INITVAL_3C = 0, parameter [655:0] INITVAL_3D = 0, parameter [655:0] INITVAL_3E = 0,
    parameter [655:0] INITVAL_3F = 0
) (
    input [35:0] DI, input [13:0] ADW, input [13:0] ADR, input CLK, input CER, input CEW, input [2:0] CSW,
    input [2:0] CSR, input RST, output [35:0] DO
);
  // 2048 units of 9 bits; an INITVAL is a text "0x" + 80 digits and holds 32 of them in fields of 10 bits.
  reg [8:0] mem[0:2047];
  wire [64*656-1:0] image = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
      INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31,
      INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29,
      INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21,
      INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19,
      INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11,
      INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09,
      INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
      INITVAL_00};
  function automatic [319:0] digits(input [655:0] text);
    reg [7:0] c;
    for (int i = 0; i < 80; i = i + 1) begin
      c = text[i*8+:8];
      digits[i*4+:4] = c >= "a" ? 4'(c - "a" + 10) : c >= "A" ? 4'(c - "A" + 10) : c >= "0" ? 4'(c - "0") : 4'd0;
    end
  endfunction
  reg [319:0] row;
  initial
    for (int r = 0; r < 64; r = r + 1) begin
      row = digits(image[r*656+:656]);
      for (int i = 0; i < 32; i = i + 1) mem[r*32+i] = row[i*10+:9];
    end

  localparam int UnitsW = DATA_WIDTH_W == "X36" ? 4 : DATA_WIDTH_W == "X18" ? 2 : 1;
  localparam int UnitsR = DATA_WIDTH_R == "X36" ? 4 : DATA_WIDTH_R == "X18" ? 2 : 1;
  reg [35:0] q;
  always @(posedge CLK) begin
    if (CEW && CSW == 3'b111)
      for (int u = 0; u < UnitsW; u = u + 1)
        if (UnitsW == 1 || ADW[u]) mem[(ADW[13:3] & ~11'(UnitsW - 1)) | 11'(u)] <= DI[u*9+:9];
    if (CER && CSR == 3'b111)
      for (int u = 0; u < UnitsR; u = u + 1) q[u*9+:9] <= mem[(ADR[13:3] & ~11'(UnitsR - 1)) | 11'(u)];
    if (RST || OUTREG != "BYPASSED") $fatal(1, "PDPSC16K: mode not modelled");
  end
  assign DO = q;
endmodule
