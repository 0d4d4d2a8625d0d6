"""What carries packets: the one interface between the driver and the RTL model, the simulators and the
bus.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


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

        Raises TransportError when no complete response comes.
        """
        ...
