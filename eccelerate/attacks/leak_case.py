"""Which input is fixed and which ones are drawn anew for each trace, and what of the trace counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from eccelerate.configs.kind import Config, ConfigError
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op

MEASURES = {"blind": Flag.BLIND}
"""Measures that a request can switch off, by name."""
FIXED = "fixed"


@dataclass(frozen=True)
class LeakCase:
    """A job with one input under test.

    name: job and input. prepare: what is done before each trace, with the input under test. operands: of the
    request. Both get the values by name: key, scalar, x, y, digest.
    """

    name: str
    about: str
    op: Op
    flags: Flag
    tested: str
    operands: Callable[[dict[str, int]], tuple[int, ...]]
    loads_key: bool = False

    def values(self, curve: Curve, generator: random.Random) -> dict[str, int]:
        """Inputs drawn from a generator."""
        base = point.base_mul(curve, generator.randrange(1, curve.n))
        assert base is not None  # a multiple of G by less than its order
        key, scalar = (generator.randrange(1, curve.n) for _ in range(2))
        return {
            "key": key,
            "scalar": scalar,
            "x": base[0],
            "y": base[1],
            "digest": generator.randrange(1 << curve.order_bits),
        }

    def inputs(self, curve: Curve, seed: int, index: int) -> tuple[bool, dict[str, int]]:
        """Whether trace number `index` belongs to the fixed set, and its inputs. The point under test has two
        coordinates; all other inputs are drawn anew in both sets, but for the key of a case that tests
        something else.
        """
        always = self.values(curve, random.Random(f"{self.name} {seed} {FIXED}"))
        generator = random.Random(f"{self.name} {seed} {index}")
        fixed = bool(generator.getrandbits(1))
        values = self.values(curve, generator)
        if self.tested != "key":
            values["key"] = always["key"]
        if fixed:
            kept = ("x", "y") if self.tested == "point" else (self.tested,)
            values |= {name: always[name] for name in kept}
        return fixed, values

    def prepare(self, engine: Engine, values: dict[str, int], flags: Flag) -> None:
        """What comes before the trace of a request with `flags`. Raises JobError."""
        if self.loads_key:
            engine.submit(Op.KEY_LOAD, (values["key"],), flags & Flag.BLIND).check()


_SIGN = Flag.KEY | Flag.RANDOM | Flag.BLIND
_POINT = ("x", "y")
CASES = {
    case.name: case
    for case in (
        LeakCase(
            "sign-key",
            "ECDSA_SIGN with a key in the slot: does anything depend on the key?",
            Op.ECDSA_SIGN,
            _SIGN,
            "key",
            lambda values: (values["digest"],),
            loads_key=True,
        ),
        LeakCase(
            "mul-scalar",
            "MUL: does anything depend on the scalar?",
            Op.MUL,
            Flag.BLIND,
            "scalar",
            lambda values: (values["scalar"], values["x"], values["y"]),
        ),
        LeakCase(
            "mul-point",
            "MUL: does anything depend on the point?",
            Op.MUL,
            Flag.BLIND,
            "point",
            lambda values: (values["scalar"], values["x"], values["y"]),
        ),
        LeakCase(
            "base-mul-scalar",
            "BASE_MUL: does anything depend on the scalar?",
            Op.BASE_MUL,
            Flag.BLIND,
            "scalar",
            lambda values: (values["scalar"],),
        ),
        LeakCase(
            "ecdh-scalar",
            "ECDH with a private key of the host: does anything depend on it?",
            Op.ECDH,
            Flag.BLIND,
            "scalar",
            lambda values: (values["x"], values["y"], values["scalar"]),
        ),
    )
}
"""The cases by name."""


def find_case(name: str) -> LeakCase:
    """The case called `name`. Raises ConfigError with the known names."""
    if name not in CASES:
        raise ConfigError(f"no case {name!r}; there are: {', '.join(CASES)}")
    return CASES[name]


def flags_with(case: LeakCase, config: Config, off: tuple[str, ...]) -> Flag:
    """The flags of a case on an engine without the measures in `off`. The program for any prime of
    256 bits takes no BLIND.

    Raises ConfigError for a measure that does not exist.
    """
    flags = case.flags
    for name in off:
        if name not in MEASURES:
            raise ConfigError(f"no measure {name!r}; there are: {', '.join(MEASURES)}")
        flags &= ~MEASURES[name]
    return flags & ~Flag.BLIND if config.program == "turbo_generic" else flags
