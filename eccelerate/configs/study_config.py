"""A variant of the study core: coordinates, algorithm, digit size, multipliers, with or without divider.

The name says everything, such as `gf163-lopez-dahab-montgomery-d16-m2` or `gf163-affine-naf-d4-m1-div`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from eccelerate.configs.kind import ConfigError
from eccelerate.configs.yardstick_config import Yardstick
from eccelerate.curves.loader import find_curve
from eccelerate.ucode.study.study_files import CURVES, Image, images
from eccelerate.ucode.study.study_program import KINDS

TOP = "eccel_study"
DEGREE = 163
_TITLES = {"affine": "affine", "jacobian": "Jacobian", "lopez-dahab": "Lopez-Dahab"}
_ALGORITHMS = {"binary": "double-and-add", "naf": "signed digits", "montgomery": "Montgomery's method"}


def variant_name(image: Image) -> str:
    """The name of a variant."""
    divider = "-div" if image.divider else ""
    return f"gf{DEGREE}-{image.kind}-d{image.digit_bits}-m{image.multipliers}{divider}"


def variant_params(image: Image, curve: str = CURVES[0]) -> dict[str, int]:
    """The parameters of the top for one of CURVES."""
    return {
        "Kind": KINDS.index(image.kind),
        "DigitBits": image.digit_bits,
        "Multipliers": image.multipliers,
        "Divider": int(image.divider),
        "Curve": CURVES.index(curve),
    }


def variant_yardstick(image: Image) -> Yardstick:
    """The yardstick of a variant: k P on B-163."""
    coordinates, _, algorithm = image.kind.rpartition("-")
    several = f"{image.multipliers} multiplier{'s' * (image.multipliers > 1)} of {image.digit_bits} bits"
    divider = ", divider" if image.divider else ""
    return Yardstick(
        name=variant_name(image),
        title=f"k P, GF(2^163), {_TITLES[coordinates]}, {_ALGORITHMS[algorithm]}, {several}{divider}",
        top=TOP,
        bits=find_curve(CURVES[0]).p_bits,
        operation="a multiplication of a point",
        operands=(("x_i", DEGREE), ("y_i", DEGREE), ("k_i", DEGREE)),
        results=(("x_o", DEGREE), ("y_o", DEGREE)),
        params=variant_params(image),
    )


@cache
def variants() -> Mapping[str, Image]:
    """Every variant by its name."""
    return {variant_name(image): image for image in images()}


def study_yardsticks() -> dict[str, Yardstick]:
    """The yardstick of every variant by its name."""
    return {name: variant_yardstick(image) for name, image in variants().items()}


def find_variant(name: str) -> Image:
    """The variant called `name`. Raises ConfigError that says how names are made."""
    if name not in variants():
        raise ConfigError(
            f"no variant {name!r}: a name is gf163-COORDINATES-ALGORITHM-dDIGIT-mMULTIPLIERS, with -div for"
            f" the divider; there are {len(variants())}, such as {next(iter(variants()))}"
        )
    return variants()[name]
