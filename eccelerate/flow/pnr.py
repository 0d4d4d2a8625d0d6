"""Placement and routing with nextpnr: the clock and the utilisation of a design on a named device, for
several seeds.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from eccelerate.flow import tools
from eccelerate.flow.blocks import chosen_places, fix_blocks
from eccelerate.flow.cells import Counts, count
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device
from eccelerate.flow.devices import device as find_device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.logcheck import doubtful
from eccelerate.flow.netlist import Module, cell_types
from eccelerate.flow.parts import SOURCES as PARTS_SOURCES
from eccelerate.flow.parts import Floorplan, floorplan_of, place_parts
from eccelerate.flow.sites import tile_of
from eccelerate.flow.synth import STEPS, Progress, SynthResult, synth_script, synthesise
from eccelerate.flow.wrap import INSTANCE, WRAPPER, wrapper_source

DEFAULT_SEEDS = (1, 2, 3)
# Number of seeds placed at a time: each nextpnr uses a core and up to 600 MB.
PARALLEL = min(2, len(os.sched_getaffinity(0)))
TIMING_WEIGHT = 60  # an option of the placer; with the default, 10, turbo-p256 was 20 MHz slower
# Designs with at least this many LUTs outside carry chains, and designs of XORs, use nextpnr's electrostatic
# placer: after the other placer the networks of a binary engine have more wires than the router can route.
# Designs with a floorplan use the other one. So do carry chains, however many: a multiplier of 10,000 LUTs,
# 700 of them outside chains, reached 174 MHz after it and 116 MHz after the electrostatic one.
STATIC_LUTS = 8_000
CHAINS = ("CCU2C", "CCU2")  # cells with two LUTs of a carry chain

# Seconds. A device filled with nine engines needs most of an hour, and the widest binary engine half an hour;
# on a busy machine both take several times as long.
SHORT_RUN, LONG_RUN = 2 * 3600, 4 * 3600

# Names of nextpnr's utilisation classes, and how many LUT4 one unit of each contains.
_LUT = {
    "ecp5": {"TRELLIS_COMB": 1, "TRELLIS_RAMW": 2},
    "nexus": {"OXIDE_COMB": 1, "RAMW": 2},
    "ice40": {"ICESTORM_LC": 1},
}
_FF = {"ecp5": "TRELLIS_FF", "nexus": "OXIDE_FF", "ice40": ""}
_MULT = {"ecp5": "MULT18X18D", "nexus": "MULT18_CORE", "ice40": "ICESTORM_DSP"}
_BRAM = {"ecp5": "DP16KD", "nexus": "OXIDE_EBR", "ice40": "ICESTORM_RAM"}

_PINS_NEXUS = {"clk_i": "L13", "scan_i": "G13", "scan_o": "G14"}


@dataclass(frozen=True)
class PlaceResult:
    """A placed and routed design.

    ``fmax_mhz`` is the clock for each seed. ``placed`` counts the device's cells in use without the wrapper,
    for the worst seed: "lut4" counts logic cells as placed, including carry chains and LUTs used for routing,
    and "ff", "mult" and "bram" count blocks. ``total`` and ``available`` are nextpnr's own classes with the
    wrapper, as the tool printed them. ``synth`` is the stand-alone netlist. ``folders`` has the folder for
    each seed.
    """

    design: Design
    device: str
    speed: str
    synth: SynthResult
    fmax_mhz: dict[int, float]
    placed: dict[str, int]
    total: dict[str, int]
    available: dict[str, int]
    folders: dict[int, Path]
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def worst_mhz(self) -> float:
        """Clock of the worst seed in MHz."""
        return min(self.fmax_mhz.values())

    @property
    def median_mhz(self) -> float:
        """Median clock of the seeds in MHz."""
        return median(self.fmax_mhz.values())

    def critical_path(self, seed: int | None = None) -> list[str]:
        """The slowest path between registers for one seed (by default the worst), as text with the delay of
        each step.
        """
        chosen = min(self.fmax_mhz, key=lambda s: self.fmax_mhz[s]) if seed is None else seed
        report = json.loads((self.folders[chosen] / "report.json").read_text())
        paths = [p for p in report["critical_paths"] if "<async>" not in (p["from"], p["to"])]
        slowest: list[dict[str, Any]] = max((p["path"] for p in paths), key=_delay_ns, default=[])
        return [
            f"{step['delay']:6.2f} ns {step['type']:9} {step['from']['cell']}.{step['from']['port']} -> "
            f"{step['to']['cell']}.{step['to']['port']}"
            for step in slowest
        ]


def _delay_ns(path: list[dict[str, Any]]) -> float:
    return sum(float(step["delay"]) for step in path)


def _join(result: SynthResult, target: Device, progress: Progress | None) -> tuple[Path, Counts]:
    """The flattened netlist of wrapper and design, and the counts of the wrapper's own cells."""
    design, rules = result.design, target.rules
    key = tools.digest(result.key, sources=(*STEPS, "wrap.py"))

    def build(folder: Path) -> None:
        if progress:
            progress(f"wrapper of {design.name} for {rules.name}")
        (folder / "wrapper.sv").write_text(wrapper_source(design.top, result.ports, design.clock))
        job: dict[str, Any] = {
            "do": "synth",
            "slang": ["--top", WRAPPER, "wrapper.sv"],
            "script": synth_script(rules, WRAPPER, pads=True),
            "top": WRAPPER,
            "family": rules.name,
            "out": "wrapper",
        }
        if warnings := doubtful(tools.run_yosys(job, folder, "wrapper")):
            raise FlowError(f"wrapper of {design.name}: {'; '.join(warnings[:3])}", folder / "wrapper.log")
        shutil.copyfile(result.netlist, folder / "design.json")
        join = {"do": "flatten", "inputs": ["design.json", "wrapper.json"], "top": WRAPPER, "out": "joined"}
        tools.run_yosys(join, folder, "join")
        (folder / "design.json").unlink()

    folder, _ = tools.cached(f"{design.name}-{rules.name}-ooc-{key}", build)
    wrapper = json.loads((folder / "wrapper.json").read_text())["modules"][WRAPPER]
    return folder / "joined.json", count(cell_types(wrapper), rules.lut_inputs)


def _placer(target: Device, seed: int, *, static: bool) -> list[str]:
    """The nextpnr options of every placement: device, clock and placer."""
    common = ["--seed", str(seed), "--freq", str(target.freq_mhz), "--timing-allow-fail"]
    if static:
        common += ["--placer", "static"]
    else:
        common += ["--placer", "heap", "--placer-heap-timingweight", str(TIMING_WEIGHT)]
    return [*common, *target.args]


def _arguments(target: Device, seed: int, *, static: bool) -> list[str]:
    """All nextpnr options. File names are relative to the working folder."""
    common = ["--json", "in.json", *_placer(target, seed, static=static), "--report", "report.json"]
    return (
        common
        + {
            "ecp5": ["--lpf-allow-unconstrained", "--textcfg", "out.config"],
            "nexus": ["--pdc", "pins.pdc", "--fasm", "out.fasm"],
            "ice40": ["--pcf-allow-unconstrained", "--asc", "out.asc"],
        }[target.place]
    )


def overfull(log: str) -> str:
    """What a nextpnr log counts more of than the device has, as text. The text is empty if all of it fits."""
    counts = re.findall(r"^Info:\s+(\w+):\s*(\d+)/\s*(\d+)\s+\d+%", log, flags=re.M)
    return ", ".join(f"{kind} {used} of {have}" for kind, used, have in counts if int(used) > int(have))


def _lock_parts(
    plan: Floorplan, netlist: Path, key: str, name: str, target: Device, seed: int, progress: Progress | None
) -> dict[str, Any]:
    """The joined netlist with the parts of the floorplan placed and locked."""

    def run(arguments: list[str], folder: Path, log: Path) -> None:
        options = [*arguments, *_placer(target, seed, static=False), "--lpf-allow-unconstrained"]
        tools.run_yowasp(*_tool(target), options, folder, log, LONG_RUN)

    joined = json.loads(netlist.read_text())
    cache = (f"{name}-{target.name}-s{seed}", tools.digest(key, target, seed, tools.versions()))
    locked = place_parts(plan, joined, WRAPPER, "clk_i", target, cache, run, progress)
    if progress:
        progress(f"{locked} cells are locked in {len(plan.regions) + 1} regions")
    return {"creator": "eccelerate", "modules": {WRAPPER: joined["modules"][WRAPPER]}}


def _tiles(plan: Floorplan, module: Module) -> list[list[tuple[int, int, int]]]:
    """The tiles of each part's cells: column, row, number of cells."""
    found: list[Counter[tuple[int, int]]] = [Counter() for _ in plan.regions]
    for name, cell in module["cells"].items():
        for part, region in zip(found, plan.regions, strict=True):
            if name.startswith(region.prefix) and "BEL" in cell["attributes"]:
                part[tile_of(cell["attributes"]["BEL"])] += 1
    return [[(x, y, n) for (x, y), n in sorted(part.items())] for part in found]


def _tool(target: Device) -> tuple[str, str]:
    """Package and function of the placer."""
    return f"yowasp_nextpnr_{target.place}", f"run_nextpnr_{target.place}"


def _place_seed(
    netlist: Path,
    key: str,
    name: str,
    target: Device,
    seed: int,
    progress: Progress | None,
    *,
    static: bool,
) -> Path:
    """Run one seed unless it is in the cache. Returns its folder with ``report.json``."""
    plan, places = floorplan_of(name, target), chosen_places(name, target)
    static = static and plan is None

    def build(folder: Path) -> None:
        if plan:
            locked = _lock_parts(plan, netlist, key, name, target, seed, progress)
            (folder / "in.json").write_text(json.dumps(locked))
            (folder / "parts.json").write_text(json.dumps(_tiles(plan, locked["modules"][WRAPPER])))
        elif places:
            joined = json.loads(netlist.read_text())
            fix_blocks(joined["modules"][WRAPPER], places, f"{INSTANCE}.")
            (folder / "in.json").write_text(json.dumps(joined))
        else:
            shutil.copyfile(netlist, folder / "in.json")
        if progress:
            progress(f"place and route {name} on {target.name}, seed {seed}")
        if target.place == "nexus":
            lines = (f"ldc_set_location -site {{{s}}} [get_ports {p}]\n" for p, s in _PINS_NEXUS.items())
            (folder / "pins.pdc").write_text("".join(lines))
        log = folder / "pnr.log"
        try:
            options = _arguments(target, seed, static=static)
            tools.run_yowasp(*_tool(target), options, folder, log, LONG_RUN if plan else SHORT_RUN)
        except FlowError as error:
            if full := overfull(log.read_text(errors="replace")):
                text = f"{name} does not fit on {target.name}: {full}; take a larger device"
                raise FlowError(text, log) from error
            raise
        if not (folder / "report.json").exists():
            raise FlowError(f"nextpnr wrote no report for {name} on {target.name}", folder / "pnr.log")
        (folder / "in.json").unlink()  # it takes megabytes, and is a copy

    planned = tools.digest(plan, sources=PARTS_SOURCES) if plan else tools.digest(places)
    whole = tools.digest(key, target, seed, static, tools.versions(), planned, sources=("pnr.py",))
    return tools.cached(f"{name}-{target.name}-s{seed}-{whole}", build)[0]


def place(
    design: Design,
    device: Device | str,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    progress: Progress | None = None,
) -> PlaceResult:
    """Synthesise, wrap, place and route ``design`` for each seed, two seeds at a time.

    FlowError if the family has no placer, if a step fails, or if multipliers or block RAMs were lost on the
    way.
    """
    target = find_device(device) if isinstance(device, str) else device
    if not target.place:
        raise FlowError(f"{target.name} is for mapping only: no open placer; use synthesise()")
    if not seeds:
        raise FlowError("place() needs at least one seed")
    result = synthesise(design, target, progress)
    netlist, wrapper = _join(result, target, progress)
    key = tools.digest(netlist.parent.name)
    loose = result.counts.lut4 - 2 * sum(result.counts.cells.get(cell, 0) for cell in CHAINS)
    static = design.static_placer or loose >= STATIC_LUTS
    # A design with a floorplan places its parts two at a time.
    with ThreadPoolExecutor(1 if floorplan_of(design.name, target) else PARALLEL) as pool:
        runs = {
            seed: pool.submit(_place_seed, netlist, key, design.name, target, seed, progress, static=static)
            for seed in seeds
        }
        folders = {s: run.result() for s, run in runs.items()}
    reports = {s: json.loads((f / "report.json").read_text()) for s, f in folders.items()}

    fmax = {}
    for seed, report in reports.items():
        clocks = [c["achieved"] for c in report["fmax"].values()]
        if not clocks:
            raise FlowError(f"nextpnr timed no clock in {design.name}", folders[seed] / "pnr.log")
        fmax[seed] = round(min(clocks), 2)
    worst = max(reports.values(), key=lambda r: sum(u["used"] for u in r["utilization"].values()))
    total = {k: u["used"] for k, u in worst["utilization"].items()}
    available = {k: u["available"] for k, u in worst["utilization"].items()}
    flavour = target.place
    placed = {
        "lut4": sum(total.get(k, 0) * n for k, n in _LUT[flavour].items()) - wrapper.lut4,
        "ff": (total[_FF[flavour]] - wrapper.ff) if _FF[flavour] else result.counts.ff,
        "mult": total.get(_MULT[flavour], 0),
        "bram": total.get(_BRAM[flavour], 0),
    }
    if flavour == "ice40":
        # A logic cell holds a LUT and a register; each cell of the wrapper holds one register.
        placed["lut4"] = total["ICESTORM_LC"] - wrapper.ff
    want = {"mult": result.counts.mult, "bram": result.counts.bram}
    have = {k: placed[k] for k in want}
    if have != want:
        log = folders[seeds[0]] / "pnr.log"
        raise FlowError(f"{design.name} on {target.name}: synthesis made {want}, but placed are {have}", log)
    return PlaceResult(
        design=design,
        device=target.name,
        speed=target.speed,
        synth=result,
        fmax_mhz=fmax,
        placed=placed,
        total=total,
        available=available,
        folders=folders,
        versions=tools.versions(),
    )
