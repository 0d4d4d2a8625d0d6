"""Operands of a yardstick, and how its results are judged: by another implementation of the same function."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from eccelerate.configs.yardstick_config import Yardstick, montgomery_radix
from eccelerate.curves import find_curve
from eccelerate.model import point, tate_pairing
from eccelerate.model.tate_curve import CURVE

Values = Mapping[str, int]


@dataclass(frozen=True)
class Check:
    """An operation: its operands, whether a result is right, and whether it is one whose cycles count
    (loading a key is none).
    """

    operands: Values
    right: Callable[[Values], bool]
    counts: bool = True


def checks(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    """`count` operations with random operands, after those that they need. Raises KeyError for a yardstick of
    an unknown module.
    """
    return MAKERS[unit.top](unit, generator, count)


def _equal(expected: Values) -> Callable[[Values], bool]:
    return lambda found: all(found[port] == value for port, value in expected.items())


def _aes(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    key = generator.randbytes(16)
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    load = {"load_i": 1, "decrypt_i": 0, "data_i": int.from_bytes(key, "big")}
    found = [Check(load, lambda _: True, counts=False)]
    for _ in range(count):
        block, decrypt = generator.randbytes(16), generator.getrandbits(1)
        code = (cipher.decryptor() if decrypt else cipher.encryptor()).update(block)
        operands = {"load_i": 0, "decrypt_i": decrypt, "data_i": int.from_bytes(block, "big")}
        found.append(Check(operands, _equal({"data_o": int.from_bytes(code, "big")})))
    return found


SHA512_INITIAL = int(  # FIPS 180-4, 5.3.5
    "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1"
    "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179",
    16,
)
SHA512_ROOM = 111
"""Bytes of a message that fit one block."""


def _sha512(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    found = []
    for _ in range(count):
        message = generator.randbytes(SHA512_ROOM)
        block = message + b"\x80" + (8 * len(message)).to_bytes(16, "big")
        operands = {"block_i": int.from_bytes(block, "big"), "chain_i": SHA512_INITIAL}
        digest = hashlib.sha512(message).digest()
        found.append(Check(operands, _equal({"chain_o": int.from_bytes(digest, "big")})))
    return found


def _rsa(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    bits = unit.params["Bits"]
    square = montgomery_radix(unit.params) ** 2
    found = []
    for _ in range(count):
        modulus = generator.getrandbits(bits) | 1 | 1 << bits - 1
        base, exponent = generator.randrange(modulus), generator.getrandbits(bits)
        operands = {"base_i": base, "exponent_i": exponent, "modulus_i": modulus, "r2_i": square % modulus}
        found.append(Check(operands, _equal({"power_o": pow(base, exponent, modulus)})))
    return found


def _ecc(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    """Multiples of random points of P-256."""
    curve = find_curve("P-256")
    found = []
    for _ in range(count):
        base = point.base_mul(curve, generator.randrange(1, curve.n))
        scalar = generator.randrange(1, curve.n)
        wanted = point.mul(curve, scalar, base)
        assert base is not None and wanted is not None  # multiples by less than the order
        operands = {"p_i": curve.p, "x_i": base[0], "y_i": base[1], "infinity_i": 0, "k_i": scalar}
        found.append(Check(operands, _is_point(curve.p, wanted)))
    return found


def _is_point(p: int, wanted: tuple[int, int]) -> Callable[[Values], bool]:
    """Whether a result is an affine point, or one in Jacobian coordinates where it has a z."""

    def right(found: Values) -> bool:
        z = found.get("z_o", 1)
        if found["infinity_o"] or z % p == 0:
            return False
        scale = pow(z, -1, p)
        return (found["x_o"] * scale**2 % p, found["y_o"] * scale**3 % p) == wanted

    return right


def _tate(unit: Yardstick, generator: random.Random, count: int) -> list[Check]:
    """Pairings of random points, on the curve over F_p of order r, and on the one over F_p^4."""
    found: list[Check] = []
    while len(found) < count:
        first = tate_pairing.mul(CURVE.p, CURVE.h, _any_point(generator))
        xs = [(generator.randrange(CURVE.p), generator.randrange(CURVE.p)) for _ in range(20)]
        second = next(iter(tate_pairing.twist_points(CURVE, xs)), None)
        if first is None or second is None:
            continue
        value = tate_pairing.tate(CURVE, first, second)
        operands = {"px_i": first[0], "py_i": first[1], "infinity_i": 0}
        operands |= {f"q{name}_i": getattr(second, name) for name in ("x0", "x1", "y0", "y1")}
        found.append(Check(operands, _equal({f"e{n}_o": part for n, part in enumerate(value)})))
    return found


def _any_point(generator: random.Random) -> tuple[int, int]:
    p = CURVE.p
    while True:
        x = generator.randrange(p)
        square = (x**3 + CURVE.b) % p
        y = pow(square, (p + 1) // 4, p)  # p is 3 modulo 8
        if y * y % p == square:
            return x, y


MAKERS: Mapping[str, Callable[[Yardstick, random.Random, int], list[Check]]] = {
    "eccel_aes": _aes,
    "eccel_sha512": _sha512,
    "eccel_rsa_r2l": _rsa,
    "eccel_rsa_l2r": _rsa,
    "eccel_ecc_affine": _ecc,
    "eccel_ecc_jacobian": _ecc,
    "eccel_tate_pairing": _tate,
}
