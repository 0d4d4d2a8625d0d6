"""Transports carry packets: the one interface between the driver and the RTL model, the simulators and the
bus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


class TransportError(RuntimeError):
    """The engine could not be reached, or gave no complete response in time."""


@dataclass(frozen=True)
class Reply:
    """One response packet.

    words: 32-bit words, header included.
    cycles: clock cycles from the last request word accepted to the first response word valid;
        None when the transport does not count clocks.
    """

    words: list[int]
    cycles: int | None = None


class Transport(Protocol):
    """Carries one request packet and brings back its response."""

    def exchange(self, words: list[int]) -> Reply:
        """Send `words` (32-bit, the last one marked `last`) and wait for the response.

        Raises TransportError if no complete response comes.
        """
        ...


@runtime_checkable
class StreamTransport(Transport, Protocol):
    """A transport that accepts packets before earlier ones are answered."""

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        """Send packets as fast as they are accepted; returns responses in the order in which they come.

        `cycles` of a reply counts from the first word of the stream. progress: called from time to time with
        the number of responses so far. Raises TransportError.
        """
        ...
