"""Disorder from a fixed seed: malformed packets among valid jobs, stalled streams, reset and zeroise at any
moment.

Every packet gets its response or, if the engine is reset, a clean restart. The next job is right, and no key
outlives a reset or a zeroise. Some curves are hostile: refused ones leave no curve, and jobs on accepted ones
are answered. The harness's watchdog ends a hang. A failure names the seed and the packet: the same
seed gives the same packets again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from eccelerate.curves import Curve
from eccelerate.driver.packet import Request
from eccelerate.driver.transport import TransportError
from eccelerate.model.jobs import Flag, JobRequest, Op, Status, curve_load_operands
from eccelerate.rtlsim.rtl import Entropy, Plan, RtlTransport, WasReset
from tests.ecp_compact.bench import CURVE_ID, Comparison, random_jobs
from tests.hostile import Operands

RecordProperty = Callable[[str, object], None]
WATCHDOG = 2_000_000
QUICK = (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB, Op.MOD_INV, Op.POINT_ADD, Op.ON_CURVE, Op.KEY_LOAD, Op.ZEROISE)
"""Jobs that an engine for large fields runs most of the time, because the others take too long."""
OF_CLUSTER = (0x40, 0x41)
"""Operations of a dispatcher, which no engine has."""


class Disorder:
    """An engine without a curve, and a source of trouble.

    Jobs are on one of `curves`. `longest` is the number of clocks of a long job, within which it is
    disturbed. refused: operands of CURVE_LOAD that end with BAD_MODULUS. accepted: curves that load although
    they are wrong, so that only the number of answers counts. quick: the share of jobs that are short ones.
    resets: the share of steps that reset the engine; a fifth as many try a hostile curve. Both load a curve
    afterwards, which takes long in large fields. delay: for so many clocks a packet may wait in a queue,
    where zeroise does not reach it.
    """

    def __init__(
        self,
        bench: Comparison,
        curves: Sequence[Curve],
        seed: int,
        longest: int = 20_000,
        *,
        refused: Sequence[Operands] = (),
        accepted: Sequence[Curve] = (),
        quick: float = 0,
        resets: float = 0.2,
        delay: int = 0,
    ) -> None:
        self.bench, self.curves, self.longest = bench, curves, longest
        self.refused, self.accepted, self.quick = refused, accepted, quick
        self.resets, self.delay = resets, delay
        self.seed, self.rng = seed, random.Random(seed)
        self.statuses: set[int] = set()
        self.packets = 0
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
        jobs = self.jobs
        if self.rng.random() < self.quick:
            jobs = [job for job in jobs if job[0] in QUICK]
        op, operands, flags = self.rng.choice(jobs)
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
        if words[0] & 0xFF in OF_CLUSTER:
            words[0] ^= 4
        return words

    def stall(self) -> None:
        patterns = (0, 0, 0x5555_5555, 0xFFFF_FFFE, 0x7FFF_FFFF, self.rng.getrandbits(32))
        self.plan(req_stall=self.rng.choice(patterns), rsp_stall=self.rng.choice(patterns))

    def send(self, words: list[int]) -> None:
        self.packets += 1
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
        self.packets += 1
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
            self.bench.transport.idle(4)
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
        if moment < self.delay and answer[0] & 0xFF != Status.ZEROISED:
            self.plan()
            self.bench.submit(Op.ZEROISE)
        if moment < self.bench.transport.last_total:
            self.bench.golden.engine.run(JobRequest(Op.ZEROISE), zeroise=True)
            self.has_no_key()

    def moment(self, words: list[int]) -> int:
        """A clock while the packet comes in, early in the job, or anywhere in it."""
        return self.rng.randrange(self.rng.choice((len(words) + 2, len(words) + 200, self.longest)))

    def check_next(self) -> None:
        self.plan()
        self.send(self.good())

    def refused_curve(self) -> None:
        """A curve that is refused leaves no curve, and no key."""
        self.bench.submit(Op.KEY_LOAD, (1,))
        operands = self.rng.choice(self.refused)
        assert self.bench.submit(Op.CURVE_LOAD, operands).status == Status.BAD_MODULUS
        assert self.bench.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE
        self.packets += 3
        self.reload()
        self.has_no_key()

    def accepted_curve(self) -> None:
        """Jobs on a wrong curve get one answer each, under their tags; ECDSA_VERIFY is one of them."""
        rng, curve = self.rng, self.rng.choice(self.accepted)
        width, n = curve.element_words, curve.n
        self.answered(Request(Op.CURVE_LOAD, CURVE_ID, 1, 0, width, curve_load_operands(curve)), Status.OK)
        numbers = [rng.choice((1, 2, 3, n - 1, rng.randrange(1, n))) for _ in range(3)]
        self.answered(Request(Op.ECDSA_VERIFY, CURVE_ID, 2, 0, width, (*numbers, *curve.generator)))
        for op, operands in (
            (Op.DOUBLE_MUL, (*numbers[:2], *curve.generator)),
            (Op.MUL, (numbers[0], *curve.generator)),
            (Op.MOD_INV, (numbers[1],)),
        ):
            if rng.random() < 0.4:
                self.answered(Request(op, CURVE_ID, rng.getrandbits(16), 0, width, operands))
        self.reload()

    def answered(self, request: Request, status: Status | None = None) -> None:
        """The engine answers under the tag of the request. What it computes does not matter."""
        self.packets += 1
        transport = self.bench.transport
        if isinstance(transport, RtlTransport):
            transport.entropy(Entropy.SEED, self.rng.getrandbits(32))
        words = transport.exchange(request.words()).words
        assert words[0] >> 8 == request.tag << 8 | request.op
        assert len(words) == 2 + words[1]
        assert status is None or words[0] & 0xFF == status

    def run(self, steps: int) -> None:
        """Disturb the RTL so many times, each time followed by a valid job."""
        kinds = [self.zeroise_midway, *3 * [lambda: self.send(self.malformed())]]
        rare = [self.refused_curve] * bool(self.refused) + [self.accepted_curve] * bool(self.accepted)
        for _ in range(steps):
            try:
                self.stall()
                if rare and self.rng.random() < self.resets / 5:
                    self.rng.choice(rare)()
                elif self.rng.random() < self.resets:
                    self.reset_midway()
                else:
                    self.rng.choice(kinds)()
                self.check_next()
            except (AssertionError, TransportError) as error:
                raise AssertionError(f"seed {self.seed}, packet {self.packets}: {error}") from error

    def run_packets(self, packets: int) -> None:
        """As `run`, until so many packets are sent."""
        while self.packets < packets:
            self.run(10)
        print(f"seed {self.seed}: {self.packets} packets, statuses {sorted(self.statuses)}")
