"""The netlist repairs change exactly what they may change."""

from typing import Any

import pytest

from eccelerate.flow.netlist import absorb_output_registers, repair_constant_carries, unregistered_rams


def ff(d: int, q: int, **change: Any) -> dict[str, Any]:
    pins = {"CLK": [1], "DI": [d], "LSR": ["0"], "Q": [q], **change.pop("pins", {})}
    params = {"CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET", **change}
    directions = {p: "output" if p == "Q" else "input" for p in pins}
    return {"type": "TRELLIS_FF", "parameters": params, "connections": pins, "port_directions": directions}


def module(**registers: dict[str, Any]) -> dict[str, Any]:
    pins = {"CLKB": [1], "CEB": ["1"], "OCEB": ["0"], "RSTB": ["0"], "DOB0": [10], "DOB1": [11], "DOA0": [20]}
    ram = {
        "type": "DP16KD",
        "parameters": {
            "DATA_WIDTH_A": "10010",
            "REGMODE_A": "NOREG",
            "REGMODE_B": "NOREG",
            "CLKBMUX": "CLKB",
        },
        "connections": pins,
        "port_directions": {p: "output" if p.startswith("DO") else "input" for p in pins},
    }
    ports = {"clk_i": {"direction": "input", "bits": [1]}, "q": {"direction": "output", "bits": [30, 31]}}
    return {"ports": ports, "cells": {"ram": ram, **registers}}


def test_registers_move_into_the_ram() -> None:
    m = module(r0=ff(10, 30), r1=ff(11, 31))
    assert unregistered_rams(m) == ["ram"]
    assert absorb_output_registers(m) == 1
    ram = m["cells"]["ram"]
    assert list(m["cells"]) == ["ram"]
    assert ram["parameters"]["REGMODE_B"] == "OUTREG" and ram["parameters"]["REGMODE_A"] == "NOREG"
    assert (ram["connections"]["DOB0"], ram["connections"]["DOB1"], ram["connections"]["OCEB"]) == (
        [30],
        [31],
        ["1"],
    )
    assert unregistered_rams(m) == []


@pytest.mark.parametrize(
    "spoiler",
    [
        {"r1": ff(11, 31, CEMUX="CE", pins={"CE": [40]})},
        {"r1": ff(11, 31, pins={"LSR": [40]})},
        {"r1": ff(11, 31, CLKMUX="INV")},
        {"r1": ff(11, 31, pins={"CLK": [2]})},
        {"r1": ff(11, 31), "second_reader": ff(10, 32)},
        {},
    ],
    ids=["enable", "reset", "falling edge", "other clock", "two readers", "not registered"],
)
def test_anything_else_stays(spoiler: dict[str, Any]) -> None:
    m = module(r0=ff(10, 30), **spoiler)
    if not spoiler:
        m["ports"]["q"]["bits"] = [30, 11]
    before = set(m["cells"])
    assert absorb_output_registers(m) == 0
    assert set(m["cells"]) == before and unregistered_rams(m) == ["ram"]


def test_wide_port_is_one_port_on_both_sides() -> None:
    m = module(r0=ff(10, 30), r1=ff(11, 31), r2=ff(20, 32))
    m["cells"]["ram"]["parameters"]["DATA_WIDTH_A"] = "100100"
    assert absorb_output_registers(m) == 1
    parameters = m["cells"]["ram"]["parameters"]
    assert parameters["REGMODE_A"] == parameters["REGMODE_B"] == "OUTREG"
    assert m["cells"]["ram"]["connections"]["DOA0"] == [32]


def test_constant_carry_gets_a_driver_of_its_value() -> None:
    def ccu2(cin: Any, cout: int) -> dict[str, Any]:
        pins = {"CIN": [cin], "COUT": [cout]}
        return {
            "type": "CCU2",
            "parameters": {},
            "connections": pins,
            "port_directions": {"CIN": "input", "COUT": "output"},
        }

    vlo = {"type": "VLO", "parameters": {}, "connections": {"Z": [5]}, "port_directions": {"Z": "output"}}
    start = ccu2(5, 4)
    start["parameters"] = {"INIT0": "0xFFFF", "INIT1": "0x00AA", "INJECT": "NO"}
    cells = {"low": ccu2(5, 6), "next": ccu2(6, 7), "high": ccu2("1", 8), "vlo": vlo, "start": start}
    m = {"ports": {}, "cells": cells}
    assert repair_constant_carries(m) == {"carries_cut": 1, "carries_fed": 2}
    assert start["connections"] == {"COUT": [4]}
    one = m["cells"]["carry_feed.VHI"]["connections"]["Z"]
    for name, net in (("low", [5]), ("high", one)):
        feed = m["cells"][f"{name}.carry_feed"]
        assert feed["connections"]["A1"] == net and feed["connections"]["B1"] == one
        assert feed["connections"]["COUT"] == m["cells"][name]["connections"]["CIN"]
    assert m["cells"]["next"]["connections"]["CIN"] == [6]
    feeds = [c["connections"]["COUT"][0] for n, c in m["cells"].items() if n.endswith("feed")]
    assert len(set(feeds)) == 2 and min(feeds) > 8
