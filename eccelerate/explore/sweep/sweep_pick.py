"""Picks the design for a budget from the rows of a store, and says why, and what it did not look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eccelerate.configs.config import Config, load_configs
from eccelerate.curves import find_curve
from eccelerate.explore.sweep.sweep_design import find_design
from eccelerate.explore.sweep.sweep_store import Row, SweepStore
from eccelerate.explore.tables import count, fixed

COSTS: Mapping[str, tuple[str, str]] = {
    "time": ("time_us", "time of one operation"),
    "rate": ("per_second", "operations a second"),
    "area": ("lut4", "LUT4"),
    "area-time": ("area_time", "LUT4 x time"),
    "energy": ("energy_pj", "energy of one operation"),
    "energy-power": ("energy_power", "energy x power"),
}
"""What decides, by name: the column of a row and its text. Of `rate` the most is best, of the others the
least.
"""
MOST = ("rate",)
OF_LIBRARY = ("energy", "energy-power")
NOTES = 12
"""How many designs a note lists."""


class NothingFitsError(LookupError):
    """No row keeps the budget; the text says why, and what was not looked at."""


@dataclass(frozen=True)
class Question:
    """What a design has to keep.

    variable_time: whether programs in variable time count, which must never have a secret.
    stale: whether results of earlier sources count.
    """

    curve: str
    device: str
    minimise: str
    max_luts: int | None = None
    max_mult: int | None = None
    max_bram: int | None = None
    library: str = ""
    variable_time: bool = False
    stale: bool = True

    @property
    def column(self) -> str:
        """The column of a row that decides."""
        return COSTS[self.minimise][0]

    def broken_by(self, row: Row) -> list[str]:
        """The limits that a row breaks, as texts."""
        limits = (
            ("LUT4", "lut4", self.max_luts),
            ("multiplier blocks", "mult", self.max_mult),
            ("block RAMs", "bram", self.max_bram),
        )
        return [f"{count(row[k])} {what}" for what, k, most in limits if most is not None and row[k] > most]

    @property
    def text(self) -> str:
        """The question in words."""
        limits = {"LUT4": self.max_luts, "multiplier blocks": self.max_mult, "block RAMs": self.max_bram}
        kept = [f"at most {count(most)} {what}" for what, most in limits.items() if most is not None]
        aim = f"{'most' if self.minimise in MOST else 'least'} {COSTS[self.minimise][1]}"
        if self.minimise in OF_LIBRARY and self.library:
            aim += f" ({self.library})"
        return ", ".join([f"{self.curve} on {self.device}", *kept, aim])


@dataclass(frozen=True)
class Answer:
    """The chosen row, all rows that keep the budget with the best first, and what was not looked at."""

    question: Question
    chosen: Row
    kept: list[Row]
    looked_at: int
    notes: list[str] = field(default_factory=list)

    @property
    def why(self) -> str:
        """The reason for the choice, in one sentence."""
        what = COSTS[self.question.minimise][1]
        word = "most" if self.question.minimise in MOST else "least"
        reason = f"has the {word} {what} of the {len(self.kept)} stored designs that keep the budget"
        if len(self.kept) == 1:
            reason = "is the only stored design that keeps the budget"
        of = f"of {self.looked_at} with these figures"
        return f"{self.chosen['design']} {reason}, {of}: {describe(self.chosen)}."


def describe(row: Row) -> str:
    """The figures of a row in words."""
    parts = [f"{count(row['lut4'])} LUT4", f"{count(row['mult'])} multiplier blocks"]
    parts += [f"{fixed(row['mhz'], 1)} MHz" if row["mhz"] else "no clock (mapped)"]
    parts += [f"{count(row['cycles'])} cycles"] if row["cycles"] else []
    parts += [f"{fixed(row['time_us'], 1)} us"] if row["time_us"] else []
    parts += [f"{fixed(row['energy_pj'] / 1e6, 3)} uJ in {row['library']}"] if row["energy_pj"] else []
    return ", ".join(parts)


def pick(store: SweepStore, rows: Sequence[Row], question: Question) -> Answer:
    """The best of the rows for a question. Raises NothingFitsError."""
    on_curve = [row for row in rows if row["kind"] == "engine" and row["curve"] == question.curve]
    here = [row for row in on_curve if row["device"] == question.device]
    if question.minimise in OF_LIBRARY:
        here = [row for row in here if row["library"] in (question.library, "")]
    else:
        here = list({(row["design"], row["shell"]): row for row in here}.values())
    secret = [row for row in here if question.variable_time or not _variable_time(row)]
    current = [row for row in secret if question.stale or row["current"]]
    able = [row for row in current if row[question.column] is not None]
    kept = [row for row in able if not question.broken_by(row)]
    sign = -1 if question.minimise in MOST else 1
    kept.sort(key=lambda row: (sign * row[question.column], row["lut4"], row["design"]))
    notes = _notes(store, question, here, secret, current, able)
    if not kept:
        broken = [f"{row['design']} has {', '.join(question.broken_by(row))}" for row in able]
        reason = f"; {_some(broken)}" if broken else ""
        raise NothingFitsError(
            "\n".join([f"no stored design keeps the budget ({question.text}){reason}", *notes])
        )
    return Answer(question, kept[0], kept, len(able), notes)


def _variable_time(row: Row) -> bool:
    unit = find_design("engine", row["design"])
    return isinstance(unit, Config) and unit.variable_time


def _notes(
    store: SweepStore,
    question: Question,
    here: Sequence[Row],
    secret: Sequence[Row],
    current: Sequence[Row],
    able: Sequence[Row],
) -> list[str]:
    """What was not looked at, and what the reader has to know of what was."""
    notes = []
    seen = {row["design"] for row in here}
    missing = [name for name in _takes(question.curve) if name not in seen]
    if missing:
        notes.append(
            f"Not looked at, because cycles or area on {question.device} are not stored (eccel explore):"
            f" {_some(missing)}."
        )
    if unmeasured := [row["design"] for row in current if row not in able]:
        what = COSTS[question.minimise][1]
        why = "it is not measured" if question.minimise in OF_LIBRARY else "only mapped, so without a clock"
        notes.append(f"Without a figure for the {what} ({why}): {_some(unmeasured)}.")
    if variable := [row["design"] for row in here if row not in secret]:
        notes.append(f"Left out, because variable-time (--variable-time): {_some(variable)}.")
    if old := [row["design"] for row in secret if not row["current"]]:
        done = "counted" if question.stale else "left out"
        notes.append(f"Of earlier sources, {done} (measure again: eccel explore): {_some(old)}.")
    failed = store.rows("SELECT label FROM point WHERE state = 'failed' ORDER BY label")
    if failed:
        notes.append(f"Failed points: {_some([row['label'] for row in failed])}.")
    if waiting := store.rows("SELECT count(*) AS n FROM point WHERE state IN ('open', 'claimed')")[0]["n"]:
        notes.append(f"{count(waiting)} points of sweeps are not measured yet.")
    if question.minimise in OF_LIBRARY:
        notes.append(
            f"Energy is of the standard-cell library {question.library}, before layout, not of the FPGA."
        )
    notes.append("Designs that no sweep has measured are not in the store, such as other digit sizes.")
    return notes


def _takes(curve: str) -> list[str]:
    """The configurations that support a curve."""
    found = find_curve(curve)
    return [config.name for config in load_configs().values() if not config.lacks(found)]


def _some(names: Iterable[str]) -> str:
    each = list(dict.fromkeys(names))
    more = f" and {len(each) - NOTES} more" if len(each) > NOTES else ""
    return ", ".join(each[:NOTES]) + more
