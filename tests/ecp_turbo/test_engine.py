"""The turbo engine on the RTL: groups of jobs under back-pressure, malformed packets between them, equal
cycles.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from eccelerate.configs.config import Config, find_config, load_configs
from eccelerate.configs.images import load_program
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from tests.sampled import sampled

CONFIGS = [name for name, config in load_configs().items() if config.engine == "ecp_turbo"]
CURVE_ID = 3


class Stream:
    """An engine with its curve loaded, and the model's response to any job."""

    def __init__(self, config: Config, seed: int = 1) -> None:
        self.config = config
        self.curve: Curve = find_curve(config.curve_name)
        self.rng = random.Random(f"{config.name} {seed}")
        self.known = load_program(config).jobs
        self.golden = GoldenEngine(max_words=config.max_words, digit_bits=0)
        self.rtl = RtlTransport(config, seed=seed)
        self.rtl.plan = Plan(watchdog=20_000_000)
        self.check([(Op.CURVE_LOAD, curve_load_operands(self.curve), 0)])

    def words(self, op: int, operands: Sequence[int], flags: int, tag: int) -> list[int]:
        return Request(op, CURVE_ID, tag, flags, self.curve.element_words, tuple(operands)).words()

    def check(self, jobs: Sequence[tuple[Op, Sequence[int], int]]) -> list[int]:
        """Stream the jobs. Each one gets the model's response under its tag. Returns the tags in the order of
        responses.
        """
        packets = [self.words(op, operands, flags, tag) for tag, (op, operands, flags) in enumerate(jobs)]
        wanted = []
        for op, operands, flags in jobs:
            loads = op == Op.CURVE_LOAD
            if op not in self.known:
                wanted.append((int(op), int(Status.BAD_OP), ()))
                continue
            answer = (
                self.golden.load(self.curve, CURVE_ID)
                if loads
                else self.golden.do(op, *operands, flags=flags)
            )
            wanted.append((int(op), int(answer.status), answer.values))
        tags = []
        for reply in self.rtl.stream(packets):
            response = decode_response(reply.words, self.curve.element_words)
            assert (response.op, response.status, response.results) == wanted[response.tag], jobs[
                response.tag
            ]
            tags.append(response.tag)
        assert sorted(tags) == list(range(len(jobs)))
        return tags

    def point(self) -> tuple[int, int]:
        p = point.base_mul(self.curve, self.rng.randrange(1, self.curve.n))
        assert p is not None
        return p

    def scalar(self) -> int:
        n = self.curve.n
        small = self.rng.randrange(40)
        return self.rng.choice((self.rng.randrange(n), self.rng.randrange(n), small, n - small))

    def signed(self) -> tuple[int, ...]:
        """A hash, its signature by a random key, and the public key."""
        d, k, e = (self.rng.randrange(1, self.curve.n) for _ in range(3))
        public, signature = point.base_mul(self.curve, d), ecdsa.sign(self.curve, d, e, k)
        assert public is not None and signature is not None
        return (e, *signature, *public)

    def jobs(self, count: int) -> Iterator[tuple[Op, tuple[int, ...], int]]:
        """Mixed jobs, valid and refused, that do not change the engine's state."""
        for _ in range(count):
            x, y = self.point()
            yield self.rng.choice(
                (
                    (Op.MUL, (self.scalar(), x, y), 0),
                    (Op.MUL, (self.scalar(), x, y), 0),
                    (Op.MUL, (self.scalar(), 0, 0), 0),
                    (Op.MUL, (self.scalar(), x, y ^ 1), 0),
                    (Op.BASE_MUL, (self.scalar(),), 0),
                    (Op.ECDH, (x, y, self.scalar()), 0),
                    (Op.ECDH, (x, y), int(Flag.KEY)),
                    (Op.ON_CURVE, (x, y), 0),
                    (Op.ON_CURVE, (y, x), 0),
                    (Op.MUL, (5, x), 0),  # too few operands
                    (Op.DOUBLE_MUL, (self.scalar(), self.scalar(), x, y), 0),
                    (Op.ECDSA_SIGN, (x >> 8, self.scalar(), self.scalar()), 0),
                    (Op.ECDSA_SIGN, (x >> 8, self.scalar()), int(Flag.KEY)),
                    (Op.ECDSA_VERIFY, self.signed(), 0),
                    (Op.ECDSA_VERIFY, (1, *self.signed()[1:]), 0),
                    (Op.POINT_ADD, (x, y, *self.point()), 0),
                    (Op.POINT_ADD, (x, y, x, y), 0),
                    (Op.MOD_MUL, (x, y), int(Flag.MOD_N)),
                    (Op.MOD_INV, (x,), 0),
                    (Op.MOD_INV, (self.scalar(),), int(Flag.MOD_N)),
                    (Op.MOD_EXP, (x, y), 0),
                )
            )


@sampled("name", CONFIGS, now=4)
def test_mixed_jobs(name: str) -> None:
    stream = Stream(find_config(name))
    stream.check([(Op.KEY_LOAD, (7,), Flag.HOST_NONCE), *stream.jobs(2 * stream.config.threads + 3)])


@pytest.mark.parametrize("seed", range(3))
def test_jobs_under_back_pressure(seed: int) -> None:
    stream = Stream(find_config("turbo-p256"), seed)
    rng = stream.rng
    stream.rtl.plan = Plan(20_000_000, req_stall=rng.getrandbits(32), rsp_stall=rng.getrandbits(31))
    stream.check([(Op.KEY_LOAD, (rng.randrange(1, stream.curve.n),), Flag.HOST_NONCE), *stream.jobs(14)])


def test_jobs_that_change_the_state_come_between_groups() -> None:
    """A key counts for the jobs after it, whatever waits in the ports."""
    stream = Stream(find_config("turbo-p256"))
    p = stream.point()
    jobs: list[tuple[Op, tuple[int, ...], int]] = []
    for key in (3, 0, stream.curve.n - 1):
        jobs += [(Op.KEY_LOAD, (key,), 0), (Op.ECDH, p, Flag.KEY), (Op.ON_CURVE, p, 0)]
    jobs += [(Op.ZEROISE, (), 0), (Op.ECDH, p, Flag.KEY)]
    stream.check(jobs)


def test_malformed_packets_do_not_touch_their_neighbours() -> None:
    stream = Stream(find_config("turbo-p256"))
    good = [stream.words(Op.MUL, (k, *stream.curve.generator), 0, k) for k in range(1, 5)]
    bad = [
        [0x1234],
        good[0][:-1],
        [*good[0], 0],
        stream.words(0x2F, (1,), 0, 9),
        stream.words(Op.MUL, (1,), 0x80, 9),
        [good[0][0] ^ 0x100, *good[0][1:]],
    ]
    packets = [packet for pair in zip([*good, *good], [*bad, *bad], strict=False) for packet in pair]
    statuses = []
    for reply in stream.rtl.stream(packets):
        response = decode_response(reply.words, 8)
        statuses.append(response.status)
        if response.status == Status.OK:
            assert response.results == point.base_mul(stream.curve, response.tag)
    assert statuses.count(Status.OK) == 8
    assert len(statuses) == len(packets)


def test_cycles_are_the_same_for_every_secret() -> None:
    """This includes signatures, which would reveal whether k G or the inverse of k takes longer."""
    stream = Stream(find_config("turbo-p256"))
    n = stream.curve.n
    top = (1 << 256) - 1
    for op, jobs in (
        (Op.BASE_MUL, [[(k,) for k in ks] for ks in ((0, 1, 2, n - 1), (n, n + 1, top, 77))]),
        (
            Op.ECDSA_SIGN,
            [
                [(1, d, k) for d, k in dks]
                for dks in (((1, 1), (2, n - 1)), ((n - 1, 5), (stream.scalar(), top)))
            ],
        ),
    ):
        clocks = set()
        for group in jobs:
            packets = [stream.words(op, operands, 0, i) for i, operands in enumerate(group)]
            clocks.add(stream.rtl.stream(packets)[0].cycles)
        assert len(clocks) == 1
    seen = set()
    for scalars in (
        [0, 1, 2, n - 1],
        [n, n - 2, 3, 30],
        [stream.scalar() for _ in range(4)],
        [n - 30, 0, 0, 0],
    ):
        packets = [stream.words(Op.MUL, (k, *stream.point()), 0, i) for i, k in enumerate(scalars)]
        seen.add(tuple(reply.cycles for reply in stream.rtl.stream(packets)))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("op", "moments"), [(Op.MUL, (30, 700, 60_000)), (Op.BASE_MUL, range(2900, 4100, 171))]
)
def test_zeroise_ends_the_group_and_wipes_the_key(op: Op, moments: Sequence[int]) -> None:
    """This includes moments at which entries of the base point's table pass or are taken. The next job gets
    the right entries.
    """
    stream = Stream(find_config("turbo-p256"))
    p = stream.point()
    packets = [stream.words(op, (9, *p) if op == Op.MUL else (9,), 0, tag) for tag in range(5)]
    for moment in moments:
        stream.check([(Op.KEY_LOAD, (5,), 0)])
        stream.rtl.plan = Plan(20_000_000, zeroise_at=moment)
        replies = [decode_response(reply.words, 8) for reply in stream.rtl.stream(packets)]
        assert sorted(response.tag for response in replies) == list(range(5))
        ended = [response.status for response in replies]
        assert Status.ZEROISED in ended and set(ended) <= {Status.OK, Status.ZEROISED}
        stream.rtl.plan = Plan(20_000_000)
        stream.check([(Op.BASE_MUL, (moment,), 0)])
        words = stream.words(Op.ECDH, p, Flag.KEY, 1)
        assert decode_response(stream.rtl.exchange(words).words, 8).status == Status.NO_KEY
