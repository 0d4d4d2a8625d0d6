"""Bad input that every engine answers alike, on whatever curve it has. The tests of each kind of engine call
this.

A bench is an engine compared with its golden model, with `curve` loaded and no key.
"""

from __future__ import annotations

import random

from eccelerate.curves import Curve
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.rtl import Entropy, Plan, RtlTransport
from tests.ecp_compact.bench import CURVE_ID, Comparison

Case = tuple[int, tuple[int, ...], int, Status]


def statuses(curve: Curve) -> list[Case]:
    """Operation, operands, flags and the status that answers them."""
    g, n, size = curve.generator, curve.n, curve.field_size
    minus_g = point.negate(curve, g) or g
    largest = (1 << 32 * curve.element_words) - 1
    return [
        (Op.BASE_MUL, (0,), 0, Status.INFINITY),
        (Op.MUL, (5, 0, 0), 0, Status.INFINITY),
        (Op.POINT_ADD, (*g, *minus_g), 0, Status.INFINITY),
        (Op.DOUBLE_MUL, (3, n - 3, *g), 0, Status.INFINITY),
        (Op.ECDSA_VERIFY, (1, 0, 1, *g), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, 1, n, *g), 0, Status.BAD_SIGNATURE),
        (Op.ECDSA_VERIFY, (1, 1, 1, *g), 0, Status.BAD_SIGNATURE),
        (0x0B, (1,), 0, Status.BAD_OP),
        (0x3F, (), 0, Status.BAD_OP),
        (0x00, (), 0, Status.BAD_OP),
        (0xFF, (), 0, Status.BAD_OP),
        (Op.BASE_MUL, (1,), int(Flag.NO_SIGN), Status.BAD_OP),
        (Op.ZEROISE, (), 0x80, Status.BAD_OP),
        (Op.MUL, (1, *g, 1), 0, Status.BAD_LENGTH),
        (Op.ECDH, g, 0, Status.BAD_LENGTH),
        (Op.ECDSA_SIGN, (1, 1, 1), Flag.RANDOM, Status.BAD_LENGTH),
        (Op.SELF_TEST, (1,), 0, Status.BAD_LENGTH),
        (Op.ZEROISE, (1,), 0, Status.BAD_LENGTH),
        (Op.MUL, (1, g[0], g[1] ^ 1), 0, Status.NOT_ON_CURVE),
        (Op.ECDH, (0, 0, 1), 0, Status.NOT_ON_CURVE),
        (Op.ECDSA_VERIFY, (1, 1, 1, g[1], g[0]), 0, Status.NOT_ON_CURVE),
        (Op.POINT_ADD, (*g, 1, 1), 0, Status.NOT_ON_CURVE),
        (Op.MUL, (1, size, g[1]), 0, Status.COORD_RANGE),
        (Op.MUL, (1, g[0], largest), 0, Status.COORD_RANGE),
        (Op.POINT_ADD, (1, 1, size, 0), 0, Status.NOT_ON_CURVE),
        (Op.DOUBLE_MUL, (1, 1, size, 0), 0, Status.COORD_RANGE),
        (Op.MOD_ADD, (0, size), 0, Status.COORD_RANGE),
        (Op.MOD_MUL, (n, 0), Flag.MOD_N, Status.COORD_RANGE),
        (Op.KEYGEN, (0,), 0, Status.SCALAR_RANGE),
        (Op.KEY_LOAD, (n,), 0, Status.SCALAR_RANGE),
        (Op.ECDH, (*g, n), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (1, 0, 1), 0, Status.SCALAR_RANGE),
        (Op.ECDSA_SIGN, (1, 1, n), 0, Status.SCALAR_RANGE),
        (Op.ECDH, g, Flag.KEY, Status.NO_KEY),
        (Op.ECDSA_SIGN, (1, 1), Flag.KEY, Status.NO_KEY),
        (Op.ECDSA_SIGN, (-g[0] % n, 1, 1), 0, Status.RETRY),
    ]


def check_codes_and_flags(bench: Comparison) -> None:
    """Without operands, every code gets a response, and no program runs that should not."""
    for op in range(256):
        if op != Op.CURVE_LOAD:
            bench.submit(op)
    for flags in range(Flag.NO_SIGN, 256, 5):
        assert bench.submit(Op.SELF_TEST, (), flags).status == Status.BAD_OP


def check_refused_curve(bench: Comparison, curve: Curve, operands: tuple[int, ...], expected: Status) -> None:
    """The refused curve leaves neither a curve nor a key."""
    bench.submit(Op.KEY_LOAD, (5,))
    assert bench.submit(Op.CURVE_LOAD, operands).status_name == expected.name
    assert bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
    bench.load(curve)
    assert bench.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY


def check_element_words(bench: Comparison) -> None:
    """Any W other than the six words of the curve is refused, for a job and for CURVE_LOAD. The curve
    stays.
    """
    for width in (0, 1, 5, 7, 17, 18, 31, 255):
        for op in (Op.SELF_TEST, Op.BASE_MUL):
            words = Request(op, CURVE_ID, 1, 0, width, ()).words()
            assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH
    for width in (0, 5, 18, 255):
        words = Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, ()).words()
        assert bench.exchange(words)[0] & 0xFF == Status.BAD_LENGTH


def check_cut_and_long_packets(bench: Comparison, curve: Curve) -> None:
    """Packets are cut at every word, shorter than they announce, and longer than they may be."""
    good = Request(Op.ECDH, CURVE_ID, 0x5A5A, 0, curve.element_words, (*curve.generator, 5)).words()
    for length in range(1, len(good)):
        assert bench.exchange(good[:length]) == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    # The header may announce up to 255 words. The announced words count only when they come.
    for announced in (0, 6, 17, 19, 24, 48, 54, 102, 136, 137, 255, 256, 0xFFFF):
        for length in (2, 3, 17, 19, 20, 50, 56, 138, 139, 257, 258):
            words = [good[0], good[1] & 0xFFFF0000 | announced, *range(300)][:length]
            for flags in (0, 0x20):
                bench.exchange([words[0], words[1] | flags << 16, *words[2:]])
    for extra in (1, 5, 6, 7, 30, 36, 200, 3000):
        response = bench.exchange([*good, *(0xFFFFFFFF,) * extra])
        assert response == [Status.BAD_LENGTH | Op.ECDH << 8 | 0x5A5A << 16, 0]
    assert bench.exchange(good)[0] & 0xFF == Status.OK


def check_no_entropy(bench: Comparison, curve: Curve) -> None:
    """Jobs that draw random words end with NO_ENTROPY, and others run."""
    bench.dry = True
    try:
        for op, operands, flags in (
            (Op.MUL, (5, *curve.generator), 0),
            (Op.BASE_MUL, (1,), Flag.BLIND),
            (Op.ECDSA_SIGN, (1, 2), Flag.RANDOM),
            (Op.KEYGEN, (), Flag.RANDOM),
            (Op.SELF_TEST, (), 0),
        ):
            assert bench.submit(op, operands, flags).status == Status.NO_ENTROPY
        assert bench.submit(Op.MOD_INV, (5,)).status == Status.OK
    finally:
        bench.dry = False


def check_entropy_of_zeros(bench: Comparison, curve: Curve) -> None:
    """Zeros are no key and no nonce. Blinding by zeros has no effect and does no harm."""
    bench.rng = Zeros(curve.element_words)
    try:
        assert bench.submit(Op.KEYGEN, (), Flag.RANDOM).status == Status.RETRY
        assert bench.submit(Op.ECDSA_SIGN, (1, 1), Flag.RANDOM).status == Status.RETRY
        assert bench.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY
        assert bench.submit(Op.MUL, (7, *curve.generator), Flag.BLIND).status == Status.OK
    finally:
        bench.rng = random.Random(2)


class Zeros(random.Random):
    """An entropy source that gives 0 wherever a job uses a word: a draw has three words more than an element,
    which are not used. They differ from 0, so that the health tests of the entropy port pass.
    """

    def __new__(cls, words: int) -> Zeros:
        return super().__new__(cls)

    def __init__(self, words: int) -> None:
        super().__init__(1)
        self.words, self.drawn = words, 0

    def getrandbits(self, k: int, /) -> int:
        if k != 32:
            return 0
        self.drawn = (self.drawn + 1) % (self.words + 3)
        return 0 if 0 < self.drawn <= self.words else super().getrandbits(k)


def check_entropy_that_stops(bench: Comparison, transport: RtlTransport, curve: Curve) -> None:
    """If the source stops in the middle of a draw, the job ends in bounded time."""
    bench.load(curve)
    width = curve.element_words
    for words in (1, width + 2, width + 3, width + 4):
        transport.entropy(Entropy.NONE)
        transport.entropy_words([bench.rng.getrandbits(32) for _ in range(words)])
        job = bench.engine.submit(Op.KEYGEN, (), Flag.RANDOM)
        assert (job.status, job.cycles is not None and job.cycles < 140_000) == (Status.NO_ENTROPY, True)
    bench.submit(Op.KEYGEN, (), Flag.RANDOM)


def check_back_pressure(bench: Comparison, transport: RtlTransport, curve: Curve) -> None:
    """The responses do not depend on stalls of the two streams. Each pattern withholds words in most
    clocks.
    """
    public, signature = point.base_mul(curve, 9), ecdsa.sign(curve, 9, 1234, 77)
    assert public is not None and signature is not None
    for stalls in (
        (0x5A5A_33F1, 0xFFFF_7FFE),
        (0xFFFF_FFFE, 0),
        (0, 0xFFFF_FFFE),
        (0x7FFF_FFFF, 0x7FFF_FFFF),
    ):
        transport.plan = Plan(req_stall=stalls[0], rsp_stall=stalls[1])
        bench.load(curve)
        assert bench.submit(Op.ECDSA_SIGN, (1234, 9, 77)).values == signature
        assert bench.submit(Op.ECDSA_VERIFY, (1234, *signature, *public)).ok
        good = Request(Op.MOD_ADD, CURVE_ID, 1, 0, curve.element_words, (3, 4)).words()
        for wrong in (good[:1], good[:-1], [*good, 0], good):
            bench.exchange(wrong)
