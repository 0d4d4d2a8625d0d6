"""Stores with invented figures for tests: round numbers that differ from the real ones."""

from __future__ import annotations

import json
from pathlib import Path

from eccelerate.curves import find_curve
from eccelerate.explore.cycle_records import cycles_key
from eccelerate.explore.designs import config_design
from eccelerate.explore.figures import Stores, map_device, place_device, placed_design
from eccelerate.explore.pages.selection import claimed
from eccelerate.flow import device
from eccelerate.flow.store import netlist_key

P256 = find_curve("P-256")
TOOLS = {"python": "3.11", "verilator": "1.2"}
CYCLES = {
    "field_mul": 100, "field_mul_interval": 70, "field_add": 30, "inversion": 30_000,
    "ladder_step": 900.0, "scalar_mul": 250_000, "scalar_mul_blinded": 300_000, "ecdsa_sign": 280_000,
    "ecdsa_verify": 290_000, "ecdh": 260_000,
    "scalar_mul_sustained": 50_000.5, "array_busy": 0.875,
}  # fmt: skip


def full(folder: Path) -> Stores:
    """Stores with complete figures of every configuration, for the current sources."""
    stores, rows = Stores.at(folder), []
    for config in claimed():
        name, target = config.name, place_device(config)
        key = netlist_key(placed_design(config), device(target).rules)
        core_key = netlist_key(config_design(config, shell=False), device(map_device(config)).rules)
        area = {"lut4": 1600, "ff": 1800, "mult": 11, "bram": 12, "commit": "abc", "tools": {"pyosys": "0.1"}}
        rows.append(
            {
                "kind": "map",
                "config": f"{name}-core",
                "device": map_device(config),
                "netlist": core_key,
                **area,
            }
        )
        clocks = {"1": 125.0, "2": 130.0, "3": 127.0}
        place = {"netlist": key, "fmax_mhz": clocks, "worst_mhz": 125.0, **area, "lut4": 2000}
        placed_name = placed_design(config).name
        rows.append({"kind": "place", "config": placed_name, "device": target, **place})
        curve = find_curve(config.curve_name)
        record = {"config": name, "curve": curve.name, "key": cycles_key(config, curve), "cycles": CYCLES}
        stores.cycles.put({**record, "commit": "abc", "tools": TOOLS})
    stores.flow.path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return stores
