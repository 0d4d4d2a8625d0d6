"""Designs that are placed part by part, and how they are placed: see :mod:`floorplan`.

Each placed part is kept in the build cache, so that an interrupted run continues with the next part.
"""

import json
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.flow import tools
from eccelerate.flow.devices import Device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.floorplan import (
    Cell,
    Region,
    Tile,
    assemble,
    check_regions,
    harvest,
    owners,
    part_netlist,
    tiles_of_nets,
)
from eccelerate.flow.netlist import Module
from eccelerate.flow.sites import part_of, sites
from eccelerate.flow.soften import soften_resets

TABLE = Path(__file__).with_name("floorplans.toml")
SOURCES = ("parts.py", "floorplan.py", "soften.py", "sites.py")
# Number of parts placed at a time: each nextpnr uses a core and up to 700 MB.
PARALLEL = 2
# nextpnr gives up after cells^2 / PATIENCE attempts to place one cell: about five million, which take a
# minute. Its default allows hundreds of times as many, and looks like a hang.
PATIENCE = 5000

Progress = Callable[[str], None]
Runner = Callable[[list[str], Path, Path], None]
"""Runs nextpnr with arguments in addition to device, clock and placer, in a folder, with a log file."""


@dataclass(frozen=True)
class Floorplan:
    """The regions of one design on one device. ``rest`` is the region of all cells that belong to no part."""

    regions: tuple[Region, ...]
    rest: Region

    def check(self, target: Device) -> None:
        """FlowError if the regions do not fit the device or each other."""
        check_regions((*self.regions, self.rest), sites(part_of(target.args)))


def read_floorplans(table: Path = TABLE) -> dict[tuple[str, str], Floorplan]:
    """All floorplans by the names of design and ECP5 part. FlowError if the table is malformed."""
    found = {}
    rows = tomllib.loads(table.read_text())
    for name, own in rows.items():
        try:
            row = own
            if "like" in own:
                row = rows[own["like"]] | own
            hub = tuple(_rectangle(r) for r in row["hub"])
            regions = tuple(
                Region(r["cells"], tuple(_rectangle(p) for p in r["places"]), hub) for r in row["region"]
            )
            rest = Region("rest.", tuple(_rectangle(r) for r in row["rest"]), hub)
            found[name, str(row["part"])] = Floorplan(regions, rest)
        except (KeyError, TypeError, ValueError) as error:
            raise FlowError(f"{table.name}: floorplan of {name}: {error!r}") from error
    return found


def _rectangle(values: list[int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = map(int, values)
    return left, top, right, bottom


def floorplan_of(design: str, target: Device) -> Floorplan | None:
    """The floorplan for ``design`` on ``target``. None for a design that is placed in one piece."""
    if target.place != "ecp5":
        return None
    return read_floorplans().get((design, part_of(target.args)))


def place_parts(
    plan: Floorplan,
    joined: dict[str, Any],
    top: str,
    clock: str,
    target: Device,
    cache: tuple[str, str],
    run: Runner,
    progress: Progress | None = None,
) -> int:
    """Place the parts of ``plan`` and the rest of the joined netlist. Locks all cells of the netlist, and
    returns their number. Raises FlowError.

    ``clock`` is the clock port. ``cache`` gives the first part of the folder names, and the key of everything
    that decides the result.
    """
    plan.check(target)
    module: Module = joined["modules"][top]
    [net] = module["ports"][clock]["bits"]
    soften_resets(module)
    owner = owners(module, plan.regions)
    device = sites(part_of(target.args))
    name, key = cache

    everything = (*plan.regions, plan.rest)

    def one(index: int, locked: dict[int, Tile] | None = None) -> dict[str, Cell]:
        region = everything[index]

        def build(folder: Path) -> None:
            if progress:
                progress(f"place part {index + 1} of {len(everything)}: {region.prefix.rstrip('.')}")
            part = part_netlist(module, owner, index, region, net, device, locked)
            netlist = {"creator": "eccelerate", "modules": {"part": part}}
            (folder / "in.json").write_text(json.dumps(netlist))
            patience = ["--placer-heap-cell-placement-timeout", str(PATIENCE)]
            files = ["--json", "in.json", "--no-route", "--write", "placed.json"]
            run([*files, *patience], folder, folder / "pnr.log")
            placed = json.loads((folder / "placed.json").read_text())
            (folder / "cells.json").write_text(json.dumps(harvest(placed, part, region, net)))
            for large in ("in.json", "placed.json"):
                (folder / large).unlink()

        neighbours = sorted((locked or {}).items())
        part_key = tools.digest(key, index, region, neighbours, sources=SOURCES)
        folder, _ = tools.cached(f"{name}-part{index}-{part_key}", build)
        cells: dict[str, Cell] = json.loads((folder / "cells.json").read_text())
        return cells

    with ThreadPoolExecutor(PARALLEL) as pool:
        parts = list(pool.map(one, range(len(plan.regions))))
    owner |= {
        n: len(parts) for n, c in module["cells"].items() if n not in owner and c["type"] != "$scopeinfo"
    }
    parts.append(one(len(parts), tiles_of_nets(parts)))
    assemble(module, owner, parts)
    return sum(map(len, parts))
