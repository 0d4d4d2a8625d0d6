"""Jobs with secrets, one for each way in which they can end, for the search of tests/leakage/residue.py."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from eccelerate.configs.config import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from tests.leakage.residue import Residue, related, windows

CURVE_ID = 1
DRAWN = 800
"""Words of entropy that a job gets, more than it takes."""


@dataclass(frozen=True)
class Case:
    """A job: `secrets` are the operands that nobody else may learn.

    cut: words that are taken from the end of the packet (or, if negative, words that follow it).
    key: a key that KEY_LOAD stores first. entropy: what the entropy port delivers: "random" words, "none", or
    the same word all the time ("stuck").
    """

    name: str
    op: int
    operands: tuple[int, ...]
    status: Status
    secrets: tuple[int, ...] = ()
    flags: int = 0
    cut: int = 0
    key: int = 0
    entropy: str = "random"


def cases(curve: Curve, rng: random.Random, *, turbo: bool) -> Iterator[Case]:
    """The jobs that an engine has, with fresh secrets in each."""
    n, g, m = curve.n, curve.generator, curve.field_size

    def secret() -> int:
        return rng.randrange(n // 2, n)

    ok, length = Status.OK, Status.BAD_LENGTH
    d, k, e = secret(), secret(), rng.getrandbits(n.bit_length() - 1)
    off = (g[0], g[1] ^ 1)
    yield Case("mul", Op.MUL, (k, *g), ok, (k,))
    yield Case("base_mul", Op.BASE_MUL, (k,), ok, (k,))
    yield Case("mul, infinity", Op.MUL, (k, 0, 0), Status.INFINITY, (k,))
    yield Case("mul, point off the curve", Op.MUL, (k, *off), Status.NOT_ON_CURVE, (k,))
    yield Case("mul, coordinate too large", Op.MUL, (k, m, g[1]), Status.COORD_RANGE, (k,))
    top = 1 << 32 * curve.element_words
    big = rng.randrange(n, top)  # no key
    if curve.order.bit_length() < top.bit_length() - 1:
        longer = rng.randrange(1 << curve.order.bit_length(), top)
        yield Case("mul, scalar too large", Op.MUL, (longer, *g), Status.SCALAR_RANGE, (longer,))
    yield Case("mul, an operand more", Op.MUL, (k, *g, d), length, (k, d))
    yield Case("mul, a word too few", Op.MUL, (k, *g), length, (k,), cut=1)
    yield Case("mul, half a packet", Op.MUL, (k, *g), length, (k,), cut=curve.element_words * 2 + 1)
    yield Case("mul, a word too many", Op.MUL, (k, *g), length, (k,), cut=-1)
    yield Case("nine operands", Op.MUL, (k,) * 9, length, (k,))
    yield Case("no such operation", 0x2A, (k, d), Status.BAD_OP, (k, d))
    yield Case("ecdh", Op.ECDH, (*g, d), ok, (d,))
    yield Case("ecdh, point off the curve", Op.ECDH, (*off, d), Status.NOT_ON_CURVE, (d,))
    yield Case("ecdh, key too large", Op.ECDH, (*g, big), Status.SCALAR_RANGE, (big,))
    yield Case("ecdh, an operand too few", Op.ECDH, (g[0], d), length, (d,))
    yield Case("ecdsa_sign", Op.ECDSA_SIGN, (e, d, k), ok, (d, k))
    yield Case("ecdsa_sign, nonce drawn", Op.ECDSA_SIGN, (e, d), ok, (d,), Flag.RANDOM)
    yield Case("ecdsa_sign, key too large", Op.ECDSA_SIGN, (e, big, k), Status.SCALAR_RANGE, (big, k))
    yield Case("ecdsa_sign, nonce too large", Op.ECDSA_SIGN, (e, d, big), Status.SCALAR_RANGE, (big, d))
    yield Case("ecdsa_sign, no key", Op.ECDSA_SIGN, (e, k), Status.NO_KEY, (k,), Flag.KEY)
    yield Case("ecdsa_sign, no entropy", Op.ECDSA_SIGN, (e, d, k), Status.NO_ENTROPY, (d, k), entropy="none")
    yield Case("mul, no entropy", Op.MUL, (k, *g), Status.NO_ENTROPY, (k,), entropy="none")
    yield Case("ecdh, no entropy", Op.ECDH, (*g, d), Status.NO_ENTROPY, (d,), entropy="none")
    failed = Status.ENTROPY_FAILED
    yield Case("ecdsa_sign, entropy failed", Op.ECDSA_SIGN, (e, d, k), failed, (d, k), entropy="stuck")
    yield Case("mul, entropy failed", Op.MUL, (k, *g), failed, (k,), entropy="stuck")
    yield Case("keygen, entropy failed", Op.KEYGEN, (), failed, (), Flag.RANDOM, entropy="stuck")
    retry = -e * pow(_x(curve, k), -1, n) % n  # s = 0
    yield Case("ecdsa_sign, retry", Op.ECDSA_SIGN, (e, retry, k), Status.RETRY, (retry, k))
    yield Case("mul, blinded", Op.MUL, (k, *g), ok, (k,), Flag.BLIND)
    yield Case("ecdsa_sign, blinded", Op.ECDSA_SIGN, (e, d, k), ok, (d, k), Flag.BLIND)
    if turbo:
        both = Flag.BLIND | Flag.CHECK
        yield Case("mul, blinded, twice", Op.MUL, (k, *g), ok, (k,), both)
        yield Case("base_mul, twice", Op.BASE_MUL, (k,), ok, (k,), Flag.CHECK)
        yield Case("ecdh, twice", Op.ECDH, (*g, d), ok, (d,), Flag.CHECK)
        yield Case("ecdsa_sign, blinded, twice", Op.ECDSA_SIGN, (e, d, k), ok, (d, k), both)
        yield Case("ecdh, blinded, key slot", Op.ECDH, g, ok, (d,), Flag.KEY | Flag.BLIND, key=d)
    yield Case("key_load", Op.KEY_LOAD, (d,), ok, (d,))
    yield Case("key_load, too large", Op.KEY_LOAD, (big,), Status.SCALAR_RANGE, (big,))
    yield Case("keygen", Op.KEYGEN, (d,), ok, (d,))
    yield Case("keygen, drawn", Op.KEYGEN, (), ok, (), Flag.RANDOM)
    yield Case("ecdh, key slot", Op.ECDH, g, ok, (d,), Flag.KEY, key=d)
    refused = Status.KEY_REFUSED
    yield Case("ecdsa_sign, nonce refused", Op.ECDSA_SIGN, (e, k), refused, (k, d), Flag.KEY, key=d)
    yield Case("ecdsa_sign, key slot", Op.ECDSA_SIGN, (e,), ok, (d,), Flag.KEY | Flag.RANDOM, key=d)


def cofactor_cases(curve: Curve, torsion: tuple[int, int], rng: random.Random) -> Iterator[Case]:
    """Agreements on a curve with a cofactor, at the base point and at a point of small order."""
    d, g = rng.randrange(curve.n // 2, curve.n), curve.generator
    for name, flags in (("ecdh", 0), ("cofactor", Flag.COFACTOR)):
        for slot, key in ((Flag.KEY, d), (0, 0)):
            how = f"{name}, key slot" if slot else name
            operands = () if slot else (d,)
            exceptional = Status.EXCEPTIONAL
            yield Case(how, Op.ECDH, (*g, *operands), Status.OK, (d,), flags | slot, key=key)
            yield Case(
                f"{how}, small order",
                Op.ECDH,
                (*torsion, *operands),
                exceptional,
                (d,),
                flags | slot,
                key=key,
            )


def x_ladder_cases(curve: Curve, rng: random.Random) -> Iterator[Case]:
    """X_LADDER on a Montgomery curve whose scalars have bit 254 set."""
    k, u = 1 << 254 | rng.getrandbits(251) << 3, curve.gx
    yield Case("x_ladder", Op.X_LADDER, (k, u), Status.OK, (k,))
    yield Case("x_ladder, u = 0", Op.X_LADDER, (k, 0), Status.INFINITY, (k,))
    yield Case("x_ladder, u too large", Op.X_LADDER, (k, curve.p), Status.COORD_RANGE, (k,))
    yield Case("x_ladder, not clamped", Op.X_LADDER, (k >> 1, u), Status.SCALAR_RANGE, (k >> 1,))
    yield Case("x_ladder, an operand more", Op.X_LADDER, (k, u, u), Status.BAD_LENGTH, (k,))
    yield Case("x_ladder, no entropy", Op.X_LADDER, (k, u), Status.NO_ENTROPY, (k,), entropy="none")


def _x(curve: Curve, k: int) -> int:
    from eccelerate.model import point

    multiple = point.base_mul(curve, k)
    assert multiple is not None
    return multiple[0] % curve.n


class Search:
    """An engine of a configuration with a curve, whose state is searched after each job."""

    def __init__(self, config: Config, curve: Curve, transport: RtlTransport) -> None:
        self.config, self.curve, self.transport = config, curve, transport
        self.engine = Engine(transport, binary=config.binary)
        self.residue = Residue(transport, config)
        self.radix = 1 << 32 * curve.element_words
        self.rng = random.Random(f"residue {config.name}")

    def after(self, case: Case, *, key: bool = False) -> list[str]:
        """What the job leaves, as places; the key slot counts only with `key`. AssertionError if the job does
        not end as the case says.
        """
        curve = self.curve
        self.engine.load_curve(curve, curve_id=CURVE_ID)  # and no key
        if case.key:
            self.exchange(Request(Op.KEY_LOAD, CURVE_ID, 2, 0, curve.element_words, (case.key,)).words())
        word = self.rng.getrandbits(32)
        drawn = {
            "random": [self.rng.getrandbits(32) for _ in range(DRAWN)],
            "stuck": [word] * DRAWN,
            "none": [],
        }[case.entropy]
        self.transport.entropy(Entropy.NONE)
        self.transport.entropy_words(drawn)
        if case.entropy == "stuck":  # which a job before this one has shown
            other = Request(Op.BASE_MUL, CURVE_ID, 2, 0, curve.element_words, (1,)).words()
            while self.exchange(other)[0] & 0xFF != Status.ENTROPY_FAILED:
                pass
        words = Request(case.op, CURVE_ID, 3, case.flags, curve.element_words, case.operands).words()
        if case.cut:
            words = words[: -case.cut] if case.cut > 0 else words + [self.rng.getrandbits(32)] * -case.cut
        answer = self.exchange(words)
        assert answer[0] & 0xFF == case.status, f"{case.name}: {Status(answer[0] & 0xFF).name}"
        self.transport.idle(200)
        self.transport.entropy(Entropy.NONE)
        modulus, order = curve.n, curve.order
        radices = {self.radix, 1 << 256} if self.config.engine == "ecp_turbo" else {self.radix}
        secrets = [v for radix in radices for v in related(case.secrets, modulus, order, radix)]
        if len(case.secrets) == 2 and len(answer) > 2:  # r d of a signature
            r = sum(w << 32 * i for i, w in enumerate(answer[2 : 2 + curve.element_words]))
            secrets += related([r * case.secrets[0] % modulus], modulus, order, self.radix)
        known = [v for v in case.operands if v not in case.secrets]
        known += [curve.p, curve.n, curve.order, *curve.generator]
        known += [sum(w << 32 * i for i, w in enumerate(answer[2:])), 0]
        found = windows(secrets) | windows(drawn)
        if case.entropy == "stuck":  # only a reset ends the failure; it comes after the search
            places = self.residue.places(found - windows(known), key=key)
            self.transport.reset()
            return places
        return self.residue.places(found - windows(known), key=key)

    def exchange(self, words: list[int]) -> list[int]:
        """The response to a packet."""
        return list(self.transport.exchange(words).words)
