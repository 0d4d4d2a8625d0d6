"""nextpnr keeps the chosen places of multipliers and block RAMs, and a table that does not fit its design is
refused.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from eccelerate.configs.config import load_configs
from eccelerate.explore.designs import design_name
from eccelerate.flow import Design, FlowError, blocks, device, pnr
from eccelerate.flow.blocks import TABLE, chosen_places, fix_blocks
from eccelerate.flow.sites import part_of, sites

RAM = Path(__file__).parents[2] / "rtl" / "prim" / "eccel_ram.sv"
ECP5 = device("ecp5-25f-6")
RAMS = [site.bel for site in sites("LFE5U-25F") if site.kind == "DP16KD"]  # from left to right
NAME = "gen_blocks.gen_slice[0].gen_wide.u_ram"


def table(folder: Path, design: str, places: dict[str, str]) -> Path:
    path = folder / "block_places.toml"
    rows = "".join(f'"{name}" = "{bel}"\n' for name, bel in places.items())
    path.write_text(f'[{design}]\npart = "LFE5U-25F"\n[{design}.places]\n{rows}')
    return path


def module(*names: str) -> dict[str, Any]:
    rams = {f"u_design.{name}": {"type": "DP16KD", "attributes": {}} for name in names}
    return {"cells": rams | {"other": {"type": "LUT4", "attributes": {}}}}


def test_every_table_names_a_configuration_and_places_of_its_part() -> None:
    known = {design_name(c, shell=shell) for c in load_configs().values() for shell in (False, True)}
    for name, row in tomllib.loads(TABLE.read_text()).items():
        assert name in known
        for target in (ECP5, device("ecp5-85f-6")):
            assert chosen_places(name, target) == (
                row["places"] if part_of(target.args) == row["part"] else {}
            )
        assert chosen_places(name, device("up5k")) == {}


def test_blocks_get_their_places(tmp_path: Path) -> None:
    rows = table(tmp_path, "two", {"a": RAMS[0], "b": RAMS[1]})
    found, netlist = chosen_places("two", ECP5, rows), module("a", "b")
    fix_blocks(netlist, found, "u_design.")
    assert {n: c["attributes"]["BEL"] for n, c in netlist["cells"].items() if n != "other"} == {
        "u_design.a": RAMS[0],
        "u_design.b": RAMS[1],
    }
    for wrong in (module("a"), module("a", "b", "c"), module("a", "c")):
        with pytest.raises(FlowError, match="not the blocks of this design"):
            fix_blocks(wrong, found, "u_design.")


def test_tables_that_the_part_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match="has no place X2/Y1/EBR0"):
        chosen_places("one", ECP5, table(tmp_path, "one", {"a": "X2/Y1/EBR0"}))
    with pytest.raises(FlowError, match="same place"):
        chosen_places("one", ECP5, table(tmp_path, "one", dict.fromkeys("ab", RAMS[0])))
    (path := tmp_path / "bad.toml").write_text('[one]\npart = "LFE5U-25F"\n')
    with pytest.raises(FlowError, match="places of one"):
        chosen_places("one", ECP5, path)


def test_nextpnr_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bitstream configures the place that the table names, for each of two places far apart."""
    monkeypatch.setenv("ECCEL_BUILD", str(tmp_path))
    design = Design("one-ram", "eccel_ram", [RAM], {"Width": 32, "Depth": 512})
    found = []
    for bel in (RAMS[0], RAMS[-1]):
        monkeypatch.setattr(blocks, "TABLE", table(tmp_path, "one-ram", {NAME: bel}))
        folder = pnr.place(design, ECP5, (1,)).folders[1]
        log = (folder / "out.config").read_text()
        found.append([line for line in log.splitlines() if line.startswith(".tile") and "EBR" in line])
    assert found[0] != found[1]
    assert json.loads((folder / "report.json").read_text())["utilization"]["DP16KD"]["used"] == 1
