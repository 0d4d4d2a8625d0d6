"""Units with the interface of rtl/compare whose energy can be measured, and operands for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from eccelerate.configs.config import ConfigError
from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.configs.study_config import find_variant, variant_yardstick
from eccelerate.configs.yardstick_config import YARDSTICKS, Yardstick, montgomery_radix
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.multiplier_operands import moduli, residue_pairs
from eccelerate.model.tate_curve import CURVE
from eccelerate.model.tate_pairing import twist_points

Vector = dict[str, int]


@dataclass(frozen=True)
class Operands:
    """Operands of operations, of which the first `setup` do not count, such as the load of a key."""

    vectors: list[Vector]
    setup: int = 0


def find_unit(name: str) -> Yardstick:
    """A yardstick, a variant of the study or a multiplier by its name. Raises ConfigError."""
    if name in YARDSTICKS:
        return YARDSTICKS[name]
    if name.startswith("gf163-"):
        return variant_yardstick(find_variant(name))
    try:
        return multiplier_yardstick(parse_multiplier(name))
    except ConfigError as error:
        raise ConfigError(
            f"no unit {name!r}: there are the yardsticks {', '.join(YARDSTICKS)}, the variants gf163-..., the"
            f" multipliers (`eccel multipliers`) and the engines (`eccel list configs`); {error}"
        ) from error


def multiplier_yardstick(config: MultiplierConfig) -> Yardstick:
    """A multiplier as the bench of yardsticks runs it. That keeps no operand after its acceptance, so that a
    modulus must be the same for all products, and the last products are wrong.
    """
    ports = config.ports
    inputs = [n for n, (way, _) in ports.items() if way == "input" and n not in ("clk_i", "rst_i", "valid_i")]
    outputs = [n for n, (way, _) in ports.items() if way == "output" and n not in ("ready_o", "valid_o")]
    return Yardstick(
        name=config.name,
        title=config.name,
        top=config.top,
        bits=config.bits,
        operation="a product",
        operands=tuple((n, ports[n][1]) for n in inputs),
        results=tuple((n, ports[n][1]) for n in outputs),
        params=config.params,
    )


def operands(unit: Yardstick, count: int, seed: int) -> Operands:
    """Operands for `count` operations: random, and of the kind that the unit is made for."""
    chance = random.Random(f"{unit.name} {seed}")
    rule = next((rule for top, rule in _RULES.items() if unit.top.startswith(top)), _random)
    return rule(unit, count, chance)


def _random(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    widths = unit.operand_bits
    return Operands([{n: chance.getrandbits(bits) for n, bits in widths.items()} for _ in range(count)])


def _aes(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    """A key, then encryptions and decryptions in turns."""
    key = {"load_i": 1, "decrypt_i": 0, "data_i": chance.getrandbits(128)}
    blocks = [{"load_i": 0, "decrypt_i": i % 2, "data_i": chance.getrandbits(128)} for i in range(count)]
    return Operands([key, *blocks], setup=1)


def _rsa(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    """Odd moduli and exponents of full length."""
    bits = unit.operand_bits["modulus_i"]
    vectors = []
    for _ in range(count):
        modulus = chance.getrandbits(bits) | 1 << (bits - 1) | 1
        exponent = chance.getrandbits(bits) | 1 << (bits - 1)
        base, r2 = chance.randrange(modulus), montgomery_radix(unit.params) ** 2 % modulus
        vectors.append({"base_i": base, "exponent_i": exponent, "modulus_i": modulus, "r2_i": r2})
    return Operands(vectors)


def _ecc(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    """Multiplications of random points of P-256."""
    curve = find_curve("P-256")
    vectors = []
    for _ in range(count):
        x, y = point.base_mul(curve, chance.randrange(1, curve.n)) or curve.generator
        scalar = chance.randrange(1, curve.n)
        vectors.append({"p_i": curve.p, "x_i": x, "y_i": y, "infinity_i": 0, "k_i": scalar})
    return Operands(vectors)


def _tate(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    """Pairings of random points of the curve and of its twist. P need not have the order r: the program of
    the pairing does the same for every point.
    """
    p = CURVE.p
    vectors: list[Vector] = []
    while len(vectors) < count:
        x = chance.randrange(p)
        y = pow(x**3 + CURVE.b, (p + 1) // 4, p)  # p is 3 modulo 8
        q = next(iter(twist_points(CURVE, [(chance.randrange(p), chance.randrange(p))])), None)
        if q is not None and (y * y - x**3 - CURVE.b) % p == 0:
            twist = {"qx0_i": q.x0, "qx1_i": q.x1, "qy0_i": q.y0, "qy1_i": q.y1}
            vectors.append({"px_i": x, "py_i": y, "infinity_i": 0, **twist})
    return Operands(vectors)


def _study(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    """Multiplications of G of B-163."""
    curve = find_curve("B-163")
    base = {"x_i": curve.gx, "y_i": curve.gy}
    return Operands([base | {"k_i": chance.randrange(1, curve.n)} for _ in range(count)])


def _modular(unit: Yardstick, count: int, chance: random.Random) -> Operands:
    config = parse_multiplier(unit.name)
    modulus = config.modulus or moduli(config.bits, 1)[-1]
    inverse = -pow(modulus, -1, 1 << config.bits) % (1 << config.bits)
    pairs = list(residue_pairs(modulus, count, chance.getrandbits(32)))[-count:]
    return Operands([{"a_i": a, "b_i": b, "modulus_i": modulus, "inverse_i": inverse} for a, b in pairs])


_RULES: dict[str, Callable[[Yardstick, int, random.Random], Operands]] = {
    "eccel_aes": _aes,
    "eccel_rsa": _rsa,
    "eccel_ecc": _ecc,
    "eccel_tate": _tate,
    "eccel_study": _study,
    "eccel_modmul": _modular,
}
"""By the beginning of the name of the top module; others get random operands."""
