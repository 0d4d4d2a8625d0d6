"""eccel_modmul with Montgomery's reduction: eccel_montgomery with eccel_montgomery_passes (one multiplier for
the three products) and with eccel_montgomery_row (three).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate.timing.modmul_timing import montgomery, passes
from eccelerate.timing.multiplier_timing import MultiplierTiming
from tests.modmul.unit import KINDS, module, products, residues, timing
from tests.module import Module
from tests.sampled import sampled
from tests.verilated import Patch

GAPS = (0, 0, 0, 1, 0, 7, 0, 60, 2)


def check(unit: Module, bits: int, m: int, pairs: list[tuple[int, int]], gaps: Sequence[int] = GAPS) -> None:
    size = 1 << bits
    found = products(unit, pairs, gaps, modulus_i=m, inverse_i=-pow(m, -1, size) % size)
    assert found == [a * b * pow(size, -1, m) % m for a, b in pairs]


@pytest.mark.parametrize("kind", KINDS)
@sampled(("pipelined", "multipliers"), [(1, 3), (0, 1), (1, 1)], now=1)
def test_every_kind_of_multiplier_makes_products_modulo_any_odd_number(
    kind: str, pipelined: int, multipliers: int
) -> None:
    rng, bits = random.Random(kind), 16
    number, own = KINDS[kind]
    sizes = {"Kind": number, "Bits": bits, "Pipelined": pipelined}
    unit = module("eccel_modmul", {**sizes, "Reduction": 1, "Multipliers": multipliers, **own})
    for m in (1, 3, (1 << bits) - 1, (1 << bits - 1) + 1, rng.getrandbits(bits) | 1):
        check(unit, bits, m, residues(m, rng, 30) if m > 1 else [(0, 0)])
    check(unit, bits, 65521, residues(65521, rng, 30), (0,))
    mul = timing(module("eccel_mul", {**sizes, **own}))
    assert timing(unit) == montgomery(mul, bits, bool(pipelined), multipliers)


@pytest.mark.parametrize("kind", ["karatsuba", "booth"])
def test_all_products_modulo_all_odd_numbers_of_four_bits(kind: str) -> None:
    number, own = KINDS[kind]
    unit = module("eccel_modmul", {"Kind": number, "Bits": 4, "Pipelined": 1, "Reduction": 1, **own})
    for m in range(1, 16, 2):
        check(unit, 4, m, [(a, b) for a in range(m) for b in range(m)], (0,))


@sampled(("kind", "own"), [(4, {"Word": 32}), (3, {"Levels": 4})], ids=["broadcast", "karatsuba"], now=1)
def test_products_of_256_bits(kind: int, own: dict[str, int]) -> None:
    rng = random.Random(256)
    unit = module("eccel_modmul", {"Kind": kind, "Bits": 256, "Pipelined": 1, "Reduction": 1, **own})
    for m in (2**256 - 2**224 + 2**192 + 2**96 - 1, 2**256 - 1, 2**255 + 1, rng.getrandbits(256) | 1):
        check(unit, 256, m, residues(m, rng, 60))


def test_passes_of_a_product_never_meet_those_of_another_one() -> None:
    """Also for latencies that no multiplier has at present."""
    for interval in range(1, 40):
        for latency in range(interval + 1, interval + 60):
            schedule = passes(MultiplierTiming(latency, interval))
            assert schedule.gap > latency
            phases = {number * schedule.gap % schedule.period for number in range(3)}
            if schedule.overlap:
                assert phases == {0, interval, 2 * interval}
            else:
                assert schedule.period == 3 * schedule.gap


def test_a_reset_forgets_products() -> None:
    unit = module("eccel_modmul", {"Kind": 3, "Bits": 16, "Levels": 1, "Pipelined": 1, "Reduction": 1})
    unit.clock(modulus_i=65521, inverse_i=-pow(65521, -1, 1 << 16) % (1 << 16), a_i=5, b_i=9)
    for wait in range(40):
        unit.clock(valid_i=1).clock(wait, valid_i=0).clock(rst_i=1).clock(rst_i=0)
        for _ in range(60):
            assert not unit.clock()["valid_o"]
        check(unit, 16, 65521, [(7, 8), (65520, 65520)])


@pytest.mark.parametrize(
    "patch",
    [
        ("eccel_montgomery.sv", ".c_i      (low_waited)", ".c_i      (1'b0)"),
        ("eccel_montgomery.sv", ".c_i      (low_waited)", ".c_i      (1'b1)"),
        ("eccel_mod_correct.sv", "difference ? x[Width] : other[Width+1]", "1'b0"),
        ("eccel_montgomery_passes.sv", "phase_t'(2 * Gap % Period)", "phase_t'(Gap % Period)"),
    ],
    ids=["no-carry", "always-carry", "no-subtraction", "passes-meet"],
)
def test_mutants_fail(patch: Patch) -> None:
    unit = module(
        "eccel_modmul", {"Kind": 3, "Bits": 8, "Levels": 1, "Pipelined": 1, "Reduction": 1}, [patch]
    )
    with pytest.raises(AssertionError):
        check(unit, 8, 251, residues(251, random.Random(1), 300))
