"""Requests that the dispatcher of a cluster answers itself: the counters of its engines, and their reset."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from eccelerate.driver.packet import MIN_ELEMENT_WORDS, Request, decode_response
from eccelerate.driver.transport import Transport, TransportError
from eccelerate.model.jobs import Status

UNIT_CLOCKS = 1024
"""The busy time and the whole time are counted in units of this many clocks."""


class ClusterOp(IntEnum):
    """Operations of the dispatcher; the curve id of the request is the engine's number."""

    COUNTERS = 0x40
    RESTART = 0x41


@dataclass(frozen=True)
class Counters:
    """Counters of one engine since reset, modulo 2^32.

    jobs: answered jobs, including failed ones.
    resets: how often the dispatcher has reset the engine.
    busy, clocks: busy time and whole time in units of UNIT_CLOCKS.
    engines: number of engines of the cluster.
    threads: number of threads of this engine.
    pool: number of its pool.
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
        """Time without a job, in units of UNIT_CLOCKS."""
        return self.clocks - self.busy

    @classmethod
    def of(cls, words: tuple[int, ...]) -> Counters:
        """The counters in the five words of a response. Raises TransportError if there are not five."""
        if len(words) != 5:
            raise TransportError(f"a response with counters has 5 words, not {len(words)}")
        jobs, resets, busy, clocks, state = words
        return cls(
            jobs, resets, busy, clocks, bool(state >> 16 & 1), state & 0xFF, state >> 8 & 0xFF, state >> 24
        )


def counters(transport: Transport, engine: int, *, restart: bool = False) -> Counters:
    """The counters of one engine. With `restart` the engine is also reset, so that its jobs end with
    ENGINE_FAULT and it serves again after the next CURVE_LOAD.

    Raises TransportError if there is no such engine, or no cluster.
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
