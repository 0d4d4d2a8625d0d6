"""Disorder from a fixed seed: bent packets among good jobs, stalled streams, reset and zeroise at any moment.

Every packet gets its answer or, when the engine is reset, a clean restart; the next job is right; no key
outlives a reset or a zeroise. A hang ends with the harness's watchdog.
"""

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.curves.small import small_curves
from eccelerate.driver.packet import Request, decode_request
from eccelerate.model.jobs import Flag, Job, Op, Status
from eccelerate.sim.iss_transport import IssTransport
from eccelerate.sim.rtl import Plan, RtlTransport, WasReset
from tests.ecp_compact.bench import CURVE_ID, Bench, random_jobs

CURVES = [*small_curves()[-3:], find_curve("secp160r1")]
WATCHDOG = 2_000_000


class Disorder:
    """One engine and a source of trouble."""

    def __init__(self, backend: str, digits: int, seed: int) -> None:
        self.bench = Bench(backend, digits, seed)
        self.rng = random.Random(seed)
        self.statuses: set[int] = set()
        self.reload()

    def reload(self) -> None:
        self.plan()
        self.curve = self.rng.choice(CURVES)
        self.bench.load(self.curve)
        self.jobs = random_jobs(self.curve, self.rng)

    def plan(self, **fields: int) -> None:
        if isinstance(self.bench.transport, RtlTransport):
            self.bench.transport.plan = Plan(watchdog=WATCHDOG, **fields)

    def good(self) -> list[int]:
        op, operands, flags = self.rng.choice(self.jobs)
        tag = self.rng.getrandbits(16)
        return Request(op, CURVE_ID, tag, int(flags), self.curve.element_words, operands).words()

    def bent(self) -> list[int]:
        """A packet with one thing wrong, or several, or by chance nothing."""
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
        """The engine's answer under a plan; the model has run the job already, undisturbed.

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
            self.bench.golden.engine.run(Job(Op.ZEROISE), zeroise=True)
            self.has_no_key()

    def moment(self, words: list[int]) -> int:
        """A clock while the packet comes in, early in the job, or anywhere in it."""
        return self.rng.randrange(self.rng.choice((len(words) + 2, len(words) + 200, 20_000)))

    def check_next(self) -> None:
        self.plan()
        self.send(self.good())


@pytest.mark.parametrize("digits", [16, 32, 64])
def test_rtl_in_disorder(digits: int) -> None:
    disorder = Disorder("rtl", digits, seed=digits)
    steps = [disorder.reset_midway, disorder.zeroise_midway, *3 * [lambda: disorder.send(disorder.bent())]]
    for _ in range(250):
        disorder.stall()
        disorder.rng.choice(steps)()
        disorder.check_next()
    assert disorder.statuses >= {Status.OK, Status.BAD_LENGTH, Status.BAD_CURVE, Status.ZEROISED}


def test_simulator_in_disorder() -> None:
    disorder = Disorder("iss", 32, seed=5)
    for _ in range(2000):
        disorder.send(disorder.bent())
        disorder.check_next()
    assert disorder.statuses >= {Status.OK, Status.BAD_OP, Status.BAD_LENGTH, Status.BAD_CURVE, Status.NO_KEY}


# Registers that are no curve constants.
VARIABLE = (11, 12, *range(16, 32), *range(48, 64))


def test_simulator_zeroised_after_any_instruction() -> None:
    bench = Bench("iss")
    bench.load(CURVES[0])
    rng = random.Random(8)
    transport = bench.transport
    assert isinstance(transport, IssTransport)
    for op, operands, flags in random_jobs(CURVES[0], rng):
        bench.submit(Op.KEY_LOAD, (1,))
        words = Request(op, CURVE_ID, 1, int(flags), 6, operands).words()
        transport.simulator.machine.entropy = lambda: rng.getrandbits(32)
        status = transport.simulator.submit(words, zeroise_after=rng.randrange(1, 6))[0] & 0xFF
        assert status == Status.ZEROISED
        assert transport.simulator.machine.slots == [0] * 16
        assert {transport.simulator.read_register(register) for register in VARIABLE} == {0}
        bench.golden.engine.run(Job(Op.ZEROISE), zeroise=True)
        assert bench.submit(Op.ECDH, CURVES[0].generator, Flag.KEY).status == Status.NO_KEY


@pytest.mark.soak
@pytest.mark.parametrize("digits", [16, 32, 64])
@pytest.mark.parametrize("seed", range(10))
def test_rtl_in_long_disorder(digits: int, seed: int) -> None:
    disorder = Disorder("rtl", digits, seed=1000 + seed)
    steps = [disorder.reset_midway, disorder.zeroise_midway, *3 * [lambda: disorder.send(disorder.bent())]]
    for _ in range(1000):
        disorder.stall()
        disorder.rng.choice(steps)()
        disorder.check_next()


def test_requests_of_the_fuzzer_are_well_formed_before_they_are_bent() -> None:
    disorder = Disorder("iss", 32, seed=1)
    for _ in range(50):
        assert decode_request(disorder.good()).op in list(Op)
