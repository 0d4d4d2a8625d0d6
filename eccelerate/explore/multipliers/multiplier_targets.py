"""What the family has to reach, with the stored row that decides each target."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from eccelerate.explore.multipliers.multiplier_family import CLAIMED_ON
from eccelerate.explore.multipliers.multiplier_pick import describe
from eccelerate.explore.multipliers.multiplier_rows import Row
from eccelerate.flow.multiplier_store import VIRTEX2


@dataclass(frozen=True)
class Target:
    """A target: the rows that may answer it, and by how much a row misses it (0 or less: met)."""

    what: str
    goal: str
    reference: str
    answers: Callable[[Row], bool]
    miss: Callable[[Row], float]


@dataclass(frozen=True)
class Verdict:
    """A target with the row that comes closest. None if no row is stored that could answer it."""

    target: Target
    row: Row | None

    @property
    def met(self) -> bool:
        """Whether the row reaches the target."""
        return self.row is not None and self.target.miss(self.row) <= 0

    @property
    def figure(self) -> str:
        """The figures of the row in words."""
        return "not stored" if self.row is None else f"{describe(self.row)} ({self.row.device})"


def _over(value: float, most: float) -> float:
    """By what share a value is above its bound."""
    return value / most - 1


def _under(value: float | None, least: float) -> float:
    """By what share a value is below its bound."""
    return 1 - (value or 0.0) / least


def _unit(bits: int, kind: str = "", reduction: str = "none", on: str = CLAIMED_ON) -> Callable[[Row], bool]:
    def answers(row: Row) -> bool:
        config = row.config
        same = (config.bits, config.reduction, row.device) == (bits, reduction, on)
        return same and kind in ("", config.kind)

    return answers


def _every_cycle(answers: Callable[[Row], bool]) -> Callable[[Row], bool]:
    return lambda row: answers(row) and row.interval == 1


def _divide_and_conquer(row: Row) -> float:
    bounds = ((81, 8500), (108, 5500))
    return min(max(_over(row.mult, most), _over(row.lut4, luts)) for most, luts in bounds)


def _modular_377(row: Row) -> bool:
    return (row.config.bits, row.interval, row.device) == (377, 1, CLAIMED_ON) and (
        row.config.reduction != "none"
    )


TARGETS = (
    Target(
        "256-bit divide and conquer, a product every cycle",
        "at most 81 blocks and 8,500 LUT4, or 108 and 5,500",
        "108 blocks, 6,025 slices of two LUT4 (Buell et al.)",
        _every_cycle(_unit(256, "karatsuba")),
        _divide_and_conquer,
    ),
    Target(
        "the same, mapped to Virtex-II",
        "as above",
        "as above",
        _every_cycle(_unit(256, "karatsuba", on=VIRTEX2)),
        _divide_and_conquer,
    ),
    Target(
        "256-bit broadcast, a product every 8 cycles",
        "at most 32 blocks and 1,800 LUT4, at least 150 MHz",
        "32 blocks, 1,809 slices, 14.8 ns a step (Buell et al.)",
        lambda row: _unit(256, "broadcast")(row) and row.interval <= 8,
        lambda row: max(_over(row.mult, 32), _over(row.lut4, 1800), _under(row.mhz, 150)),
    ),
    Target(
        "the same, mapped to Virtex-II",
        "at most 32 blocks and 1,800 LUT4",
        "as above",
        lambda row: _unit(256, "broadcast", on=VIRTEX2)(row) and row.interval <= 8,
        lambda row: max(_over(row.mult, 32), _over(row.lut4, 1800)),
    ),
    Target(
        "256-bit product every cycle",
        "at least 180 MHz",
        "278 MHz on a VU9P (377 bits, ZPrize)",
        lambda row: _unit(256)(row) and row.interval == 1 and row.mhz is not None,
        lambda row: _under(row.mhz, 180),
    ),
    Target(
        "377-bit modular product every cycle",
        "at most 300 blocks of 18 x 18 bits (mapped)",
        "about 211 blocks of 27 x 18 bits (ZPrize)",
        _modular_377,
        lambda row: _over(row.mult, 300),
    ),
    Target(
        "521-bit product on one ECP5-85F",
        "at least one every 16 cycles",
        "several devices (Buell et al.)",
        lambda row: _unit(521)(row) and row.mhz is not None,
        lambda row: _over(row.interval, 16),
    ),
    Target(
        "256-bit Montgomery product on one ECP5-85F",
        "at least 20 million a second",
        "8.3 million over the bus (Buell et al.)",
        lambda row: _unit(256, reduction="montgomery")(row) and row.mhz is not None,
        lambda row: _under(row.per_second, 20e6),
    ),
    Target(
        "products in a clock and multiplier block, 256 bits",
        "at least 1/81",
        "1/256 with the school method",
        lambda row: _unit(256)(row) and row.mult > 0 and row.interval == 1,
        lambda row: _under(row.per_clock_and_mult, 1 / 81),
    ),
)


def verdicts(found: Iterable[Row]) -> list[Verdict]:
    """Each target with the stored row that comes closest to it."""
    found = list(found)
    decided = []
    for target in TARGETS:
        able = [row for row in found if target.answers(row)]
        decided.append(Verdict(target, min(able, key=target.miss, default=None)))
    return decided
