"""Only those ends of ECP5 carry chains are opened that have no effect."""

from typing import Any

import pytest

from eccelerate.flow.carries import open_carry_ends

GATED_ADD = f"{0x696A:016b}"  # A ^ (C ? B : D ? ~B : 0), as in rtl/prim_ecp5/eccel_add.sv


def carry(cin: Any, cout: int, a0: Any = 2, b0: Any = 2, c0: Any = "1", d0: Any = "0", s0: int = 50) -> Any:
    pins = {"CIN": [cin], "A0": [a0], "B0": [b0], "C0": [c0], "D0": [d0], "S0": [s0], "COUT": [cout]}
    return {"type": "CCU2C", "parameters": {"INIT0": GATED_ADD}, "connections": pins}


def opened(*outputs: int, **cells: Any) -> set[str]:
    """The pins that are opened, in a module with output ports."""
    module = {"ports": {"q": {"bits": list(outputs)}}, "cells": cells}
    count = open_carry_ends(module)
    pins = {f"{n}.{p}" for n, c in cells.items() for p, bits in c["connections"].items() if bits == ["x"]}
    assert len(pins) == count
    return pins


def test_idle_ends_of_a_chain_are_opened() -> None:
    cells = {"first": carry("0", 10), "next": carry(10, 11, 3, 4, s0=51), "last": carry(11, 12, s0=52)}
    assert opened(51, **cells) == {"first.CIN", "last.COUT"}


@pytest.mark.parametrize(
    "change",
    [{"cin": 5}, {"a0": 3}, {"c0": 6}, {"c0": "0", "a0": "1"}, {"s0": 90}],
    ids=["signal", "adds two nets", "gated", "adds a constant", "sum is used"],
)
def test_a_carry_input_with_an_effect_stays(change: dict[str, Any]) -> None:
    assert opened(90, 91, first=carry(**{"cin": "0", "cout": 91} | change)) == set()


@pytest.mark.parametrize("sink", ["port", "cell"])
def test_a_carry_output_with_a_sink_stays(sink: str) -> None:
    lut = {"type": "LUT4", "parameters": {}, "connections": {"A": [91 if sink == "cell" else 7]}}
    assert opened(91 if sink == "port" else 8, lut=lut, only=carry(5, 91)) == set()
