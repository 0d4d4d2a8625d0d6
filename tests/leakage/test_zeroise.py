"""Whenever the zeroise input is pulsed in a job, mailboxes and registers are the same afterwards: constants
of the curve are as they were, and everything else is overwritten.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from tests.leakage.residue import Residue
from tests.sampled import sampled

ENGINES = [
    ("turbo-p256", "P-256"),
    ("compact-w32", "P-192"),
    ("binary-163-d64", "B-163"),
    ("binary-163-fast", "B-163"),
]
WATCHDOG = 3_000_000
RUN, STEP = 1000, 5
"""Clocks in which every STEP-th one is tried: more than an addition of points takes, from one table entry to
the next. A fault of the table's reads that this test has found came in 35 and 7 clocks in a row.
"""


def jobs(curve: Curve, rng: random.Random) -> Iterator[tuple[Op, Sequence[int]]]:
    """A multiple of the base point and one of another point, each with a secret scalar."""
    yield Op.KEYGEN, (rng.randrange(1, curve.n),)
    yield Op.ECDH, (*curve.generator, rng.randrange(1, curve.n))


class Engine:
    """An engine with a curve, and its memories after a job ZEROISE while nothing else was there."""

    def __init__(self, transport: RtlTransport, name: str, curve: Curve) -> None:
        self.transport, self.curve = transport, curve
        self.residue = Residue(transport, find_config(name))
        transport.plan = Plan(WATCHDOG)
        assert self.status(Op.CURVE_LOAD, curve_load_operands(curve)) == Status.OK
        assert self.status(Op.ZEROISE, ()) == Status.OK
        self.quiet = self.residue.memories()

    def status(self, op: Op, operands: Sequence[int], flags: int = 0) -> int:
        request = Request(op, 1, 1, flags, self.curve.element_words, tuple(operands))
        return self.transport.exchange(request.words()).words[0] & 0xFF

    def left(self, op: Op, operands: Sequence[int], moment: int) -> list[str]:
        """The memories that differ after a pulse at this clock of the job."""
        self.transport.plan = Plan(WATCHDOG, zeroise_at=moment)
        assert self.status(op, operands) == Status.ZEROISED
        return self.differences()

    def left_by_answer(self, op: Op, operands: Sequence[int], flags: int, moment: int) -> list[str]:
        """The same for a clock in which the answer is read. The engine wipes after it."""
        self.transport.plan = Plan(WATCHDOG, zeroise_at=moment)
        assert self.status(op, operands, flags) in (Status.OK, Status.ZEROISED)
        self.transport.idle(20)
        while self.transport.busy:
            self.transport.idle(20)
        return self.differences()

    def differences(self) -> list[str]:
        """The memories that are not as after the first wipe."""
        now = self.residue.memories()
        return [name for name, content in self.quiet.items() if now[name] != content]


@sampled(("name", "curve_name"), ENGINES, now=3)
def test_zeroise_leaves_nothing_at_any_moment(name: str, curve_name: str) -> None:
    rng, curve = random.Random(name), find_curve(curve_name)
    with RtlTransport(find_config(name)) as transport:
        engine = Engine(transport, name, curve)
        for op, operands in jobs(curve, rng):
            transport.plan = Plan(WATCHDOG)
            assert engine.status(op, operands) == Status.OK
            clocks = transport.last_total
            others = (rng.randrange(100, clocks - 100) for _ in range(20))
            for moment in (*range(clocks // 8, clocks // 8 + RUN, STEP), *others):
                assert not engine.left(op, operands, moment), (op.name, moment)


@pytest.mark.parametrize(("name", "curve_name"), ENGINES[:3])
def test_zeroise_while_a_result_is_read_leaves_nothing(name: str, curve_name: str) -> None:
    rng, curve = random.Random(name), find_curve(curve_name)
    values = rng.randrange(curve.n), rng.randrange(curve.n)
    with RtlTransport(find_config(name)) as transport:
        engine = Engine(transport, name, curve)
        transport.plan = Plan(WATCHDOG)
        assert engine.status(Op.MOD_SUB, values, Flag.MOD_N) == Status.OK
        clocks = transport.last_total
        for moment in range(clocks - 150, clocks - 4):  # the pulse must come before the end
            assert not engine.left_by_answer(Op.MOD_SUB, values, Flag.MOD_N, moment), moment
