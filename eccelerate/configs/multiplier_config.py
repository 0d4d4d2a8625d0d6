"""A multiplier of the family in rtl/mul, or a modular multiplier of rtl/modmul that is built from one.

The name of a configuration says everything about it, such as `karatsuba-256-l4-pipelined` or
`broadcast-256-w32-montgomery`, so that tables, records and commands need nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from eccelerate.configs.kind import ConfigError
from eccelerate.configs.rtl_reach import reached_files
from eccelerate.model.solinas import FORMS

KINDS = ("shift-add", "carry-save", "booth", "karatsuba", "broadcast", "comba")
"""In the order of the parameter Kind of eccel_mul."""
OWN = {"karatsuba": "levels", "carry-save": "word", "broadcast": "word", "comba": "lanes"}
"""The option of a kind, beside its width and its pipeline registers."""
REDUCTIONS = ("none", "montgomery", "solinas")
"""In the order of the parameter Reduction of eccel_modmul."""
FIXED_REDUCTION = 3
"""The parameter Reduction for Montgomery with a constant modulus."""
FIXED = {
    "BLS12-377": int(
        "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        16,
    )
}
"""Constant moduli in the order of eccel_fixed_pkg (Bowe, Chiesa, Green, Miers, Mishra, Wu 2018)."""
MAX_BITS = 4096
MAX_LEVELS = 8
MAX_BROADCAST_WORD = 36
_LETTER = {"levels": "l", "word": "w", "lanes": "x"}
_NAME = re.compile(
    rf"(?P<kind>{'|'.join(KINDS)})-(?P<bits>\d+)(?:-l(?P<levels>\d+))?(?:-w(?P<word>\d+))?(?:-x(?P<lanes>\d+))?"
    r"(?P<pipelined>-pipelined)?(?:-(?P<reduction>montgomery|solinas)(?P<multipliers>3?)(?:-(?P<prime>[\w-]+))?)?"
)


@dataclass(frozen=True)
class MultiplierConfig:
    """One multiplier.

    bits: of each operand.
    kind: one of KINDS.
    levels: karatsuba: how often an operand is halved. 0 is the school method on multiplier blocks.
    word: carry-save: rows in a cycle. broadcast: bits of the second operand in a cycle.
    lanes: comba: multiplier blocks.
    pipelined: registers inside, so that the clock is high.
    reduction: one of REDUCTIONS. With montgomery the modulus is an input.
    prime: solinas: the name of a prime in `model.solinas.FORMS`. montgomery: the name of a constant modulus
        in FIXED, or None for a modulus that is an input.
    multipliers: montgomery: 3 for a multiplier for each of the three products, 1 for one that they share.

    Raises ConfigError for an option that the kind does not have, or that is out of its range.
    """

    bits: int
    kind: str
    levels: int = 0
    word: int = 0
    lanes: int = 0
    pipelined: bool = False
    reduction: str = "none"
    prime: str | None = None
    multipliers: int = 1

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"no kind of multiplier {self.kind!r}; there are: {', '.join(KINDS)}")
        if self.reduction not in REDUCTIONS:
            raise ConfigError(f"no reduction {self.reduction!r}; there are: {', '.join(REDUCTIONS)}")
        if not 2 <= self.bits <= MAX_BITS:
            raise ConfigError(f"a multiplier has 2 to {MAX_BITS} bits, not {self.bits}")
        own = OWN.get(self.kind)
        for option in _LETTER:
            if getattr(self, option) and option != own:
                has = f"has {own}" if own else "has no option of this kind"
                raise ConfigError(f"{option} is not for {self.kind}, which {has}")
        least = 0 if own == "levels" else 1
        word = min(self.bits, MAX_BROADCAST_WORD if self.kind == "broadcast" else self.bits)
        most = {"levels": MAX_LEVELS, "word": word, "lanes": 256, None: 0}[own]
        value = getattr(self, own) if own else 0
        if own and not least <= value <= most:
            raise ConfigError(f"{self.kind} with {self.bits} bits: {own} is {least} to {most}, not {value}")
        if self.bits >> self.levels < 2:
            raise ConfigError(f"{self.bits} bits cannot be halved {self.levels} times")
        self._check_prime()

    def _check_prime(self) -> None:
        if self.multipliers != 1 and (self.reduction, self.multipliers, self.prime) != (
            "montgomery",
            3,
            None,
        ):
            raise ConfigError("multipliers is 1, or 3 with the reduction montgomery and any modulus")
        known = {"none": (), "solinas": tuple(FORMS), "montgomery": tuple(FIXED)}[self.reduction]
        if self.prime is not None and self.prime not in known:
            listed = f"there are: {', '.join(known)}" if known else "a plain product has none"
            raise ConfigError(f"no prime {self.prime!r} for {self.reduction}; {listed}")
        if self.reduction == "solinas" and self.prime is None:
            raise ConfigError(f"solinas needs a prime: one of {', '.join(FORMS)}")
        if self.modulus is not None and self.modulus.bit_length() != self.bits:
            raise ConfigError(f"{self.prime} has {self.modulus.bit_length()} bits, not {self.bits}")

    @property
    def option(self) -> str:
        """The option of the kind as text, such as "4 levels", "32 bits" or "8 blocks"; "" without one."""
        if self.kind == "karatsuba":
            return f"{self.levels} level{'s' * (self.levels != 1)}"
        return {
            "carry-save": f"{self.word} rows",
            "broadcast": f"{self.word} bits",
            "comba": f"{self.lanes} block{'s' * (self.lanes != 1)}",
        }.get(self.kind, "")

    @property
    def name(self) -> str:
        """Everything about the configuration in one word: see `parse_multiplier`."""
        own = OWN.get(self.kind)
        parts = [f"{self.kind}-{self.bits}"]
        parts += [f"{_LETTER[own]}{getattr(self, own)}"] if own else []
        parts += ["pipelined"] if self.pipelined else []
        several = "" if self.multipliers == 1 else str(self.multipliers)
        parts += [] if self.reduction == "none" else [self.reduction + several]
        parts += [self.prime.lower()] if self.prime else []
        return "-".join(parts)

    @property
    def top(self) -> str:
        """The module: that of the kind, or the modular multiplier."""
        unit = f"eccel_mul_{self.kind.replace('-', '_')}"
        return unit if self.reduction == "none" else "eccel_modmul"

    @property
    def selector_params(self) -> dict[str, int]:
        """The parameters of eccel_mul for the plain product."""
        return {
            "Kind": KINDS.index(self.kind),
            "Bits": self.bits,
            "Levels": self.levels,
            "Word": max(1, self.word),
            "Lanes": max(1, self.lanes),
            "Pipelined": int(self.pipelined),
        }

    @property
    def params(self) -> dict[str, int]:
        """The parameters of the module `top`."""
        if self.reduction != "none":
            fixed = self.reduction == "montgomery" and self.prime is not None
            number = REDUCTIONS.index(self.reduction)
            reduction = {
                "Reduction": FIXED_REDUCTION if fixed else number,
                "Prime": list(FIXED if fixed else FORMS).index(self.prime) if self.prime else 0,
                "Multipliers": self.multipliers,
            }
            return self.selector_params | reduction
        own = OWN.get(self.kind)
        option = {own.capitalize(): getattr(self, own)} if own else {}
        return {"Bits": self.bits, **option, "Pipelined": int(self.pipelined)}

    @property
    def ports(self) -> dict[str, tuple[str, int]]:
        """Direction and bits of each port of the module `top`."""
        modular = self.reduction != "none"
        product = ("output", self.bits if modular else 2 * self.bits)
        return {
            **dict.fromkeys(("clk_i", "rst_i", "valid_i"), ("input", 1)),
            "ready_o": ("output", 1),
            **dict.fromkeys(("a_i", "b_i", *self.stable), ("input", self.bits)),
            "valid_o": ("output", 1),
            self.result: product,
            **dict.fromkeys(("latency_o", "interval_o"), ("output", 16)),
        }

    @property
    def result(self) -> str:
        """The port of the product."""
        return "p_o" if self.reduction == "none" else "r_o"

    @property
    def stable(self) -> tuple[str, ...]:
        """Inputs that do not change while products are on the way: the modulus, and -1 / modulus modulo
        2^bits. A unit with a constant modulus has them, but does not read them.
        """
        return () if self.reduction == "none" else ("modulus_i", "inverse_i")

    @property
    def slots(self) -> bool:
        """Whether a product has to wait for a slot while others are on the way: one multiplier makes the
        three products of Montgomery in turn.
        """
        return self.reduction == "montgomery" and self.multipliers == 1 and self.prime is None

    @cached_property
    def files(self) -> list[Path]:
        """The SystemVerilog files of the unit, with portable primitives, in the order of compilation."""
        return reached_files(self.top)

    @property
    def modulus(self) -> int | None:
        """The constant modulus. None for a plain product, and if the modulus is an input."""
        if self.prime is None:
            return None
        return FIXED[self.prime] if self.prime in FIXED else FORMS[self.prime].p


def parse_multiplier(name: str) -> MultiplierConfig:
    """The configuration called `name`. Raises ConfigError that says what is wrong with it."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ConfigError(
            f"no multiplier {name!r}: a name is KIND-BITS with the option of the kind, such as"
            " karatsuba-256-l4-pipelined, broadcast-256-w32 or comba-256-x8-montgomery"
        )
    primes = {prime.lower(): prime for prime in (*FORMS, *FIXED)}
    prime = found["prime"]
    if prime is not None and prime not in primes:
        raise ConfigError(f"{name}: no prime {prime!r}; there are: {', '.join(primes)}")
    config = MultiplierConfig(
        bits=int(found["bits"]),
        kind=found["kind"],
        levels=int(found["levels"] or 0),
        word=int(found["word"] or 0),
        lanes=int(found["lanes"] or 0),
        pipelined=found["pipelined"] is not None,
        reduction=found["reduction"] or "none",
        multipliers=int(found["multipliers"] or 1),
        prime=None if prime is None else primes[prime],
    )
    if config.name != name:
        raise ConfigError(f"no multiplier {name!r}: did you mean {config.name}?")
    return config
