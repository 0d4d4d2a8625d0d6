"""Records the ports of an engine while it runs jobs on the RTL.

A module with the ports of an engine contains the engine and writes the trace, so that everything that drives
an engine drives it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import Config, build_root
from eccelerate.configs.tops import require_current
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.verilate import ModelSource

TOP = "eccel_port_recorder"
INPUTS = (("rst_ni", 1), ("req_i", 34), ("rsp_ready_i", 1), ("ent_i", 34), ("zeroise_i", 1))
OUTPUTS = (("req_ready_o", 1), ("rsp_o", 34), ("ent_ready_o", 1), ("busy_o", 1), ("alarm_o", 1))


@dataclass(frozen=True)
class Recorder:
    """A transport to the engine, and the file that gets a line for each of its clocks."""

    transport: RtlTransport
    trace: Path


@contextmanager
def recording(config: Config, clocks: int, seed: int = 1) -> Iterator[Recorder]:
    """An engine whose first `clocks` clocks are recorded. Raises BuildError, ConfigError."""
    require_current(config)
    source = ModelSource.of(config)
    folder = build_root() / "toggles"
    folder.mkdir(parents=True, exist_ok=True)
    trace = folder / f"{config.name}.trace"
    text = recorder_text(source, trace)
    file = folder / f"{config.name}-recorder.sv"
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
    limit = trace.with_suffix(".limit")
    limit.write_text(f"{clocks}\n")
    model = ModelSource(TOP, (*source.files, file), (), source.images)
    with RtlTransport(model, seed=seed) as transport:
        yield Recorder(transport, trace)
    trace.unlink(missing_ok=True)
    limit.unlink(missing_ok=True)


def recorder_text(source: ModelSource, trace: Path) -> str:
    """The module that contains the engine and writes the trace."""
    ports = [("input", "clk_i", 1), *(("input", *p) for p in INPUTS), *(("output", *p) for p in OUTPUTS)]
    declared = ",\n".join(f"    {way} logic [{bits - 1}:0] {name}" for way, name, bits in ports)
    parameters = ", ".join(f".{name}({_literal(value)})" for name, value in source.parameters)
    head = ", ".join(_entry(p) for p in INPUTS), ", ".join(_entry(p) for p in OUTPUTS)
    header = f'{{\\"inputs\\": [{head[0]}], \\"outputs\\": [{head[1]}]}}'
    inputs, outputs = (", ".join(name for name, _ in ports) for ports in (INPUTS, OUTPUTS))
    return f"""// Written by eccelerate/energy/port_recorder.py.
module {TOP} (
{declared}
);
  int file, limit, left;
  logic busy_q;
  initial begin
    limit = $fopen("{trace.with_suffix(".limit")}", "r");
    void'($fscanf(limit, "%d", left));
    $fclose(limit);
    file = $fopen("{trace}", "w");
    $fwrite(file, "{header}\\n");
  end
  {source.top} #({parameters}) u_engine (.*);
  always_ff @(posedge clk_i) begin
    busy_q <= busy_o;
    if (left > 0) begin
      $fwrite(file, "%h %h\\n", {{{inputs}}}, {{{outputs}}});
      left <= left - 1;
    end
    if (left == 1 || (busy_q && !busy_o)) $fflush(file);
  end
endmodule
"""


def _entry(port: tuple[str, int]) -> str:
    return f'[\\"{port[0]}\\", {port[1]}]'


def _literal(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
