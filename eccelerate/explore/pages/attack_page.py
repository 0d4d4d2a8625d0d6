"""The figures of docs/security.md: stored campaigns of faults and of activity."""

from __future__ import annotations

from eccelerate.explore.attack_store import FAULT, LEAK
from eccelerate.explore.figures import Stores
from eccelerate.flow.store import Record

NOTHING = "Nothing is stored yet: `eccel fault --store` and `eccel leak --store`."


def faults(stores: Stores) -> str:
    """A row for each stored campaign of flipped bits or skipped instructions."""
    records = sorted(stores.attacks.query(kind=FAULT), key=_order)
    if not records:
        return NOTHING
    lines = [
        "| engine, curve | job | without | trials | right | refused | wrong, OK | no answer | next job wrong"
        " | clocks of the job | LUT4 |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for record in records:
        flips = [f"flips in {record['places']}"] if record["places"] else []
        where = ", ".join([*flips, *["each instruction skipped"] * record["skips"]])
        wrong = f"{record['wrong_ok']:,} ({record['wrong_ok'] / record['flips']:.2%})"
        lines.append(
            f"| `{record['config']}`, {record['curve']} | {record['job']}, {where} | {_off(record)}"
            f" | {record['flips']:,} | {record['correct']:,} | {record['detected']:,} | {wrong}"
            f" | {record['hang']:,} | {record['next_wrong']:,} | {record['cycles']:,} | {record['lut4']:,} |"
        )
    return "\n".join([*lines, "", _sources(records)])


def leaks(stores: Stores) -> str:
    """A row for each stored test of activity."""
    records = sorted(stores.attacks.query(kind=LEAK), key=_order)
    if not records:
        return NOTHING
    lines = [
        "| engine, curve | job and input | without | traces | clocks of a trace"
        " | threshold | samples above it | with all measures off |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for record in records:
        control = record["control"]
        shown = f"{control['above']:,} in {control['traces']:,} traces" if control else ""
        lines.append(
            f"| `{record['config']}`, {record['curve']} | {record['job']}{_netlist(record)} | {_off(record)}"
            f" | {record['traces']:,} | {record['samples']:,} | {record['threshold']:.2f}"
            f" | {record['above']:,} | {shown} |"
        )
    return "\n".join([*lines, "", _sources(records)])


def _order(record: Record) -> tuple[str, str, str, str]:
    return record["config"], record["curve"], record["job"], "".join(record["off"])


def _off(record: Record) -> str:
    return ", ".join(record["off"])


def _netlist(record: Record) -> str:
    return f", gates of {record['cells']}" if record["cells"] else ""


def _sources(records: list[Record]) -> str:
    commits = ", ".join(dict.fromkeys(record["commit"] for record in records))
    tools = {f"{name} {version}" for record in records for name, version in record["tools"].items()}
    return f"Commits: {commits}. {', '.join(sorted(tools))}."
