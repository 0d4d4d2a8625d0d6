"""The study core in a small field: the same RTL with a package of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from eccelerate.configs.config import build_root
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.configs.study_config import TOP, variant_name, variant_params
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.curves.curve import Curve
from eccelerate.curves.small import find_small_binary_curve
from eccelerate.model import point
from eccelerate.model.lopez_dahab import fourth_root
from eccelerate.ucode.study.study_files import Image, package
from eccelerate.ucode.study.study_machine import Machine
from eccelerate.ucode.study.study_schedule import Timing

PACKAGE = "eccel_study_programs_pkg"
SMALL = find_small_binary_curve(0b10000011, 1, 2)
"""71 points of odd order over GF(2^7)."""
Affine = tuple[int, int]


@dataclass(frozen=True)
class SmallCore(Yardstick):
    """A variant over the field of SMALL."""

    image: Image | None = None

    @cached_property
    def files(self) -> list[Path]:
        """The RTL with a package of one program."""
        assert self.image is not None, "small_core names it"
        folder = build_root() / "tests" / "study" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        own = folder / f"{PACKAGE}.sv"
        text = package([SMALL], [self.image])
        if not own.exists() or own.read_text() != text:
            own.write_text(text)
        return [own if path.stem == PACKAGE else path for path in reached_files(TOP)]


def small_core(image: Image) -> SmallCore:
    """The core of a variant over GF(2^7)."""
    bits = SMALL.p_bits
    return SmallCore(
        name=f"small-{variant_name(image)}",
        title="small",
        top=TOP,
        bits=bits,
        operation="a multiplication of a point",
        operands=(("x_i", bits), ("y_i", bits), ("k_i", bits)),
        results=(("x_o", bits), ("y_o", bits)),
        params=variant_params(image),
        image=image,
    )


def points(curve: Curve, count: int) -> list[Affine]:
    """Some points of odd order."""
    found = [point.mul(curve, 1 + 5 * i, curve.generator) for i in range(count)]
    return [each for each in found if each is not None]


def scalars(curve: Curve) -> range:
    """Every scalar that the core multiplies by."""
    return range(1, curve.n - 2)


def machine(curve: Curve, image: Image) -> Machine:
    """The core in Python."""
    degree = curve.p.bit_length() - 1
    timing = Timing(image.multipliers, -(-degree // image.digit_bits), degree)
    return Machine(image.program(degree), timing, curve.p, fourth_root(curve.p, curve.b))


def vectors(bases: Sequence[Affine], ks: Sequence[int]) -> list[dict[str, int]]:
    """Operands of every pair."""
    return [{"x_i": x, "y_i": y, "k_i": k} for x, y in bases for k in ks]
