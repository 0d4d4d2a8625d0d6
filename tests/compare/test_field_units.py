"""The units of eccel_field_machine, exhaustively for small moduli: eccel_field_multiplier,
eccel_field_divider and eccel_field_adder. The machine itself runs in test_ecc.py and test_tate.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from eccelerate.configs.rtl_reach import reached_files
from eccelerate.curves.validate import is_prime
from tests.module import Module
from tests.verilated import Patch

BITS = 6
ADDER_TOP = Path(__file__).with_name("field_adder_top.sv")
PRIMES = [p for p in range(5, 1 << BITS) if is_prime(p)]


def module(top: str, parameters: Mapping[str, int], patches: Sequence[Patch] = ()) -> Module:
    unit = Module("compare", top, reached_files(top), parameters, patches)
    return unit.clock(4, rst_i=1).clock(rst_i=0)


def run(unit: Module, **inputs: int) -> int:
    """Start a unit; the cycles until it is not busy."""
    unit.clock(start_i=1, **inputs)
    for cycles in range(1, 100):
        if not unit.clock(start_i=0)["busy_o"]:
            return cycles
    pytest.fail("the unit stays busy")


def signed(value: int, bits: int) -> int:
    return value - (value >> bits - 1 << bits)


def wrong_products(digit: int, patches: Sequence[Patch] = ()) -> Iterator[tuple[int, int, int]]:
    """Operands and modulus of products that are wrong, or not in time."""
    unit = module("eccel_field_multiplier", {"Bits": 4, "Digit": digit}, patches)
    for p in range(3, 16, 2):
        for a in range(p):
            for b in range(p):
                cycles = run(unit, a_i=a, b_i=b, modulus_i=p)
                s = signed(unit["s_o"], 5)
                if not (-p < s < p and (s * 16 - a * b) % p == 0 and cycles == 4 // digit + 1):
                    yield a, b, p


@pytest.mark.parametrize("digit", [1, 2])
def test_every_product_of_4_bits(digit: int) -> None:
    assert not list(wrong_products(digit))


def test_a_mutant_of_the_multiplier_fails() -> None:
    patch = ("eccel_field_multiplier.sv", ".sub_i(with_b[0])", ".sub_i(with_b[1])")
    assert list(wrong_products(1, [patch]))


def wrong_quotients(patches: Sequence[Patch] = ()) -> Iterator[tuple[int, int, int]]:
    """Numerator, denominator and modulus of quotients that are wrong, out of range or late."""
    unit = module("eccel_field_divider", {"Bits": BITS}, patches)
    for p in PRIMES:
        for d in range(p):
            for n in range(p) if p < 20 else (0, 1, 2, p // 2, p - 2, p - 1):
                cycles = run(unit, numerator_i=n, denominator_i=d, modulus_i=p)
                q = signed(unit["quotient_o"], BITS + 1)
                value = -q if unit["negate_o"] else q
                right = (value * d - n) % p == 0 if d else q == 0
                if not (-p < q < p and right and cycles <= 2 * BITS + 1):
                    yield n, d, p


def test_quotients_of_6_bits() -> None:
    assert not list(wrong_quotients())


def test_a_mutant_of_the_divider_leaves_the_range() -> None:
    patch = ("eccel_field_divider.sv", "assign take_p = !r_q[Bits] &&", "assign take_p = r_q[Bits] &&")
    assert list(wrong_quotients([patch]))


def wrong_sums(patches: Sequence[Patch] = ()) -> Iterator[tuple[int, ...]]:
    """Operands of sums that are wrong or out of range."""
    bits = 4
    files = [*reached_files("eccel_field_adder"), ADDER_TOP]
    unit = Module("compare", "field_adder_top", files, {"Bits": bits}, patches)
    low = (1 << bits + 2) - 1
    for p in (3, 5, 13, 15):
        for x in range(-p, 2 * p):
            for y in range(p):
                for add, sub, carry, is_signed in [
                    (1, 0, 0, 0),
                    (0, 1, 1, 1),
                    (0, 0, 0, 1),
                    (0, 0, 1, 1),
                    (0, 0, 0, 0),
                ]:
                    total = x + (y if add else -y - 1 if sub else 0) + carry
                    if not (-p if is_signed else 0) <= total < (p if is_signed else 2 * p):
                        continue
                    unit.clock(
                        2,
                        x_i=x & low,
                        y_i=y,
                        add_i=add,
                        sub_i=sub,
                        carry_i=carry,
                        signed_i=is_signed,
                        modulus_i=p,
                    )
                    if unit["r_o"] != total % p or (is_signed and unit["negative_o"] != (total < 0)):
                        yield x, y, add, sub, carry, p


def test_every_sum_of_4_bits() -> None:
    assert not list(wrong_sums())


def test_a_mutant_of_the_adder_fails() -> None:
    patch = ("eccel_field_adder.sv", "signed_i ? negative_o", "!signed_i ? negative_o")
    assert list(wrong_sums([patch]))
