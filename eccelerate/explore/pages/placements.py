"""Placements of configurations on every device, with the clock of each seed."""

from __future__ import annotations

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.figures import Stores, map_device, placed_design, stored_figures
from eccelerate.explore.pages.marked_blocks import Block
from eccelerate.explore.tables import count, fixed, markdown

AREA = {"lut4": "LUT4", "ff": "FF", "mult": "mult", "bram": "RAM"}


def of(*names: str) -> Block:
    """The block with the newest placement of each configuration on each device."""

    def table(stores: Stores) -> str:
        rows = []
        for name in names:
            design = placed_design(find_config(name)).name
            newest = {record["device"]: record for record in stores.flow.query(kind="place", config=design)}
            for device, record in sorted(newest.items()):
                clocks = sorted((int(seed), mhz) for seed, mhz in record["fmax_mhz"].items())
                cells = [count(record[key]) for key in AREA]
                mhz = ", ".join(fixed(each, 1) for _, each in clocks)
                rows.append([f"`{name}`", device, *cells, mhz, record["commit"]])
        return markdown(["configuration", "on", *AREA.values(), "MHz by seed", "commit"], rows)

    return table


CYCLES = {
    "scalar_mul_sustained": "k P in a stream",
    "base_mul_sustained": "k G in a stream",
    "ecdsa_sign_sustained": "signature in a stream",
    "ecdsa_verify_sustained": "verification in a stream",
}


def beside(name: str, other: str) -> Block:
    """The block that compares two configurations for the same curve: cells, clock and cycles."""

    def table(stores: Stores) -> str:
        configs = [find_config(each) for each in (name, other)]
        found = [stored_figures(config, find_curve(config.curve_name), stores) for config in configs]
        rows = []
        for key, text in AREA.items():
            pair = [each.placed[key] if each.placed else None for each in found]
            rows.append([f"{text}, placed", *_pair(*pair)])
        pair = [each.cells["lut4"] if each.cells else None for each in found]
        rows.append([f"LUT4, mapped for {map_device(configs[0])}", *_pair(*pair)])
        for key, text in CYCLES.items():
            rows.append([f"cycles, {text}", *_pair(*[each.count(key) for each in found])])
        return markdown(["", f"`{name}`", f"`{other}`", "change"], rows)

    return table


def _pair(before: float | None, after: float | None) -> list[str]:
    change = f"{after / before - 1:+.1%}" if before and after else ""
    return [count(before), count(after), change]
