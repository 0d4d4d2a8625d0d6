"""The driver's calls on devices of libeccel: a board, a server, or a model in process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from eccelerate.curves import Curve
from eccelerate.driver.engine import Engine, JobResult
from eccelerate.driver.native import NativeError, NativeHandle, NativeJob, Outcome
from eccelerate.driver.packet import PacketError, split_words
from eccelerate.driver.pool import Pool
from eccelerate.driver.transport import Reply, TransportError
from eccelerate.model.jobs import Op

BUSY = -5


class _NoPackets:
    """The transport of an engine whose packets the library makes."""

    def exchange(self, words: list[int]) -> Reply:
        """Never called."""
        raise TransportError("libeccel makes the packets of this engine")


class NativeEngine(Engine):
    """Jobs through libeccel. The library loads curves, also several, as the jobs need them.

    uris: addresses of the devices, as for eccel_open. Raises TransportError if none can be reached.
    """

    def __init__(
        self,
        uris: str,
        pools: Sequence[Pool] = (),
        *,
        timeout_ms: int = 0,
        connect_ms: int = 0,
        library: Path | None = None,
    ) -> None:
        super().__init__(_NoPackets(), pools=pools)
        try:
            self.handle = NativeHandle(uris, timeout_ms=timeout_ms, connect_ms=connect_ms, library=library)
        except NativeError as error:
            raise TransportError(str(error)) from error

    def submit(
        self,
        op: int,
        operands: Sequence[int] = (),
        flags: int = 0,
        *,
        curve_id: int | None = None,
        width: int | None = None,
    ) -> JobResult:
        """See `Engine.submit`. curve_id and width are the library's matter."""
        self._check_width(operands)
        return self._result(op, self.handle.run(op, self.curve, operands, flags))

    def submit_many(
        self,
        op: int,
        jobs: Sequence[Sequence[int]],
        flags: int = 0,
        progress: Callable[[int], None] | None = None,
        curves: Sequence[Curve] | None = None,
    ) -> list[tuple[int, JobResult]]:
        """See `Engine.submit_many`. The results are in the order of the jobs."""
        running: list[NativeJob] = []
        done: list[tuple[int, JobResult]] = []

        def take() -> None:
            with running[len(done)] as job:
                done.append((len(done), self._result(op, job.wait())))
            if progress:
                progress(len(done))

        for index, operands in enumerate(jobs):
            curve = curves[index] if curves is not None else self.curve
            self._check_width(operands, curve)
            while True:
                try:
                    running.append(self.handle.start(op, curve, operands, flags))
                    break
                except NativeError as error:
                    if error.code != BUSY or len(done) == len(running):
                        raise TransportError(str(error)) from error
                    take()
        while len(done) < len(running):
            take()
        return done

    def load_curve(self, curve: Curve, curve_id: int = 1) -> JobResult:
        """Make `curve` the curve in use. A job that changes nothing shows that a device takes it.

        Raises ValueError if no pool supports it, TransportError if no device takes it, JobError if the engine
        refuses its numbers.
        """
        if reason := self.lacks(curve):
            raise ValueError(f"{curve.name}: {reason}")
        self.curve = curve
        result = self._result(Op.CURVE_LOAD, self.handle.run(Op.MOD_ADD, curve, (0, 0)))
        return JobResult(result.op, result.status, (), result.cycles).check()

    def load_curves(self, curves: Sequence[Curve], curve_id: int = 1) -> None:
        """Make sure that every curve can be used, and select the first one."""
        for curve in curves:
            self.load_curve(curve, curve_id)
        self.select(curves[0])

    def select(self, curve: Curve) -> None:
        """Use a curve."""
        self.curve = curve

    def _check_width(self, operands: Sequence[int], curve: Curve | None = None) -> None:
        chosen = curve or self.curve
        for value in operands:
            split_words(value, chosen.element_words if chosen else self.width)

    def _result(self, op: int, outcome: Outcome) -> JobResult:
        if outcome.result < 0:
            name = self.handle.name_of(outcome.result)
            text = f"{name}: {self.handle.advice(outcome.result)}"
            raise PacketError(text) if name == "ERROR_ARGUMENT" else TransportError(text)
        return JobResult(op, outcome.result, outcome.values, outcome.cycles or None)
