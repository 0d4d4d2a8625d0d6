"""Blocks and picture of docs/study.md."""

from __future__ import annotations

from eccelerate.configs.study_config import variants
from eccelerate.explore.figures import Stores
from eccelerate.explore.study import study_chart, study_tables
from eccelerate.explore.study.study_plan import stale
from eccelerate.explore.study.study_rows import StudyRow, published_study, study_rows
from eccelerate.explore.study.study_store import PARTS
from eccelerate.explore.tables import count, markdown
from eccelerate.ucode.study.study_files import MULTIPLIERS

NOTHING = "Nothing is stored yet: `eccel study --measure`."


def targets(stores: Stores) -> str:
    """Each target with the stored figure."""
    lines = study_tables.target_lines(study_rows(stores.study))
    return markdown(["variant", "figure", "target", "stored", ""], lines, left=5)


def paper(stores: Stores) -> str:
    """The paper's rows beside ours."""
    columns = ["variant", "whose", "us at 80 MHz", "LUT4", "LUT4 x s", "mW", "uJ"]
    lines = study_tables.paper_lines(study_rows(stores.study))
    return f"{published_study().source}.\n\n" + markdown(columns, lines, left=2)


def best(stores: Stores) -> str:
    """The least variants of each figure, and where the paper's three are."""
    rows = study_rows(stores.study)
    if not rows:
        return NOTHING
    columns = ["figure", "least", "second", "3 x 16 bits", "2 x 16 bits", "least power", "of"]
    return markdown(columns, study_tables.best_lines(rows), left=3)


def ladder(stores: Stores) -> str:
    """The energy by digits and multipliers."""
    rows = study_rows(stores.study)
    if not rows:
        return NOTHING
    several = [f"ladder, {m} multiplier{'s' * (m > 1)}" for m in MULTIPLIERS]
    others = ["Lopez-Dahab, signed digits", "Lopez-Dahab, binary", "Jacobian, binary", "affine, binary"]
    return markdown(["uJ", *several, *others], study_tables.ladder_lines(rows))


def constant(stores: Stores) -> str:
    """The least energy if a constant power is added."""
    rows = study_rows(stores.study)
    if not rows:
        return NOTHING
    columns = ["constant power", "least energy of all", f"of digits up to {study_tables.PAPER_DIGITS} bits"]
    return markdown(columns, study_tables.constant_lines(rows), left=3)


def all_variants(stores: Stores) -> str:
    """Every variant with its figures."""
    rows = study_rows(stores.study)
    if not rows:
        return NOTHING
    lines = [
        [f"`{cell}`" if i == 0 else cell for i, cell in enumerate(study_tables.line(row))] for row in rows
    ]
    return markdown(list(study_tables.COLUMNS), lines) + "\n\n" + _provenance(rows)


def _provenance(rows: list[StudyRow]) -> str:
    records = [record for row in rows for record in row.parts.values()]
    commits = ", ".join(sorted({record["commit"] for record in records}))
    tools: dict[str, str] = {}
    for record in records:
        tools |= record["tools"]
    named = ", ".join(f"{name} {version}" for name, version in sorted(tools.items()))
    return f"Commit {commits}; {named}."


def state(stores: Stores) -> str:
    """How much is stored, and what is of earlier sources."""
    rows = study_rows(stores.study)
    have = {part: sum(part in row.parts for row in rows) for part in PARTS}
    counted = ", ".join(f"{part} {count(number)}" for part, number in have.items())
    text = f"There are {len(variants())} variants. Stored: {counted}."
    old = stale(stores.study)
    return text + (f" Of earlier sources: {', '.join(f'`{name}`' for name in old)}." if old else "")


def picture(stores: Stores) -> str:
    """All diagrams."""
    return study_chart.picture(study_rows(stores.study))
