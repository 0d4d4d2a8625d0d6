"""Blocks and picture of docs/multipliers.md and docs/results/multipliers.md."""

from __future__ import annotations

from eccelerate.explore.figures import Stores
from eccelerate.explore.multipliers import multiplier_chart, multiplier_tables
from eccelerate.explore.multipliers.multiplier_family import CLAIMED_ON, DEVICES, family
from eccelerate.explore.multipliers.multiplier_pick import Budget, NothingFitsError, describe, pick
from eccelerate.explore.multipliers.multiplier_rows import Row, rows, stale_units, to_be_placed
from eccelerate.explore.multipliers.multiplier_targets import verdicts
from eccelerate.explore.multipliers.published_units import published_table
from eccelerate.explore.pages.marked_blocks import Block
from eccelerate.explore.tables import count, markdown

NOTHING = "Nothing is stored yet: `eccel multipliers --measure`."
PICTURE_BITS = 256
BUDGETS = (
    Budget(256, CLAIMED_ON, per_cycle=1),
    Budget(256, CLAIMED_ON, per_cycle=1, minimise="mult"),
    Budget(256, CLAIMED_ON, max_mult=40, per_cycle=8),
    Budget(256, CLAIMED_ON, max_mult=16, per_cycle=64),
    Budget(256, CLAIMED_ON, max_mult=0),
    Budget(521, CLAIMED_ON, per_cycle=16),
    Budget(256, CLAIMED_ON, reduction="montgomery", minimise="time"),
    Budget(64, "up5k", max_mult=8, minimise="time"),
)
"""Of the table of choices."""


def targets(stores: Stores) -> str:
    """Each target with the row that decides it."""
    lines = [
        [
            verdict.target.what,
            verdict.target.goal,
            verdict.target.reference,
            verdict.figure if verdict.row is None else f"`{verdict.row.config.name}`: {verdict.figure}",
            "met" if verdict.met else "missed" if verdict.row else "open",
        ]
        for verdict in verdicts(rows(stores.multipliers))
    ]
    return markdown(["what", "target", "reference", "stored", ""], lines, left=5)


def choices(stores: Stores) -> str:
    """What `eccel multipliers pick` answers for some budgets."""
    found, lines = rows(stores.multipliers), []
    for budget in BUDGETS:
        try:
            row = pick(found, budget, absent=()).chosen
            answer = [f"`{row.config.name}`", describe(row)]
        except NothingFitsError:
            answer = ["-", "no stored unit"]
        lines.append([budget.text, budget.minimise, *answer])
    return markdown(["budget", "least", "unit", "figures"], lines, left=4)


def paper(stores: Stores) -> str:
    """The published rows beside ours."""
    table = published_table()
    lines = [_named(line, 5) for line in multiplier_tables.paper_table(rows(stores.multipliers))]
    columns = list(multiplier_tables.PAPER_COLUMNS)
    return f"{table.source}; {table.table}, {table.device}.\n\n" + markdown(columns, lines, left=2)


def on_device(device: str) -> Block:
    """The block with all rows of a device."""

    def block(stores: Stores) -> str:
        found = rows(stores.multipliers, lambda row: row.device == device)
        if not found:
            return NOTHING
        lines = [_named(line, 0) for line in multiplier_tables.table(found)]
        seeds = sorted({len(row.record["fmax_mhz"]) for row in found if row.mhz})
        clocks = (
            f" Seeds of a placement: {' or '.join(map(str, seeds))}; the slowest counts." if seeds else ""
        )
        columns = [name for i, name in enumerate(multiplier_tables.COLUMNS) if i != 1]
        rest = [[cell for i, cell in enumerate(line) if i != 1] for line in lines]
        return markdown(columns, rest) + f"\n\n{_provenance(found)}{clocks}"

    return block


def _named(line: list[str], at: int) -> list[str]:
    return [f"`{cell}`" if i == at else cell for i, cell in enumerate(line)]


def _provenance(found: list[Row]) -> str:
    commits = ", ".join(sorted({row.record["commit"] for row in found}))
    tools: dict[str, str] = {}
    for row in found:
        tools |= row.record["tools"]
    named = ", ".join(f"{name} {version}" for name, version in sorted(tools.items()))
    return f"Commit {commits}; {named}."


def state(stores: Stores) -> str:
    """How much of the family is stored, and which rows are of earlier sources."""
    found = rows(stores.multipliers)
    have = {device: sum(row.device == device for row in found) for device in DEVICES}
    want = {device: sum(each.device == device for each in family()) for device in DEVICES}
    counted = ", ".join(f"{count(have[device])} of {count(want[device])} on {device}" for device in DEVICES)
    products = sum(row.record["simulated"]["products"] for row in found)
    text = (
        f"Stored rows: {counted}. Their units gave {count(products)} products on the RTL, all of them right."
    )
    old = stale_units(found)
    if not old:
        text += " Every row is of the RTL in this repository."
    waiting = [row for row in found if to_be_placed(row.record)]
    for some, what in (
        (waiting, "Only mapped so far, to be placed"),
        (old, "Of earlier sources, to be measured again"),
    ):
        if some:
            names = ", ".join(f"`{row.config.name}` ({row.device})" for row in some)
            text += f"\n\n{what}: {names}."
    return text


def picture(stores: Stores) -> str:
    """The picture for one width on the device of the claims."""
    found = rows(
        stores.multipliers,
        lambda row: (row.config.bits, row.device, row.config.reduction) == (PICTURE_BITS, CLAIMED_ON, "none"),
    )
    title = f"{PICTURE_BITS}-bit products, placed on {CLAIMED_ON}, logarithmic axes"
    return multiplier_chart.picture(found, title)
