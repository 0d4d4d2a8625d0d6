// Behaviour of the ECP5 cells that the twins use, written from the description of the blocks, for gate-level simulation:
// Yosys has black boxes only. What the twins do not use is not modelled and stops the simulation.

module MULT18X18D #(
    parameter REG_INPUTA_CLK = "NONE", parameter REG_INPUTA_CE = "CE0", parameter REG_INPUTA_RST = "RST0",
    parameter REG_INPUTB_CLK = "NONE", parameter REG_INPUTB_CE = "CE0", parameter REG_INPUTB_RST = "RST0",
    parameter REG_PIPELINE_CLK = "NONE", parameter REG_PIPELINE_CE = "CE0", parameter REG_PIPELINE_RST = "RST0",
    parameter REG_OUTPUT_CLK = "NONE", parameter REG_OUTPUT_CE = "CE0", parameter REG_OUTPUT_RST = "RST0",
    parameter RESETMODE = "SYNC", parameter GSR = "ENABLED"
) (
    input A0, input A1, input A2, input A3, input A4, input A5, input A6, input A7, input A8, input A9, input
    A10, input A11, input A12, input A13, input A14, input A15, input A16, input A17,
    input B0, input B1, input B2, input B3, input B4, input B5, input B6, input B7, input B8, input B9, input
    B10, input B11, input B12, input B13, input B14, input B15, input B16, input B17,
    input C0, input C1, input C2, input C3, input C4, input C5, input C6, input C7, input C8, input C9, input
    C10, input C11, input C12, input C13, input C14, input C15, input C16, input C17,
    input SIGNEDA, input SIGNEDB, input SOURCEA, input SOURCEB,
    input CLK0, input CLK1, input CLK2, input CLK3, input CE0, input CE1, input CE2, input CE3, input RST0,
    input RST1, input RST2, input RST3,
    output P0, output P1, output P2, output P3, output P4, output P5, output P6, output P7, output P8, output
    P9, output P10, output P11, output P12, output P13, output P14, output P15, output P16, output P17, output
    P18, output P19, output P20, output P21, output P22, output P23, output P24, output P25, output P26, output
    P27, output P28, output P29, output P30, output P31, output P32, output P33, output P34, output P35
);
  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  reg [17:0] a_q, b_q;
  reg [35:0] pipe_q, out_q;
  // The last character of a CE or RST parameter is the number of the pin.
  wire [3:0] ce = {CE3, CE2, CE1, CE0};
  wire [3:0] rst = {RST3, RST2, RST1, RST0};
  function automatic [1:0] pin(input [39:0] name);
    pin = name[1:0];
  endfunction
  // A reset acts only while the register is enabled: worst case of what the block might do.
  always @(posedge CLK0) begin
    if (ce[pin(REG_INPUTA_CE)]) a_q <= rst[pin(REG_INPUTA_RST)] ? 18'd0 : a;
    if (ce[pin(REG_INPUTB_CE)]) b_q <= rst[pin(REG_INPUTB_RST)] ? 18'd0 : b;
    if (ce[pin(REG_PIPELINE_CE)]) pipe_q <= rst[pin(REG_PIPELINE_RST)] ? 36'd0 : product;
    if (ce[pin(REG_OUTPUT_CE)]) out_q <= rst[pin(REG_OUTPUT_RST)] ? 36'd0 : piped;
  end
  wire [17:0] x = REG_INPUTA_CLK == "CLK0" ? a_q : a;
  wire [17:0] y = REG_INPUTB_CLK == "CLK0" ? b_q : b;
  wire [35:0] product = {{18{SIGNEDA & x[17]}}, x} * {{18{SIGNEDB & y[17]}}, y};
  wire [35:0] piped = REG_PIPELINE_CLK == "CLK0" ? pipe_q : product;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16,
      P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = REG_OUTPUT_CLK == "CLK0" ? out_q :
      piped;
  always @(posedge CLK0)
    if (SOURCEA || SOURCEB || RESETMODE != "SYNC")
      $fatal(1, "MULT18X18D: mode not modelled");
endmodule

module DP16KD #(
    parameter DATA_WIDTH_A = 18, parameter DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG", parameter REGMODE_B = "NOREG", parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC", parameter CSDECODE_A = "0b000", parameter CSDECODE_B = "0b000",
    parameter CLKAMUX = "CLKA", parameter CLKBMUX = "CLKB",
    parameter WRITEMODE_A = "NORMAL", parameter WRITEMODE_B = "NORMAL", parameter GSR = "ENABLED",
    parameter [319:0] INITVAL_00 = 0, parameter [319:0] INITVAL_01 = 0, parameter [319:0] INITVAL_02 = 0,
    parameter [319:0] INITVAL_03 = 0, parameter [319:0] INITVAL_04 = 0, parameter [319:0] INITVAL_05 = 0,
    parameter [319:0] INITVAL_06 = 0, parameter [319:0] INITVAL_07 = 0, parameter [319:0] INITVAL_08 = 0,
    parameter [319:0] INITVAL_09 = 0, parameter [319:0] INITVAL_0A = 0, parameter [319:0] INITVAL_0B = 0,
    parameter [319:0] INITVAL_0C = 0, parameter [319:0] INITVAL_0D = 0, parameter [319:0] INITVAL_0E = 0,
    parameter [319:0] INITVAL_0F = 0, parameter [319:0] INITVAL_10 = 0, parameter [319:0] INITVAL_11 = 0,
    parameter [319:0] INITVAL_12 = 0, parameter [319:0] INITVAL_13 = 0, parameter [319:0] INITVAL_14 = 0,
    parameter [319:0] INITVAL_15 = 0, parameter [319:0] INITVAL_16 = 0, parameter [319:0] INITVAL_17 = 0,
    parameter [319:0] INITVAL_18 = 0, parameter [319:0] INITVAL_19 = 0, parameter [319:0] INITVAL_1A = 0,
    parameter [319:0] INITVAL_1B = 0, parameter [319:0] INITVAL_1C = 0, parameter [319:0] INITVAL_1D = 0,
    parameter [319:0] INITVAL_1E = 0, parameter [319:0] INITVAL_1F = 0, parameter [319:0] INITVAL_20 = 0,
    parameter [319:0] INITVAL_21 = 0, parameter [319:0] INITVAL_22 = 0, parameter [319:0] INITVAL_23 = 0,
    parameter [319:0] INITVAL_24 = 0, parameter [319:0] INITVAL_25 = 0, parameter [319:0] INITVAL_26 = 0,
    parameter [319:0] INITVAL_27 = 0, parameter [319:0] INITVAL_28 = 0, parameter [319:0] INITVAL_29 = 0,
    parameter [319:0] INITVAL_2A = 0, parameter [319:0] INITVAL_2B = 0, parameter [319:0] INITVAL_2C = 0,
    parameter [319:0] INITVAL_2D = 0, parameter [319:0] INITVAL_2E = 0, parameter [319:0] INITVAL_2F = 0,
    parameter [319:0] INITVAL_30 = 0, parameter [319:0] INITVAL_31 = 0, parameter [319:0] INITVAL_32 = 0,
    parameter [319:0] INITVAL_33 = 0, parameter [319:0] INITVAL_34 = 0, parameter [319:0] INITVAL_35 = 0,
    parameter [319:0] INITVAL_36 = 0, parameter [319:0] INITVAL_37 = 0, parameter [319:0] INITVAL_38 = 0,
    parameter [319:0] INITVAL_39 = 0, parameter [319:0] INITVAL_3A = 0, parameter [319:0] INITVAL_3B = 0,
    parameter [319:0] INITVAL_3C = 0, parameter [319:0] INITVAL_3D = 0, parameter [319:0] INITVAL_3E = 0,
    parameter [319:0] INITVAL_3F = 0
) (
    input DIA0, input DIA1, input DIA2, input DIA3, input DIA4, input DIA5, input DIA6, input DIA7, input DIA8,
    input DIA9, input DIA10, input DIA11, input DIA12, input DIA13, input DIA14, input DIA15, input DIA16, input
    DIA17,
    input ADA0, input ADA1, input ADA2, input ADA3, input ADA4, input ADA5, input ADA6, input ADA7, input ADA8,
    input ADA9, input ADA10, input ADA11, input ADA12, input ADA13,
    input CEA, input OCEA, input CLKA, input WEA, input RSTA, input CSA0, input CSA1, input CSA2,
    output DOA0, output DOA1, output DOA2, output DOA3, output DOA4, output DOA5, output DOA6, output DOA7,
    output DOA8, output DOA9, output DOA10, output DOA11, output DOA12, output DOA13, output DOA14, output
    DOA15, output DOA16, output DOA17,
    input DIB0, input DIB1, input DIB2, input DIB3, input DIB4, input DIB5, input DIB6, input DIB7, input DIB8,
    input DIB9, input DIB10, input DIB11, input DIB12, input DIB13, input DIB14, input DIB15, input DIB16, input
    DIB17,
    input ADB0, input ADB1, input ADB2, input ADB3, input ADB4, input ADB5, input ADB6, input ADB7, input ADB8,
    input ADB9, input ADB10, input ADB11, input ADB12, input ADB13,
    input CEB, input OCEB, input CLKB, input WEB, input RSTB, input CSB0, input CSB1, input CSB2,
    output DOB0, output DOB1, output DOB2, output DOB3, output DOB4, output DOB5, output DOB6, output DOB7,
    output DOB8, output DOB9, output DOB10, output DOB11, output DOB12, output DOB13, output DOB14, output
    DOB15, output DOB16, output DOB17
);
  // 1024 words of 18 bits; an INITVAL holds 16 of them in fields of 20 bits. 36 bits are two words, 9 bits half a word,
  // 4, 2 and 1 bits lie in the lower 8 of the 9 bits. A 36-bit port has its lower word on side A, its upper on side B.
  reg [17:0] mem[0:1023];
  wire [64*320-1:0] image = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
      INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31,
      INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29,
      INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21,
      INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19,
      INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11,
      INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09,
      INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
      INITVAL_00};
  integer i;
  initial for (i = 0; i < 1024; i = i + 1) mem[i] = image[(i / 16) * 320 + (i % 16) * 20 +: 18];

  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
      DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
      DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};

  function automatic [4:0] offset(input integer width, input [13:0] ad);
    offset = width == 9 ? 9 * ad[3] : width == 4 ? 9 * ad[3] + 4 * ad[2] : width == 2 ? 9 * ad[3] + 2 * ad[2:1]
           : width == 1 ? 9 * ad[3] + ad[2:0] : 0;
  endfunction
  function automatic [17:0] mask(input integer width, input [1:0] be);
    mask = width >= 18 ? {{9{be[1]}}, {9{be[0]}}} : (18'd1 << width) - 18'd1;
  endfunction

  reg [17:0] a_q, b_q, a_out_q, b_out_q;
  wire on_a = CEA && {CSA2, CSA1, CSA0} == 0;
  wire on_b = CEB && {CSB2, CSB1, CSB0} == 0;
  wire [9:0] word_a = ada[13:4];
  wire [9:0] word_b = adb[13:4];
  reg [17:0] m;
  always @(posedge CLKA) begin
    if (on_a && WEA) begin
      if (DATA_WIDTH_A == 36) begin
        m = mask(18, ada[1:0]);
        mem[{word_a[9:1], 1'b0}] <= (mem[{word_a[9:1], 1'b0}] & ~m) | (dia & m);
        m = mask(18, ada[3:2]);
        mem[{word_a[9:1], 1'b1}] <= (mem[{word_a[9:1], 1'b1}] & ~m) | (dib & m);
      end else begin
        m = mask(DATA_WIDTH_A, ada[1:0]) << offset(DATA_WIDTH_A, ada);
        mem[word_a] <= (mem[word_a] & ~m) | ((dia << offset(DATA_WIDTH_A, ada)) & m);
      end
    end
    if (on_a) a_q <= mem[word_a] >> offset(DATA_WIDTH_A, ada);
    if (OCEA) a_out_q <= a_q;
    if (RSTA || CLKAMUX == "INV") $fatal(1, "DP16KD: mode not modelled");
  end
  // A 36-bit read port is clocked by side B and delivers on both.
  reg [17:0] wide_q, wide_out_q;
  always @(posedge CLKB) begin
    if (on_b) begin
      if (DATA_WIDTH_B == 36) begin
        wide_q <= mem[{word_b[9:1], 1'b0}];
        b_q <= mem[{word_b[9:1], 1'b1}];
      end else b_q <= mem[word_b] >> offset(DATA_WIDTH_B, adb);
    end
    if (OCEB) {wide_out_q, b_out_q} <= {wide_q, b_q};
    if (RSTB) {wide_q, b_q, wide_out_q, b_out_q} <= 0;
    if (WEB || RSTB && RESETMODE != "SYNC" || CLKBMUX == "INV") $fatal(1, "DP16KD: mode not modelled");
  end
  wire [17:0] b = REGMODE_B == "OUTREG" ? b_out_q : b_q;
  wire [17:0] wide = REGMODE_B == "OUTREG" ? wide_out_q : wide_q;
  wire [17:0] a = DATA_WIDTH_B == 36 ? wide : REGMODE_A == "OUTREG" ? a_out_q : a_q;
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3,
      DOA2, DOA1, DOA0} = a;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3,
      DOB2, DOB1, DOB0} = b;
endmodule

module PDPW16KD #(
    parameter DATA_WIDTH_W = 36, parameter DATA_WIDTH_R = 36, parameter REGMODE = "NOREG", parameter GSR = "ENABLED"
) (
    input DI0, input DI1, input DI2, input DI3, input DI4, input DI5, input DI6, input DI7, input DI8, input
    DI9, input DI10, input DI11, input DI12, input DI13, input DI14, input DI15, input DI16, input DI17, input
    DI18, input DI19, input DI20, input DI21, input DI22, input DI23, input DI24, input DI25, input DI26, input
    DI27, input DI28, input DI29, input DI30, input DI31, input DI32, input DI33, input DI34, input DI35,
    input ADW0, input ADW1, input ADW2, input ADW3, input ADW4, input ADW5, input ADW6, input ADW7, input ADW8,
    input BE0, input BE1, input BE2, input BE3, input CEW, input CLKW, input CSW0, input CSW1, input CSW2,
    input ADR0, input ADR1, input ADR2, input ADR3, input ADR4, input ADR5, input ADR6, input ADR7, input ADR8,
    input ADR9, input ADR10, input ADR11, input ADR12, input ADR13, input CER, input OCER, input CLKR, input
    CSR0, input CSR1, input CSR2, input RST,
    output DO0, output DO1, output DO2, output DO3, output DO4, output DO5, output DO6, output DO7, output DO8,
    output DO9, output DO10, output DO11, output DO12, output DO13, output DO14, output DO15, output DO16,
    output DO17, output DO18, output DO19, output DO20, output DO21, output DO22, output DO23, output DO24,
    output DO25, output DO26, output DO27, output DO28, output DO29, output DO30, output DO31, output DO32,
    output DO33, output DO34, output DO35
);
  // Halves: data written on DI17..DI0 is read on DO35..DO18 and the other way round. So it is in all code generated by
  // Lattice's tools (.DO18(Q[0]), .DO0(Q[18])), and so nextpnr connects the cell (DO35..DO18 to DOA, DO17..DO0 to DOB).
  reg [35:0] mem[0:511];
  reg [35:0] q, out_q;
  wire [8:0] adw = {ADW8, ADW7, ADW6, ADW5, ADW4, ADW3, ADW2, ADW1, ADW0};
  wire [13:0] adr = {ADR13, ADR12, ADR11, ADR10, ADR9, ADR8, ADR7, ADR6, ADR5, ADR4, ADR3, ADR2, ADR1, ADR0};
  always @(posedge CLKW) begin
    if (CEW) mem[adw] <= {DI35, DI34, DI33, DI32, DI31, DI30, DI29, DI28, DI27, DI26, DI25, DI24, DI23, DI22,
        DI21, DI20, DI19, DI18, DI17, DI16, DI15, DI14, DI13, DI12, DI11, DI10, DI9, DI8, DI7, DI6, DI5, DI4,
        DI3, DI2, DI1, DI0};
    if (!(BE0 && BE1 && BE2 && BE3) || CSW0 || CSW1 || CSW2 || DATA_WIDTH_W != 36 || DATA_WIDTH_R != 36)
      $fatal(1, "PDPW16KD: mode not modelled");
  end
  always @(posedge CLKR) begin
    if (CER && !(CSR0 || CSR1 || CSR2)) q <= mem[adr[13:5]];
    if (OCER) out_q <= q;
    if (RST) {q, out_q} <= 0;  // whether it reaches q depends on the block: then the word that is read is lost
  end
  assign {DO35, DO34, DO33, DO32, DO31, DO30, DO29, DO28, DO27, DO26, DO25, DO24, DO23, DO22, DO21, DO20, DO19,
      DO18, DO17, DO16, DO15, DO14, DO13, DO12, DO11, DO10, DO9, DO8, DO7, DO6, DO5, DO4, DO3, DO2, DO1, DO0} =
      REGMODE == "OUTREG" ? {out_q[17:0], out_q[35:18]} : {q[17:0], q[35:18]};
endmodule
