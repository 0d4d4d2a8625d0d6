"""Repairs of Yosys JSON netlists for which Yosys has no pass.

* ECP5: Yosys maps block RAMs without their output register and leaves the register in fabric, which limits
  any design to 140 MHz (speed grade 6). :func:`absorb_output_registers` moves it into the block.
* Nexus: nextpnr refuses a carry cell whose carry input is a constant. :func:`repair_constant_carries`
  disconnects the constant where it has no effect, and otherwise drives it from another carry cell.
"""

from collections import Counter, defaultdict
from itertools import count
from typing import Any

Module = dict[str, Any]
Netlist = dict[str, Any]


# Parameters of the cell with which Yosys starts a Nexus carry chain: with B1 = C1 = D1 = 1, COUT = A1.
_CHAIN_START = {"INIT0": "0xFFFF", "INIT1": "0x00AA", "INJECT": "NO"}


def cell_types(module: Module) -> Counter[str]:
    """Number of cells of each type in a module."""
    return Counter(c["type"] for c in module["cells"].values())


def _sinks(module: Module) -> dict[int, list[tuple[str, str]]]:
    """The (cell, port) pairs that each net number drives. An output of the module counts as cell ""."""
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
    """Whether a TRELLIS_FF driven at ``port`` is a rising-edge register on ``clock`` with neither enable nor
    reset.
    """
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


def _read_ports(ram: dict[str, Any]) -> list[tuple[str, list[str], list[str]]]:
    """Read ports of an ECP5 block RAM: (side of its clock and enables, data pins, REGMODE parameters).

    With a 36-bit write port the block is in pseudo-dual-port mode: port B reads, and wide data leaves on the
    pins of both ports.
    """
    if ram["type"] == "PDPW16KD":
        return [("R", [f"DO{i}" for i in range(36)], ["REGMODE"])]
    both = {side: [f"DO{side}{i}" for i in range(18)] for side in "AB"}
    width = ram["parameters"].get("DATA_WIDTH_A", 18)
    if (int(width, 2) if isinstance(width, str) else width) == 36:
        return [("B", both["A"] + both["B"], ["REGMODE_A", "REGMODE_B"])]
    return [(side, both[side], [f"REGMODE_{side}"]) for side in "AB"]


def absorb_output_registers(module: Module) -> int:
    """Move registers that directly follow the data outputs of ECP5 block RAMs into the RAM. Returns the
    number of ports changed.

    A port is changed only if every connected data bit drives exactly one plain register on the port's own
    clock, and if the port is always enabled and never reset. The block's OUTREG then does the same: its data
    comes one cycle after that of the array. The power-up value of the register becomes that of the block (0),
    on which no design may rely.
    """
    sinks = _sinks(module)
    cells = module["cells"]
    changed = 0
    for ram in [c for c in cells.values() if c["type"] == "DP16KD"]:
        pins, params = ram["connections"], ram["parameters"]
        for side, outputs, modes in _read_ports(ram):
            if any(params.get(m) != "NOREG" for m in modes) or pins.get(f"RST{side}", ["0"]) != ["0"]:
                continue
            used = {p: pins[p][0] for p in outputs if pins.get(p) and sinks.get(pins[p][0])}
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
            params.update(dict.fromkeys(modes, "OUTREG"))
            pins[f"OCE{side}"] = ["1"]
            changed += 1
    return changed


def unregistered_rams(module: Module) -> list[str]:
    """Names of the ECP5 block RAMs that are read without their output register."""
    sinks = _sinks(module)
    return [
        name
        for name, ram in module["cells"].items()
        if ram["type"] in ("DP16KD", "PDPW16KD")
        for _, outputs, modes in _read_ports(ram)
        if any(ram["parameters"].get(m) != "OUTREG" for m in modes)
        and any(sinks.get(b) for p in outputs for b in ram["connections"].get(p, []))
    ]


def repair_constant_carries(module: Module) -> dict[str, int]:
    """Remove constant carry inputs from Nexus CCU2 cells. Returns how many were disconnected and how many are
    now driven by another cell.

    The cell that starts a carry chain of Yosys passes on its pin A1 and ignores its carry input, so the
    constant is disconnected. For any other cell, such a start cell is inserted in front of it.
    """
    cells = module["cells"]
    source = {"VLO": "0", "VHI": "1"}
    level_of: dict[Any, str] = {"0": "0", "1": "1"}
    for cell in cells.values():
        if cell["type"] in source:
            level_of[cell["connections"]["Z"][0]] = source[cell["type"]]
    users = []
    cut = 0
    for name, cell in cells.items():
        if cell["type"] != "CCU2" or cell["connections"].get("CIN", ["x"])[0] not in level_of:
            continue
        if all(cell["parameters"].get(k) == v for k, v in _CHAIN_START.items()):
            del cell["connections"]["CIN"]
            cut += 1
        else:
            users.append((name, cell))
    pins = [bits for cell in cells.values() for bits in cell["connections"].values()]
    pins += [port["bits"] for port in module["ports"].values()]
    fresh = count(1 + max((b for bits in pins for b in bits if isinstance(b, int)), default=1))

    # nextpnr accepts constants only from VLO and VHI cells.
    net_of = {level: net for net, level in level_of.items() if isinstance(net, int)}
    for kind, level in source.items():
        if users and level not in net_of:
            net_of[level] = next(fresh)
            cells[f"carry_feed.{kind}"] = _cell(kind, {}, {}, {"Z": [net_of[level]]})
    for name, cell in users:
        level, carry = level_of[cell["connections"]["CIN"][0]], next(fresh)
        inputs = {pin: [net_of["1"]] for pin in ("A0", "B0", "C0", "D0", "B1", "C1", "D1")}
        inputs["A1"] = [net_of[level]]
        cells[f"{name}.carry_feed"] = _cell("CCU2", dict(_CHAIN_START), inputs, {"COUT": [carry]})
        cell["connections"]["CIN"] = [carry]
    return {"carries_cut": cut, "carries_fed": len(users)}


def _cell(
    kind: str, parameters: dict[str, str], inputs: dict[str, Any], outputs: dict[str, Any]
) -> dict[str, Any]:
    """A cell in the form of a Yosys JSON netlist."""
    return {
        "hide_name": 0,
        "type": kind,
        "parameters": parameters,
        "attributes": {},
        "port_directions": dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output"),
        "connections": inputs | outputs,
    }
