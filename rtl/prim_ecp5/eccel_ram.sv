// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// ECP5 twin of rtl/prim/eccel_ram.sv, which has the contract: block RAMs with the output register
// inside, 400 MHz at speed grade 6.
//
// The words are cut into slices of the widest block shape that holds Depth words (512 x 36, 1024 x
// 18, 2048 x 9, 4096 x 4, 8192 x 2, 16384 x 1), so that no multiplexer follows the output
// registers.
//
// Blocks     ceil(Width / SliceBits). Two cases are inferred instead: Depth <= 16 (distributed RAM)
//            and InitFile != "" (cell parameters cannot come from a file; the flow of this project
//            then switches the output register on).

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

  localparam int SliceBits = Depth <= 512 ? 36 : Depth <= 1024 ? 18 : Depth <= 2048 ? 9 : Depth <= 4096 ? 4
                           : Depth <= 8192 ? 2 : 1;
  localparam int Slices = (Width + SliceBits - 1) / SliceBits;
  // Address pins below the word address: the cell addresses 16 Kbit of data without the ninth bits.
  localparam int LowPins = SliceBits == 36 ? 5 : SliceBits == 18 ? 4 : SliceBits == 9 ? 3 : SliceBits == 4 ? 2
                         : SliceBits == 2 ? 1 : 0;

  if (Depth > 16384) begin : gen_too_deep
    $error("eccel_ram: at most 16384 words; build deeper memories from several and select behind a register");
  end

  if (InitFile != "") begin : gen_inferred

    (* no_rw_check *)
    logic [Width-1:0] mem[Depth];
    logic [Width-1:0] array_q;
    // The initial value keeps Yosys from moving this register past tables that it indexes
    // (memory_dff).
    /* verilator lint_off PROCASSINIT */
    logic [Width-1:0] data_q = '0;
    /* verilator lint_on PROCASSINIT */

    assign rdata_o = data_q;

    if (InitFile != "") begin : gen_init
      initial $readmemh(InitFile, mem);
    end

    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
    end

    always_ff @(posedge clk_i) begin
      array_q <= mem[raddr_i];
      data_q  <= clr_i ? '0 : array_q;
    end

  end else begin : gen_blocks

    // All pins of a block are wired; how many are needed depends on the parameters.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Slices*SliceBits-1:0] wdata, rdata;
    logic [13:0] waddr, raddr;
    /* verilator lint_on UNUSEDSIGNAL */

    assign wdata   = (Slices * SliceBits)'(wdata_i);
    assign rdata_o = rdata[Width-1:0];
    assign waddr   = 14'(waddr_i) << LowPins;
    assign raddr   = 14'(raddr_i) << LowPins;

    for (genvar s = 0; s < Slices; s++) begin : gen_slice
      if (SliceBits == 36) begin : gen_wide
        logic [35:0] di, do_;
        assign di = wdata[s*36+:36];
        assign rdata[s*36+:36] = do_;

        PDPW16KD #(
            .DATA_WIDTH_W(36),
            .DATA_WIDTH_R(36),
            .REGMODE("OUTREG"),
            .GSR("DISABLED")
        ) u_ram (
            .CLKW(clk_i), .CEW(we_i), .BE0(1'b1), .BE1(1'b1), .BE2(1'b1), .BE3(1'b1),
            .CSW0(1'b0), .CSW1(1'b0), .CSW2(1'b0),
            .ADW0(waddr[5]), .ADW1(waddr[6]), .ADW2(waddr[7]), .ADW3(waddr[8]), .ADW4(waddr[9]), .ADW5(waddr[10]),
            .ADW6(waddr[11]), .ADW7(waddr[12]), .ADW8(waddr[13]),
            .DI0(di[0]), .DI1(di[1]), .DI2(di[2]), .DI3(di[3]), .DI4(di[4]), .DI5(di[5]), .DI6(di[6]), .DI7(di[7]),
            .DI8(di[8]), .DI9(di[9]), .DI10(di[10]), .DI11(di[11]), .DI12(di[12]), .DI13(di[13]), .DI14(di[14]),
            .DI15(di[15]), .DI16(di[16]), .DI17(di[17]), .DI18(di[18]), .DI19(di[19]), .DI20(di[20]), .DI21(di[21]),
            .DI22(di[22]), .DI23(di[23]), .DI24(di[24]), .DI25(di[25]), .DI26(di[26]), .DI27(di[27]), .DI28(di[28]),
            .DI29(di[29]), .DI30(di[30]), .DI31(di[31]), .DI32(di[32]), .DI33(di[33]), .DI34(di[34]), .DI35(di[35]),
            .CLKR(clk_i), .CER(1'b1), .OCER(1'b1), .RST(clr_i), .CSR0(1'b0), .CSR1(1'b0), .CSR2(1'b0),
            .ADR0(raddr[0]), .ADR1(raddr[1]), .ADR2(raddr[2]), .ADR3(raddr[3]), .ADR4(raddr[4]), .ADR5(raddr[5]),
            .ADR6(raddr[6]), .ADR7(raddr[7]), .ADR8(raddr[8]), .ADR9(raddr[9]), .ADR10(raddr[10]),
            .ADR11(raddr[11]), .ADR12(raddr[12]), .ADR13(raddr[13]),
            // The cell delivers the lower half of the word on DO35..DO18 and the upper half on
            // DO17..DO0.
            .DO0(do_[18]), .DO1(do_[19]), .DO2(do_[20]), .DO3(do_[21]), .DO4(do_[22]), .DO5(do_[23]), .DO6(do_[24]),
            .DO7(do_[25]), .DO8(do_[26]), .DO9(do_[27]), .DO10(do_[28]), .DO11(do_[29]), .DO12(do_[30]),
            .DO13(do_[31]), .DO14(do_[32]), .DO15(do_[33]), .DO16(do_[34]), .DO17(do_[35]), .DO18(do_[0]),
            .DO19(do_[1]), .DO20(do_[2]), .DO21(do_[3]), .DO22(do_[4]), .DO23(do_[5]), .DO24(do_[6]), .DO25(do_[7]),
            .DO26(do_[8]), .DO27(do_[9]), .DO28(do_[10]), .DO29(do_[11]), .DO30(do_[12]), .DO31(do_[13]),
            .DO32(do_[14]), .DO33(do_[15]), .DO34(do_[16]), .DO35(do_[17])
        );
      end else begin : gen_narrow
        /* verilator lint_off UNUSEDSIGNAL */
        logic [17:0] di, do_;
        /* verilator lint_on UNUSEDSIGNAL */
        logic [13:0] ada;
        assign di = 18'(wdata[s*SliceBits+:SliceBits]);
        assign rdata[s*SliceBits+:SliceBits] = do_[SliceBits-1:0];
        // In the 18-bit shape the two lowest write address pins are byte enables.
        assign ada = waddr | (SliceBits == 18 ? 14'd3 : 14'd0);

        DP16KD #(
            .DATA_WIDTH_A(SliceBits),
            .DATA_WIDTH_B(SliceBits),
            .REGMODE_A("NOREG"),
            .REGMODE_B("OUTREG"),
            .GSR("DISABLED")
        ) u_ram (
            .CLKA(clk_i), .CEA(we_i), .OCEA(1'b1), .WEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
            .ADA0(ada[0]), .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]), .ADA5(ada[5]), .ADA6(ada[6]),
            .ADA7(ada[7]), .ADA8(ada[8]), .ADA9(ada[9]), .ADA10(ada[10]), .ADA11(ada[11]), .ADA12(ada[12]),
            .ADA13(ada[13]),
            .DIA0(di[0]), .DIA1(di[1]), .DIA2(di[2]), .DIA3(di[3]), .DIA4(di[4]), .DIA5(di[5]), .DIA6(di[6]),
            .DIA7(di[7]), .DIA8(di[8]), .DIA9(di[9]), .DIA10(di[10]), .DIA11(di[11]), .DIA12(di[12]),
            .DIA13(di[13]), .DIA14(di[14]), .DIA15(di[15]), .DIA16(di[16]), .DIA17(di[17]),
            .CLKB(clk_i), .CEB(1'b1), .OCEB(1'b1), .WEB(1'b0), .RSTB(clr_i), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0),
            .ADB0(raddr[0]), .ADB1(raddr[1]), .ADB2(raddr[2]), .ADB3(raddr[3]), .ADB4(raddr[4]), .ADB5(raddr[5]),
            .ADB6(raddr[6]), .ADB7(raddr[7]), .ADB8(raddr[8]), .ADB9(raddr[9]), .ADB10(raddr[10]),
            .ADB11(raddr[11]), .ADB12(raddr[12]), .ADB13(raddr[13]),
            .DIB0(1'b0), .DIB1(1'b0), .DIB2(1'b0), .DIB3(1'b0), .DIB4(1'b0), .DIB5(1'b0), .DIB6(1'b0), .DIB7(1'b0),
            .DIB8(1'b0), .DIB9(1'b0), .DIB10(1'b0), .DIB11(1'b0), .DIB12(1'b0), .DIB13(1'b0), .DIB14(1'b0),
            .DIB15(1'b0), .DIB16(1'b0), .DIB17(1'b0),
            .DOB0(do_[0]), .DOB1(do_[1]), .DOB2(do_[2]), .DOB3(do_[3]), .DOB4(do_[4]), .DOB5(do_[5]), .DOB6(do_[6]),
            .DOB7(do_[7]), .DOB8(do_[8]), .DOB9(do_[9]), .DOB10(do_[10]), .DOB11(do_[11]), .DOB12(do_[12]),
            .DOB13(do_[13]), .DOB14(do_[14]), .DOB15(do_[15]), .DOB16(do_[16]), .DOB17(do_[17])
        );
      end
    end
  end

endmodule
