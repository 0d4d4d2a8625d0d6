"""The figures of docs/security.md: stored campaigns of faults and of activity."""

from __future__ import annotations

from eccelerate.explore.attack_store import FAULT, LEAK
from eccelerate.explore.figures import Stores
from eccelerate.flow.store import Record

NOTHING = "Nothing is stored yet: `eccel fault --store` and `eccel leak --store`."
UNCHECKED = {
    ("compact-w32", "P-256"): 292_645,
    ("binary-163-d64", "B-163"): 14_287,
    ("turbo-p256", "P-256"): 124_404,
}
"""Clocks of a signature before its microcode had checks: results/cycles.jsonl of commit 0d5021d."""


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


def costs(stores: Stores) -> str:
    """For each engine that was attacked with and without a measure: what the measure stops, and its cost."""
    lines = [
        "| engine | measure | without it | with it | clocks of a signature | LUT4 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for config, curve in UNCHECKED:
        rows = {
            "checks of the microcode": _checks(stores, config, curve),
            "guards of the RTL": _guards(stores, config),
            "flag CHECK": _flag_check(stores, config),
            "flag BLIND": _flag_blind(stores, config),
        }
        lines += [f"| `{config}` | {measure} | {' | '.join(row)} |" for measure, row in rows.items() if row]
    return "\n".join(lines) if len(lines) > 2 else NOTHING


def _checks(stores: Stores, config: str, curve: str) -> tuple[str, ...]:
    on, off = _flips(stores, config, "sign"), _flips(stores, config, "sign", "checks")
    cycles = stores.cycles.query(config=config, curve=curve)
    if not (on and off and cycles):
        return ()
    clocks = _change(UNCHECKED[config, curve], cycles[-1]["cycles"]["ecdsa_sign"])
    return _wrong(off), _wrong(on), f"{curve}: {clocks}", ""


def _guards(stores: Stores, config: str) -> tuple[str, ...]:
    on, off = _flips(stores, config, "sign"), _flips(stores, config, "sign", "guards")
    if not (on and off):
        return ()
    return _wrong(off), _wrong(on), "", _change(off["lut4"], on["lut4"])


def _flag_check(stores: Stores, config: str) -> tuple[str, ...]:
    on, off = _flips(stores, config, "sign-check"), _flips(stores, config, "sign")
    if not (on and off):
        return ()
    return _wrong(off), _wrong(on), f"{on['curve']}: {_change(off['cycles'], on['cycles'])}", ""


def _flag_blind(stores: Stores, config: str) -> tuple[str, ...]:
    found = [
        record
        for record in stores.attacks.query(kind=LEAK, config=config, job="sign-key")
        if record["control"] and not record["off"] and not record["cells"]
    ]
    if not found:
        return ()
    on, off = found[-1], found[-1]["control"]
    clocks = f"{on['curve']}: {_change(off['samples'], on['samples'])}"
    return _above(off), _above(on), clocks, ""


def _flips(stores: Stores, config: str, job: str, *off: str) -> Record | None:
    """The campaign of random flips in flip-flops."""
    found = [
        record
        for record in stores.attacks.query(kind=FAULT, config=config, job=job, places="state")
        if tuple(record["off"]) == off and not record["skips"]
    ]
    return found[-1] if found else None


def _wrong(record: Record) -> str:
    return f"{record['wrong_ok']:,} of {record['flips']:,} flips wrong"


def _above(record: Record) -> str:
    return f"{record['above']:,} samples depend on the key, {record['traces']:,} traces"


def _change(before: int, after: int) -> str:
    return f"{before:,} -> {after:,} ({after / before - 1:+.1%})"


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
