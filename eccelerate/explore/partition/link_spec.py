"""A link between two devices, as the user writes it (`64b@134MHz+50ns`), and the time that packets take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from eccelerate.configs.config import ConfigError

WIDTHS = (8, 16, 32, 64, 96, 128, 160, 192, 224, 256)
DEFAULT_LATENCY_NS = 50.0
MAX_SLOT_WORDS = 128
HEADER_BITS = 32
"""Of the header of a frame, and of its CRC."""
PASS_CYCLES = 14
"""Cycles that the ends of a link add to the time of a frame and of the channel (eccel_link, Latency)."""
_TEXT = re.compile(r"(\d+)b@(\d+(?:\.\d+)?)MHz(?:\+(\d+(?:\.\d+)?)ns)?", re.IGNORECASE)


class PartitionError(ConfigError):
    """A request that cannot be planned; the text says what to change."""


@dataclass(frozen=True)
class LinkSpec:
    """A full-duplex link: bits of a word, clock in MHz, and time of a word on the way."""

    width: int
    mhz: float
    latency_ns: float = DEFAULT_LATENCY_NS

    @classmethod
    def parse(cls, text: str) -> LinkSpec:
        """The link that a text describes. Raises PartitionError."""
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            raise PartitionError(
                f"cannot read the link {text!r}: write bits of a word, clock, and if you like the latency,"
                " such as 64b@134MHz or 16b@400MHz+120ns"
            )
        link = cls(int(found[1]), float(found[2]), float(found[3] or DEFAULT_LATENCY_NS))
        if link.width not in WIDTHS:
            raise PartitionError(f"a link has {', '.join(map(str, WIDTHS))} bits, not {link.width}")
        if not 0.1 <= link.mhz <= 10_000:
            raise PartitionError(f"the clock of a link is 0.1 to 10000 MHz, not {link.mhz:g}")
        if link.latency_ns > 100_000:
            raise PartitionError(f"the latency of a link is at most 100000 ns, not {link.latency_ns:g}")
        return link

    @property
    def text(self) -> str:
        """The link as a user writes it."""
        return f"{self.width}b@{self.mhz:g}MHz+{self.latency_ns:g}ns"

    @property
    def gbit_s(self) -> float:
        """Raw bits in a nanosecond, in one direction."""
        return self.width * self.mhz / 1000


def words_of(bits: int, width: int) -> int:
    """Words of a packet with that many bits; at least two, as the blocks of rtl/link need."""
    return max(2, -(-bits // width))


@dataclass(frozen=True)
class Lane:
    """A link, seen from a device with a clock.

    slot_words: largest payload of a frame; slots: frames that each end keeps.
    """

    spec: LinkSpec
    device_mhz: float
    slot_words: int
    slots: int = 16

    @cached_property
    def ratio(self) -> Fraction:
        """Words in a cycle of the device. A device hands over at most one."""
        return min(Fraction(1), Fraction(self.spec.mhz / self.device_mhz).limit_denominator(1000))

    @property
    def extra(self) -> int:
        """Words of header and CRC of a frame."""
        return 2 * max(1, HEADER_BITS // self.spec.width)

    @property
    def latency(self) -> int:
        """Cycles of a word in the channel."""
        return max(4, ceil(self.spec.latency_ns * self.device_mhz / 1000))

    def frames(self, words: int) -> int:
        """Frames of a packet."""
        return -(-words // self.slot_words)

    def busy(self, words: int) -> Fraction:
        """Cycles for which a packet occupies the channel."""
        return (words + self.extra * self.frames(words)) / self.ratio

    def passage(self, words: int) -> Fraction:
        """Cycles from the last word of a packet at one end to its last word at the other end. Its words come
        one in each cycle, and a frame leaves when its last word is there.
        """
        first = min(words, self.slot_words)
        last = words - (self.frames(words) - 1) * self.slot_words
        return first - words + self.busy(words) + PASS_CYCLES + self.latency + last - 1

    @property
    def retry_cycles(self) -> int:
        """Time after which a frame is sent again: several frames in each direction, and the channel."""
        return ceil(6 * self.busy(self.slot_words)) + 2 * self.latency + 128

    @property
    def quiet_cycles(self) -> int:
        """Longer than a word stays in the channel."""
        return self.latency + 16

    @classmethod
    def between(cls, spec: LinkSpec, device_mhz: float, longest: int) -> Lane:
        """A lane for packets of up to `longest` words, with slots for all that is on the way in a round
        trip.
        """
        slot_words = min(MAX_SLOT_WORDS, max(2, 1 << (longest - 1).bit_length()))
        lane = cls(spec, device_mhz, slot_words)
        trip = 2 * (lane.latency + PASS_CYCLES) + 3 * lane.busy(slot_words)
        wanted = ceil(trip / lane.busy(min(longest, slot_words) // 2 + 1)) + 2
        return cls(spec, device_mhz, slot_words, min(32, max(8, 1 << (wanted - 1).bit_length())))
