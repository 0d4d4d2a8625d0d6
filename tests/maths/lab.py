"""What the tests of sw/maths share: packages or the reason to skip, devices, calculations and results."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT, find_config
from eccelerate.configs.kind import build_root
from eccelerate.curves import find_curve
from eccelerate.external import maths_packages
from eccelerate.external.maths_packages import MathsPackage, ScriptRun
from eccelerate.model import point
from eccelerate.rtlsim.model_folder import write_model
from tests.driver.fake_device import FakeDevice

EXAMPLES = ROOT / "examples"
STRICT = {"ECCEL_STRICT": "1"}
P256 = find_curve("P-256")
KHZ = 155_000
Calculation = tuple[str, tuple[str, ...], str]
"""A name of process.h, its operands, and the right result."""


@cache
def _lacking(name: str) -> str:
    return " ".join(maths_packages.missing(maths_packages.find_package(name)))


def needed(name: str) -> MathsPackage:
    """A package, built. Skips the test if something that it needs is not installed."""
    package = maths_packages.find_package(name)
    if lacking := _lacking(name):
        pytest.skip(f"{package.title} needs: apt install {lacking}")
    maths_packages.build(package, jobs=1)
    return package


@cache
def model() -> str:
    """The RTL of compact-w32, as a cycle-accurate model in the process of the package."""
    folder = build_root() / "maths" / "compact-w32"
    write_model(find_config("compact-w32"), folder, KHZ)
    return f"model:{folder}"


@contextmanager
def golden(folder: Path) -> Iterator[FakeDevice]:
    """A device that is not RTL: the golden model behind a socket, which is fast and can misbehave."""
    with FakeDevice(folder / "device") as device:
        yield device


def run(
    package: MathsPackage,
    folder: Path,
    text: str,
    devices: str | None,
    settings: dict[str, str] | None = None,
) -> ScriptRun:
    """Run the text of a script."""
    script = folder / f"script{package.suffix}"
    script.write_text(text)
    return maths_packages.run_script(package, script, devices, settings)


def hexadecimal(value: int | None) -> str:
    """A number as process.h wants it; None is not known, or of the point at infinity."""
    return "" if value is None else f"{value:x}"


def modular_calculations(seed: int = 1) -> list[Calculation]:
    """Calculations modulo primes of the catalogue and others, with operands at the limits and beyond."""
    found: list[Calculation] = []
    rng = random.Random(seed)

    def add(name: str, operands: tuple[int, ...], result: int) -> None:
        found.append((name, tuple(map(hexadecimal, operands)), hexadecimal(result)))

    for m in (P256.p, P256.n, 2**521 - 1, 2**255 - 19, 2**127 - 1, 2**89 - 1):
        limits = [0, 1, m - 1, m, m + 1, -1, -m, rng.getrandbits(700)]
        for a, b in [(rng.choice(limits), each) for each in limits] + [(m - 1, m - 1)]:
            add("mod_mul", (m, a, b), a * b % m)
            add("mod_add", (m, a, b), (a + b) % m)
            add("mod_sub", (m, a, b), (a - b) % m)
            if b % m:
                add("mod_inv", (m, b), pow(b, -1, m))
        for e in (0, 1, -1, m - 2, m - 1, m, -(m**2), rng.getrandbits(900)):
            a = rng.getrandbits(600)
            add("mod_exp", (m, a, e), pow(a, e, m))
        add("mod_exp", (m, 0, 0), 1)
        add("mod_exp", (m, m, m + 5), 0)
    for bits_a, bits_b in ((64, 64), (256, 256), (260, 260), (261, 260), (521, 128), (4096, 65), (1500, 900)):
        a, b = 2**bits_a - 1, -(2**bits_b) + 1
        add("product", (a, b), a * b)
    return found


def point_calculations() -> list[Calculation]:
    """Multiples and sums of points of P-256, with scalars of any sign and size, and infinity."""
    curve = (P256.p, P256.a, P256.b)
    base, other = (P256.gx, P256.gy), point.base_mul(P256, 7)
    found: list[Calculation] = []

    def shown(value: tuple[int, int] | None) -> str:
        return "infinity" if value is None else f"{value[0]:x} {value[1]:x}"

    def add(name: str, operands: tuple[int | None, ...], result: tuple[int, int] | None) -> None:
        found.append((name, tuple(map(hexadecimal, operands)), shown(result)))

    n, none = P256.n, (None, None)
    assert other
    for k in (0, 1, 2, -1, n - 1, n, n + 1, -n, 3 * n - 2, 2**300, 5):
        add("point_mul", (*curve, None, *none, k, *base), point.base_mul(P256, k % n))
    for k in (0, 1, n - 1, 11):
        add("point_mul", (*curve, n, *base, k, *other), point.base_mul(P256, 7 * k % n))
    add("point_mul", (*curve, None, *none, 5, *none), None)
    negative = (base[0], P256.p - base[1])
    add("point_add", (*curve, *base, *other), point.base_mul(P256, 8))
    add("point_add", (*curve, *base, *base), point.base_mul(P256, 2))
    add("point_add", (*curve, *base, *negative), None)
    add("point_add", (*curve, *base, *none), base)
    add("point_add", (*curve, *none, *base), base)
    return found
