"""Which input is fixed and which ones are drawn anew for each trace, and what of the trace counts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

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

    name: job and input. operands: of the request, by name: key, scalar, digest and, with `takes_point`, x
    and y. It holds no functions, so that it can be sent to another process.
    """

    name: str
    about: str
    op: Op
    flags: Flag
    tested: str
    operands: tuple[str, ...]
    loads_key: bool = False
    takes_point: bool = False

    def values(self, curve: Curve, generator: random.Random) -> dict[str, int]:
        """Inputs drawn from a generator."""
        multiple, key, scalar = (generator.randrange(1, curve.n) for _ in range(3))
        found = {"key": key, "scalar": scalar, "digest": generator.randrange(1 << curve.order_bits)}
        if self.takes_point:
            base = point.base_mul(curve, multiple)
            assert base is not None  # a multiple of G by less than its order
            found |= {"x": base[0], "y": base[1]}
        return found

    @cache  # noqa: B019 - the cases live as long as the module
    def fixed_values(self, curve: Curve, seed: int) -> dict[str, int]:
        """The inputs of the fixed set."""
        return self.values(curve, random.Random(f"{self.name} {seed} {FIXED}"))

    def inputs(self, curve: Curve, seed: int, index: int) -> tuple[bool, dict[str, int]]:
        """Whether trace number `index` belongs to the fixed set, and its inputs. The point under test has two
        coordinates; all other inputs are drawn anew in both sets, but for the key of a case that tests
        something else.
        """
        always = self.fixed_values(curve, seed)
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
            ("digest",),
            loads_key=True,
        ),
        LeakCase(
            "mul-scalar",
            "MUL: does anything depend on the scalar?",
            Op.MUL,
            Flag.BLIND,
            "scalar",
            ("scalar", "x", "y"),
            takes_point=True,
        ),
        LeakCase(
            "mul-point",
            "MUL: does anything depend on the point?",
            Op.MUL,
            Flag.BLIND,
            "point",
            ("scalar", "x", "y"),
            takes_point=True,
        ),
        LeakCase(
            "base-mul-scalar",
            "BASE_MUL: does anything depend on the scalar?",
            Op.BASE_MUL,
            Flag.BLIND,
            "scalar",
            ("scalar",),
        ),
        LeakCase(
            "ecdh-scalar",
            "ECDH with a private key of the host: does anything depend on it?",
            Op.ECDH,
            Flag.BLIND,
            "scalar",
            ("x", "y", "scalar"),
            takes_point=True,
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
