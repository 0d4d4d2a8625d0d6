"""Tables of the study: all variants, the paper's rows, targets, and the least of each figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from eccelerate.explore.study.study_rows import StudyRow, published_study
from eccelerate.explore.tables import count, fixed
from eccelerate.ucode.study.study_files import DIGIT_BITS, MULTIPLIERS

COLUMNS = (
    "variant",
    "cycles",
    "us at 80 MHz",
    "LUT4 xc2v",
    "LUT4 ECP5",
    "MHz ECP5",
    "gate equivalents",
    "uJ",
    "of it the clock",
    "mW at 80 MHz",
    "uJ x mW",
    "LUT4 x s",
)
FIGURES: dict[str, Callable[[StudyRow], float | None]] = {
    "energy (uJ)": lambda row: row.energy_uj,
    "power (mW at 80 MHz)": lambda row: row.power_mw,
    "time (us at 80 MHz)": lambda row: row.us,
    "area (LUT4 on xc2v)": lambda row: row.lut4,
    "area (gate equivalents)": lambda row: row.gate_equivalents,
    "energy x power (uJ mW)": lambda row: row.energy_power,
    "area x time (LUT4 s)": lambda row: row.area_time,
}
LEAST = 24
"""Variants whose energy the study has to have."""


def line(row: StudyRow) -> list[str]:
    """The cells of a variant."""
    return [
        row.name,
        count(row.cycles),
        fixed(row.us, 1),
        count(row.lut4),
        count(row.lut4_ecp5),
        fixed(row.mhz, 1),
        count(None if row.gate_equivalents is None else round(row.gate_equivalents)),
        fixed(row.energy_uj, 3),
        "-" if row.clock_share is None else f"{100 * row.clock_share:.0f} %",
        fixed(row.power_mw, 2),
        fixed(row.energy_power, 2),
        fixed(row.area_time, 3),
    ]


def least(rows: Sequence[StudyRow], figure: Callable[[StudyRow], float | None]) -> list[StudyRow]:
    """The rows that have a figure, the least one first."""
    having = [(value, row.name, row) for row in rows if (value := figure(row)) is not None]
    return [row for _, _, row in sorted(having, key=lambda item: item[:2])]


def best_lines(rows: Sequence[StudyRow]) -> list[list[str]]:
    """For each figure the two least variants, and the place of each row of the paper."""
    lines = []
    named = [row.variant for row in published_study().rows]
    for title, figure in FIGURES.items():
        ordered = least(rows, figure)
        shown = [f"`{row.name}`: {_text(figure(row))}" for row in ordered[:2]]
        places = {row.name: i for i, row in enumerate(ordered, 1)}
        cells = [str(places.get(name, "-")) for name in named]
        lines.append([title, *shown, *["-"] * (2 - len(shown)), *cells, str(len(ordered))])
    return lines


CONSTANT_MW = (0.0, 1.0, 3.0, 10.0, 30.0, 92.0)
PAPER_DIGITS = 16
"""The largest digit of the paper."""


def with_constant(row: StudyRow, constant_mw: float) -> float | None:
    """The energy in uJ if a constant power is added while the operation lasts, as of an FPGA that is on."""
    return None if row.energy_uj is None or row.us is None else row.energy_uj + constant_mw * row.us / 1e3


def constant_lines(rows: Sequence[StudyRow]) -> list[list[str]]:
    """The variant of least energy for some constant powers: of all, and of those with digits of the paper."""
    lines = []
    for constant in CONSTANT_MW:
        cells = []
        for most in (max(DIGIT_BITS), PAPER_DIGITS):
            some = [row for row in rows if row.image.digit_bits <= most]
            first = least(some, partial(with_constant, constant_mw=constant))[:1]
            cells += [f"`{each.name}`: {_text(with_constant(each, constant))} uJ" for each in first] or ["-"]
        lines.append([f"{constant:g} mW", *cells])
    return lines


def ladder_lines(rows: Sequence[StudyRow]) -> list[list[str]]:
    """The energy in uJ of Montgomery's method without the divider: a line for each digit size, a column for
    each number of multipliers, and the energy of the other algorithms on one multiplier.
    """
    energies = {row.name: row.energy_uj for row in rows}
    lines = []
    for digit_bits in DIGIT_BITS:
        ladder = [f"lopez-dahab-montgomery-d{digit_bits}-m{m}" for m in MULTIPLIERS]
        others = [f"lopez-dahab-{each}-d{digit_bits}-m1" for each in ("naf", "binary")]
        others += [f"jacobian-binary-d{digit_bits}-m1", f"affine-binary-d{digit_bits}-m1-div"]
        lines.append([f"d = {digit_bits}", *(_text(energies.get(f"gf163-{n}")) for n in (*ladder, *others))])
    return lines


def _text(value: float | None) -> str:
    return count(value) if isinstance(value, int) else fixed(value, 3)


def paper_lines(rows: Sequence[StudyRow]) -> list[list[str]]:
    """Each row of the paper with ours of the same variant below it."""
    ours = {row.name: row for row in rows}
    lines = []
    for each in published_study().rows:
        area = "-" if each.area_time is None else fixed(each.area_time, 2)
        lines.append([each.title, "paper", fixed(each.us, 0), count(each.lut4), area, fixed(each.power_mw, 2),
                      fixed(each.energy_mj * 1e3, 1)])  # fmt: skip
        row = ours.get(each.variant)
        if row is not None:
            lines.append([f"`{row.name}`", "ours", fixed(row.us, 1), count(row.lut4), fixed(row.area_time, 2),
                          fixed(row.power_mw, 2), fixed(row.energy_uj, 3)])  # fmt: skip
    return lines


def target_lines(rows: Sequence[StudyRow]) -> list[list[str]]:
    """Each target with the stored figure, and whether it is met."""
    ours = {row.name: row for row in rows}
    lines = []
    for each in published_study().rows:
        row = ours.get(each.variant)
        figures: list[tuple[str, float | None, float | None]] = [
            ("time in us at 80 MHz", each.us, row.us if row else None)
        ]
        if each.area_time is not None:
            figures.append(("LUT4 x s", each.area_time, row.area_time if row else None))
            figures.append(("LUT4 (xc2v)", each.lut4, row.lut4 if row else None))
        for title, goal, have in figures:
            met = "open" if have is None or goal is None else "met" if have <= goal else "missed"
            lines.append([each.title, title, f"at most {_text(goal)}", _text(have), met])
    energies = sum(row.energy_uj is not None for row in rows)
    verdict = "met" if energies >= LEAST else "missed"
    lines.append(["variants with an energy", "number", f"at least {LEAST}", str(energies), verdict])
    return lines
