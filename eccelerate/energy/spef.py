"""Reads the capacitances of nets from a SPEF file (IEEE 1481)."""

from __future__ import annotations

import re
from pathlib import Path

from eccelerate.energy.gate_netlist import GateNetlist
from eccelerate.flow.errors import FlowError

_UNIT = {"FF": 1e-3, "PF": 1.0}


def spef_capacitances(path: Path) -> dict[str, float]:
    """The total capacitance of each net of a SPEF file in pF. Raises FlowError."""
    names: dict[str, str] = {}
    found: dict[str, float] = {}
    factor, divider, brackets, in_map = 1.0, "/", "[]", False
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        raise FlowError(f"cannot read the SPEF file {path}: {error}") from error
    if not lines or not any(line.startswith("*SPEF") for line in lines[:20]):
        raise FlowError(f"{path} is no SPEF file: it has no *SPEF line")
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        try:
            if words[0] == "*C_UNIT":
                factor = float(words[1]) * _UNIT[words[2].upper()]
            elif words[0] == "*DIVIDER":
                divider = words[1]
            elif words[0] == "*BUS_DELIMITER":
                brackets = "".join(words[1:])
            elif words[0] == "*NAME_MAP":
                in_map = True
            elif words[0] == "*D_NET":
                in_map = False
                name = names.get(words[1], words[1])
                found[_plain(name, divider, brackets)] = float(words[2]) * factor
            elif words[0] in ("*PORTS", "*POWER_NETS", "*GROUND_NETS", "*DEFINE"):
                in_map = False
            elif in_map and re.fullmatch(r"\*\d+", words[0]):
                names[words[0]] = words[1]
        except (IndexError, ValueError, KeyError) as error:
            raise FlowError(f"{path}:{number}: not understood: {line.strip()[:60]}") from error
    return found


def _plain(name: str, divider: str, brackets: str) -> str:
    """A name as the netlist has it: dots between instances, square brackets, no backslashes."""
    text = name.replace(divider, ".") if divider != "." else name
    if len(brackets) == 2:
        text = text.replace(brackets[0], "[").replace(brackets[1], "]")
    return text.replace("\\", "")


def net_capacitances(path: Path, netlist: GateNetlist) -> dict[int, float]:
    """The capacitance of each net of a netlist that the file names. FlowError if it names none."""
    by_name = spef_capacitances(path)
    found = {net: by_name[name] for net, names in netlist.names.items() for name in names if name in by_name}
    if not found:
        raise FlowError(f"{path}: none of its {len(by_name)} nets is a net of {netlist.top}")
    return found
