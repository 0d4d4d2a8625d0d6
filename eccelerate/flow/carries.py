"""Ends of ECP5 carry chains, for nextpnr.

nextpnr puts a carry cell before a chain whose carry input has a net, and one after a chain whose carry output
has one. It does so for a constant input and for an unused output too, and Yosys gives every chain both.
:func:`open_carry_ends` disconnects those that have no effect, which saves two LUT4 at each end.
"""

from collections import Counter
from typing import Any

from eccelerate.flow.netlist import Module

Cell = dict[str, Any]

_OPEN = "x"  # the bit of a pin without a net; nextpnr fails if the pin itself is missing


def _propagates(cell: Cell) -> bool:
    """Whether the lower half of a carry cell can pass its carry input on: its LUT is 1 for some levels of
    its nets.
    """
    pins = [cell["connections"][f"{name}0"][0] for name in "ABCD"]
    table = int(cell["parameters"]["INIT0"], 2)
    for index in (i for i in range(16) if table >> i & 1):
        level = {"0": 0, "1": 1}
        if all(level.setdefault(net, index >> i & 1) == index >> i & 1 for i, net in enumerate(pins)):
            return True
    return False


def open_carry_ends(module: Module) -> int:
    """Open constant carry inputs that have no effect, and unused carry outputs; returns how many."""
    cells = module["cells"].values()
    pins = Counter(bit for c in cells for bits in c["connections"].values() for bit in bits)
    pins.update(bit for port in module["ports"].values() for bit in port["bits"])
    opened = 0
    for cell in cells:
        if cell["type"] != "CCU2C":
            continue
        to = cell["connections"]
        ends = {"CIN": to["CIN"][0] in ("0", "1") and pins[to["S0"][0]] == 1 and not _propagates(cell)}
        ends |= {"COUT": pins[to["COUT"][0]] == 1}
        for pin in (p for p, idle in ends.items() if idle):
            to[pin] = [_OPEN]
            opened += 1
    return opened
