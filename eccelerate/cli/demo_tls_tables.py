"""What `eccel demo-tls` counts: handshakes by server, and the engine's own counters before and after."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rich.table import Table

from eccelerate.cli.failures import CheckError
from eccelerate.explore.tables import count

COUNTED = {
    "ecdsa_sign": "signatures",
    "ecdh": "ECDH",
    "other": "other jobs",
}
"""Counters of the server that are shown, and their names for people. Other jobs are mostly public keys."""


@dataclass
class Part:
    """A part of the demonstration. before, after: the counters of the engine's server.

    signatures_needed: for certificates; each handshake needs one more, and a key agreement.
    """

    name: str
    before: dict[str, int]
    after: dict[str, int] = field(default_factory=dict)
    signatures_needed: int = 0
    visits: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, group: str, version: str, number: int = 1) -> None:
        """Handshakes on a curve with a version of TLS."""
        self.visits[group, version] += number

    @property
    def handshakes(self) -> int:
        """All handshakes."""
        return self.visits.total()

    def done(self, name: str) -> int:
        """What a counter has gained."""
        return self.after.get(name, 0) - self.before.get(name, 0)

    def require_work(self) -> None:
        """Raises CheckError unless the engine did the signatures and key agreements of all handshakes."""
        signatures = self.signatures_needed + self.handshakes
        for name, needed in (("ecdsa_sign", signatures), ("ecdh", self.handshakes)):
            if self.done(name) < needed:
                did = f"{self.done(name)} {COUNTED[name]} of {needed}"
                raise CheckError(f"{self.name}: the engine did {did}: the others were done elsewhere")
        if failed := self.done("failed"):
            raise CheckError(f"{self.name}: {failed} jobs failed on the engine")


def parts_table(parts: list[Part]) -> Table:
    """Handshakes by server, and what the engine did for them."""
    table = Table(title="Handshakes, and what the engine did for them", title_justify="left")
    table.add_column("part")
    table.add_column("TLS 1.3", justify="right")
    table.add_column("TLS 1.2", justify="right")
    for name in COUNTED.values():
        table.add_column(name, justify="right")
    for part in parts:
        versions = [
            sum(number for (_, version), number in part.visits.items() if version == wanted)
            for wanted in ("1.3", "1.2")
        ]
        figures = [count(part.done(name)) for name in COUNTED]
        table.add_row(part.name, *(count(number) for number in versions), *figures)
    return table


def counters_table(parts: list[Part]) -> Table:
    """The engine's counters before the first part and after the last one of each engine."""
    table = Table(title="Counters of the engines, before and after each part", title_justify="left")
    table.add_column("part")
    for name in ("ecdsa_sign", "ecdh"):
        table.add_column(f"{COUNTED[name]}, before", justify="right")
        table.add_column("after", justify="right")
    for part in parts:
        table.add_row(
            part.name,
            *(count(when[name]) for name in ("ecdsa_sign", "ecdh") for when in (part.before, part.after)),
        )
    return table
