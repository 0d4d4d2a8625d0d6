"""The activity of a netlist that is mapped to an FPGA, as a relative figure.

The netlist runs in Verilator with the models of its cells. Each toggle of a net counts the fan-out of the net
and the kind of the cell that drives it. The sum orders designs on one family; it is no power, because the
energy of an FPGA is in its routing, of which a mapped netlist knows nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyosys

from eccelerate.configs.config import build_root
from eccelerate.energy.activity import (
    SETTLE,
    Activity,
    Window,
    check_masks,
    check_ports,
    run_bench,
    trace_ports,
)
from eccelerate.energy.gate_netlist import Bit, Gate, GateNetlist, read_netlist
from eccelerate.flow.errors import FlowError
from eccelerate.flow.synth import SynthResult
from eccelerate.rtlsim.bench_program import VERILATE_FLAGS, compile_bench
from eccelerate.rtlsim.verilate import COMPILE_FLAGS, HARNESS_DIR, BuildError, verilator_version

TOP, PREFIX = "eccel_toggles", "Vtoggles"
KIND_WEIGHTS = (
    (r"^LUT|^PFUMX|^L6MUX", 1.0),
    (r"^CCU2", 1.0),
    (r"FF", 1.0),
    (r"^MULT|^DP|^PDP|^TRELLIS_DPR", 4.0),
)
"""What a toggle costs in the cell that drives the net, beside its fan-out. The weights are an assumption:
blocks have long wires inside.
"""
_SHARE = Path(pyosys.__file__).parent / "share" / "lattice"


@dataclass(frozen=True)
class FpgaActivity:
    """The toggles of a netlist, and their sum weighted by fan-out and kind of cell, for a clock."""

    activity: Activity
    weighted_per_clock: float
    toggles_per_clock: float
    nets: int


def fpga_activity(
    mapped: SynthResult,
    trace: Path,
    models: Sequence[Path] = (),
    *,
    clock: str = "clk_i",
    window: Window | None = None,
    qualifier: str = "",
) -> FpgaActivity:
    """The relative activity of a netlist for ECP5 on the inputs of a port trace.

    models: Verilog of cells that Yosys has no model of, such as multipliers and block RAMs. FlowError for
    another family, for a cell without a model, and if an output differs from the trace.
    """
    if mapped.family != "ecp5":
        raise FlowError(f"there are models of cells for ecp5 only, not for {mapped.family}")
    netlist = read_netlist(mapped.netlist, mapped.design.top)
    inputs, outputs = trace_ports(trace)
    check_ports(netlist, clock, inputs, outputs, qualifier)
    texts = [inlined(_SHARE / "cells_sim_ecp5.v"), *(path.read_text() for path in models)]
    known = {name for text in texts for name in re.findall(r"(?m)^\s*module\s+(\w+)", text)}
    if lacking := sorted({gate.kind for gate in netlist.gates} - known):
        raise FlowError(f"{netlist.top}: give Verilog models of the cells {', '.join(lacking)}")
    nets = [net for net in netlist.nets if net != netlist.ports[clock][1][0]]
    text = "\n".join(_verilog(netlist, clock, nets)) + "\n"
    header = _header(len(nets), clock, inputs, outputs, qualifier)
    program = _build(text, header, nets, models)
    weights = {net: len(netlist.sinks.get(net, ())) + _kind_weight(netlist, net) for net in nets}
    activity = run_bench([program], trace, nets, netlist.top, window, weights)
    clocks = max(activity.clocks, 1)
    return FpgaActivity(activity, sum(activity.weighted) / clocks, activity.total / clocks, len(nets))


def _kind_weight(netlist: GateNetlist, net: int) -> float:
    if net not in netlist.drivers:
        return 0.0  # an input port
    kind = netlist.drivers[net][0].kind
    return next((weight for pattern, weight in KIND_WEIGHTS if re.search(pattern, kind)), 0.0)


def _verilog(netlist: GateNetlist, clock: str, nets: list[int]) -> Iterator[str]:
    """The netlist with a public wire for each net."""
    root = netlist.ports[clock][1][0]

    def name(bit: Bit) -> str:
        if bit == root:
            return f"{clock}[0]"
        return f"n{bit}" if isinstance(bit, int) else f"1'b{bit if bit in ('0', '1') else '0'}"

    ports = [f"  {way} [{len(bits) - 1}:0] {port}" for port, (way, bits) in netlist.ports.items()]
    yield f"module {TOP} (\n" + ",\n".join(ports) + "\n);"
    for net in nets:
        yield f"wire n{net} /*verilator public_flat_rd*/;"
    for port, (way, bits) in netlist.ports.items():
        for index, bit in enumerate(bits):
            if way == "output":
                yield f"assign {port}[{index}] = {name(bit)};"
            elif isinstance(bit, int) and bit != root:
                yield f"assign n{bit} = {port}[{index}];"
    for index, gate in enumerate(netlist.gates):
        yield _instance(index, gate, name)
    yield "endmodule"


def _instance(index: int, gate: Gate, name) -> str:  # type: ignore[no-untyped-def]
    parameters = ", ".join(f".{k}({_parameter(v)})" for k, v in gate.parameters.items())
    pins = []
    for pin, bits in gate.pins.items():
        if pin in gate.outputs and not any(isinstance(bit, int) for bit in bits):
            continue
        pins.append(f".{pin}({{{', '.join(name(bit) for bit in reversed(bits))}}})")
    options = f"#({parameters}) " if parameters else ""
    return f"{gate.kind} {options}u{index} ({', '.join(pins)});"


def _parameter(value: object) -> str:
    """A parameter as Yosys writes it in JSON: bits, or a text. A text of 0 and 1 ends in a space."""
    text = str(value)
    if text and set(text) <= set("01xz"):
        return f"{len(text)}'b{text}"
    return '"' + text.removesuffix(" ") + '"'


def _header(
    count: int, clock: str, inputs: list[tuple[str, int]], outputs: list[tuple[str, int]], qualifier: str
) -> str:
    """The file bench_nets.h."""
    masks = check_masks(outputs, qualifier)
    defines = {
        "CLOCK": clock,
        "COUNT": count,
        "SETTLE": SETTLE,
        "QUALIFIER": masks.qualifier,
        "ALWAYS": f'"{masks.always:x}"',
        "QUALIFIED": f'"{masks.qualified:x}"',
    }
    for kind, ports in (("INPUT", inputs), ("OUTPUT", outputs)):
        low = defines[f"{kind}_BITS"] = sum(bits for _, bits in ports)
        entries = []
        for port, bits in ports:
            low -= bits
            entries.append(f"X({port}, {low}, {bits})")
        defines[f"{kind}S(X)"] = " ".join(entries)
    lines = [f"#define BENCH_{name} {value}" for name, value in defines.items()]
    includes = [f'#include "{PREFIX}.h"', f'#include "{PREFIX}___024root.h"']
    return "\n".join(["#pragma once", *includes, f"using Top = {PREFIX};", *lines]) + "\n"


def _build(text: str, header: str, nets: list[int], models: Sequence[Path]) -> Path:
    """The bench of a netlist as a program; built once. Safe to call from several processes at once."""
    cells = [inlined(_SHARE / "cells_sim_ecp5.v"), *(path.read_text() for path in models)]
    sources = [(HARNESS_DIR / name).read_text() for name in ("toggle_fpga.cpp", "toggle_trace.h")]
    tools = (verilator_version(), VERILATE_FLAGS, COMPILE_FLAGS)
    key = hashlib.sha256(repr([text, header, cells, sources, tools]).encode())
    folder = build_root() / "toggles" / f"fpga-{key.hexdigest()[:16]}"
    program = folder / "bench"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "netlist.v").write_text(text)
            for index, cell in enumerate(cells):
                (folder / f"cells{index}.v").write_text(cell)
            (folder / "bench_nets.h").write_text(header)
            lines = (f"BENCH_NET({TOP}__DOT__n{net})\n" for net in nets)
            (folder / "bench_net_list.h").write_text("".join(lines))
            names = ["netlist.v", *(f"cells{index}.v" for index in range(len(cells)))]
            try:
                compile_bench(HARNESS_DIR / "toggle_fpga.cpp", folder, TOP, PREFIX, names, x_initial="fast")
            except BuildError as error:
                raise FlowError(str(error)) from error
    return program


def inlined(path: Path) -> str:
    """The text of a Verilog file with the text of its includes."""
    include = re.compile(r'^\s*`include "(?:.*/)?(\w+\.\w+)"', re.M)
    return include.sub(lambda match: inlined(path.parent / match[1]), path.read_text())
