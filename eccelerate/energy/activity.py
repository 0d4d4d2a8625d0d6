"""Runs a netlist on the inputs of a port trace and counts the toggles of every net.

The model has no delays: a net toggles at most once in a clock, and glitches are not seen.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import tempfile
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import build_root
from eccelerate.energy.cell_plan import cell_plan, trace_lines
from eccelerate.energy.gate_netlist import GateNetlist
from eccelerate.energy.library import Library
from eccelerate.flow.errors import FlowError
from eccelerate.rtlsim.verilate import HARNESS_DIR

SETTLE = 2
"""Clocks at the beginning of a trace in which outputs are not compared: reset has not worked yet."""
BUILD_S, RUN_S = 300, 7200


@dataclass(frozen=True)
class Activity:
    """What nets do in `clocks` clocks.

    toggles, high: by net, its changes and the clocks before whose edge it is 1.
    by_clock, weighted: changes of all nets in each clock, and with the weight of each net.
    seconds: how long it lasts; None if a clock gives the time.
    glitches: whether changes within a clock are counted, as a VCD file of a simulation with delays has them.
    """

    clocks: int
    toggles: Mapping[int, int]
    high: Mapping[int, int]
    by_clock: array[int] = field(default_factory=lambda: array("Q"))
    weighted: array[float] = field(default_factory=lambda: array("d"))
    seconds: float | None = None
    glitches: bool = False

    @property
    def total(self) -> int:
        """All changes."""
        return sum(self.toggles.values())


@dataclass(frozen=True)
class Window:
    """Clocks of a trace that count: `clocks` from `first` on."""

    first: int
    clocks: int


def trace_ports(trace: Path) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The inputs and outputs of a port trace with their bits. Raises FlowError."""
    try:
        with trace.open() as stream:
            head = json.loads(stream.readline())
        return [(n, int(b)) for n, b in head["inputs"]], [(n, int(b)) for n, b in head["outputs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FlowError(f"{trace} is no port trace: {error}") from error


def trace_clocks(trace: Path) -> int:
    """The clocks of a port trace."""
    with trace.open("rb") as stream:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")) - 1


def replay(
    netlist: GateNetlist,
    trace: Path,
    library: Library,
    *,
    clock: str = "clk_i",
    window: Window | None = None,
    weights: Mapping[int, float] | None = None,
    qualifier: str = "",
    settle: int = SETTLE,
) -> Activity:
    """The activity of a netlist of library cells on the inputs of a port trace.

    window: clocks that count; by default all but the last, after which nothing is known.
    weights: by net, for `Activity.weighted`.
    qualifier: an output; outputs of several bits are compared only in the clocks in which it is 1.
    settle: clocks at the beginning in which outputs are not compared.

    FlowError if an output differs from the trace: the netlist is then not that of the trace.
    """
    inputs, outputs = trace_ports(trace)
    check_ports(netlist, clock, inputs, outputs, qualifier)
    plan = cell_plan(netlist, clock, library)
    masks = check_masks(outputs, qualifier)
    head = f"check {masks.qualifier} {settle} {masks.always:x} {masks.qualified:x}"
    lines = [plan.lines[0], *trace_lines(netlist, plan, inputs, outputs), head, *plan.lines[1:]]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan"
        file.write_text("\n".join(lines) + "\n")
        activity = run_bench([_program(), file], trace, plan.nets, netlist.top, window, weights)
    # The number of a gated clock has its enable, and each clock that it lets pass is two toggles.
    gated = {net: 2 * activity.high[net] for net in plan.gated}
    return replace(activity, toggles={**activity.toggles, **gated})


def run_bench(
    command: Sequence[str | Path],
    trace: Path,
    nets: Sequence[int],
    top: str,
    window: Window | None,
    weights: Mapping[int, float] | None,
) -> Activity:
    """Run a bench that counts toggles (sim/toggle_trace.h) on a trace. Raises FlowError."""
    span = window or Window(0, max(trace_clocks(trace) - 1, 0))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        full: list[str | Path] = [*command, trace.resolve(), str(span.first), str(span.clocks), out]
        if weights is not None:
            file = Path(folder) / "weights"
            file.write_text("".join(f"{weights.get(net, 0.0):.9g}\n" for net in nets))
            full.append(file)
        done = external.run(full, timeout=RUN_S)
        if done.code:
            said = (done.text + done.errors).strip()[-300:]
            raise FlowError(f"{top}: {said.removeprefix('FAIL: ') or f'exit code {done.code}'}")
        clocks, mismatches, first, activity = _read(out, nets)
    if clocks != span.clocks:
        raise FlowError(f"{trace.name} ends after {clocks} of the {span.clocks} clocks from {span.first} on")
    if mismatches:
        raise FlowError(
            f"{top}: outputs differ from the trace in {mismatches} clocks, first in clock {first}"
        )
    return activity


def check_ports(
    netlist: GateNetlist,
    clock: str,
    inputs: list[tuple[str, int]],
    outputs: list[tuple[str, int]],
    qualifier: str,
) -> None:
    """FlowError if the ports of a trace are not those of a netlist."""
    own = {n: (way, len(bits)) for n, (way, bits) in netlist.ports.items() if n != clock}
    traced = {n: ("input", b) for n, b in inputs} | {n: ("output", b) for n, b in outputs}
    if own != traced:
        wrong = sorted(n for n in own.keys() | traced.keys() if own.get(n) != traced.get(n))
        raise FlowError(f"the port trace is not one of {netlist.top}: {', '.join(wrong)} differ")
    if qualifier and qualifier not in dict(outputs):
        raise FlowError(f"{netlist.top} has no output {qualifier}")


@dataclass(frozen=True)
class Masks:
    """Bits of the outputs that are compared always, and those that are if the bit `qualifier` is 1."""

    always: int
    qualified: int
    qualifier: int


def check_masks(outputs: list[tuple[str, int]], qualifier: str) -> Masks:
    """What is compared; -1 as qualifying bit means that everything is compared always."""
    low = sum(bits for _, bits in outputs)
    always, qualified, where = 0, 0, -1
    for port, bits in outputs:
        low -= bits
        mask = ((1 << bits) - 1) << low
        if qualifier and bits > 1:
            qualified |= mask
        else:
            always |= mask
        if port == qualifier:
            where = low
    return Masks(always, qualified, where)


def _read(path: Path, nets: Sequence[int]) -> tuple[int, int, int, Activity]:
    with path.open() as stream:
        clocks, mismatches, first = (int(x) for x in stream.readline().split())
        toggles, high = (dict(zip(nets, map(int, stream.readline().split()), strict=True)) for _ in "th")
        by_clock, weighted = array("Q"), array("d")
        for line in stream:
            count, sum_ = line.split()
            by_clock.append(int(count))
            weighted.append(float(sum_))
    return clocks, mismatches, first, Activity(clocks, toggles, high, by_clock, weighted)


def _program() -> Path:
    """The bench as a program, compiled once. Safe to call from several processes at once."""
    sources = [HARNESS_DIR / name for name in ("toggle_cells.cpp", "toggle_trace.h")]
    key = hashlib.sha256("".join(path.read_text() for path in sources).encode()).hexdigest()[:16]
    folder = build_root() / "toggles"
    program = folder / f"cells-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            part = program.with_suffix(".part")
            command = ["g++", "-std=gnu++17", "-O2", str(sources[0]), "-o", str(part)]
            done = external.run(command, timeout=BUILD_S)
            if done.code:
                raise FlowError(f"{sources[0].name} was not compiled:\n{done.errors[:2000]}")
            part.rename(program)
    return program
