"""Figures of units, such as multipliers and yardsticks: what the flow builds for one, and the records. Those
of multipliers are in ``results/multipliers.jsonl``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from eccelerate import external
from eccelerate.configs.config import ConfigError
from eccelerate.configs.rtl_reach import used_code
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device, Family, device
from eccelerate.flow.pnr import place
from eccelerate.flow.store import Record, RecordFile, commit, place_record
from eccelerate.flow.synth import STEPS, Progress, SynthResult, synthesise
from eccelerate.flow.tools import ROOT, digest, versions

VIRTEX2, VIRTEX_E = "xc2v", "xcve"
CAPACITY = {
    "ecp5-85f-6": {"lut4": 83_640, "mult": 156},
    "lifcl-40": {"lut4": 32_256, "mult": 56},
    "up5k": {"lut4": 5_280, "mult": 8},
}
"""LUT4 and multiplier blocks of the devices on which multipliers are placed."""


class Unit(Protocol):
    """A module with one clock that is measured by itself."""

    @property
    def name(self) -> str:
        """In records and commands."""

    @property
    def top(self) -> str:
        """The module."""

    @property
    def files(self) -> list[Path]:
        """Its sources, with portable primitives, in the order of compilation."""

    @property
    def params(self) -> Mapping[str, int]:
        """The parameters of the module."""


@dataclass(frozen=True)
class Virtex(Device):
    """Virtex-II is the family of Buell, Davis and Quan, and Virtex-E that of Marnane. Their rules are
    here and not in the table of families, because a change of that table would make every stored figure
    one of earlier sources.
    """

    @property
    def rules(self) -> Family:
        """As for the other Xilinx families: shift registers stay flip-flops. As on ECP5: no multiplexers of
        several LUTs, which make a carry-save array three times as large.
        """
        options = "-noiopad -noclkbuf -nosrl -nowidelut"
        return Family(self.name, f"synth_xilinx -family {self.name} {options}")


def unit_device(name: str) -> Device:
    """A device on which units are measured. FlowError, with the known names, if there is none."""
    if name == VIRTEX2:
        return Virtex(VIRTEX2, VIRTEX2, "Xilinx Virtex-II, mapping only (family of Buell et al. 2003)")
    if name == VIRTEX_E:
        return Virtex(VIRTEX_E, VIRTEX_E, "Xilinx Virtex-E, mapping only (family of Marnane's talk)")
    return device(name)


@dataclass(frozen=True)
class MultiplierStore(RecordFile):
    """The newest record of each multiplier on each device."""

    path: Path = ROOT / "results" / "multipliers.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Name and device."""
        return record["config"], record["device"]


def unit_design(config: Unit) -> Design:
    """What the flow builds for a unit."""
    static = isinstance(config, Yardstick) and config.static_placer
    return Design(config.name, config.top, config.files, dict(config.params), static_placer=static)


def unit_key(config: Unit, target: Device) -> str:
    """The netlist that a record is for: another key comes of a change of code that the unit needs, of its
    parameters, or of the synthesis. It differs from `store.netlist_key` in that other functions of a package
    do not count: all kinds share a package, and a change of one kind is none of the others.
    """
    design = unit_design(config)
    code = sorted(used_code(design.sources(target.rules)))
    return digest(code, design.top, design.params, target.rules, _synthesis_key())


@cache
def _synthesis_key() -> str:
    """Yosys and the steps of the flow. Computed once, because hundreds of records are compared with it."""
    return digest(versions()["pyosys"], sources=STEPS)


def map_unit(config: Unit, target: Device, progress: Progress | None = None) -> SynthResult:
    """Map a unit to a device. Raises FlowError."""
    return synthesise(unit_design(config), target, progress)


def overflow(mapped: SynthResult, target: Device) -> str:
    """What a mapped unit has more of than the device, as text; "" if it fits. The wrapper of a placement has
    two registers for each output and one for each input; where each needs a cell with a LUT, they count too.
    """
    room = CAPACITY[target.name]
    pins = {way: sum(n for d, n in mapped.ports.values() if d == way) for way in ("input", "output")}
    wrapper = pins["input"] + 2 * pins["output"] if target.place == "ice40" else 0
    counts = {"lut4": max(mapped.counts.lut4, mapped.counts.ff * (target.place == "ice40")) + wrapper}
    counts["mult"] = mapped.counts.mult
    full = [f"{kind} {counts[kind]:,} of {room[kind]:,}" for kind in counts if counts[kind] > room[kind]]
    return ", ".join(full)


def map_figures(mapped: SynthResult) -> Record:
    """The figures of a mapping: cells, and no clock."""
    counts = mapped.counts
    cells = {"lut4": counts.lut4, "ff": counts.ff, "mult": counts.mult, "bram": counts.bram}
    return {"flow": "map", **cells, "fmax_mhz": {}, "worst_mhz": None}


def place_figures(
    config: Unit, target: Device, seeds: Sequence[int], progress: Progress | None = None
) -> Record:
    """The figures of a placement, one seed after the other. Raises FlowError."""
    for seed in seeds:
        place(unit_design(config), target, (seed,), progress)
    record = place_record(place(unit_design(config), target, seeds))  # from the cache
    kept = ("lut4", "ff", "mult", "bram", "fmax_mhz", "worst_mhz", "mapped_lut4", "mapped_ff")
    return {"flow": "place", **{key: record[key] for key in kept}}


def unit_commit(config: Unit) -> str:
    """Commit of the working tree, with ``+`` if a file differs from it that decides the figures of a unit:
    its RTL, the flow, or the bench. "unknown" outside a repository.
    """
    head = commit().removesuffix("+")
    decisive = [*config.files, *(ROOT / "rtl").glob("prim_*"), Path(__file__).parent, ROOT / "sim"]
    found = external.run(["git", "status", "--porcelain", "--", *decisive], cwd=ROOT, timeout=60)
    return head + ("+" if found.out else "")


def unit_record(config: Unit, target: Device, figures: Record, simulated: Record, seconds: float) -> Record:
    """Record of a unit on a device. `simulated` is what the run on the RTL has found, and `seconds` the time
    that the tools needed.
    """
    return {
        "config": config.name,
        "device": target.name,
        "commit": unit_commit(config),
        "netlist": unit_key(config, target),
        "tools": versions(),
        "seconds": round(seconds, 1),
        **figures,
        "simulated": simulated,
    }


def is_current_unit(record: Record, config: Unit) -> bool:
    """Whether a record was made of the current sources, tools and parameters. That of a unit without RTL was
    not.
    """
    try:
        key = unit_key(config, unit_device(record["device"]))
    except ConfigError:
        return False
    return bool(record["netlist"] == key)
