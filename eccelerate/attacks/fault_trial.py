"""One fault: a bit that flips, or an instruction that is skipped, during a job of the RTL model.

The prepared model is kept in one process. Another one runs the job, and forks before each fault: the child
goes on with the fault, so that no trial sees what another one left, and none repeats what comes before. Many
faults soon leave no trace, because what they changed is not used any more. Such a trial ends where the engine
is again as without the fault: all that follows is known.
"""

from __future__ import annotations

import json
import os
import random
import signal as signals
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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
STRIDE = 500
"""Clocks between two states that are compared with those of the job without a fault."""


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

    def trials(self, faults: Sequence[Fault], workers: int = 1, whole: bool = False) -> Iterator[Trial]:
        """The trials, in the order in which they end.

        workers: trials at a time. whole: run each of them to its end, also where its end is known before.
        Raises RuntimeError if one of its processes ends early.
        """
        reader, writer = os.pipe()
        walker = _child(lambda: self._walk(faults, workers, whole, writer))
        os.close(writer)
        left = len(faults)
        try:
            with os.fdopen(reader) as lines:
                for line in lines:
                    number, code = json.loads(line)
                    if code not in range(4 * len(Outcome)):
                        raise RuntimeError(f"the trial of {faults[number].at} ended with exit code {code}")
                    left -= 1
                    yield Trial(faults[number], Outcome(code % 4), Outcome(code // 4))
        finally:
            with suppress(ProcessLookupError):
                os.kill(walker, signals.SIGTERM)
            os.waitpid(walker, 0)
        if left:
            raise RuntimeError(f"{left} trials have not been made: their process ended early")

    def _walk(self, faults: Sequence[Fault], workers: int, whole: bool, writer: int) -> None:
        """Run the job, and before each fault let a child go on with it. The number and the exit code of each
        are written to `writer`. The children leave by `os._exit`.
        """
        known = {} if whole else self._states()
        waiting: dict[int, list[int]] = {}
        for number, fault in enumerate(faults):
            waiting.setdefault(fault.clock, []).append(number)
        running: dict[int, int] = {}
        trial: list[Fault] = []  # of this process, if it is a child

        def reap(most: int) -> None:
            while len(running) > most:
                child, status = os.wait()
                row = [running.pop(child), os.waitstatus_to_exitcode(status)]
                os.write(writer, f"{json.dumps(row)}\n".encode())

        def go_on(clock: int, state: int) -> None:
            if trial:
                if known[clock] == state:
                    os._exit(Outcome.CORRECT)
                return
            for number in waiting.pop(clock):
                reap(workers - 1)
                child = os.fork()
                if not child:
                    trial.append(faults[number])
                    for place, bit in trial[0].flips:
                        self.transport.flip(clock, place, bit)
                    self.transport.visit([each for each in known if each > clock], reached)
                    return
                running[child] = number

        def reached(clock: int, state: int) -> None:
            try:
                go_on(clock, state)
            except BaseException:  # it would be lost in the model
                traceback.print_exc()
                os._exit(255)

        self.transport.plan = Plan(watchdog=PATIENCE * self.cycles + SLACK)
        self.transport.visit(sorted(waiting), reached)
        outcome = self._judge(self.request)
        if not trial:
            reap(0)
            return
        for place, bit in trial[0].flips:
            if place == Place.MICROCODE:  # it is loaded again before the next job
                self.transport.flip(0, place, bit)
        os._exit(outcome + 4 * self._judge(self.next))

    def _states(self) -> dict[int, int]:
        """The state in some clocks of the job without a fault, after which the next job is right, too."""
        found: dict[int, int] = {}
        reader, writer = os.pipe()

        def run() -> None:
            self.transport.visit(range(0, self.cycles, STRIDE), found.__setitem__)
            if self._judge(self.request) == self._judge(self.next) == Outcome.CORRECT:
                with os.fdopen(writer, "w") as stream:
                    json.dump(list(found.items()), stream)

        child = _child(run)
        os.close(writer)
        with os.fdopen(reader) as stream:
            text = stream.read()
        os.waitpid(child, 0)
        if not text:
            raise RuntimeError(f"{self.request.op.name} fails without a fault")
        return {int(clock): int(state) for clock, state in json.loads(text)}

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


def _child(run: Callable[[], None]) -> int:
    """A new process that does `run` and ends. Returns its number."""
    child = os.fork()
    if not child:
        code = 255
        signals.signal(signals.SIGINT, signals.SIG_DFL)  # Ctrl-C ends it without a word
        try:
            run()
            code = 0
        except BaseException:  # nothing else would show it
            traceback.print_exc()
        finally:
            os._exit(code)
    return child
