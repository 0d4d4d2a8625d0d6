"""One fault: a bit that flips, or an instruction that is skipped, during a job of the RTL model.

The prepared model is kept in one process. Each trial runs in a child of it (fork), so that no trial sees
what another one left, and nothing has to be prepared twice.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from enum import IntEnum

from eccelerate import isa
from eccelerate.attacks.measures import engine_without
from eccelerate.attacks.victim_job import Request, VictimJob, flags_of
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.driver.transport import TransportError
from eccelerate.model.jobs import Status
from eccelerate.rtlsim.rtl import EventKind, Plan, RtlTransport, Watchdog
from eccelerate.rtlsim.state_layout import Member, Place, locate, signal
from eccelerate.ucode.program import checked

PATIENCE = 3
"""A job that takes this many times its clocks hangs. The engine's own watchdog comes earlier."""
SLACK = 12_000_000
"""Clocks beyond that, so that the watchdog of the engine can answer."""
READ_REGISTER = "u_ucode.data_q"
"""The register of the microcode ROM from which an instruction is decoded, two clocks before it executes."""
DECODE = 2


class Outcome(IntEnum):
    """What a fault did to the job, or to the next one."""

    CORRECT = 0
    DETECTED = 1
    HANG = 2
    WRONG_OK = 3


@dataclass(frozen=True)
class Fault:
    """Bits that flip before a clock of the job. at: their place, for people."""

    clock: int
    flips: tuple[tuple[Place, int], ...]
    at: str


@dataclass(frozen=True)
class Trial:
    """A fault and what came of it: for the job itself, and for the one after it."""

    fault: Fault
    outcome: Outcome
    after: Outcome


class Victim:
    """A prepared engine, without the measures in `off`. The constructor runs the job once without a
    fault, which must be right.

    cycles: clocks of the job, from its first word to its last.
    issues: address and clock of every instruction that it executes.
    Raises JobError, TransportError, BuildError, and ValueError if the job fails without a fault.
    """

    def __init__(
        self, config: Config, curve: Curve, job: VictimJob, seed: int = 1, off: tuple[str, ...] = ()
    ) -> None:
        generator = random.Random(f"{config.name} {curve.name} {job.name} {seed}")
        self.config, self.curve = config, curve
        config, program = engine_without(config, off)
        self.transport = RtlTransport(config, events=True, seed=seed, program=program)
        self.transport.record_events(False)
        self.engine = Engine(self.transport, binary=curve.kind == "binary")
        self.engine.load_curve(curve)
        flags = flags_of(job, config)
        secret = job.prepare(self.engine, curve, generator, flags)
        self.request = job.request(curve, secret, generator, flags)
        self.next = job.request(curve, secret, generator, flags)
        self.cycles, self.issues = self._dry_run()
        self.members: list[Member] = self.transport.state
        self.program = load_program(config)
        self._fetched = self._first_bit(READ_REGISTER)

    def _dry_run(self) -> tuple[int, list[tuple[int, int]]]:
        def run() -> tuple[int, list[tuple[int, int]]] | None:
            self.transport.record_events(True)
            start = self.transport.clocks
            if self._judge(self.request) != Outcome.CORRECT:
                return None
            events = self.transport.take_events()
            instructions = (each for each in events if each.kind == EventKind.INSTRUCTION)
            return self.transport.last_total, [(each.value, each.cycle - start) for each in instructions]

        # The children begin where the parent is, so the run without a fault is in the parent's past.
        found = run()
        self.transport.record_events(False)
        if found is None:
            raise ValueError(f"{self.request.op.name} fails without a fault")
        return found

    def run(self, fault: Fault) -> None:
        """Run a trial in this process, which ends with its result as exit code."""
        for place, bit in fault.flips:
            self.transport.flip(fault.clock, place, bit)
        limit = PATIENCE * self.cycles + SLACK
        self.transport.plan = Plan(watchdog=limit)
        outcome = self._judge(self.request)
        for place, bit in fault.flips:
            if place == Place.MICROCODE:  # it is loaded again before the next job
                self.transport.flip(0, place, bit)
        after = self._judge(self.next)
        os._exit(outcome + 4 * after)

    def _judge(self, request: Request) -> Outcome:
        try:
            answer = self.engine.submit(request.op, request.operands, request.flags)
        except Watchdog:
            return Outcome.HANG
        except TransportError:  # an answer that no driver accepts
            return Outcome.DETECTED
        if answer.status not in (Status.OK, Status.INFINITY):
            return Outcome.DETECTED
        return Outcome.CORRECT if request.right(answer) else Outcome.WRONG_OK

    def random_fault(self, place: Place, generator: random.Random) -> Fault:
        """A bit of a place, in a clock of the job."""
        bit = generator.randrange(self.transport.state_bits(place))
        clock = generator.randrange(self.cycles)
        return Fault(clock, ((place, bit),), f"{locate(self.members, place, bit).text} in clock {clock}")

    def skip(self, address: int, clock: int) -> Fault:
        """The instruction at `address`, which executes in `clock`, becomes a jump to the next one, with check
        bits that fit it.
        """
        jump = isa.load().encode("jmp", target=address + 1)
        change = checked(self.program.words[address], address) ^ checked(jump, address)
        flips = tuple((Place.STATE, self._fetched + i) for i in range(change.bit_length()) if change >> i & 1)
        return Fault(clock - DECODE, flips, f"{self.label(address)} skipped in clock {clock}")

    def label(self, address: int) -> str:
        """The address as its label of the program, with the distance; before the first one it is in the jump
        table.
        """
        before = ((at, name) for name, at in self.program.labels.items() if at <= address)
        at = max(before, default=(0, "jump table"))
        return f"{at[1]}+{address - at[0]}"

    def random_skips(self, generator: random.Random) -> list[Fault]:
        """Each instruction that the job executes skipped once, at one of its turns."""
        turns: dict[int, list[int]] = {}
        for address, clock in self.issues:
            turns.setdefault(address, []).append(clock)
        return [self.skip(address, generator.choice(clocks)) for address, clocks in sorted(turns.items())]

    def _first_bit(self, name: str) -> int:
        """The number of the lowest bit of a register of the microcode ROM."""
        at = 0
        for member in self.members:
            if member.place == Place.STATE:
                if signal(member.name).endswith(name):
                    return at
                at += member.bits
        raise TransportError(f"the model has no register {name}")
