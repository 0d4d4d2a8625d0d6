"""Blocks of docs/compare.md: yardsticks and engines by every measure."""

from __future__ import annotations

from eccelerate.explore import compare_algorithms
from eccelerate.explore.figures import Stores
from eccelerate.explore.marnane.marnane_rows import rows, stale
from eccelerate.explore.published import find_system
from eccelerate.explore.tables import PlainTable, markdown

NAME = "marnane"
NOTHING = "Nothing is stored yet: `eccel compare marnane`."


def _record(stores: Stores) -> compare_algorithms.Record:
    found = rows(find_system(NAME), stores, measure=False)
    return {"rows": [row.record for row in found], "open_cores": map(vars, find_system(NAME).open_cores)}


def paper(stores: Stores) -> str:
    """Slices and cycles beside the paper's."""
    system, record = find_system(NAME), _record(stores)
    table = compare_algorithms.paper_table(system, record)
    return f"{_markdown(table)}\n\n{_provenance(stores, record)}" if table.rows else NOTHING


def placed(stores: Stores) -> str:
    """Area, clock and throughput by one flow."""
    return _markdown(compare_algorithms.device_table(_record(stores)))


def energy(stores: Stores) -> str:
    """Energy in standard cells, a table for each library."""
    found = compare_algorithms.energy_tables(_record(stores))
    return "\n\n".join(f"{table.title}:\n\n{_markdown(table)}" for table in found) or NOTHING


def open_cores(stores: Stores) -> str:
    """Cores of others."""
    table = compare_algorithms.open_table(_record(stores))
    sources = "\n".join(f"- {core.name}: {core.source}" for core in find_system(NAME).open_cores)
    return f"{_markdown(table)}\n\n{sources}"


def source(_: Stores) -> str:
    """Where the published figures are printed."""
    system = find_system(NAME)
    return f"{system.source}; {system.tables}; {system.device}."


def _markdown(table: PlainTable) -> str:
    return markdown(table.columns, table.rows) if table.rows else NOTHING


def _provenance(stores: Stores, record: compare_algorithms.Record) -> str:
    commits = sorted({row["commit"] for row in record["rows"]})
    text = f"Commits: {', '.join(commits)}."
    if other := stale(find_system(NAME), stores):
        text += f" Missing or of other sources: {', '.join(other)} (`eccel compare {NAME}`)."
    return text
