"""What a cluster answers itself: the counters of its engines, and their reset."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from eccelerate.driver.packet import MIN_ELEMENT_WORDS, Request, decode_response
from eccelerate.driver.transport import Transport, TransportError
from eccelerate.model.jobs import Status

UNIT_CLOCKS = 1024
"""Busy and all clocks are counted in units of as many."""


class ClusterOp(IntEnum):
    """Operations of the dispatcher; the curve id of the request is the engine's number."""

    COUNTERS = 0x40
    RESTART = 0x41


@dataclass(frozen=True)
class Counters:
    """Counters of one engine since reset, modulo 2^32.

    jobs: answered, failed ones included; resets: times it was given up; busy, clocks: in units of
    UNIT_CLOCKS; engines: of the cluster; threads: of this engine; pool: that it belongs to.
    """

    jobs: int
    resets: int
    busy: int
    clocks: int
    in_service: bool
    engines: int
    threads: int
    pool: int = 0

    @property
    def idle(self) -> int:
        """Units of clocks without a job."""
        return self.clocks - self.busy

    @classmethod
    def of(cls, words: tuple[int, ...]) -> Counters:
        """From the five words of a response. Raises TransportError for another number."""
        if len(words) != 5:
            raise TransportError(f"counters are 5 words, {len(words)} came")
        jobs, resets, busy, clocks, state = words
        return cls(
            jobs, resets, busy, clocks, bool(state >> 16 & 1), state & 0xFF, state >> 8 & 0xFF, state >> 24
        )


def counters(transport: Transport, engine: int, *, restart: bool = False) -> Counters:
    """The counters of one engine; restart: reset it as well, so that its jobs end with ENGINE_FAULT and it
    serves again after the next CURVE_LOAD.

    Raises TransportError when there is no such engine, or no cluster.
    """
    op = ClusterOp.RESTART if restart else ClusterOp.COUNTERS
    reply = transport.exchange(Request(op, engine, 0, 0, MIN_ELEMENT_WORDS).words())
    response = decode_response(reply.words, 1)
    if response.status != Status.OK:
        raise TransportError(f"engine {engine} of the cluster does not exist: status {response.status:#04x}")
    return Counters.of(response.results)


def all_counters(transport: Transport) -> list[Counters]:
    """The counters of every engine."""
    first = counters(transport, 0)
    return [first, *(counters(transport, engine) for engine in range(1, first.engines))]
