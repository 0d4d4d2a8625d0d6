"""Constants: eccel_const_mul with eccel_const_limbs and eccel_limb_resolve; eccel_fixed_reduce with
eccel_fixed_step, alone and in eccel_modmul.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from eccelerate.configs.config import RTL_DIR
from eccelerate.curves.validate import is_prime
from eccelerate.model.constant_digits import FIXED_MODULI, max_rows, recode
from eccelerate.timing import modmul_timing
from tests.modmul.unit import module, products, residues, stream, timing
from tests.sampled import sampled
from tests.verilated import Patch

BLS = FIXED_MODULI["BLS12-377"]


def text(value: int, bits: int) -> str:
    return f"{bits}'h{value:x}"


@pytest.mark.parametrize(
    ("const_bits", "constant", "in_bits", "limb", "window"),
    [(8, 1, 8, 32, 5), (12, 0xABC, 10, 8, 5), (12, 0xABC, 10, 8, 2), (12, 0x7FF, 10, 8, 3),
     (40, 0xFEDCBA9875, 20, 16, 5), (40, (1 << 40) - 1, 20, 16, 4)],
)  # fmt: skip
@pytest.mark.parametrize("pipelined", [0, 1])
def test_constant_multiples_are_exact(
    const_bits: int, constant: int, in_bits: int, limb: int, window: int, pipelined: int
) -> None:
    unit = module(
        "eccel_const_mul",
        {"ConstBits": const_bits, "Constant": text(constant, const_bits), "InBits": in_bits, "Limb": limb,
         "Window": window, "Pipelined": pipelined},
    )  # fmt: skip
    rng, top = random.Random(constant), (1 << in_bits) - 1
    some = [*range(top + 1)] if top < 2000 else [0, 1, top, *(rng.getrandbits(in_bits) for _ in range(500))]
    latency = modmul_timing.const_mul(constant, in_bits, const_bits + in_bits, bool(pipelined), window)
    assert stream(unit, latency, "p_o", a_i=some) == [a * constant for a in some]


@pytest.mark.parametrize("window", [2, 3, 4, 5])
def test_digits_add_up_and_lie_apart(window: int) -> None:
    rng = random.Random(window)
    for value in (1, 0xFFFF, BLS >> 46, *(rng.getrandbits(200) for _ in range(20))):
        digits = recode(value, window)
        assert sum(d << i for i, d in digits.items()) == value
        assert all(d % 2 and abs(d) < 1 << window - 1 for d in digits.values())
        places = sorted(digits)
        assert all(b - a >= window for a, b in pairwise(places))
        assert max_rows(value, window, 50) >= 1


def reduce(p: int, digit: int, pipelined: bool, numbers: list[int], patches: Sequence[Patch] = ()) -> None:
    bits = p.bit_length()
    unit = module(
        "eccel_fixed_reduce",
        {"Bits": bits, "Modulus": text(p, bits), "Digit": digit, "Pipelined": int(pipelined)},
        patches,
    )
    factor = pow(1 << bits, -1, p)
    found = stream(unit, modmul_timing.fixed_reduce(p, pipelined, digit), "r_o", t_i=numbers)
    assert found == [t * factor % p for t in numbers]


@pytest.mark.parametrize(("p", "digit", "pipelined"), [(97, 5, True), (193, 6, False)])
def test_all_numbers_below_r_p_are_reduced(p: int, digit: int, pipelined: bool) -> None:
    numbers = [*range(p << p.bit_length())]
    random.Random(p).shuffle(numbers)
    reduce(p, digit, pipelined, numbers)


def large(p: int, digit: int, rng: random.Random) -> list[int]:
    """Numbers below R p: edges, multiples of p, and digits of only zeros and only ones."""
    size = 1 << p.bit_length()
    found = [0, 1, p - 1, p, (p - 1) ** 2, p * size - 1, size - 1, size]
    for _ in range(100):
        runs = sum(rng.choice((0, 0, (1 << digit) - 1, 1)) << digit * i for i in range(30))
        found += [rng.randrange(p * size), rng.randrange(size) * p, runs % (p * size)]
    return found


@pytest.mark.parametrize(("p", "digit", "pipelined"), [(12289, 12, True), (12289, 8, False), (BLS, 46, True)])
def test_larger_moduli_are_reduced(p: int, digit: int, pipelined: bool) -> None:
    reduce(p, digit, pipelined, large(p, digit, random.Random(digit)))


def test_the_prime_of_bls12_377_is_the_published_one() -> None:
    published = (
        "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001"
    )
    assert int(published, 16) == BLS
    assert published in (RTL_DIR / "modmul" / "eccel_fixed_pkg.sv").read_text()
    assert BLS.bit_length() == 377 and BLS % (1 << 46) == 1 and is_prime(BLS)


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        pytest.param(4, {"Word": 29}, id="broadcast"),
        pytest.param(3, {"Levels": 3}, id="karatsuba", marks=pytest.mark.soak),
    ],
)
def test_products_of_377_bits(kind: int, own: dict[str, int]) -> None:
    """With karatsuba one in every cycle, but Verilator takes minutes to build it."""
    sizes = {"Kind": kind, "Bits": 377, "Pipelined": 1, **own}
    unit = module("eccel_modmul", {**sizes, "Reduction": 3})
    pairs = residues(BLS, random.Random(377), 60)
    factor = pow(1 << 377, -1, BLS)
    assert products(unit, pairs) == [a * b * factor % BLS for a, b in pairs]
    mul = timing(module("eccel_mul", sizes))
    assert mul.interval == (1 if kind == 3 else 13)
    assert timing(unit) == modmul_timing.modmul_timing(mul, "fixed", 377, pipelined=True, prime="BLS12-377")


@sampled(
    "patch",
    [
        ("eccel_fixed_step.sv", "x_i[1] + limb_t'(signed'(x_i[0][LimbBits-1:Digit]))", "x_i[1]"),
        ("eccel_fixed_step.sv", "{x_i[0][LimbBits-1:InBits], InBits'(0)}", "'0"),
        ("eccel_const_limbs.sv", "- a_1;", "+ a_1;"),
    ],
    ids=["no-carry", "no-rest", "wrong-multiple"],
    now=1,
)
def test_mutants_fail(patch: Patch) -> None:
    """With a prime of 96 bits, which takes four steps and all multiples; without a change it passes."""
    p, digit = 0xC6403A960A8652DBD0000001, 24
    numbers = large(p, digit, random.Random(3))
    reduce(p, digit, True, numbers)
    with pytest.raises(AssertionError):
        reduce(p, digit, True, numbers, [patch])
