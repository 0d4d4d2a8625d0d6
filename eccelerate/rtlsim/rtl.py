"""The RTL model as a transport: the Verilated engine called in process through the C interface of
sim/harness.h.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import TracebackType

from eccelerate.configs.config import Config
from eccelerate.configs.tops import require_current
from eccelerate.driver.transport import Reply, TransportError
from eccelerate.rtlsim.harness_library import (
    VISITOR,
    AnswerRecord,
    EventRecord,
    OutcomeRecord,
    PlanRecord,
    SumRecord,
    bind,
)
from eccelerate.rtlsim.state_layout import Member, Place
from eccelerate.rtlsim.verilate import UCODE_IMAGE, ModelSource, build_model, model_state

Visitor = Callable[[int, int], None]
"""Called before a clock of an exchange with that clock, and a hash of the state."""
NEVER = (1 << 64) - 1
RESPONSE_CAPACITY = 4096
STREAM_CAPACITY = 64
"""Upper bound of the average response in a stream, in words: two elements of 31 words."""
POLL_S = 0.1
DEFAULT_WATCHDOG = 70_000_000  # longer than a dispatcher waits for its slowest engine, 15 * 2^22 clocks
WAVE_SUFFIXES = {".vcd": "vcd", ".fst": "fst"}


class EventKind(IntEnum):
    """Kind of an event: an instruction was issued, the field unit accepted an operation, the field unit
    finished one.
    """

    INSTRUCTION = 0
    FIELD_ISSUE = 1
    FIELD_DONE = 2


class Entropy(IntEnum):
    """What feeds the entropy port: nothing, pseudo-random words from a seed, one constant word."""

    NONE = 0
    SEED = 1
    CONSTANT = 2


class WasReset(TransportError):
    """The exchange ended because the plan reset the engine."""


class Watchdog(TransportError):
    """The engine gave no complete response within the watchdog's clocks."""


@dataclass(frozen=True)
class Event:
    """One recorded event; `cycle` counts clocks since the model was opened, `value` is the program counter
    (INSTRUCTION) or the field operation code (FIELD_ISSUE)."""

    cycle: int
    kind: EventKind
    value: int


@dataclass(frozen=True)
class Plan:
    """Disturbances of one exchange.

    watchdog: timeout in clocks; in a stream, since the last response.
    zeroise_at, reset_at: clock of the exchange; None means never.
    req_stall, rsp_stall: 32-bit rotating patterns; a 1 stalls the handshake in that clock.
    """

    watchdog: int = DEFAULT_WATCHDOG
    zeroise_at: int | None = None
    reset_at: int | None = None
    req_stall: int = 0
    rsp_stall: int = 0


class RtlTransport:
    """One engine in simulation. It starts after a reset, with the entropy port fed from `seed`.

    wave: file for the waveform; the suffix, .vcd or .fst, decides the format.
    events: record instruction and field-unit events. This needs another build.
    program: microcode image (hex) in place of the configuration's own, for tests of the machine itself.

    Raises BuildError if the model cannot be built.
    """

    def __init__(
        self,
        config: Config | ModelSource,
        wave: Path | None = None,
        *,
        events: bool = False,
        seed: int = 1,
        program: Path | None = None,
    ) -> None:
        variant = _variant(wave, events)
        source = config
        if isinstance(source, Config):
            require_current(source)
            source = ModelSource.of(source)
        files = dict(source.images)
        if program is not None:
            files[UCODE_IMAGE] = program
        self.plan = Plan()
        self.last_total = 0
        self._handle: ctypes.c_void_p | None = None
        built = build_model(source, variant)
        self._library = bind(ctypes.CDLL(str(built)))
        self._state = built if events else None
        self._activity_from = 0
        self._reached: Visitor = lambda clock, state: None
        self._visitor = VISITOR(lambda data, clock, state: self._reached(clock, state))
        with tempfile.TemporaryDirectory(prefix="eccel-") as folder:
            for name, path in files.items():
                shutil.copy(path, Path(folder) / name)
            self._handle = ctypes.c_void_p(self._library.eccel_model_open(folder.encode()))
            self._process = os.getpid()
        if not self._handle:
            raise TransportError("the model could not be opened: is the temporary folder readable?")
        self.entropy(Entropy.SEED, seed)
        if wave is not None and self._library.eccel_model_wave(self._handle, str(wave).encode()):
            raise TransportError(f"cannot write the waveform {wave}: does its folder exist?")
        if events:
            self.record_events(True)

    def exchange(self, words: list[int]) -> Reply:
        """Send one packet and wait for the response, under `self.plan`.

        Raises Watchdog, WasReset, TransportError.
        """
        request = (ctypes.c_uint32 * len(words))(*words)
        response = (ctypes.c_uint32 * RESPONSE_CAPACITY)()
        outcome = OutcomeRecord()
        result = self._library.eccel_model_exchange(
            self._open(),
            request,
            len(words),
            response,
            RESPONSE_CAPACITY,
            ctypes.byref(_plan(self.plan)),
            ctypes.byref(outcome),
        )
        self.last_total = outcome.total
        if result:
            raise self._failed(result, self.plan, f"{outcome.words} words")
        return Reply(list(response[: outcome.words]), outcome.cycles)

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        """Send packets as fast as the engine accepts them, under `self.plan`; returns responses as they come.

        `cycles` of a reply: clocks from the first word offered to the last word of this response.
        progress: called ten times a second with the number of responses so far.
        Raises Watchdog, WasReset, TransportError.
        """
        words = [word for packet in packets for word in packet]
        request = (ctypes.c_uint32 * len(words))(*words)
        lengths = (ctypes.c_size_t * len(packets))(*map(len, packets))
        answers = (AnswerRecord * len(packets))()
        response = (ctypes.c_uint32 * (STREAM_CAPACITY * len(packets)))()
        arguments = (
            self._open(), request, lengths, len(packets), response, len(response), answers,
            ctypes.byref(_plan(self.plan)),
        )  # fmt: skip
        if progress is None:
            result = self._library.eccel_model_stream(*arguments)
        else:
            with ThreadPoolExecutor(1) as pool:  # the library works without the interpreter's lock
                running, done = pool.submit(self._library.eccel_model_stream, *arguments), 0
                while wait([running], POLL_S).not_done:
                    while done < len(packets) and answers[done].done:
                        done += 1
                    progress(done)
                result = running.result()
        if result:
            done = sum(answer.done > 0 for answer in answers)
            raise self._failed(result, self.plan, f"{done} of {len(packets)} responses")
        replies, at = [], 0
        for answer in answers:
            replies.append(Reply(list(response[at : at + answer.words]), answer.done + 1))
            at += answer.words
        return replies

    def entropy(self, source: Entropy, value: int = 0) -> None:
        """Choose what feeds the entropy port; `value` is the seed (64 bits) or the constant (32 bits)."""
        self._library.eccel_model_entropy(self._open(), int(source), value & NEVER)

    def entropy_words(self, words: Sequence[int]) -> None:
        """Words that the entropy port delivers before it uses its source."""
        self._library.eccel_model_entropy_words(
            self._open(), (ctypes.c_uint32 * len(words))(*words), len(words)
        )

    def reset(self, clocks: int = 2) -> None:
        """Hold the reset for `clocks` clocks: control state and key-valid clear, the curve is unloaded."""
        self._library.eccel_model_reset(self._open(), clocks)

    def idle(self, clocks: int) -> None:
        """Let `clocks` clocks pass without a request."""
        self._library.eccel_model_idle(self._open(), clocks)

    @property
    def clocks(self) -> int:
        """Clocks since the model was opened."""
        return int(self._library.eccel_model_clocks(self._open()))

    @property
    def busy(self) -> bool:
        """The engine's busy output."""
        return bool(self._library.eccel_model_busy(self._open()))

    def take_events(self) -> list[Event]:
        """Events recorded since the last call, oldest first. Raises TransportError without `events=True`."""
        if not self._library.eccel_model_has_events():
            raise TransportError("this model records no events: open it with events=True")
        count = self._library.eccel_model_events_count(self._open())
        buffer = (EventRecord * count)()
        self._library.eccel_model_events_take(self._open(), buffer, count)
        return [Event(event.cycle, EventKind(event.kind), event.value) for event in buffer]

    def record_events(self, enable: bool) -> None:
        """Start or stop recording (initially on with `events=True`). Events recorded so far are dropped."""
        self._library.eccel_model_events_record(self._open(), int(enable))
        self._library.eccel_model_events_take(self._open(), None, 0)

    def count_activity(self, enable: bool) -> None:
        """Start or stop keeping the activity of each clock (initially off). Numbers so far are forgotten.

        It is the number of state bits that change: of all flip-flops and the read registers of all RAMs, not
        of the words of the RAMs. This is the usual model of power for registers: a bit costs when it changes.
        """
        self._library.eccel_model_activity_record(self._open(), int(enable))
        self._activity_from = self.clocks

    def take_activity(self) -> bytes:
        """The activity of each clock since the last call: unsigned 16-bit numbers of this machine."""
        buffer = (ctypes.c_uint16 * (self.clocks - self._activity_from))()
        count = self._library.eccel_model_activity_take(self._open(), buffer, len(buffer))
        self._activity_from = self.clocks
        return bytes(memoryview(buffer)[:count])

    def watch_sums(self, sums: Iterable[int]) -> None:
        """Look for changes of flip-flops after which 16 bits and the value before them add up to one of these
        numbers modulo 2^16, while activity is recorded: registers that go from one share of a secret to the
        other.
        """
        values = sorted(set(sums))
        buffer = (ctypes.c_uint16 * len(values))(*values)
        self._library.eccel_model_sums_watch(self._open(), buffer, len(values))

    def take_sums(self) -> list[tuple[int, int]]:
        """Clock, and number of the lowest bit in the state, of each of those changes since the last call."""
        count = self._library.eccel_model_sums_count(self._open())
        buffer = (SumRecord * count)()
        self._library.eccel_model_sums_take(self._open(), buffer, count)
        return [(change.clock, change.bit) for change in buffer]

    @property
    def state(self) -> list[Member]:
        """The flip-flops and memories of the model. Raises TransportError without `events=True`."""
        if self._state is None:
            raise TransportError("this model does not tell its state: open it with events=True")
        return model_state(self._state)

    def state_bits(self, place: Place) -> int:
        """Bits of a place of faults; 0 without `events=True`."""
        return int(self._library.eccel_model_state_bits(self._open(), int(place)))

    def flip(self, clock: int, place: Place, bit: int) -> None:
        """Flip a bit before clock `clock` of the next exchange, counted from 0. Flips add up; those that have
        not happened at its end are forgotten. Raises TransportError if there is no such bit.
        """
        if not 0 <= bit < self.state_bits(place):
            count = f"{place.name.lower()}, which has {self.state_bits(place)}"
            raise TransportError(f"no bit {bit} in {count} (open with events=True)")
        self._library.eccel_model_flip(self._open(), clock, int(place), bit)

    def visit(self, clocks: Sequence[int], reached: Visitor) -> None:
        """Have `reached` called before these clocks of the next exchange, which are in ascending order.

        It gets the clock and a hash of the state. Where that is equal, an exchange without stalls goes on in
        the same way. It may flip bits before the same clock, choose other visits, and fork the process. An
        exception in it is printed and lost. Visits that have not happened at the end of the exchange are
        forgotten. Raises TransportError without `events=True`.
        """
        if self._state is None:
            raise TransportError("this model does not tell its state: open it with events=True")
        self._reached = reached
        buffer = (ctypes.c_uint64 * len(clocks))(*clocks)
        self._library.eccel_model_visit(self._open(), buffer, len(buffer), self._visitor, None)

    def close(self) -> None:
        """End the simulation and finish the waveform file; further calls raise TransportError.

        A process that was forked from that of the model only leaves it: the model would wait for its threads,
        which the fork does not have.
        """
        if self._handle:
            if self._process == os.getpid():
                self._library.eccel_model_close(self._handle)
            self._handle = None

    def __enter__(self) -> RtlTransport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def _failed(self, result: int, plan: Plan, came: str) -> TransportError:
        """The exception for an exchange or a stream that ended early."""
        if result == 1:
            return Watchdog(
                f"no complete response within {plan.watchdog} clocks ({came} came): the engine hangs, or the "
                "watchdog is too short for this job"
            )
        if result == 2:
            return TransportError(f"a response has more than {RESPONSE_CAPACITY} words")
        return WasReset(f"the engine was reset at clock {plan.reset_at} of this exchange")

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise TransportError("this model is closed")
        return self._handle


def _plan(plan: Plan) -> PlanRecord:
    return PlanRecord(
        plan.watchdog,
        NEVER if plan.zeroise_at is None else plan.zeroise_at,
        NEVER if plan.reset_at is None else plan.reset_at,
        plan.req_stall,
        plan.rsp_stall,
    )


def _variant(wave: Path | None, events: bool) -> str:
    if wave is None:
        return "events" if events else "plain"
    if events:
        raise ValueError("a model either records events or writes a waveform, not both")
    try:
        return WAVE_SUFFIXES[Path(wave).suffix]
    except KeyError as error:
        raise ValueError(f"waveform file {wave}: the name must end in .vcd or .fst") from error
