"""eccel_lockstep_mover, with models of the mailboxes, the entropy port and the field unit's registers."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.sampled import sampled
from tests.verilated import Patch

SOURCES = (*PACKAGES, "prim/eccel_inc.sv", "engine/eccel_lockstep_mover.sv")
MOVE = Struct("engine/eccel_engine_pkg.sv", "move_t")
SLOT_WORDS = 32
RANDOM_WORDS = 3
ANSWER = 3
"""Clocks from a mailbox's address to its word."""
TRANSFER = 7
"""Clocks from port_start_o to word 0 on the port."""
SIZES = [(4, 8), (2, 17), (1, 6)]
KINDS = ("load", "store", "random", "fill", "read")
EDGES = (0, 1, 1 << 31, (1 << 32) - 1)


class Mover:
    """The module with one slot of each mailbox and one register of each thread.

    entropy: words that were accepted; first: first_o and mb_word_o of each clock of a move. late: clocks
    for which the field unit works after its last word.
    """

    def __init__(self, threads: int, words: int, patches: Sequence[Patch] = (), seed: int = 1) -> None:
        parameters = {"Threads": threads, "Words": words}
        self.module = Module("engine", "eccel_lockstep_mover", SOURCES, parameters, patches)
        self.threads, self.words, self.rng = threads, words, random.Random(seed)
        self.slots = [[self.word() for _ in range(SLOT_WORDS)] for _ in range(threads)]
        self.registers = [[self.word() for _ in range(words)] for _ in range(threads)]
        self.entropy: list[int] = []
        self.first: list[tuple[int, int]] = []
        self.writes: list[int] = []
        self._addresses = [0] * ANSWER
        self._given = [0] * threads  # by the mailboxes in the previous clock
        self._takes = [0, 0]
        self._access: tuple[int, int, int] | None = None  # clock of the start, thread, whether it writes
        self._free = 0  # clock from which the field unit is idle
        self._busy = 0  # in the previous clock
        self._offered: int | None = None

    def word(self) -> int:
        return self.rng.choice((*EDGES, *(self.rng.getrandbits(32) for _ in EDGES)))

    def clock(self, *, late: int = 3, valid: float = 1.0, take: int = 0, **move: int) -> int:
        """One clock; busy_o."""
        module, now, rng = self.module, self.module.clocks, self.rng
        given = [slot[self._addresses[0]] for slot in self.slots]
        port = self.word()
        if self._access is not None:
            start, thread, writes = self._access
            place = now - start - TRANSFER
            if not writes and 0 <= place < self.words:
                port = self.registers[thread][place]
        if self._offered is None and rng.random() < valid:
            self._offered = self.word()
        idle = now >= self._free
        module.clock(
            move_i=MOVE.pack(**({"reg_index": 9} | move)),
            mb_rdata_i=given, ent_valid_i=self._offered is not None,
            ent_data_i=self.word() if self._offered is None else self._offered,
            take_i=take, port_rdata_i=port, port_idle_i=idle,
        )  # fmt: skip
        self._check_port(given, take)
        if module["ent_ready_o"] and self._offered is not None:
            self.entropy.append(self._offered)
            self._offered = None
        self.writes.append(module["mb_we_o"])
        for thread in range(self.threads):
            if module["mb_we_o"] >> thread & 1:
                self.slots[thread][module["mb_word_o"]] = module["mb_wdata_o"]
        self._addresses = [*self._addresses[1:], module["mb_word_o"]]
        if module["port_start_o"]:
            assert idle, "the field unit is not idle"
            self._access = now, module["port_thread_o"], module["port_we_o"]
            self._free = now + TRANSFER + self.words + late
        self.first.append((module["first_o"], module["mb_word_o"]))
        assert module["busy_o"] or module["mb_word_o"] == 0
        return module["busy_o"]

    def _check_port(self, given: list[int], take: int) -> None:
        """port_wdata_o: a word of the served thread for the register, or of a thread that takes, or 0."""
        module, now = self.module, self.module.clocks - 1
        wdata, taken = module["port_wdata_o"], self._takes.pop(0)
        if taken:
            assert wdata == self._given[taken.bit_length() - 1]
        if self._access is not None:
            start, thread, writes = self._access
            place = now - start - TRANSFER
            if writes and 0 <= place < self.words:
                assert module["port_thread_o"] == thread, "the thread changes in a transfer"
                self.registers[thread][place] = wdata
        if not (taken or self._busy):
            assert wdata == 0
        self._busy = module["busy_o"]
        self._takes.append(take)
        self._given = given

    def run(self, kind: str, *, shared: int = 0, one: int = 0, late: int = 3, valid: float = 1.0) -> int:
        """A move to its end; the clocks with busy_o."""
        move = {"one": one} | ({kind: 1} if kind != "read" else {})
        self.entropy, self.first, self.writes = [], [], []
        self.module.clock(0, shared_i=shared)
        assert not self.clock(**move)
        assert not self.clock(start=1, **move)
        busy = 0
        while self.clock(late=late, valid=valid, **move):
            busy += 1
            assert busy < 10_000, "the mover hangs"
        for _ in range(3):
            assert not self.clock()
        return busy


def moves(threads: int, words: int, patches: Sequence[Patch] = ()) -> None:
    """Moves of all kinds, with entropy and a field unit that come late; slots, registers and words of entropy
    are as promised.
    """
    mover = Mover(threads, words, patches)
    rng, drawn = mover.rng, words + RANDOM_WORDS
    for kind in KINDS * 12:
        slots, registers = [list(slot) for slot in mover.slots], [list(each) for each in mover.registers]
        shared, one = rng.getrandbits(1), rng.getrandbits(1) if kind == "fill" else 0
        mover.run(
            kind, shared=shared, one=one, late=rng.choice((1, 3, 40)), valid=rng.choice((0.1, 0.7, 1.0))
        )
        if kind == "load":
            registers = [slot[:words] for slot in slots]
        elif kind == "store":
            slots = [register + slot[words:] for register, slot in zip(registers, slots, strict=True)]
        elif kind == "fill":
            slots = [[one] + [0] * (SLOT_WORDS - 1)] * threads
        elif kind == "random":
            assert len(mover.entropy) == (drawn if shared else drawn * threads)
            pieces = [mover.entropy[0 if shared else t * drawn :][:drawn] for t in range(threads)]
            slots = [piece + slot[drawn:] for piece, slot in zip(pieces, slots, strict=True)]
        else:
            read = [first for first in mover.first if first[0]]
            assert read == [(1, 0)] * 4 + [(2, 1)] * 4
        assert kind == "read" or not any(first for first, _ in mover.first)
        assert kind in ("store", "random", "fill") or not any(mover.writes)
        assert mover.slots == slots
        assert mover.registers == registers


@pytest.mark.parametrize(("threads", "words"), SIZES)
def test_every_move_leaves_its_words_in_the_slot_or_the_register_of_each_thread(
    threads: int, words: int
) -> None:
    moves(threads, words)


def test_the_cycles_are_those_of_the_contract_whatever_the_words_are() -> None:
    for threads, words in SIZES:
        traces = []
        for seed in (1, 2):
            mover = Mover(threads, words, seed=seed)
            for late in (0, 1, 5, 40):
                access = TRANSFER + words + late + 3
                assert mover.run("load", late=late) == threads * access + 2
                assert mover.run("store", late=late) == threads * max(words + 14, access) + 2
            assert mover.run("random") == 3 * threads * (words + RANDOM_WORDS) + 2
            assert mover.run("random", shared=1) == 3 * (words + RANDOM_WORDS) + 2
            assert mover.run("fill") == 34
            assert mover.run("read") == 10
            traces.append((mover.first, mover.writes))
        assert traces[0] == traces[1]


def test_an_idle_mover_gives_the_word_of_the_thread_that_takes() -> None:
    mover = Mover(4, 8)
    for _ in range(200):
        mover.clock(take=mover.rng.choice((0, 1, 2, 4, 8)))


def test_a_stop_ends_a_move_in_three_clocks() -> None:
    mover = Mover(4, 8)
    for clocks in range(1, 60):
        mover.clock(random=1)
        mover.clock(random=1, start=1)
        for _ in range(clocks):
            mover.clock(random=1, valid=0.5)
        mover.clock(random=1, stop=1)
        mover.clock(random=1)
        mover.writes, mover.entropy = [], []
        mover.clock(random=1)
        assert not mover.clock(random=1)
        assert not any(mover.writes) and not mover.entropy
        mover.run("read")


@sampled(
    ("old", "new"),
    [
        ("int'(thread_q) == t || shared_i && random_q", "int'(thread_q) == t"),
        ("if (settled_q && dwell_q[2])", "if (dwell_q[2])"),
        ("5'(unsigned'(Words + 1))", "5'(unsigned'(Words))"),
        ("LoadFirst = 1 + 7 - 4", "LoadFirst = 1 + 7 - 3"),
    ],
    ids=[
        "a shared word has one reader",
        "an access begins too early",
        "a word less of entropy",
        "words a clock late",
    ],
    now=1,
)
def test_a_mutant_moves_other_words(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        moves(4, 8, [("eccel_lockstep_mover.sv", old, new)])
