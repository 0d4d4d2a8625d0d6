"""Writes a library of eccelerate/energy/libraries from its Liberty file, or checks how much the reduction
costs.

    .venv/bin/python scripts/import_liberty.py sg13g2 sg13g2_stdcell_typ_1p20V_25C.lib
    .venv/bin/python scripts/import_liberty.py sky130 sky130_fd_sc_hd__tt_025C_1v80.lib --check

The Liberty files are not part of this project: they come with the open process kits that
eccelerate/energy/libraries/sources.toml names. With --check nothing is written: some multipliers are mapped
with the file itself, with all its usable cells, and with the committed table, and their areas and delays are
printed.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tomllib
from pathlib import Path

from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.energy.cell_mapping import map_cells, map_with_text
from eccelerate.energy.liberty_import import import_library
from eccelerate.energy.liberty_text import read_liberty
from eccelerate.energy.library import FOLDER, NAMES, Library, library_text, load_library
from eccelerate.flow.multiplier_store import unit_design

UNITS = ("booth-64", "broadcast-32-w16", "comba-64-x2")


def main() -> None:
    """Write the table, or print the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("name", choices=NAMES)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--check", action="store_true", help="compare areas and delays, write nothing")
    given = arguments.parse_args()
    if given.check:
        check(given.name, given.file)
        return
    path = FOLDER / f"{given.name}.json"
    path.write_text(library_text(reduced(given.name, given.file)))
    print(f"{path}: {len(load_library(given.name).cells)} cells, {path.stat().st_size:,} bytes")


def reduced(name: str, file: Path) -> Library:
    """The committed form of a library."""
    row = tomllib.loads((FOLDER / "sources.toml").read_text())[name]
    return import_library(
        file,
        name=name,
        source=row["source"],
        licence=row["licence"],
        points=(tuple(row["slews"]), tuple(row["loads"])),
        only={row["prefix"] + cell for cell in row["cells"].split()},
    )


def check(name: str, file: Path) -> None:
    """Area and delay of some units with the file, with all its usable cells, and with the committed table."""
    whole = import_library(file)
    raw = file.read_bytes()
    text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
    text = re.sub(r"\n *default_wire_load.*", "", text)  # the tables have no wires: ABC uses this one
    unused = [c.name for c in read_liberty(file).of("cell") if c.name not in whole.cells]
    for unit in UNITS:
        design = unit_design(parse_multiplier(unit))
        found = {
            "file": map_with_text(design, whole, text, unused),
            "all cells": map_cells(design, whole),
            "table": map_cells(design, name),
        }
        for what, mapped in found.items():
            print(json.dumps({"unit": unit, "with": what, "um2": mapped.area_um2, "ps": mapped.delay_ps}))


if __name__ == "__main__":
    main()
