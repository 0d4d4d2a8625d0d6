"""Placements of one configuration on every device, with the clock of each seed."""

from __future__ import annotations

from eccelerate.configs.config import find_config
from eccelerate.explore.figures import Stores, placed_design
from eccelerate.explore.pages.marked_blocks import Block
from eccelerate.explore.tables import count, fixed, markdown

AREA = {"lut4": "LUT4", "ff": "FF", "mult": "mult", "bram": "RAM"}


def of(name: str) -> Block:
    """The block with the newest placement of configuration `name` on each device."""

    def table(stores: Stores) -> str:
        newest = {
            record["device"]: record
            for record in stores.flow.query(kind="place", config=placed_design(find_config(name)).name)
        }
        rows = [
            [
                device,
                *(count(record[key]) for key in AREA),
                ", ".join(
                    fixed(mhz, 1) for _, mhz in sorted(record["fmax_mhz"].items(), key=lambda s: int(s[0]))
                ),
                record["commit"],
            ]
            for device, record in sorted(newest.items())
        ]
        return markdown([f"`{name}` on", *AREA.values(), "MHz by seed", "commit"], rows)

    return table
