"""Made-up records for the tests of tables and choices."""

from __future__ import annotations

from pathlib import Path

from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.explore.multipliers.multiplier_rows import Row
from eccelerate.flow.multiplier_store import MultiplierStore
from eccelerate.flow.store import Record


def record(name: str, device: str, lut4: int, mult: int, mhz: float | None, interval: int = 1) -> Record:
    return {
        "config": name,
        "device": device,
        "commit": "abc",
        "netlist": "of other sources",
        "tools": {"pyosys": "1"},
        "seconds": 10.0,
        "flow": "map" if mhz is None else "place",
        "lut4": lut4,
        "ff": 2 * lut4,
        "mult": mult,
        "bram": 0,
        "fmax_mhz": {} if mhz is None else {"1": mhz},
        "worst_mhz": mhz,
        "simulated": {"products": 100, "latency": 9, "interval": interval},
    }


RECORDS = (
    record("karatsuba-256-l4-pipelined", "ecp5-85f-6", 8000, 81, 200.0),
    record("karatsuba-256-l3-pipelined", "ecp5-85f-6", 5400, 108, 190.0),
    record("broadcast-256-w32-pipelined", "ecp5-85f-6", 1500, 32, 160.0, interval=8),
    record("comba-256-x16-pipelined", "ecp5-85f-6", 1400, 16, 200.0, interval=16),
    record("comba-256-x4-pipelined", "ecp5-85f-6", 1450, 16, 150.0, interval=64),
    record("shift-add-256", "ecp5-85f-6", 900, 0, 100.0, interval=256),
    record("karatsuba-256-l1", "ecp5-85f-6", 5000, 192, None),
    record("karatsuba-256-l3", "xc2v", 5500, 108, None),
    record("broadcast-256-w32-pipelined-montgomery", "ecp5-85f-6", 3000, 32, 160.0, interval=24),
)


def made_up() -> list[Row]:
    return [Row(parse_multiplier(each["config"]), each) for each in RECORDS]


def store(folder: Path) -> MultiplierStore:
    made = MultiplierStore(folder / "multipliers.jsonl")
    for each in RECORDS:
        made.put(each)
    return made
