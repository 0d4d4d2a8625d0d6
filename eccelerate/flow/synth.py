"""Synthesis with Yosys: maps a design to a device family, and checks and counts the netlist."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.flow import tools
from eccelerate.flow.cells import LATCH, Counts, count
from eccelerate.flow.design import Design, param_text
from eccelerate.flow.devices import Device, Family
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.logcheck import doubtful
from eccelerate.flow.netlist import cell_types, unregistered_rams

Progress = Callable[[str], None]

# A change of one of these flow sources makes cached netlists stale.
STEPS = ("yosys_worker.py", "netlist.py", "synth.py", "devices.py", "cells.py")


@dataclass(frozen=True)
class SynthResult:
    """A mapped design.

    ``folder`` is the build folder with ``netlist.json``, ``netlist.v`` and the log. ``ports`` gives direction
    and bits of each port name. ``cautions`` are facts that cost speed but are no errors. ``cached`` is true
    if nothing was run.
    """

    design: Design
    family: str
    counts: Counts
    ports: dict[str, tuple[str, int]]
    cautions: list[str]
    folder: Path
    key: str
    cached: bool

    @property
    def netlist(self) -> Path:
        """The mapped netlist as Yosys JSON."""
        return self.folder / "netlist.json"

    @property
    def verilog(self) -> Path:
        """The mapped netlist as Verilog, for gate-level simulation."""
        return self.folder / "netlist.v"


def synth_script(rules: Family, top: str, pads: bool = False) -> list[str]:
    """Yosys commands after elaboration. ``pads`` inserts pads, for placers that need them in the netlist."""
    return [f"{rules.pads if pads and rules.pads else rules.synth} -top {top}", "check -noinit -assert"]


def elaborate(design: Design, rules: Family, folder: Path) -> list[str]:
    """Copy sources and memory images into ``folder``. Returns the arguments of read_slang.

    Every file is copied under its bare name, so that the job has relative paths only and the log contains no
    local paths.
    """
    design.check()
    names = []
    (folder / "src").mkdir(parents=True, exist_ok=True)
    for index, path in enumerate(design.sources(rules)):
        name = f"src/{index:02}_{path.name}"
        shutil.copyfile(path, folder / name)
        names.append(name)
    for path in design.data:
        shutil.copyfile(path, folder / path.name)
    for index, path in enumerate(design.include_dirs):
        shutil.copytree(path, folder / f"inc{index}", dirs_exist_ok=True)
    params = [a for k, v in design.params.items() for a in ("-G", f"{k}={param_text(v)}")]
    includes = [a for i in range(len(design.include_dirs)) for a in ("-I", f"inc{i}")]
    return ["--top", design.top, *params, *includes, *names]


def check_netlist(what: str, module: dict[str, Any], log_file: Path) -> None:
    """FlowError for doubtful warnings in the synthesis log, latches, or cells that were not mapped."""
    if warnings := doubtful(log_file.read_text(errors="replace")):
        raise FlowError(f"{what}: {len(warnings)} doubtful warnings: {'; '.join(warnings[:5])}", log_file)
    kinds = cell_types(module)
    bad = sorted(k for k in kinds if LATCH.search(k) or (k.startswith("$") and k != "$scopeinfo"))
    if bad:
        raise FlowError(f"{what}: latches or unmapped cells: {', '.join(bad)}", log_file)


def _module(folder: Path, top: str) -> dict[str, Any]:
    module: dict[str, Any] = json.loads((folder / "netlist.json").read_text())["modules"][top]
    return module


def synthesise(design: Design, device: Device | str, progress: Progress | None = None) -> SynthResult:
    """Map ``design`` to the family of ``device``, without pads.

    FlowError if a tool fails, for any warning that is not known to be harmless, for latches, and for unmapped
    cells. The cache key of a result covers the contents of all inputs, the tool versions and the flow
    sources.
    """
    target = find_device(device) if isinstance(device, str) else device
    rules = target.rules
    design.check()
    key = tools.digest(design.digest(rules), rules, tools.versions()["pyosys"], sources=STEPS)

    def build(folder: Path) -> None:
        if progress:
            progress(f"synthesis of {design.name} for {rules.name}")
        job = {
            "do": "synth",
            "slang": elaborate(design, rules, folder),
            "script": synth_script(rules, design.top),
            "top": design.top,
            "family": rules.name,
            "out": "netlist",
        }
        tools.run_yosys(job, folder, "synth")

    folder, cached = tools.cached(f"{design.name}-{rules.name}-{key}", build)
    module = _module(folder, design.top)
    # Also for a cached netlist: the list of harmless warnings may have changed since it was built.
    check_netlist(f"{design.name} on {rules.name}", module, folder / "synth.log")
    kinds = cell_types(module)
    kinds.pop("$scopeinfo", None)
    slow = unregistered_rams(module)
    cautions = (
        [f"block RAM without output register, about 140 MHz at speed 6: {', '.join(slow)}"] if slow else []
    )
    return SynthResult(
        design=design,
        family=rules.name,
        counts=count(kinds, rules.lut_inputs),
        ports={n: (p["direction"], len(p["bits"])) for n, p in module["ports"].items()},
        cautions=cautions,
        folder=folder,
        key=key,
        cached=cached,
    )
