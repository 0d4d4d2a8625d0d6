"""One window of the AXI4-Lite shell as a transport. Only this module of the driver knows registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from eccelerate.driver.packet import HEADER_WORDS
from eccelerate.driver.transport import Reply, TransportError
from eccelerate.regs import ID_VALUE, PAGE_BITS, REGISTERS

WINDOW_TAG_BITS = 13
"""Bits of a tag that are a window's own in a build with several windows. The others come back as 0."""
POLLS = 10_000_000
"""Reads of STATUS without a response, after which the engine counts as lost."""


class Bus(Protocol):
    """32-bit accesses to byte addresses of the peripheral, such as a mapping of its pages."""

    def read(self, address: int) -> int:
        """The word at an address."""
        ...

    def write(self, address: int, word: int) -> None:
        """Write the word at an address."""
        ...


class RegisterTransport:
    """Sends packets through the registers of one window.

    bus: accesses to the peripheral. window: its number; a build with one window has window 0 only.
    entropy: gives a random 32-bit word when the engine asks for one by register; it must be a true random
        source. None if the entropy port feeds the engine.
    polls: reads of STATUS before it gives up.

    Raises TransportError if there is no such window, or if the FIFOs cannot hold a packet.
    """

    def __init__(
        self,
        bus: Bus,
        window: int = 0,
        entropy: Callable[[], int] | None = None,
        polls: int = POLLS,
    ) -> None:
        self._bus, self._base = bus, window << PAGE_BITS
        self._entropy, self._polls = entropy, polls
        if window < 0 or bus.read(REGISTERS["ID"].offset) != ID_VALUE:
            raise TransportError(f"no shell with register map {ID_VALUE:#010x} at this address")
        self.windows = 1 << REGISTERS["CONFIG"]["WINDOWS_LOG2"].get(bus.read(REGISTERS["CONFIG"].offset))
        if window >= self.windows:
            raise TransportError(f"there is no window {window}: the peripheral has {self.windows}")
        self._write("CONTROL", REGISTERS["CONTROL"]["DROP"].mask)
        self._write("STATUS", self._mask("OVERFLOW"))
        self._wait("REQ_READY", cleared=True)
        self._write("STATUS", self._mask("CLEARED"))

    def exchange(self, words: list[int]) -> Reply:
        """See `Transport`. The clocks are not counted."""
        self._wait("REQ_READY")
        for word in words[:-1]:
            self._write("REQ_DATA", word)
        self._write("REQ_LAST", words[-1])
        self._wait("RSP_VALID")
        found = [self._read("RSP_DATA") for _ in range(HEADER_WORDS)]
        found += [self._read("RSP_DATA") for _ in range(found[1] & 0xFFFF)]
        if self.windows > 1:  # there is one packet under way: the upper bits of its tag are known
            own = (1 << 16 + WINDOW_TAG_BITS) - 1
            found[0] = found[0] & own | words[0] & ~own
        return Reply(found)

    def zeroise(self) -> None:
        """Wipe the engine and the FIFOs of all windows; returns when that is done. Curve and key are gone,
        and packets without a response get none.
        """
        self._write("STATUS", self._mask("CLEARED"))
        self._write("CONTROL", REGISTERS["CONTROL"]["ZEROISE"].mask)
        self._wait("CLEARED", cleared=True)
        self._write("STATUS", self._mask("CLEARED"))

    def _wait(self, name: str, *, cleared: bool = False) -> None:
        """Wait for a bit of STATUS, and meanwhile feed the engine. Raises TransportError if the packet is
        lost.
        """
        status_register = REGISTERS["STATUS"]
        for _ in range(self._polls):
            status = self._read("STATUS")
            if status & self._mask("CLEARED") and not cleared:
                self._write("STATUS", self._mask("CLEARED"))
                raise TransportError("the engine was reset or zeroised: load curve and key again")
            if status & self._mask("OVERFLOW"):
                self._write("STATUS", self._mask("OVERFLOW"))
                raise TransportError(
                    "the packet was refused: it is longer than the FIFO, or the FIFO was full"
                )
            if status & status_register[name].mask:
                return
            if status & self._mask("ENT_WANTED") and self._entropy is not None:
                self._write("ENT_DATA", self._entropy())
        raise TransportError(f"no STATUS.{name} after {self._polls} reads: reset the engine")

    @staticmethod
    def _mask(*names: str) -> int:
        return sum(REGISTERS["STATUS"][name].mask for name in names)

    def _read(self, name: str) -> int:
        return self._bus.read(self._base + REGISTERS[name].offset)

    def _write(self, name: str, word: int) -> None:
        self._bus.write(self._base + REGISTERS[name].offset, word)
