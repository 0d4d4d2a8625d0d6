"""Counts the toggles in a VCD file (IEEE 1364, clause 18) bit by bit, and maps them to nets of a netlist."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from eccelerate.energy.activity import Activity
from eccelerate.energy.gate_netlist import GateNetlist
from eccelerate.flow.errors import FlowError

_UNIT = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
_RANGE = re.compile(r"^(.*?)\s*(?:\[(\d+)(?::(\d+))?\])?$")


@dataclass
class Signal:
    """What one identifier of the file does: values of its bits, most significant first, their toggles, and
    the ticks at 1. A change to or from x or z counts once the next known value is another one.
    """

    width: int
    known: list[str] = field(default_factory=list)
    now: list[str] = field(default_factory=list)
    since: int = 0
    toggles: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known, self.now = ["x"] * self.width, ["x"] * self.width
        self.toggles, self.high = [0] * self.width, [0] * self.width

    def until(self, time: int) -> None:
        """Count the time at 1 up to now."""
        for i, level in enumerate(self.now):
            if level == "1":
                self.high[i] += time - self.since
        self.since = time

    def change(self, value: str, time: int) -> None:
        """A new value, extended on the left as the standard says."""
        self.until(time)
        fill = value[0] if value[0] in "xz" else "0"
        for i, level in enumerate(value.rjust(self.width, fill)[-self.width :]):
            self.now[i] = level
            if level in "01":
                if self.known[i] in "01" and self.known[i] != level:
                    self.toggles[i] += 1
                self.known[i] = level


@dataclass
class Vcd:
    """A file: seconds that it covers, its ticks, and the signal with its bit for each name of a bit, by
    scope.
    """

    seconds: float
    ticks: int
    scopes: dict[str, dict[str, tuple[Signal, int]]]


def read_vcd(path: Path) -> Vcd:
    """The toggles of a VCD file. Raises FlowError."""
    signals: dict[str, Signal] = {}
    scopes: dict[str, dict[str, tuple[Signal, int]]] = defaultdict(dict)
    try:
        with path.open(errors="replace") as stream:
            tick = _header(stream, signals, scopes)
            first, last = _changes(stream, signals)
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise FlowError(f"{path} is no VCD file that can be read: {error!r}") from error
    if not scopes or first is None or last <= first:
        raise FlowError(f"{path} has no time in which signals change")
    for signal in signals.values():
        signal.until(last)
    return Vcd((last - first) * tick, last - first, dict(scopes))


def _header(
    stream: object, signals: dict[str, Signal], scopes: dict[str, dict[str, tuple[Signal, int]]]
) -> float:
    """Read the declarations. Returns the seconds of a tick."""
    tick, place, text = 1e-9, list[str](), ""
    for line in stream:  # type: ignore[attr-defined]
        text += " " + line.strip()
        if "$end" not in text:
            continue
        words = text.split()
        text = ""
        if words[0] == "$timescale":
            found = re.fullmatch(r"(\d+)([a-z]+)", "".join(words[1:-1]))
            if not found or found[2] not in _UNIT:
                raise ValueError("no $timescale")
            tick = int(found[1]) * _UNIT[found[2]]
        elif words[0] == "$scope":
            place.append(words[2])
        elif words[0] == "$upscope":
            place.pop()
        elif words[0] == "$var":
            signal = signals.setdefault(words[3], Signal(int(words[2])))
            _declare(scopes[".".join(place)], " ".join(words[4:-1]), signal)
        elif words[0] == "$enddefinitions":
            return tick
    raise ValueError("no $enddefinitions")


def _declare(scope: dict[str, tuple[Signal, int]], text: str, signal: Signal) -> None:
    found = _RANGE.match(text)
    assert found
    name = found[1].removeprefix("\\")
    if signal.width == 1:
        full = name if found[2] is None else f"{name}[{found[2]}]"
        scope[full] = scope[name] = (signal, 0)
        return
    left = int(found[2]) if found[2] is not None else signal.width - 1
    step = -1 if found[3] is None or left >= int(found[3]) else 1
    for i in range(signal.width):
        scope[f"{name}[{left + step * i}]"] = (signal, i)


def _changes(stream: object, signals: dict[str, Signal]) -> tuple[int | None, int]:
    """Read the changes. Returns the first and the last time."""
    first: int | None = None
    now = 0
    for raw in stream:  # type: ignore[attr-defined]
        line = raw.strip()
        if not line or line.startswith("$"):
            continue
        head = line[0]
        if head == "#":
            now = int(line[1:])
            first = now if first is None else first
        elif head in "01xXzZ":
            signals[line[1:].strip()].change(head.lower(), now)
        elif head in "bB":
            value, identifier = line[1:].split()
            signals[identifier].change(value.lower(), now)
        elif head not in "rR":
            raise ValueError(f"no change: {line[:40]}")
    return first, now


@dataclass(frozen=True)
class Mapped:
    """The activity of a netlist, the scope that it has in the file, and the nets that the file lacks."""

    activity: Activity
    scope: str
    missing: list[str]


def vcd_activity(path: Path, netlist: GateNetlist, scope: str = "") -> Mapped:
    """The toggles of the nets of a netlist. Without a scope, it is the one in which most names are found.

    Names are those of the netlist below the scope, with dots between instances. Raises FlowError.
    """
    vcd = read_vcd(path)
    wanted = {name for names in netlist.names.values() for name in names}
    if scope and scope not in vcd.scopes and not any(s.startswith(f"{scope}.") for s in vcd.scopes):
        raise FlowError(f"{path} has no scope {scope}; it has: {', '.join(sorted(vcd.scopes)[:10])}")
    chosen = scope or _best_scope(vcd, wanted)
    found: dict[str, tuple[Signal, int]] = {}
    for place, names in vcd.scopes.items():
        if place == chosen or place.startswith(f"{chosen}."):
            below = place[len(chosen) + 1 :]
            found |= {f"{below}.{n}" if below else n: where for n, where in names.items()}
    toggles, high, missing = {}, {}, []
    for net in netlist.nets:
        where = next((found[n] for n in netlist.names.get(net, ()) if n in found), None)
        if where is None:
            missing.append(netlist.names.get(net, (str(net),))[0])
        else:
            signal, bit = where
            toggles[net], high[net] = signal.toggles[bit], signal.high[bit]
    if not toggles:
        raise FlowError(f"{path}: no net of {netlist.top} is in the scope {chosen or '(none)'}")
    activity = Activity(vcd.ticks, toggles, high, seconds=vcd.seconds, glitches=True)
    return Mapped(activity, chosen, missing)


def _best_scope(vcd: Vcd, wanted: set[str]) -> str:
    scores: Counter[str] = Counter()
    for place, names in vcd.scopes.items():
        parts = place.split(".")
        for depth in range(1, len(parts) + 1):
            below = ".".join(parts[depth:])
            hits = sum((f"{below}.{n}" if below else n) in wanted for n in names)
            scores[".".join(parts[:depth])] += hits
    # Of equal scopes the innermost is the netlist itself, and the others are above it.
    return max(scores, key=lambda s: (scores[s], s.count(".")), default="")
