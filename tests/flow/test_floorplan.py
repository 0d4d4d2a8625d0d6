"""Placement part by part: two small engines in two regions, arithmetic of regions, resets that become
logic.
"""

import json
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from eccelerate.flow import Design, FlowError, device, parts, pnr, synthesise, tools
from eccelerate.flow.floorplan import (
    Region,
    assemble,
    check_regions,
    owners,
    part_netlist,
    tiles_of_nets,
)
from eccelerate.flow.parts import Floorplan, floorplan_of, read_floorplans
from eccelerate.flow.pnr import place
from eccelerate.flow.sites import Site, sites
from eccelerate.flow.soften import LEAST, next_value, soften_resets

HERE = Path(__file__).parent
PRIM = HERE.parents[1] / "rtl" / "prim"
HUB = ((26, 10, 44, 24),)
LEFT = Region("u_design.gen_engine[0].u_engine.", ((2, 10, 20, 26),), HUB)
RIGHT = Region("u_design.gen_engine[1].u_engine.", ((50, 10, 70, 26),), HUB)
REST = Region("rest.", HUB, HUB)


def grid(*rows: tuple[int, int, str]) -> tuple[Site, ...]:
    return tuple(Site(x, y, slot, "TRELLIS_FF") for x, y, slot in rows)


def cell(kind: str, inputs: dict[str, Any], out: tuple[str, int], **parameters: str) -> dict[str, Any]:
    return {
        "type": kind,
        "parameters": parameters,
        "attributes": {},
        "port_directions": dict.fromkeys(inputs, "input") | {out[0]: "output"},
        "connections": {p: [b] for p, b in inputs.items()} | {out[0]: [out[1]]},
    }


def register(data: int, out: int, **more: Any) -> dict[str, Any]:
    pins = {"CLK": 2, "DI": data} | {k: v for k, v in more.items() if k in ("LSR", "CE")}
    return cell("TRELLIS_FF", pins, ("Q", out), **{k: v for k, v in more.items() if k not in pins})


@pytest.fixture
def twins() -> Design:
    files = [*(PRIM / f"eccel_{n}.sv" for n in ("ram", "mul18")), HERE / "flow_twins.sv"]
    return Design("flow-twins", "flow_twins", files)


def test_places_of_the_device_are_all_there() -> None:
    for part, luts, mults, rams in (("LFE5U-25F", 24288, 28, 56), ("LFE5U-85F", 83640, 156, 208)):
        found = Counter(s.kind for s in sites(part))
        assert found == {"TRELLIS_COMB": luts, "TRELLIS_FF": luts, "MULT18X18D": mults, "DP16KD": rams}
        assert len({s.bel for s in sites(part)}) == sum(found.values())


def test_floorplans_of_the_table_fit_their_devices() -> None:
    plans = read_floorplans()
    assert plans
    for (_, part), plan in plans.items():
        check_regions((*plan.regions, plan.rest), sites(part))
    nine = plans["turbo-p256-x9-core", "LFE5U-85F"].regions
    held = [Counter(s.kind for s in sites("LFE5U-85F") if region.holds(s)) for region in nine]
    # The multipliers and block RAMs of an engine, and at most four fifths of the registers.
    assert len(nine) == 9 and all(h["MULT18X18D"] >= 16 and h["DP16KD"] >= 20 for h in held)
    assert min(h["TRELLIS_FF"] for h in held) > 6760 / 0.8
    assert plans["turbo-p224-x9-core", "LFE5U-85F"].regions == nine


def test_design_and_device_choose_the_floorplan() -> None:
    assert floorplan_of("turbo-p256-x9-core", device("ecp5-85f-8"))
    assert floorplan_of("turbo-p256-x9-core", device("ecp5-85f-6"))
    assert floorplan_of("turbo-p256-x9-core", device("ecp5-25f-6")) is None
    assert floorplan_of("turbo-p256-core", device("ecp5-85f-8")) is None
    assert floorplan_of("turbo-p256-x9-core", device("lifcl-40")) is None


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (((0, 0, 4, 4),), ((4, 4, 8, 8),), "X4/Y4/a is in the regions of l. and r."),
        (((4, 0, 0, 4),), ((5, 5, 8, 8),), r"rectangle \[4, 0, 0, 4\] of l. is empty"),
        (((0, 0, 4, 4),), ((9, 9, 12, 12),), "region of r. has no place on the device"),
    ],
)
def test_bad_regions_are_refused(left: Any, right: Any, message: str) -> None:
    regions = (Region("l.", left, HUB), Region("r.", right, HUB))
    with pytest.raises(FlowError, match=message):
        check_regions(regions, grid((0, 0, "a"), (4, 4, "a"), (8, 8, "a")))


def test_bad_table_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "floorplans.toml"
    table.write_text('[x]\npart = "LFE5U-85F"\nhub = [[1, 2, 3]]\nrest = []\nregion = []\n')
    with pytest.raises(FlowError, match="floorplan of x"):
        read_floorplans(table)
    table.write_text('[x]\nlike = "y"\n')
    with pytest.raises(FlowError, match="floorplan of x: KeyError"):
        read_floorplans(table)
    assert tomllib.loads(parts.TABLE.read_text())


def test_merged_cells_are_copied_and_gathering_cells_left_out() -> None:
    """A register that two parts share is copied into both. A LUT that reads both parts belongs to none, and
    neither does one that only follows the part after which it is named.
    """
    one, two = Region("a.", ((0, 0, 1, 1),), HUB), Region("b.", ((2, 2, 3, 3),), HUB)
    module: dict[str, Any] = {
        "ports": {"clk_i": {"direction": "input", "bits": [2]}},
        "cells": {
            "in": register(3, 10),
            "a.shared": register(10, 11),
            "a.x": register(11, 12),
            "b.x": register(11, 13),
            "b.gather": cell("LUT4", {"A": 12, "B": 13}, ("Z", 14)),
            "b.after": cell("LUT4", {"A": 13}, ("Z", 16)),
            "out": register(14, 15),
            "out2": register(16, 17),
        },
        "netnames": {},
    }
    owner = owners(module, (one, two))
    assert {n for n, i in owner.items() if i == 0} == {"a.shared", "a.x"}
    copy = (set(owner) - {"a.shared", "a.x", "b.x"}).pop()
    assert owner[copy] == 1 and module["cells"][copy]["connections"]["DI"] == [10]
    assert module["cells"]["b.x"]["connections"]["DI"] == module["cells"][copy]["connections"]["Q"]
    assert module["cells"]["a.x"]["connections"]["DI"] == [11]
    with pytest.raises(FlowError, match=r"no cell is named c\."):
        owners(module, (one, Region("c.", ((2, 2, 3, 3),), HUB)))
    with pytest.raises(FlowError, match=r"drives b\.ram of another"):
        module["cells"]["a.ram"] = cell("DP16KD", {"ADA0": 10}, ("DOA0", 20))
        module["cells"]["b.ram"] = cell("DP16KD", {"ADA0": 20}, ("DOA0", 21))
        owners(module, (one, two))


def test_part_is_walled_in_and_small_hub_refused() -> None:
    spots = product(range(4), range(4), range(8))
    places = tuple(Site(x, y, f"FF{i}", "TRELLIS_FF") for x, y, i in spots)
    region = Region("a.", ((0, 0, 1, 1),), ((3, 3, 3, 3),))
    module: dict[str, Any] = {
        "ports": {"clk_i": {"direction": "input", "bits": [2]}},
        "cells": {"in": register(3, 10), "a.x": register(10, 11), "out": register(11, 12)},
    }
    alone = part_netlist(module, {"a.x": 0}, 0, region, 2, places)
    bels = [c["attributes"]["BEL"] for c in alone["cells"].values() if c["attributes"]]
    assert len(set(bels)) == len(bels) == 12 * 8
    assert not any(b.startswith(("X0/Y0/", "X0/Y1/", "X1/Y0/", "X1/Y1/")) for b in bels)
    anchors = {n: c for n, c in alone["cells"].items() if n.startswith("anchor")}
    assert all(c["attributes"]["BEL"].startswith("X3/Y3/") for c in anchors.values())
    assert [set(c["connections"]) for c in anchors.values()] == [{"CLK", "Q"}, {"CLK", "M"}]

    known = part_netlist(module, {"a.x": 0}, 0, region, 2, places, {10: (2, 0), 11: (0, 3)})
    at = [c["attributes"]["BEL"][:5] for n, c in known["cells"].items() if n.startswith("anchor")]
    assert at == ["X2/Y0", "X0/Y3"]
    with pytest.raises(FlowError, match="no place for 2 nets"):
        part_netlist(module, {"a.x": 0}, 0, Region("a.", region.places, ((9, 9, 9, 9),)), 2, places)


def test_nets_made_by_packing_get_numbers_of_their_own() -> None:
    module: dict[str, Any] = {
        "ports": {"clk_i": {"direction": "input", "bits": [2]}},
        "cells": {"a.lut": cell("LUT4", {"A": 3}, ("Z", 10)), "out": register(10, 11)},
        "netnames": {"kept": {"bits": [11]}, "gone": {"bits": [40]}},
    }
    placed = cell("TRELLIS_COMB", {"A": -1}, ("F", 10)) | {"attributes": {"BEL": "X3/Y4/SLICEA.K0"}}
    assert tiles_of_nets([{"a.lut": placed}]) == {10: (3, 4)}
    assemble(module, {"a.lut": 0}, [{"a.lut": placed}])
    assert module["cells"]["a.lut"]["connections"] == {"A": [12], "F": [10]}
    assert list(module["netnames"]) == ["kept"]


@pytest.mark.parametrize("regset", ["SET", "RESET"])
@pytest.mark.parametrize("cemux", ["1 ", "CE", "INV"])
@pytest.mark.parametrize("lsrmux", ["LSR", "INV"])
def test_reset_as_logic_does_what_the_register_did(regset: str, cemux: str, lsrmux: str) -> None:
    ff = register(4, 5, LSR=6, CE=7, REGSET=regset, CEMUX=cemux, LSRMUX=lsrmux, SRMODE="LSR_OVER_CE")
    table = next_value(ff)
    for reset, enable, data, held in product((0, 1), repeat=4):
        if reset != (lsrmux == "INV"):
            want = int(regset == "SET")
        else:
            want = data if cemux == "1 " or enable != (cemux == "INV") else held
        assert table[15 - (reset + 2 * enable + 4 * data + 8 * held)] == str(want)


def test_only_small_resets_become_logic() -> None:
    kept = {"SRMODE": "LSR_OVER_CE", "CEMUX": "CE", "LSRMUX": "LSR", "REGSET": "RESET"}
    cells = {f"many{i}": register(4, 100 + i, LSR=6, CE=7, **kept) for i in range(LEAST)}
    cells["few"] = register(4, 20, LSR=8, CE=7, **kept)
    cells["async"] = register(4, 30, LSR=9, CE=7, **kept | {"SRMODE": "ASYNC"})
    module: dict[str, Any] = {"ports": {}, "cells": cells}
    assert soften_resets(module) == 1
    few = module["cells"]["few"]
    lut = module["cells"]["few_SOFT_RESET"]["connections"]
    assert lut["A"] == [8] and lut["B"] == [7] and lut["C"] == [4] and lut["D"] == [20]
    assert few["connections"] == {"CLK": [2], "DI": lut["Z"], "LSR": ["0"], "Q": [20]}
    assert few["parameters"]["CEMUX"] == "1 " and "SRMODE" not in few["parameters"]
    assert module["cells"]["async"]["connections"]["LSR"] == [9]
    assert module["cells"]["many3"]["connections"]["LSR"] == [6]


def test_two_parts_are_placed_in_their_regions_and_the_whole_is_routed(
    twins: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECCEL_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(pnr, "floorplan_of", lambda name, target: Floorplan((LEFT, RIGHT), REST))
    said: list[str] = []
    result = place(twins, "ecp5-25f-6", (1,), said.append)
    assert any("part 2 of 3: u_design.gen_engine[1].u_engine" in text for text in said)
    assert result.worst_mhz > 80 and result.placed["mult"] == 2 and result.placed["bram"] == 2
    log = (result.folders[1] / "pnr.log").read_text()
    assert "ERROR" not in log and "Router1 time" in log

    for region, kept in ((LEFT, "part0"), (RIGHT, "part1")):
        [folder] = tools.build_root().glob(f"*-{kept}-*")
        placed = json.loads((folder / "cells.json").read_text())
        assert {c["type"] for c in placed.values()} >= {"TRELLIS_COMB", "TRELLIS_FF", "MULT18X18D"}
        spots = [c["attributes"]["BEL"] for c in placed.values()]
        assert len(set(spots)) == len(spots)
        left, top, right, bottom = region.places[0]
        for spot in spots:
            x, y = (int(t[1:]) for t in spot.split("/")[:2])
            assert left <= x <= right and top <= y <= bottom
        # An interrupted run continues, because the parts are in the cache.
    assert place(twins, "ecp5-25f-6", (1,)).fmax_mhz == result.fmax_mhz


def next_state(module: dict[str, Any], seed: int) -> dict[str, int]:
    """The next value of each register and each pin of a block, if the values of registers and outputs of
    blocks depend only on name and ``seed``. Unconnected pins of LUTs get either value.
    """
    cells, level = module["cells"], {"0": 0, "1": 1, "x": 0, "z": 0}

    def chosen(name: str) -> int:
        return Random(f"{name} {seed}").getrandbits(1)

    driver = {
        bits[0]: (name, pin)
        for name, c in cells.items()
        for pin, bits in c["connections"].items()
        if bits and c["port_directions"][pin] == "output"
    }
    known: dict[tuple[str, str], int] = {}

    def value(name: str, pin: str) -> int:
        bits = cells[name]["connections"].get(pin, [])
        if not bits:
            comb = cells[name]["type"] in ("TRELLIS_COMB", "LUT4")
            return 1 if is_carry(cells[name]) or not comb else chosen(f"{name}.{pin}")
        if bits[0] in level:
            return level[bits[0]]
        source = driver.get(bits[0])
        return output(*source) if source else chosen(f"port {bits[0]}")

    def is_carry(c: dict[str, Any]) -> bool:
        return str(c["parameters"].get("MODE", "")) == "CCU2"

    def table(name: str, init: str, suffix: str = "") -> tuple[int, int]:
        a, b, c, d = (value(name, f"{pin}{suffix}") for pin in "ABCD")
        return int(init[15 - (a + 2 * b + 4 * c + 8 * d)]), int(init[15 - (a + 2 * b)])

    def carry_step(four: int, two: int, carry: int, inject: bool) -> tuple[int, int]:
        """Sum and carry. INJECT keeps the carry out of the sum."""
        return four ^ (0 if inject else carry), (carry if four else 0 if inject else two)

    def output(name: str, pin: str) -> int:
        if (name, pin) in known:
            return known[name, pin]
        c = cells[name]
        par, kind = c["parameters"], c["type"]
        if kind == "LUT4":
            got = table(name, par["INIT"])[0]
        elif kind == "TRELLIS_COMB" and is_carry(c):
            inject = par["CCU2_INJECT1"].strip() == "YES"
            got = carry_step(*table(name, par["INITVAL"]), value(name, "FCI"), inject)[pin == "FCO"]
        elif kind == "TRELLIS_COMB":
            assert pin == "F"
            got = table(name, par["INITVAL"])[0]
        elif kind == "CCU2C":
            carry = value(name, "CIN")
            for i in "01":
                inject = par[f"INJECT1_{i}"].strip() == "YES"
                total, carry = carry_step(*table(name, par[f"INIT{i}"], i), carry, inject)
                if pin == f"S{i}":
                    break
            got = carry if pin == "COUT" else total
        else:
            got = chosen(f"{name}.{pin}")
        known[name, pin] = got
        return got

    state = {}
    for name, c in cells.items():
        if c["type"] == "TRELLIS_FF":
            data = value(name, "M" if c["connections"].get("M") else "DI")
            reset = value(name, "LSR") if c["connections"].get("LSR") else 0
            enable = value(name, "CE") if c["connections"].get("CE") else 1
            index = reset + 2 * enable + 4 * data + 8 * output(name, "Q")
            state[name] = int(next_value(c)[15 - index])
        elif c["type"] in ("MULT18X18D", "DP16KD", "PDPW16KD"):
            for pin, bits in c["connections"].items():
                if bits and c["port_directions"][pin] != "output":
                    state[f"{name}.{pin}"] = value(name, pin)
    return state


@pytest.mark.soak
def test_locked_netlist_computes_what_the_mapped_one_did(
    twins: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every register and every block gets the same next value in both netlists, whatever the present values
    are.
    """
    monkeypatch.setattr(pnr, "floorplan_of", lambda name, target: Floorplan((LEFT, RIGHT), REST))
    target = device("ecp5-25f-6")
    netlist, _ = pnr._join(synthesise(twins, target), target, None)
    plan, key = Floorplan((LEFT, RIGHT), REST), netlist.parent.name
    joined = pnr._lock_parts(plan, netlist, key, twins.name, target, 1, None)
    locked = joined["modules"]["eccel_ooc_wrapper"]
    mapped = json.loads(netlist.read_text())["modules"]["eccel_ooc_wrapper"]
    mapped["cells"] = {n: c for n, c in mapped["cells"].items() if c["type"] != "$scopeinfo"}
    locked["cells"] = {n: c for n, c in locked["cells"].items() if c["type"] != "$scopeinfo"}
    assert any(c["type"] == "CCU2C" for c in mapped["cells"].values())
    assert any(c["parameters"].get("MODE") == "CCU2" for c in locked["cells"].values())
    for seed in range(30):
        assert next_state(mapped, seed) == next_state(locked, seed)

    ends = {b for c in locked["cells"].values() for b in c["connections"].get("DI", [])}
    combs = [c for c in locked["cells"].values() if c["type"] == "TRELLIS_COMB"]
    plain = (c for c in combs if c["parameters"].get("MODE", "LOGIC") == "LOGIC")
    lut = next(c for c in plain if ends.intersection(c["connections"].get("F", [])))
    lut["parameters"]["INITVAL"] = lut["parameters"]["INITVAL"].translate(str.maketrans("01", "10"))
    assert next_state(mapped, 0) != next_state(locked, 0)
