"""Blocks of docs/system.md: what `eccel bench system` has measured last."""

from __future__ import annotations

from collections.abc import Callable

from eccelerate.explore.figures import Record, Stores
from eccelerate.explore.system.crossing import crossings
from eccelerate.explore.system.measure_system import ORDER, at
from eccelerate.explore.system.subjects import paper_rates
from eccelerate.explore.system.targets import verdicts
from eccelerate.explore.tables import count, fixed, markdown

NOTHING = "Nothing is stored yet: `eccel bench system`."
Block = Callable[[Stores], str]


def _stored(write: Callable[[Record], str]) -> Block:
    """A block of the newest record."""

    def block(stores: Stores) -> str:
        record = stores.system.newest()
        return NOTHING if record is None else write(record)

    return block


def _rates(record: Record) -> str:
    numbers = [point["in_flight"] for point in record["systems"][0]["points"]["ecdh"]]
    columns = ["engine, curve", "operation", *(f"{number:,}" for number in numbers)]
    columns += ["hardware", "OpenSSL, one core", f"{record['cores']} cores"]
    rows = []
    for system in record["systems"]:
        for operation in sorted(system["points"]):
            points, curve = system["points"][operation], system["curve"]
            software = [record[name][curve][operation] for name in ("openssl", "openssl_all_cores")]
            rates = [*(point["per_second"] for point in points), system["hardware"][operation], *software]
            name = f"`{system['config']}`, {curve}"
            rows.append([name, operation, *(count(round(rate)) for rate in rates)])
    return markdown(columns, rows, left=2) + "\n\n" + "\n".join(f"- {text}" for text in crossings(record))


def _paper(record: Record) -> str:
    paper = paper_rates()
    rows = []
    for operation in ORDER:
        rates = [record["rates"].get(curve, {}).get(operation) for curve in ("B-163", "K-163")]
        losses = record["losses"].get(f"{operation} on B-163")
        ours = [count(round(rate)) if rate else "" for rate in rates]
        loss = f"{paper['hardware'] / paper[operation]:.2f}"
        rows.append([operation, *ours, count(paper[operation]), fixed(losses), loss])
    columns = ["operation", "B-163", "K-163", "Gura et al. 2002", "our loss", "their loss against k P"]
    return markdown(columns, rows)


def _costs(record: Record) -> str:
    provider = record["provider_cpu"]
    rows = [
        ["provider alone, P-256", *(fixed(provider[name]) for name in ORDER)],
        ["provider alone with SHA-256, P-256", "", "", fixed(provider["digest-sign"])],
        ["host path, device that answers at once, P-256", *(fixed(record["host_cpu"][n]) for n in ORDER)],
    ]
    for system in record["systems"]:
        points = [at(system["points"][name]) for name in ORDER]
        costs = [fixed(point["program_us"] + point["server_us"]) for point in points]
        rows.append([f"host path, `{system['config']}`, {system['curve']}, at its rate", *costs])
    return markdown(["CPU time of one operation, us", *ORDER], rows)


def _targets(record: Record) -> str:
    rows = [[each.what, each.goal, each.figure, each.word, each.limit] for each in verdicts(record)]
    columns = ["what", "target", "figure", "", "limited by"]
    return markdown(columns, rows, left=5)


def _handshakes(record: Record) -> str:
    if record.get("async_gain") is None:
        return str(record["async_note"])
    without, with_it = (record["handshakes"][name] for name in ("synchronous", "asynchronous"))
    return (
        f"HAProxy with one thread, {record['clients']} clients, device of {record['latency_ms']:.0f} ms:"
        f" {without:.1f} handshakes a second without `ssl-mode-async`, {with_it:.1f} with it,"
        f" {record['async_gain']:.1f} times as many."
    )


def conditions(record: Record) -> str:
    """What else the machine had to do at the start, and the priority of the measurement against it."""
    nice = record["nice"]
    return f"load at the start {record['load_before']:.2f}" + (f", nice {nice}" if nice else "")


def _machine(record: Record) -> str:
    clocks = ", ".join(f"`{s['config']}` {s['mhz']:.1f} MHz on {s['device']}" for s in record["systems"])
    checks = ", ".join(record["counters"])
    made = f"{record['date'][:10]}, commit {record['commit']}, {conditions(record)}"
    return (
        f"{record['version']} on {record['cores']} cores of {record['host']}, {made}; each figure is of"
        f" {record['seconds']:g} s. Placed clocks: {clocks}. The same path did {record['rtl_operations']} of"
        f" each operation on the RTL models, with the engine's counters as proof: {checks}."
    )


rates, paper, costs, targets, handshakes, machine = map(
    _stored, (_rates, _paper, _costs, _targets, _handshakes, _machine)
)
