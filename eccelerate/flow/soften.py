"""Synchronous resets of few registers become logic.

The registers of half an ECP5 tile share one reset, so a register that has a reset of its own can make up to
three others unusable. On an almost full device this decides whether nextpnr finds a legal placement.
"""

from collections import Counter
from typing import Any

from eccelerate.flow.floorplan import next_net
from eccelerate.flow.netlist import Module

Cell = dict[str, Any]

LEAST = 80
"""A reset of fewer registers becomes logic. With 12, nextpnr found no place for all registers of an engine in
its region; with 80 it did.
"""


def _text(cell: Cell, name: str, default: str) -> str:
    return str(cell["parameters"].get(name, default)).strip()


def _reset(cell: Cell) -> int | None:
    """The net of a register's synchronous reset. None if the register has no reset that can become logic."""
    if cell["type"] != "TRELLIS_FF" or _text(cell, "SRMODE", "") != "LSR_OVER_CE":
        return None
    net = cell["connections"].get("LSR", ["0"])[0]
    return net if isinstance(net, int) and "DI" in cell["connections"] else None


def next_value(cell: Cell) -> str:
    """Truth table (INIT of a LUT4) of the register's next value. A is the reset, B the enable, C the data,
    and D the register's own output.
    """
    bits = ""
    for index in reversed(range(16)):
        reset, enable, data, itself = (bool(index >> i & 1) for i in range(4))
        mux = _text(cell, "CEMUX", "CE")
        enabled = True if mux == "1" else enable != (mux == "INV")
        to = _text(cell, "REGSET", "RESET") == "SET"
        held = data if enabled else itself
        bits += "1" if (to if reset != (_text(cell, "LSRMUX", "LSR") == "INV") else held) else "0"
    return bits


def soften_resets(module: Module, least: int = LEAST) -> int:
    """Replace each reset of fewer than ``least`` registers by a LUT in front of each register. Returns the
    number of registers changed.

    The reset has priority over the enable, so a register that has both loses both: enable, data and its own
    output also pass through the LUT. The power-up value does not change.
    """
    cells = module["cells"]
    users = Counter(net for c in cells.values() if (net := _reset(c)) is not None)
    chosen = [n for n, c in cells.items() if (net := _reset(c)) is not None and users[net] < least]
    for name, net in zip(chosen, next_net(module), strict=False):
        cell = cells[name]
        pins = cell["connections"]
        always = _text(cell, "CEMUX", "CE") == "1"
        inputs = {
            "A": pins["LSR"],
            "B": ["0"] if always else pins["CE"],
            "C": pins["DI"],
            "D": ["0"] if always else pins["Q"],
        }
        cells[f"{name}_SOFT_RESET"] = {
            "hide_name": 0,
            "type": "LUT4",
            "parameters": {"INIT": next_value(cell)},
            "attributes": {},
            "port_directions": dict.fromkeys(inputs, "input") | {"Z": "output"},
            "connections": {p: list(b) for p, b in inputs.items()} | {"Z": [net]},
        }
        kept = {p: b for p, b in pins.items() if p != "CE"}
        cell["connections"] = kept | {"DI": [net], "LSR": ["0"]}
        # nextpnr reads a string of zeros and ones as a number unless it ends with a blank.
        cell["parameters"] = {k: v for k, v in cell["parameters"].items() if k != "SRMODE"} | {
            "CEMUX": "1 ",
            "LSRMUX": "LSR",
        }
        cell["port_directions"] = {p: cell["port_directions"][p] for p in cell["connections"]}
    return len(chosen)
