"""The figures of docs/partition.md: stored plans, and what to move to the devices at which bandwidth."""

from __future__ import annotations

from eccelerate.explore.figures import Stores
from eccelerate.explore.partition.offload_chart import offload_picture
from eccelerate.explore.partition.offload_question import OffloadLine, crossings
from eccelerate.explore.partition.partition_store import PLAN, QUESTION, PartitionStore
from eccelerate.flow.store import Record

NOTHING = "Nothing is stored yet: `eccel partition --store`."


def plans(stores: Stores) -> str:
    """A row for each stored plan, with all its cuts below each other."""
    records = PartitionStore().query(kind=PLAN)
    if not records:
        return NOTHING
    lines = [
        "| operation | devices | cut | unit on a device | LUT4, mult of device 0 | cycles a job | lost to"
        " links | latency | lost | limit | jobs / s |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |",
    ]
    for record in records:
        for cut in record["cuts"]:
            first, name = cut["devices"][0], cut["name"]
            shown = f"**{name}**" if name == record["chosen"] else name
            loss = cut["link_cycles"]
            lines.append(
                f"| {record['op']} {record['bits']} | {len(cut['devices'])} x {record['device']} | {shown}"
                f" | `{cut['unit']}` | {_cells(first)}"
                f" | {cut['interval']:,.1f} | {loss['interval']:,.1f} | {cut['latency']:,.0f}"
                f" | {loss['latency']:,.0f} | {cut['limit']} | {cut['per_second']:,} |"
            )
    return "\n".join([*lines, "", *_checks(records), "", _sources(records)])


def _cells(device: Record) -> str:
    return f"{device['lut4']:,}, {device['mult']}{'' if device['fits'] else ' (too much)'}"


def _checks(records: list[Record]) -> list[str]:
    """Predicted and simulated cycles of the chosen cuts."""
    rows = [
        "| chosen cut | jobs | cycles predicted | simulated | difference |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for record in records:
        simulated = record["simulated_cycles"]
        count = "not simulated" if simulated is None else f"{simulated:,}"
        error = "" if simulated is None else f"{100 * record['error']:+.1f} %"
        rows.append(
            f"| {record['op']} {record['bits']}, {record['chosen']}, {record['device']} | {record['jobs']}"
            f" | {record['predicted_cycles']:,} | {count} | {error} |"
        )
    return rows


def _sources(records: list[Record]) -> str:
    commits = ", ".join(dict.fromkeys(record["commit"] for record in records))
    link = ", ".join(dict.fromkeys(record["link"]["text"] for record in records))
    clock = ", ".join(dict.fromkeys(f"{record['clock_mhz']:g}" for record in records))
    return f"Links: {link}; clock of the devices: {clock} MHz. Commit {commits}."


def _question() -> tuple[Record, list[OffloadLine]] | None:
    record = PartitionStore().latest(kind=QUESTION)
    return (record, [OffloadLine(**line) for line in record["lines"]]) if record else None


def question(stores: Stores) -> str:
    """The answer in sentences, and the command that gives it."""
    found = _question()
    if found is None:
        return NOTHING
    record, lines = found
    sentences = [f"- {text[0].upper()}{text[1:]}." for text in crossings(lines)]
    at = [f"{line.name} {line.rate(record['gbit_s']):,.0f}" for line in lines]
    here = f"- At {record['gbit_s']:.3g} Gbit/s, scalar multiplications a second: {', '.join(at)}."
    return "\n".join([f"    {record['command']} --plot offload.svg", "", *sentences, here])


def offload_svg(stores: Stores) -> str:
    """The picture of the stored question."""
    found = _question()
    if found is None:
        return offload_picture([], 1, NOTHING)
    record, lines = found
    title = f"{record['bits']} bits, {record['devices']} x {record['device']}, {record['clock_mhz']:g} MHz"
    return offload_picture(lines, record["gbit_s"], title)
