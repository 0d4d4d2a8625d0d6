"""Placements of configurations on every device, with the clock of each seed."""

from __future__ import annotations

from eccelerate.configs.config import find_config
from eccelerate.explore.figures import Stores, placed_design
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
