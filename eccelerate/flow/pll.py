"""Settings of a device's PLL: the highest frequency that does not exceed a target, within the limits of the
data sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from eccelerate.configs.board_table import Clock
from eccelerate.flow.errors import FlowError


@dataclass(frozen=True)
class PllLimits:
    """Limits of a PLL; frequencies in kHz.

    in_div, vco_mul, out_div: possible values. phase: at the phase detector. vco: of the oscillator. out: of
    the output. source: where the limits come from.
    """

    in_div: range
    vco_mul: range
    out_div: tuple[int, ...]
    phase: tuple[int, int]
    vco: tuple[int, int]
    out: tuple[int, int]
    source: str


PLLS = {
    "ecp5": PllLimits(
        in_div=range(1, 129), vco_mul=range(1, 129), out_div=tuple(range(1, 129)),
        phase=(10_000, 400_000), vco=(400_000, 800_000), out=(3_125, 400_000),
        source="Lattice FPGA-DS-02012, sysCLOCK PLL",
    ),
    "ice40": PllLimits(
        in_div=range(1, 17), vco_mul=range(1, 129), out_div=(2, 4, 8, 16, 32, 64), phase=(10_000, 133_000),
        vco=(533_000, 1_066_000), out=(16_000, 275_000), source="Lattice FPGA-TN-02052",
    ),
    "xilinx7": PllLimits(
        in_div=range(1, 57), vco_mul=range(2, 65), out_div=tuple(range(1, 129)), phase=(19_000, 450_000),
        vco=(800_000, 1_600_000), out=(6_250, 464_000), source="Xilinx DS181, PLL of speed grade -1",
    ),
}  # fmt: skip


def _inside(value: Fraction, limits: tuple[int, int]) -> bool:
    return limits[0] <= value <= limits[1]


def settings(limits: PllLimits, in_khz: int) -> Iterator[Clock]:
    """All settings that are within the limits."""
    for in_div in limits.in_div:
        phase = Fraction(in_khz, in_div)
        if not _inside(phase, limits.phase):
            continue
        for out_div in limits.out_div:
            for vco_mul in limits.vco_mul:
                vco = phase * vco_mul
                if vco > limits.vco[1]:
                    break
                if vco >= limits.vco[0] and _inside(vco / out_div, limits.out):
                    yield Clock(in_khz, in_div, vco_mul, out_div)


def choose(limits: PllLimits, in_khz: int, target_khz: float) -> Clock:
    """The setting with the highest output that is at most `target_khz`; among equal ones that with the
    highest frequency at the phase detector, then that of the oscillator. FlowError if there is none.
    """
    best = max(
        (clock for clock in settings(limits, in_khz) if clock.khz <= target_khz),
        key=lambda clock: (clock.khz, -clock.in_div, clock.vco_mul),
        default=None,
    )
    if best is None:
        low = min((clock.khz for clock in settings(limits, in_khz)), default=0.0)
        raise FlowError(
            f"the PLL makes no clock of {target_khz / 1000:.3f} MHz or less from {in_khz / 1000:g} MHz: "
            f"its lowest is {low / 1000:.3f} MHz"
        )
    return best
