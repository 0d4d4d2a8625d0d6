"""The table of docs/boards.md: what was built for each board."""

from __future__ import annotations

from eccelerate.configs.board_table import find_board
from eccelerate.explore.figures import Stores
from eccelerate.explore.tables import count, fixed, markdown
from eccelerate.flow.board_bundle import BoardStore

HEADS = ("board", "configuration", "logic", "mult", "RAM", "engine MHz", "placed MHz", "commit")


def boards(stores: Stores) -> str:
    """The newest build of each configuration on each board; mapped cells without an open placer."""
    del stores  # boards have a store of their own
    rows = []
    for record in BoardStore():
        board = find_board(record["board"])
        if board.place:
            used, have = record["used"], record["available"]
            cells = [f"{count(used[kind])} of {count(have[kind])}" for kind in ("lut4", "mult", "bram")]
            placed = fixed(record["fmax_mhz"], 1)
        else:
            mapped = record["mapped"]
            cells, placed = [f"{count(mapped[kind])} mapped" for kind in ("lut", "mult", "bram")], "-"
        rows.append(
            [
                f"`{board.name}`",
                f"`{record['config']}`",
                *cells,
                fixed(record["clock_mhz"], 1),
                placed,
                record["commit"],
            ]
        )
    return markdown(list(HEADS), rows)
