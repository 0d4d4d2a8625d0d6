"""Repairs on Yosys JSON netlists that no Yosys pass does.

* ECP5: Yosys maps block RAMs without their output register and leaves it in fabric, which caps any design at
  140 MHz (speed 6). :func:`absorb_output_registers` moves it into the block.
* Nexus: nextpnr refuses a carry cell whose carry input is a constant. :func:`drive_constant_carries` feeds
  it from a carry cell, as Yosys' own adder map does at the start of each chain.
"""

from collections import Counter, defaultdict
from typing import Any

Module = dict[str, Any]
Netlist = dict[str, Any]


def cell_types(module: Module) -> Counter[str]:
    """Number of cells of each type in one module."""
    return Counter(c["type"] for c in module["cells"].values())


def _sinks(module: Module) -> dict[int, list[tuple[str, str]]]:
    """For each net number, the (cell, port) pairs it feeds; module outputs count as cell ""."""
    sinks: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port, "input") != "output":
                for bit in bits:
                    if isinstance(bit, int):
                        sinks[bit].append((name, port))
    for port, info in module["ports"].items():
        if info["direction"] == "output":
            for bit in info["bits"]:
                if isinstance(bit, int):
                    sinks[bit].append(("", port))
    return sinks


def _plain_register(cell: dict[str, Any], port: str, clock: list[Any]) -> bool:
    """Whether a TRELLIS_FF fed at ``port`` is a rising-edge register on ``clock`` with neither enable nor
    reset."""
    if cell["type"] != "TRELLIS_FF" or port != "DI":
        return False
    pins, params = cell["connections"], cell["parameters"]
    enabled = params.get("CEMUX", "").strip() == "1" or pins.get("CE") == ["1"]
    never_reset = pins.get("LSR", ["0"]) == ["0"] or params.get("LSRMUX", "").strip() == "0"
    return (
        pins["CLK"] == clock
        and params.get("CLKMUX", "CLK").strip() == "CLK"
        and enabled
        and never_reset
        and "keep" not in cell.get("attributes", {})
    )


def absorb_output_registers(module: Module) -> int:
    """Move registers that directly follow the data outputs of ECP5 block RAMs into the RAM; returns ports
    changed.

    A port is changed only if every connected data bit feeds exactly one plain register on the port's own
    clock, the port is always enabled and never reset: the block's OUTREG then does the same, one cycle later
    than the array. The register's power-up value becomes that of the block (0), which nothing may rely on.
    """
    sinks = _sinks(module)
    cells = module["cells"]
    changed = 0
    for ram in [c for c in cells.values() if c["type"] == "DP16KD"]:
        for side in "AB":
            pins, params = ram["connections"], ram["parameters"]
            if params.get(f"REGMODE_{side}") != "NOREG" or pins.get(f"RST{side}", ["0"]) != ["0"]:
                continue
            outputs = {f"DO{side}{i}": pins.get(f"DO{side}{i}", []) for i in range(18)}
            used = {p: bits[0] for p, bits in outputs.items() if bits and sinks.get(bits[0])}
            clock = pins.get(f"CLK{side}")
            if not used or pins.get(f"CE{side}") != ["1"] or params.get(f"CLK{side}MUX") == "INV":
                continue
            feeds = {p: sinks[bit] for p, bit in used.items()}
            if not all(
                len(f) == 1 and f[0][0] and _plain_register(cells[f[0][0]], f[0][1], clock)
                for f in feeds.values()
            ):
                continue
            for port, [(register, _)] in feeds.items():
                pins[port] = cells.pop(register)["connections"]["Q"]
            params[f"REGMODE_{side}"] = "OUTREG"
            pins[f"OCE{side}"] = ["1"]
            changed += 1
    return changed


def unregistered_rams(module: Module) -> list[str]:
    """Names of ECP5 block RAMs that are read without their output register."""
    sinks = _sinks(module)
    slow = []
    for name, ram in module["cells"].items():
        pins, params = ram["connections"], ram["parameters"]
        if ram["type"] == "DP16KD":
            ports = [(f"DO{s}", 18, params.get(f"REGMODE_{s}")) for s in "AB"]
        elif ram["type"] == "PDPW16KD":
            ports = [("DO", 36, params.get("REGMODE"))]
        else:
            continue
        for prefix, width, mode in ports:
            read = any(sinks.get(b) for i in range(width) for b in pins.get(f"{prefix}{i}", []))
            if read and mode != "OUTREG" and name not in slow:
                slow.append(name)
    return slow


def drive_constant_carries(module: Module) -> int:
    """Feed constant carry inputs of Nexus CCU2 cells from a carry cell; returns the number of cells added."""
    cells = module["cells"]
    constant: dict[Any, str] = {"0": "0", "1": "1"}
    top = 1
    for cell in cells.values():
        if cell["type"] in ("VLO", "VHI"):
            constant[cell["connections"]["Z"][0]] = "0" if cell["type"] == "VLO" else "1"
        top = max([top, *(b for bits in cell["connections"].values() for b in bits if isinstance(b, int))])
    for port in module["ports"].values():
        top = max([top, *(b for b in port["bits"] if isinstance(b, int))])

    users = [
        (name, cell)
        for name, cell in cells.items()
        if cell["type"] == "CCU2" and cell["connections"].get("CIN", ["x"])[0] in constant
    ]
    for name, cell in users:
        top += 1
        level = constant[cell["connections"]["CIN"][0]]
        pins = {p: ["1"] for p in ("A0", "B0", "C0", "D0", "B1", "C1", "D1")} | {"A1": [level]}
        cells[f"{name}.carry_feed"] = {
            "hide_name": 0,
            "type": "CCU2",
            "parameters": {"INIT0": "0xFFFF", "INIT1": "0x00AA", "INJECT": "NO"},
            "attributes": {},
            "port_directions": dict.fromkeys(pins, "input") | {"COUT": "output"},
            "connections": {**pins, "COUT": [top]},
        }
        cell["connections"]["CIN"] = [top]
    return len(users)
