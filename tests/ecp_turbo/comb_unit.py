"""eccel_comb as a Python object, clock by clock, with the mailboxes around it."""

from __future__ import annotations

import contextlib
import ctypes
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eccelerate.configs.config import RTL_DIR
from eccelerate.configs.images import rom_lines
from eccelerate.model.comb import Comb
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("comb_harness.cpp")
SOURCES = (RTL_DIR / "prim" / "eccel_rom.sv", RTL_DIR / "engines" / "turbo" / "eccel_comb.sv")
TABLE = "table.hex"
BIT_DELAY = 7  # clocks from pos_o to bit_i
SERVED_BEHIND = 2  # clocks from a word's address to serves_o


class Inputs(ctypes.Structure):
    """The inputs in one clock."""

    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("reset", "rewind", "scan", "wait", "stop", "bits", "take", "issue")
    ]


class Outputs(ctypes.Structure):
    """The outputs in one clock."""

    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("busy", "pos", "due", "serves", "on", "half", "keep", "word", "we", "wdata")
    ]

    busy: int
    pos: int
    due: int
    serves: int
    on: int
    half: int
    keep: int
    word: int
    we: int
    wdata: int

    def public(self) -> tuple[int, ...]:
        """All outputs that must not depend on scalars."""
        names = ("busy", "pos", "due", "serves", "on", "half", "word", "we", "wdata")
        return tuple(getattr(self, name) for name in names)


class CombUnit:
    """One eccel_comb, with a scalar in each thread's mailbox.

    kept: for each thread, the words of the entry in its mailbox, by half and word.
    passed: likewise, of the entry that was written last to the slots for all other entries.
    trace: the outputs of each clock since the last reset.
    """

    def __init__(self, comb: Comb, scalars: Sequence[int], patches: Sequence[Patch] = ()) -> None:
        self.comb, self.scalars, self.threads = comb, list(scalars), len(scalars)
        self.words = -(-comb.curve.p_bits // 32)
        settings = {"Threads": self.threads, "Words": self.words, "Columns": comb.columns}
        self._lib = Unit(
            room="ecp_turbo",
            name=f"comb-{comb.curve.name}-{self.threads}",
            top="eccel_comb",
            harness=HARNESS,
            texts=patched({path.name: path.read_text() for path in SOURCES}, patches),
            parameters=[*(f"-G{name}={value}" for name, value in settings.items()), f'-GTableFile="{TABLE}"'],
            settings=[],
            unknown="unique",
        ).load()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            Path(TABLE).write_text("\n".join(rom_lines(comb.words(), 32)))
            self._unit = ctypes.c_void_p(self._lib.unit_open())
            self.reset()

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def reset(self) -> None:
        """Two clocks of reset. The first digit is next."""
        self.kept: list[dict[tuple[int, int], int]] = [{} for _ in self.scalars]
        self.passed: list[dict[tuple[int, int], int]] = [{} for _ in self.scalars]
        self.trace: list[Outputs] = []
        for _ in range(2):
            self.clock(reset=1)
        self.trace.clear()
        self.clock(rewind=1, wait=1)
        self.until_idle()

    def clock(self, **inputs: int) -> Outputs:
        """One clock in which these inputs are high."""
        past = self.trace[-BIT_DELAY].pos if len(self.trace) >= BIT_DELAY else 0
        bits = sum((scalar >> past & 1) << t for t, scalar in enumerate(self.scalars))
        out = Outputs()
        self._lib.unit_clock(self._unit, ctypes.byref(Inputs(bits=bits, **inputs)), ctypes.byref(out))
        for t in range(self.threads):
            if out.we:
                assert out.on
                slots = self.kept[t] if out.keep >> t & 1 else self.passed[t]
                slots[out.half, out.word] = out.wdata
        self.trace.append(out)
        return out

    def until_idle(self) -> int:
        """Number of clocks until busy_o is low."""
        for clocks in range(100 * self.words + 200):
            if not self.clock().busy:
                return clocks
        raise AssertionError("busy_o does not fall")

    def scan(self) -> tuple[int, int]:
        """Scan the next digit. Returns the clocks that the sequencer waits for the scan, and then for the
        entry.
        """
        self.clock(scan=1)
        gathered = self.until_idle()
        self.clock(wait=1)
        return gathered, self.until_idle()

    def entry(self, thread: int) -> tuple[int, int]:
        """The entry in a thread's mailbox."""
        kept = self.kept[thread]
        x, y = (sum(kept[half, j] << 32 * j for j in range(self.words)) for half in range(2))
        return x, y

    def take(self, gap: int) -> None:
        """Take both halves, each issued by the threads `gap` clocks apart. Checks which words are addressed,
        and for which thread.
        """
        begin, served = len(self.trace), {}
        for half in range(2):
            self.clock(take=1)
            for _ in range(4):
                self.clock()
            for thread in range(self.threads):
                for j in range(gap):
                    out = self.clock(issue=int(j == 0))
                    if j < self.words:
                        assert (out.on, out.half, out.word) == (1, half, j)
                        served[len(self.trace) - 1 + SERVED_BEHIND] = 1 << thread
        for _ in range(SERVED_BEHIND):
            self.clock()
        for clock, out in enumerate(self.trace[begin:], begin):
            assert out.serves == served.get(clock, 0)
            assert not out.on or out.keep == (1 << self.threads) - 1
