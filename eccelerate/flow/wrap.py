"""Out-of-context wrapper: lets a design with any number of ports be placed on a package with few pins.

Every input bit comes from its own register of one long shift register. Every output bit goes to its own
register, and a second chain combines these (one XOR and one register each). So nothing can be optimised away,
and no path of the wrapper is longer than one LUT. For the wrapper, the design is a black box; its finished
netlist is joined afterwards. The area of the design is therefore exactly that of the stand-alone synthesis,
and the wrapper's own cells are known and can be subtracted.
"""

from eccelerate.flow.errors import FlowError

WRAPPER = "eccel_ooc_wrapper"
INSTANCE = "u_design"  # name of the design's instance in the wrapper


def wrapper_source(top: str, ports: dict[str, tuple[str, int]], clock: str) -> str:
    """SystemVerilog of the wrapper module :data:`WRAPPER` and of a black box for ``top``.

    ``ports`` gives direction and bits of each port name. The wrapper has the pins ``clk_i``, ``scan_i`` and
    ``scan_o``. FlowError if ``clock`` is no one-bit input, or if a port is bidirectional.
    """
    if ports.get(clock, ("", 0)) != ("input", 1):
        raise FlowError(f"{top} has no one-bit clock input {clock!r}; set Design.clock")
    inputs = {n: w for n, (d, w) in ports.items() if d == "input" and n != clock}
    outputs = {n: w for n, (d, w) in ports.items() if d == "output"}
    if len(inputs) + len(outputs) + 1 != len(ports):
        raise FlowError(f"{top} has bidirectional ports, which the out-of-context wrapper does not support")
    n_in, n_out = max(1, sum(inputs.values())), max(1, sum(outputs.values()))

    declared = ",\n".join(f"    {d} logic [{w - 1}:0] {n}" for n, (d, w) in ports.items())
    pins = [f".{clock}(clk_i)"]
    at = 0
    for name, width in inputs.items():
        pins.append(f".{name}(source_q[{at}+:{width}])")
        at += width
    at = 0
    for name, width in outputs.items():
        pins.append(f".{name}(result[{at}+:{width}])")
        at += width
    joined = ",\n      ".join(pins)
    idle = "" if outputs else "  assign result = '0;\n"
    return f"""(* blackbox *)
module {top} (
{declared}
);
endmodule

module {WRAPPER} (
    input  logic clk_i,
    input  logic scan_i,
    output logic scan_o
);
  logic [{n_in}:0] source_q;
  logic [{n_out - 1}:0] result, result_q;
  logic [{n_out}:0] fold_q;

{idle}  always_ff @(posedge clk_i) begin
    source_q <= {{source_q[{n_in - 1}:0], scan_i}};
    result_q <= result;
    fold_q   <= {{fold_q[{n_out - 1}:0] ^ result_q, source_q[{n_in}]}};
  end
  assign scan_o = fold_q[{n_out}];

  {top} {INSTANCE} (
      {joined}
  );
endmodule
"""
