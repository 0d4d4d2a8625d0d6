"""eccel_rsa_r2l and eccel_rsa_l2r give the powers of Python's pow, in cycles that depend on the width only.

Both are made of eccel_montgomery_pass and eccel_montgomery_array, which is a row of eccel_montgomery_step.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick, montgomery_radix
from eccelerate.rtlsim import yardstick_bench
from eccelerate.rtlsim.verilate import BuildError

NAMES = ("rsa-1024-r2l", "rsa-1024-l2r")
Power = tuple[int, int, int]  # base, exponent, modulus


def unit(name: str, bits: int, segment: int, unroll: int = 1) -> Yardstick:
    params = {"Bits": bits, "Segment": segment, "Unroll": unroll}
    return replace(find_yardstick(name), name=f"{name}-test-{bits}", params=params)


def cycles(of: Yardstick) -> int:
    """The latency that the headers promise."""
    bits, segment, unroll = (of.params[name] for name in ("Bits", "Segment", "Unroll"))
    one_pass = 1 + -(-(bits + 3) // unroll) + -(-(bits + 3) // segment)
    passes = bits + 2 if of.top == "eccel_rsa_r2l" else 2 * bits + 3
    return passes * one_pass + 1


def operands(of: Yardstick, power: Power) -> dict[str, int]:
    base, exponent, modulus = power
    r2 = montgomery_radix(of.params) ** 2 % modulus
    return {"base_i": base, "exponent_i": exponent, "modulus_i": modulus, "r2_i": r2}


def wrong(
    of: Yardstick, powers: Iterable[Power], mutant: yardstick_bench.Mutant | None = None, gaps: bool = False
) -> list[Power]:
    """The powers that the RTL computes wrong. Cycles are checked."""
    work = list(powers)
    vectors = [operands(of, power) for power in work]
    done = yardstick_bench.run(of, vectors, mutant=mutant, gaps=gaps)
    assert set(done.cycles) == {cycles(of)}
    assert gaps or set(done.intervals) <= {cycles(of)}
    pairs = zip(work, done.results, strict=True)
    return [power for power, result in pairs if result["power_o"] != pow(*power)]


def corners(bits: int) -> Sequence[Power]:
    """Least and greatest operands, and powers that are 0 although the base is not."""
    top = (1 << bits) - 1
    moduli = (1, 3, (1 << bits - 1) + 1, top)
    some = [(b, e, m) for m in moduli for b in {0, 1 % m, m - 1} for e in (0, 1, 2, top - 1, top)]
    return [*some, (3, 2, 9), (6, 3, 27), (15, 2, 225), (15, top, 225)]


def random_powers(bits: int, count: int) -> Sequence[Power]:
    generator = random.Random(1)
    moduli = [generator.getrandbits(bits) | 1 for _ in range(count)]
    return [(generator.randrange(m), generator.getrandbits(bits), m) for m in moduli]


@pytest.mark.parametrize("name", NAMES)
def test_powers_of_64_bits(name: str) -> None:
    assert wrong(unit(name, 64, 17), [*corners(64), *random_powers(64, 100)]) == []


@pytest.mark.parametrize("name", NAMES)
def test_two_bits_in_a_cycle(name: str) -> None:
    assert wrong(unit(name, 17, 6, 2), [*corners(17), *random_powers(17, 200)], gaps=True) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("segment", [3, 4, 5, 7])
def test_every_power_of_5_bits_and_some_of_8(name: str, segment: int) -> None:
    every = [(b, e, m) for m in range(1, 32, 2) for b in range(m) for e in range(32)]
    assert wrong(unit(name, 5, segment), every) == []
    assert wrong(unit(name, 8, segment), [*corners(8), *random_powers(8, 2000)]) == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", NAMES)
def test_rsa_of_1024_bits_with_a_key_of_openssl(name: str) -> None:
    """The library `cryptography` makes keys with OpenSSL. Its private exponent undoes the public one."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024).private_numbers()
    modulus, public = key.public_numbers.n, key.public_numbers.e
    message = random.Random(2).randrange(modulus)
    sealed = pow(message, public, modulus)
    assert wrong(find_yardstick(name), [(message, public, modulus), (sealed, key.d, modulus)]) == []
    assert pow(sealed, key.d, modulus) == message


@pytest.mark.parametrize(("segment", "unroll", "message"), [(8, 1, "3 to Bits"), (5, 2, "divide Segment")])
def test_sizes_that_do_not_fit_are_errors(segment: int, unroll: int, message: str) -> None:
    with pytest.raises(BuildError, match=message):
        wrong(unit("rsa-1024-r2l", 5, segment, unroll), [(1, 1, 3)])


@pytest.mark.parametrize(
    ("mutant", "fails"),
    [
        # Without the test of the quotient bits, the result 0 is the modulus, and no other one changes.
        (("eccel_rsa_r2l", "last_pass && ones ? '0 : product_word", "product_word"), corners(12)[-4:]),
        # The carry of a segment is lost.
        (("eccel_montgomery_step", " + 2'(v[Segment])", " + 2'(v[Segment] & 1'b0)"), random_powers(12, 20)),
    ],
    ids=["zero", "carry"],
)
def test_a_mutant_gives_other_powers(mutant: yardstick_bench.Mutant, fails: Sequence[Power]) -> None:
    small = unit("rsa-1024-r2l", 12, 5)
    assert wrong(small, fails) == []
    assert wrong(small, fails, mutant) != []
