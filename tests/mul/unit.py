"""Runs a unit of rtl/mul on operands, back to back and with gaps, also with a fault in its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

from eccelerate.configs.multiplier_config import KINDS
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.model.multiplier_operands import Pair, operand_pairs
from eccelerate.rtlsim.multiplier_bench import Simulated, UnitSource, simulate_unit
from tests.verilated import Patch

BY_PACKAGE = Path(__file__).with_name("eccel_mul_by_package.sv")


def _numbers(params: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Parameters in which a truth value is a number, as Verilator wants it."""
    return tuple((name, int(value)) for name, value in params.items())


def every_pair(bits: int) -> Iterable[Pair]:
    """All pairs of operands."""
    return product(range(1 << bits), repeat=2)


def run(source: UnitSource, pairs: Iterable[Pair]) -> Simulated:
    """The products of all pairs, twice. Raises ProductError, BuildError."""
    return simulate_unit(source, [f"mul {a:x} {b:x} {a * b:x}" for a, b in pairs])


def unit(top: str, **params: int) -> UnitSource:
    """A module of rtl/mul with the interface of a multiplier."""
    return UnitSource(f"test-{top}", top, tuple(reached_files(top)), _numbers(params))


def by_package(kind: str, **params: int) -> UnitSource:
    """The selector, with the latency and interval of the package."""
    files = (*reached_files("eccel_mul"), BY_PACKAGE)
    values = {"Kind": KINDS.index(kind), **params}
    return UnitSource(f"test-{kind}", "eccel_mul_by_package", files, _numbers(values))


def exhaust(top: str, **params: int) -> Simulated:
    """Every pair of operands of a small unit."""
    return run(unit(top, **params), every_pair(params["Bits"]))


def full_width(kind: str, bits: int, count: int = 300, **params: int) -> Simulated:
    """Corner and random operands of a kind of eccel_mul."""
    return run(by_package(kind, Bits=bits, **params), operand_pairs(bits, count))


def faulty(folder: Path, patch: Patch, top: str, **params: int) -> UnitSource:
    """A unit in which one place of one file (its stem) is replaced."""
    stem, old, new = patch
    right = unit(top, **params)
    files = []
    for path in right.files:
        text = path.read_text()
        if path.stem == stem:
            assert old in text, f"the mutant's place is gone from {stem}: {old}"
            path = folder / path.name
            path.write_text(text.replace(old, new))
        files.append(path)
    assert files != list(right.files), f"{top} does not use {stem}"
    return UnitSource(right.name, top, tuple(files), right.params)
