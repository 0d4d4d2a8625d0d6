"""The vocabulary of jobs: operations, statuses, flags, operand counts, and the operands of CURVE_LOAD.

This is the only place in Python for these numbers. They follow the contract in docs/architecture.md, "Job
packet".
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
    ENGINE_FAULT = 0x1D
    ENTROPY_FAILED = 0x1E
    KEY_REFUSED = 0x1F
    TIMEOUT = 0x3B
    FAULT = 0x5B


class Flag(IntFlag):
    """Flag bits of a request. An operation ignores a flag for which it has no use, except for the attributes
    of a key, NO_SIGN, NO_AGREE and HOST_NONCE. CHECK and MOD_N are one bit: it is MOD_N in modular jobs, and
    CHECK in jobs on points.
    """

    NONE = 0
    KEY = 1
    RANDOM = 2
    BLIND = 4
    MOD_N = 8
    CHECK = 8
    COFACTOR = 16
    NO_SIGN = 32
    NO_AGREE = 64
    HOST_NONCE = 128


CHECKED = (Op.MUL, Op.BASE_MUL, Op.ECDH, Op.ECDSA_SIGN, Op.KEYGEN)
"""Operations that compute twice with the flag CHECK."""
POOLS = 4
"""Number of pools of engines that a curve id can name."""
IDS = 256 // POOLS
"""Curve ids of a pool: those from IDS * pool on. An engine or pool without others has all 256."""

KEY_ATTRIBUTES = Flag.NO_SIGN | Flag.NO_AGREE | Flag.HOST_NONCE
"""What a key may be used for: flags of the job that sets it."""

OPERANDS: dict[Op, tuple[str, ...]] = {
    Op.MUL: ("k", "x", "y"),
    Op.BASE_MUL: ("k",),
    Op.DOUBLE_MUL: ("u1", "u2", "x", "y"),
    Op.POINT_ADD: ("x1", "y1", "x2", "y2"),
    Op.ON_CURVE: ("x", "y"),
    Op.ECDH: ("x", "y", "d"),
    Op.ECDSA_SIGN: ("e", "d", "k"),
    Op.ECDSA_VERIFY: ("e", "r", "s", "x", "y"),
    Op.KEYGEN: ("d",),
    Op.KEY_LOAD: ("d",),
    Op.MOD_MUL: ("a", "b"),
    Op.MOD_INV: ("a",),
    Op.MOD_EXP: ("a", "e"),
    Op.MOD_ADD: ("a", "b"),
    Op.MOD_SUB: ("a", "b"),
    Op.X_LADDER: ("k", "u"),
    Op.CURVE_LOAD: ("par", "p", "a", "b", "gx", "gy", "n", "order"),
    Op.ZEROISE: (),
    Op.SELF_TEST: (),
}
"""Names of the operands of a request with no flag set, in order."""

RESULTS: dict[Op, tuple[str, ...]] = {
    **dict.fromkeys((Op.MUL, Op.BASE_MUL, Op.DOUBLE_MUL, Op.POINT_ADD, Op.KEYGEN), ("x", "y")),
    **dict.fromkeys((Op.MOD_MUL, Op.MOD_INV, Op.MOD_EXP, Op.MOD_ADD, Op.MOD_SUB), ("r",)),
    Op.ECDSA_SIGN: ("r", "s"),
    Op.ECDH: ("x",),
    Op.X_LADDER: ("u",),
}
"""Names of the results of a response with status OK or INFINITY; operations that are absent have none."""


def reserved_flags(op: int, flags: int) -> bool:
    """Whether a request with these flags is refused: attributes belong to KEY_LOAD and KEYGEN, and a key that
    the engine draws has no HOST_NONCE. Operations with the same lower four bits are reserved for more jobs
    that set a key.
    """
    if flags & Flag.HOST_NONCE and flags & Flag.RANDOM:
        return True
    return bool(flags & KEY_ATTRIBUTES) and op & 15 not in (Op.KEY_LOAD & 15, Op.KEYGEN & 15)


def operand_names(op: Op, flags: int = 0) -> tuple[str, ...]:
    """The operands of a request. KEY removes d of ECDH and SIGN; RANDOM removes k of SIGN and d of KEYGEN."""
    absent = set()
    if flags & Flag.KEY and op in (Op.ECDH, Op.ECDSA_SIGN):
        absent.add("d")
    if flags & Flag.RANDOM:
        absent |= {Op.ECDSA_SIGN: {"k"}, Op.KEYGEN: {"d"}}.get(op, set())
    return tuple(name for name in OPERANDS[op] if name not in absent)


def operand_count(op: Op, flags: int = 0) -> int:
    """Number of operands of a request."""
    return len(operand_names(op, flags))


def result_names(op: Op) -> tuple[str, ...]:
    """Results of a response with status OK or INFINITY. Responses with any other status have none."""
    return RESULTS.get(op, ())


def result_count(op: Op) -> int:
    """Number of these results."""
    return len(result_names(op))


@dataclass(frozen=True)
class JobRequest:
    """A request, unpacked. `op`, `flags` and `curve_id` are any byte. Each operand is in [0, 2^(32
    words)).
    """

    op: int
    operands: tuple[int, ...] = ()
    flags: int = 0
    curve_id: int = 0
    words: int = 6
    """W, element words, as the header says."""
    whole: bool = True
    """False: operand words not as many as announced, or no whole elements; `operands` is () then."""

    def __post_init__(self) -> None:
        """Refuses values that no packet can carry."""
        for name, value in (("op", self.op), ("flags", self.flags), ("curve_id", self.curve_id)):
            if not 0 <= value <= 0xFF:
                raise ValueError(f"{name} is a byte of the header; {value} does not fit")
        if not 0 <= self.words <= 0xFF:
            raise ValueError(f"words is a byte of the header; {self.words} does not fit")
        if any(operand < 0 or operand >> (32 * self.words) for operand in self.operands):
            raise ValueError(f"an operand does not fit {self.words} words of 32 bits")


@dataclass(frozen=True)
class JobResponse:
    """A response, unpacked. `values` is empty unless the status is OK or INFINITY."""

    status: Status
    values: tuple[int, ...] = ()


KIND_MONTGOMERY, KIND_BINARY = 1, 2
"""The kinds in `par`; short Weierstrass curves have 0."""
A_IS_MINUS_3 = 1 << 8
"""Added to kind 0 if a = -3 mod p."""


def curve_par(p: int, n: int, order: int, *, montgomery: bool, a_is_minus_3: bool) -> int:
    """The `par` element of CURVE_LOAD: sizes, kind, and the reduction constants for 64 bits. p and n are
    odd.
    """
    kind = (KIND_MONTGOMERY if montgomery else 0) | int(a_is_minus_3) << 8
    return (
        p.bit_length()
        | order.bit_length() << 16
        | kind << 32
        | neg_inverse(p, 64) << 64
        | neg_inverse(n, 64) << 128
    )


def curve_par_binary(m: int, n: int, order: int) -> int:
    """The `par` element of CURVE_LOAD for a curve over GF(2^m). n is odd."""
    return m | order.bit_length() << 16 | KIND_BINARY << 32 | neg_inverse(n, 64) << 128


def curve_load_operands(curve: Curve) -> tuple[int, ...]:
    """The operands par, p, a, b, gx, gy, n, N of CURVE_LOAD. For a Montgomery curve a is a24. For a binary
    curve p is the reduction polynomial without its leading term, which need not fit an element.
    """
    if curve.kind == "binary":
        par = curve_par_binary(curve.p_bits, curve.n, curve.order)
        low = curve.p ^ curve.field_size
        return (par, low, curve.a, curve.b, curve.gx, curve.gy, curve.n, curve.order)
    montgomery = curve.kind == "montgomery"
    par = curve_par(curve.p, curve.n, curve.order, montgomery=montgomery, a_is_minus_3=curve.a_is_minus_3)
    a = curve.a24 if montgomery else curve.a
    return (par, curve.p, a, curve.b, curve.gx, curve.gy, curve.n, curve.order)
