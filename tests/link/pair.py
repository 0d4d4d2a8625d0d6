"""Two ends of a link with the channels between them: packets in, packets out, faults of chosen words."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from eccelerate.configs.config import ROOT
from tests.module import Module
from tests.verilated import Patch

SOURCES: tuple[str | Path, ...] = (
    "link/eccel_link_pkg.sv", "prim/eccel_ram.sv", "link/eccel_link_crc.sv", "link/eccel_link_fifo.sv",
    "link/eccel_link_buffer.sv", "link/eccel_link_tx.sv", "link/eccel_link_rx.sv", "link/eccel_link.sv",
    ROOT / "sim" / "eccel_link_channel.sv", Path(__file__).with_name("pair.sv"),
)  # fmt: skip
Packet = tuple[int, ...]


class Fault(IntEnum):
    """What a channel does to a word."""

    NONE = 0
    LOST = 1
    REPEATED = 2
    FLIPPED = 3
    EXCHANGED = 4


class Reason(IntEnum):
    """Why a link is dead."""

    NONE = 0
    RETRIES = 1
    SILENCE = 2
    PEER_RESET = 3
    ENDED = 4


Injector = Callable[[int, int], tuple[Fault, int]]
"""The fault of a word, and what is added to it (bit Width: its head). Arguments: the channel, and the number
of the word since the start.
"""


def no_faults(channel: int, number: int) -> tuple[Fault, int]:
    """A good channel."""
    return Fault.NONE, 0


def one_fault(channel: int, number: int, fault: Fault, flip: int = 0) -> Injector:
    """A fault of one word."""
    return lambda c, n: (fault, flip) if (c, n) == (channel, number) else (Fault.NONE, 0)


@dataclass
class Pair:
    """The link, reset and up. `sent[i]` are packets for side 1 - i; `got[i]` those that arrived at side i."""

    parameters: Mapping[str, int] = field(default_factory=dict)
    patches: Sequence[Patch] = ()
    up: bool = True
    injector: Injector = no_faults
    stall: float = 0.0
    """Share of the cycles in which a user does not take a word."""
    seed: int = 1

    def __post_init__(self) -> None:
        self.width = self.parameters.get("Width", 64)
        self.unit = Module("link", "pair", SOURCES, self.parameters, self.patches)
        self.words: tuple[deque[tuple[int, int]], deque[tuple[int, int]]] = (deque(), deque())
        self.got: tuple[list[Packet], list[Packet]] = ([], [])
        self.part: tuple[list[int], list[int]] = ([], [])
        self.count = [0, 0]
        self.now = 0
        self._rng = random.Random(self.seed)
        self.unit.clock(4, rst_i=3)
        self.unit.clock(rst_i=0)
        if self.up:
            self.run_until(lambda: self.unit["up_o"] == 3, 400)

    def send(self, side: int, packet: Sequence[int]) -> None:
        """Queue a packet at a side."""
        self.words[side].extend((word, int(i == len(packet) - 1)) for i, word in enumerate(packet))

    def clock(self, **inputs: int | Sequence[int]) -> None:
        """One cycle."""
        queued = [queue[0] if queue else (0, 0) for queue in self.words]
        ready = sum((self._rng.random() >= self.stall) << side for side in (0, 1))
        faults = [self.injector(channel, self.count[channel]) for channel in (0, 1)]
        self.unit.clock(
            valid_i=sum(bool(self.words[side]) << side for side in (0, 1)),
            data_i=[word for word, _ in queued],
            last_i=sum(last << side for side, (_, last) in enumerate(queued)),
            ready_i=ready,
            fault_i=[fault for fault, _ in faults],
            flip_i=[flip & (2 << self.width) - 1 for _, flip in faults],
            **inputs,
        )
        self.now += 1
        taken, out = self.unit["ready_o"], self.unit["valid_o"] & ready
        passed = self.unit["pass_o"]
        for side in (0, 1):
            self.count[side] += passed >> side & 1
            if self.words[side] and taken >> side & 1:
                self.words[side].popleft()
            if out >> side & 1:
                self.part[side].append(self.unit.array("data_o")[side])
                if self.unit["last_o"] >> side & 1:
                    self.got[side].append(tuple(self.part[side]))
                    self.part[side].clear()

    def run_until(self, done: Callable[[], bool], limit: int, **inputs: int | Sequence[int]) -> int:
        """Run until `done` is true, which must take less than `limit` cycles; the number of cycles."""
        for cycles in range(limit):
            if done():
                return cycles
            self.clock(**inputs)
        raise AssertionError(f"not done in {limit} cycles")
