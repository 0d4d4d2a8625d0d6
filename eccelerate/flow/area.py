"""Area bounds of units (``syn/area.toml``): test and documentation at once.

Multipliers and block RAMs must match exactly: a synthesis tool does not report that it lost or doubled one.
LUT4 and flip-flops are upper bounds.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.flow.cells import Counts
from eccelerate.flow.design import Design, Value
from eccelerate.flow.devices import FAMILIES, Device, devices
from eccelerate.flow.errors import FlowError
from eccelerate.flow.synth import synthesise
from eccelerate.flow.tools import ROOT

TABLE = ROOT / "syn" / "area.toml"


@dataclass(frozen=True)
class Bound:
    """Bounds of one unit on one device family. A count without a bound is None."""

    family: str
    mult: int
    bram: int
    lut4: int | None = None
    ff: int | None = None

    def broken_by(self, counts: Counts) -> list[str]:
        """The bounds that ``counts`` breaks, one text each; the list is empty if all hold."""
        wrong = [
            f"{kind} is {have}, must be {want}"
            for kind, have, want in (("mult", counts.mult, self.mult), ("bram", counts.bram, self.bram))
            if have != want
        ]
        return wrong + [
            f"{kind} is {have}, at most {most}"
            for kind, have, most in (("lut4", counts.lut4, self.lut4), ("ff", counts.ff, self.ff))
            if most is not None and have > most
        ]


@dataclass(frozen=True)
class Unit:
    """One row of the table: a module with its parameters, and its bounds for each family."""

    name: str
    top: str
    files: list[str]
    bounds: list[Bound]
    params: dict[str, Value] = field(default_factory=dict)
    data: list[str] = field(default_factory=list)
    include_dirs: list[str] = field(default_factory=list)

    def design(self) -> Design:
        """The row as a design. FlowError if a file pattern matches nothing."""
        return Design(
            name=self.name,
            top=self.top,
            files=[p for pattern in self.files for p in _glob(pattern)],
            params=self.params,
            data=[p for pattern in self.data for p in _glob(pattern)],
            include_dirs=[ROOT / d for d in self.include_dirs],
        )


def _glob(pattern: str) -> list[Path]:
    found = sorted(ROOT.glob(pattern))
    if not found:
        raise FlowError(f"syn/area.toml: no file matches {pattern!r}")
    return found


def units(table: Path = TABLE) -> list[Unit]:
    """All rows of the table. FlowError if a family is unknown or a name appears twice."""
    rows = tomllib.loads(table.read_text()).get("unit", [])
    found = [Unit(**{**row, "bounds": [Bound(**b) for b in row["bounds"]]}) for row in rows]
    names = [u.name for u in found]
    for unit in found:
        if names.count(unit.name) > 1:
            raise FlowError(f"{table}: unit {unit.name!r} appears twice")
        for bound in unit.bounds:
            if bound.family not in FAMILIES:
                raise FlowError(
                    f"{table}: {unit.name}: no family {bound.family!r}; known: {', '.join(FAMILIES)}"
                )
    return found


def device_of(family: str) -> Device:
    """A device of the family. Any one will do, because mapping depends only on the family."""
    return next(d for d in devices().values() if d.family == family)


def check_unit(unit: Unit, bound: Bound) -> tuple[Counts, list[str]]:
    """Map one unit. Returns its cells, and a text for each bound that they break."""
    counts = synthesise(unit.design(), device_of(bound.family)).counts
    return counts, bound.broken_by(counts)
