// Generated from regs/eccel.rdl by `eccel generate registers`: do not edit.
// verilator lint_off UNUSEDPARAM
package eccel_reg_pkg;
  localparam int AddrBits = 6;
  localparam int PageBits = 12;

  localparam logic [3:0] IdWord = 4'h0;
  localparam logic [31:0] IdValue = 32'hecc20000;

  localparam logic [3:0] ConfigWord = 4'h1;
  localparam int ConfigFifoLog2Lsb = 16;
  localparam int ConfigMaxWordsLsb = 20;
  localparam int ConfigWindowsLog2Lsb = 25;
  localparam int ConfigExtEntropyLsb = 27;
  localparam int ConfigDigitBytesLsb = 28;
  localparam logic [31:0] ConfigMask = 32'hffff0000;

  localparam logic [3:0] StatusWord = 4'h2;
  localparam int StatusReqReadyLsb = 0;
  localparam int StatusRspValidLsb = 1;
  localparam int StatusPartialLsb = 2;
  localparam int StatusBusyLsb = 3;
  localparam int StatusEntWantedLsb = 4;
  localparam int StatusOverflowLsb = 5;
  localparam int StatusClearedLsb = 6;
  localparam logic [31:0] StatusMask = 32'h0000007f;

  localparam logic [3:0] IrqEnableWord = 4'h3;
  localparam int IrqEnableRspValidLsb = 1;
  localparam int IrqEnableEntWantedLsb = 4;
  localparam int IrqEnableOverflowLsb = 5;
  localparam int IrqEnableClearedLsb = 6;
  localparam logic [31:0] IrqEnableMask = 32'h00000072;

  localparam logic [3:0] RspDataWord = 4'h4;

  localparam logic [3:0] ControlWord = 4'h5;
  localparam int ControlZeroiseLsb = 0;
  localparam int ControlResetLsb = 1;
  localparam int ControlDropLsb = 2;
  localparam logic [31:0] ControlMask = 32'h00000007;

  localparam logic [3:0] ReqDataWord = 4'h6;

  localparam logic [3:0] ReqLastWord = 4'h7;

  localparam logic [3:0] EntDataWord = 4'h8;
endpackage
// verilator lint_on UNUSEDPARAM
