"""The vocabulary of jobs: operations, statuses, flags, operand counts, and what CURVE_LOAD carries.

The one place in Python for these numbers; docs/architecture.md, "Job packet", is the contract they follow.
"""

from dataclasses import dataclass
from enum import IntEnum, IntFlag

from eccelerate.curves.curve import Curve
from eccelerate.model.field import neg_inverse


class Op(IntEnum):
    """Operation codes of a request."""

    MUL = 0x01
    BASE_MUL = 0x02
    DOUBLE_MUL = 0x03
    POINT_ADD = 0x04
    ON_CURVE = 0x05
    ECDH = 0x06
    ECDSA_SIGN = 0x07
    ECDSA_VERIFY = 0x08
    KEYGEN = 0x09
    KEY_LOAD = 0x0A
    MOD_MUL = 0x10
    MOD_INV = 0x11
    MOD_EXP = 0x12
    MOD_ADD = 0x13
    MOD_SUB = 0x14
    X_LADDER = 0x18
    CURVE_LOAD = 0x20
    ZEROISE = 0x21
    SELF_TEST = 0x22


class Status(IntEnum):
    """Status codes of a response."""

    OK = 0x00
    INFINITY = 0x01
    BAD_SIGNATURE = 0x02
    BAD_OP = 0x10
    BAD_LENGTH = 0x11
    BAD_CURVE = 0x12
    NOT_ON_CURVE = 0x13
    COORD_RANGE = 0x14
    SCALAR_RANGE = 0x15
    BAD_MODULUS = 0x16
    NO_KEY = 0x17
    EXCEPTIONAL = 0x18
    NO_ENTROPY = 0x19
    SELF_TEST_FAILED = 0x1A
    ZEROISED = 0x1B
    RETRY = 0x1C


class Flag(IntFlag):
    """Flag bits of a request. Every other bit must be 0; a flag an operation has no use for is ignored."""

    NONE = 0
    KEY = 1
    RANDOM = 2
    BLIND = 4
    MOD_N = 8


KNOWN_FLAGS = int(Flag.KEY | Flag.RANDOM | Flag.BLIND | Flag.MOD_N)
"""A plain int: the complement of a `Flag` has known bits only, and would let a reserved one pass."""

_OPERANDS = {
    Op.MUL: 3,
    Op.BASE_MUL: 1,
    Op.DOUBLE_MUL: 4,
    Op.POINT_ADD: 4,
    Op.ON_CURVE: 2,
    Op.ECDH: 3,
    Op.ECDSA_SIGN: 3,
    Op.ECDSA_VERIFY: 5,
    Op.KEYGEN: 1,
    Op.KEY_LOAD: 1,
    Op.MOD_MUL: 2,
    Op.MOD_INV: 1,
    Op.MOD_EXP: 2,
    Op.MOD_ADD: 2,
    Op.MOD_SUB: 2,
    Op.X_LADDER: 2,
    Op.CURVE_LOAD: 8,
    Op.ZEROISE: 0,
    Op.SELF_TEST: 0,
}
"""Operands with no flag set."""

_RESULTS = {
    **dict.fromkeys((Op.MUL, Op.BASE_MUL, Op.DOUBLE_MUL, Op.POINT_ADD, Op.ECDSA_SIGN, Op.KEYGEN), 2),
    **dict.fromkeys((Op.ECDH, Op.X_LADDER, Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB), 1),
}


def operand_count(op: Op, flags: int = 0) -> int:
    """Operands of a request: KEY drops d of ECDH and SIGN, RANDOM drops k of SIGN and d of KEYGEN."""
    count = _OPERANDS[op]
    if flags & Flag.KEY and op in (Op.ECDH, Op.ECDSA_SIGN):
        count -= 1
    if flags & Flag.RANDOM and op in (Op.ECDSA_SIGN, Op.KEYGEN):
        count -= 1
    return count


def result_count(op: Op) -> int:
    """Results of a response with status OK or INFINITY; every other status carries none."""
    return _RESULTS.get(op, 0)


@dataclass(frozen=True)
class Job:
    """A request, unpacked. `op`, `flags`, `curve_id` are any byte; each operand is in [0, 2^(32 words))."""

    op: int
    operands: tuple[int, ...] = ()
    flags: int = 0
    curve_id: int = 0
    words: int = 6
    """W, element words, as the header says."""

    def __post_init__(self) -> None:
        """Refuses what no packet can say."""
        for name, value in (("op", self.op), ("flags", self.flags), ("curve_id", self.curve_id)):
            if not 0 <= value <= 0xFF:
                raise ValueError(f"{name} is a byte of the header; {value} does not fit")
        if not 0 <= self.words <= 0xFF:
            raise ValueError(f"words is a byte of the header; {self.words} does not fit")
        if any(operand < 0 or operand >> (32 * self.words) for operand in self.operands):
            raise ValueError(f"an operand does not fit {self.words} words of 32 bits")


@dataclass(frozen=True)
class Result:
    """A response, unpacked. `values` is empty unless the status is OK or INFINITY."""

    status: Status
    values: tuple[int, ...] = ()


def curve_par(p: int, n: int, order: int, *, montgomery: bool, a_is_minus_3: bool) -> int:
    """The `par` element of CURVE_LOAD: sizes, kind, and the reduction constants for 64 bits. p and n odd."""
    kind = int(montgomery) | int(a_is_minus_3) << 8
    return (
        p.bit_length()
        | order.bit_length() << 16
        | kind << 32
        | neg_inverse(p, 64) << 64
        | neg_inverse(n, 64) << 128
    )


def curve_load_operands(curve: Curve) -> tuple[int, ...]:
    """par, p, a, b, gx, gy, n, N of CURVE_LOAD; for a Montgomery curve a is a24. Prime-field curves only."""
    if curve.kind == "binary":
        raise ValueError(f"{curve.name} is a binary curve; CURVE_LOAD takes prime fields only")
    montgomery = curve.kind == "montgomery"
    par = curve_par(curve.p, curve.n, curve.order, montgomery=montgomery, a_is_minus_3=curve.a_is_minus_3)
    a = curve.a24 if montgomery else curve.a
    return (par, curve.p, a, curve.b, curve.gx, curve.gy, curve.n, curve.order)
