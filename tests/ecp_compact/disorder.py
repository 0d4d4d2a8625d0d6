"""Disorder from a fixed seed: malformed packets among valid jobs, stalled streams, reset and zeroise at any
moment.

Every packet gets its response or, if the engine is reset, a clean restart. The next job is right, and no key
outlives a reset or a zeroise. The harness's watchdog ends a hang.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from eccelerate.curves import Curve
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, JobRequest, Op, Status
from eccelerate.rtlsim.rtl import Plan, RtlTransport, WasReset
from tests.ecp_compact.bench import CURVE_ID, Comparison, random_jobs

WATCHDOG = 2_000_000


class Disorder:
    """An engine without a curve, and a source of trouble.

    Jobs are on one of `curves`. `longest` is the number of clocks of a long job, within which it is
    disturbed.
    """

    def __init__(self, bench: Comparison, curves: Sequence[Curve], seed: int, longest: int = 20_000) -> None:
        self.bench, self.curves, self.longest = bench, curves, longest
        self.rng = random.Random(seed)
        self.statuses: set[int] = set()
        self.reload()

    def reload(self) -> None:
        self.plan()
        self.curve = self.rng.choice(self.curves)
        self.bench.load(self.curve)
        self.jobs = random_jobs(self.curve, self.rng)

    def plan(self, **fields: int) -> None:
        if isinstance(self.bench.transport, RtlTransport):
            self.bench.transport.plan = Plan(watchdog=WATCHDOG, **fields)

    def good(self) -> list[int]:
        op, operands, flags = self.rng.choice(self.jobs)
        tag = self.rng.getrandbits(16)
        return Request(op, CURVE_ID, tag, int(flags), self.curve.element_words, operands).words()

    def malformed(self) -> list[int]:
        """A packet with one or several mistakes, or by chance with none."""
        rng, words = self.rng, self.good()
        how = rng.randrange(7)
        if how == 0:
            return words[: rng.randrange(1, len(words) + 1)]
        if how == 1:
            return [*words, *(rng.getrandbits(32) for _ in range(rng.choice((1, 6, 50, 300))))]
        if how == 2:
            words[rng.randrange(2)] ^= 1 << rng.randrange(32)
        elif how == 3:
            words[1] = words[1] & 0xFFFF0000 | rng.randrange(120)
        elif how == 4:
            words[rng.randrange(len(words))] ^= 1 << rng.randrange(32)
        elif how == 5:
            words = [rng.getrandbits(32) for _ in range(rng.randrange(1, 60))]
        else:
            words[2:] = [rng.getrandbits(32) for _ in words[2:]]
        return words

    def stall(self) -> None:
        patterns = (0, 0, 0x5555_5555, 0xFFFF_FFFE, 0x7FFF_FFFF, self.rng.getrandbits(32))
        self.plan(req_stall=self.rng.choice(patterns), rsp_stall=self.rng.choice(patterns))

    def send(self, words: list[int]) -> None:
        self.statuses.add(self.bench.exchange(words)[0] & 0xFF)
        if words[0] & 0xFF == Op.CURVE_LOAD:
            self.reload()

    def has_no_key(self) -> None:
        self.plan()
        flags = Flag.KEY
        assert self.bench.submit(Op.ECDH, self.curve.generator, flags).status == Status.NO_KEY

    def disturbed(self, words: list[int], **fields: int) -> list[int]:
        """The engine's response under a plan. The model has run the job already, undisturbed.

        The engine is ready in the plan's first clock, so that nothing in the plan comes before the packet.
        """
        self.bench.expect(words)
        if isinstance(self.bench.transport, RtlTransport):
            self.bench.transport.idle(4)
        self.plan(**fields)
        return self.bench.transport.exchange(words).words

    def reset_midway(self) -> None:
        self.bench.submit(Op.KEY_LOAD, (1,))
        words = self.good()
        try:
            self.disturbed(words, reset_at=self.moment(words))
        except WasReset:
            assert not self.bench.transport.busy
            self.bench.golden.engine.reset()
            self.plan()
            self.send(Request(Op.BASE_MUL, CURVE_ID, 1, 0, self.curve.element_words, (1,)).words())
            self.reload()
            self.has_no_key()

    def zeroise_midway(self) -> None:
        self.bench.submit(Op.KEY_LOAD, (1,))
        words = self.good()
        moment = self.moment(words)
        answer = self.disturbed(words, zeroise_at=moment)
        self.statuses.add(answer[0] & 0xFF)
        if moment < self.bench.transport.last_total:
            self.bench.golden.engine.run(JobRequest(Op.ZEROISE), zeroise=True)
            self.has_no_key()

    def moment(self, words: list[int]) -> int:
        """A clock while the packet comes in, early in the job, or anywhere in it."""
        return self.rng.randrange(self.rng.choice((len(words) + 2, len(words) + 200, self.longest)))

    def check_next(self) -> None:
        self.plan()
        self.send(self.good())

    def run(self, steps: int) -> None:
        """Disturb the RTL so many times, each time followed by a valid job."""
        kinds = [self.reset_midway, self.zeroise_midway, *3 * [lambda: self.send(self.malformed())]]
        for _ in range(steps):
            self.stall()
            self.rng.choice(kinds)()
            self.check_next()
