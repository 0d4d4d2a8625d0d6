"""Picks a multiplier for a budget from the stored rows, and says why, and what it did not look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eccelerate.explore.multipliers.multiplier_family import Wanted, family
from eccelerate.explore.multipliers.multiplier_rows import COSTS, Row, cost, front
from eccelerate.explore.tables import count, fixed

UNITS = {
    "lut4": "LUT4",
    "mult": "multiplier blocks",
    "time": "time for a product",
    "area-time": "LUT4 x time",
}


class NothingFitsError(LookupError):
    """No stored row keeps the budget; the text says which limits the nearest ones break."""


@dataclass(frozen=True)
class Budget:
    """What a unit has to keep.

    per_cycle: one product in at most so many cycles.
    minimise: a key of COSTS: what decides among the units that keep the rest.
    """

    bits: int
    device: str
    reduction: str = "none"
    max_mult: int | None = None
    max_luts: int | None = None
    per_cycle: int | None = None
    minimise: str = "lut4"

    def broken_by(self, row: Row) -> list[str]:
        """The limits that a row breaks, as texts."""
        limits = (
            ("multiplier blocks", row.mult, self.max_mult),
            ("LUT4", row.lut4, self.max_luts),
            ("cycles for a product", row.interval, self.per_cycle),
        )
        return [f"{count(have)} {what}" for what, have, most in limits if most is not None and have > most]

    @property
    def text(self) -> str:
        """The budget in words."""
        limits = [f"at most {count(self.max_mult)} multiplier blocks"] if self.max_mult is not None else []
        limits += [f"at most {count(self.max_luts)} LUT4"] if self.max_luts is not None else []
        if self.per_cycle is not None:
            limits.append(f"one product in at most {self.per_cycle} cycle{'s' * (self.per_cycle != 1)}")
        modular = "" if self.reduction == "none" else f", {self.reduction}"
        return f"{self.bits} bits{modular} on {self.device}" + "".join(f", {each}" for each in limits)


@dataclass(frozen=True)
class Choice:
    """The chosen row, the Pareto front of all rows that keep the budget, and notes about the choice."""

    budget: Budget
    chosen: Row
    front: list[Row]
    kept: int
    looked_at: int
    notes: list[str]

    @property
    def why(self) -> str:
        """The reason for the choice, in one sentence."""
        row, what = self.chosen, UNITS[self.budget.minimise]
        reason = f"has the least {what} of the {self.kept} stored units that keep the budget"
        if self.kept == 1:
            reason = "is the only stored unit that keeps the budget"
        return (
            f"{row.config.name} {reason} (of {self.looked_at} with {self.budget.bits} bits on {row.device}):"
            f" {describe(row)}."
        )


def describe(row: Row) -> str:
    """The figures of a row in words."""
    rate = "not placed" if row.mhz is None else f"{fixed(row.mhz, 1)} MHz"
    cycles = "every cycle" if row.interval == 1 else f"every {row.interval} cycles"
    return f"{count(row.lut4)} LUT4, {count(row.mult)} blocks, a product {cycles}, {rate}"


def pick(found: Sequence[Row], budget: Budget, absent: Sequence[Wanted] | None = None) -> Choice:
    """The best of the rows `found` for a budget. `absent` are the rows of the family without a record, by
    default those that are not among `found`. Raises NothingFitsError.
    """
    same = [row for row in found if row.device == budget.device and row.config.bits == budget.bits]
    same = [row for row in same if row.config.reduction == budget.reduction]
    missing = _absent(found, budget) if absent is None else absent
    fit = [row for row in same if not budget.broken_by(row)]
    if not fit:
        raise NothingFitsError(_nothing(budget, same, missing))
    # Rows with a clock and rows without one do not compare.
    kept = [row for row in fit if row.mhz is not None] or fit
    best = min(kept, key=lambda row: (cost(row, budget.minimise), *(cost(row, what) for what in COSTS)))
    return Choice(budget, best, front(kept), len(kept), len(same), _notes(fit, kept, missing))


def _absent(found: Sequence[Row], budget: Budget) -> list[Wanted]:
    stored = {(row.config.name, row.device) for row in found}
    return [
        each
        for each in family()
        if each.device == budget.device
        and (each.config.bits, each.config.reduction) == (budget.bits, budget.reduction)
        and (each.config.name, each.device) not in stored
    ]


def _notes(fit: Sequence[Row], kept: Sequence[Row], missing: Sequence[Wanted]) -> list[str]:
    notes = ["Flip-flops, power and latency did not count; block RAM is not used by any unit."]
    if missing:
        names = ", ".join(each.config.name for each in missing[:6]) + (" ..." if len(missing) > 6 else "")
        notes.append(f"Not looked at, because not stored: {len(missing)} units ({names}).")
    if len(kept) < len(fit):
        unplaced = ", ".join(row.config.name for row in fit if row.mhz is None)
        notes.append(f"Not looked at, because only mapped: {unplaced}.")
    if kept[0].mhz is None:
        notes.append("None of them is placed: time is counted in cycles.")
    return notes


def _nothing(budget: Budget, pool: Sequence[Row], missing: Sequence[Wanted]) -> str:
    text = f"no stored unit keeps the budget ({budget.text})"
    if not pool:
        text += ": nothing is stored for this width, reduction and device"
    else:
        near = sorted(pool, key=lambda row: (len(budget.broken_by(row)), _excess(budget, row)))[:3]
        text += "; the nearest: " + "; ".join(
            f"{row.config.name} has {' and '.join(budget.broken_by(row))}" for row in near
        )
    if missing:
        text += f". {len(missing)} units are not stored yet: eccel multipliers --measure"
    return text


def _excess(budget: Budget, row: Row) -> float:
    pairs = ((row.mult, budget.max_mult), (row.lut4, budget.max_luts), (row.interval, budget.per_cycle))
    return sum(have / max(1, most) for have, most in pairs if most is not None and have > most)
