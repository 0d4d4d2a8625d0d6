"""eccel_comb: threads keep the entries of their digits, takes come in order, and nothing shows a scalar."""

from __future__ import annotations

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.model.comb import ENTRIES, TABLES, Comb
from tests.ecp_turbo.comb_unit import CombUnit
from tests.verilated import Patch

RTL = "eccel_comb.sv"


def make(name: str, threads: int, patches: tuple[Patch, ...] = ()) -> CombUnit:
    comb = Comb(find_curve(name))
    rng = random.Random(f"{name} {threads}")
    scalars = [comb.recode(rng.randrange(comb.curve.n)) for _ in range(threads)]
    return CombUnit(comb, scalars, patches)


def digits(u: CombUnit, count: int) -> None:
    """Check the next `count` digits of a comb from its start: every thread gets its entries."""
    for step in range(count):
        assert u.scan() == (30, 64 * u.words + 1)
        column, table = u.comb.columns - 1 - step // TABLES, step % TABLES
        for thread, scalar in enumerate(u.scalars):
            index = u.comb.digit(scalar, column, table).index
            assert u.entry(thread) == u.comb.tables[table][index]
        u.take(gap=u.words + u.words % 2)


@pytest.mark.parametrize(("name", "threads"), [("P-256", 4), ("P-521", 2), ("P-224", 1), ("P-192", 8)])
def test_every_digit_of_every_thread(name: str, threads: int) -> None:
    u = make(name, threads)
    for _ in range(2):
        digits(u, TABLES * u.comb.columns)
        u.clock(rewind=1, wait=1)
        u.until_idle()


def takes_first(u: CombUnit) -> None:
    """A scan follows a take: the entry stays until its last word is read."""
    u.scan()
    before = [u.entry(t) for t in range(u.threads)]
    u.clock(take=1)
    u.clock(scan=1)
    assert all(u.clock().busy for _ in range(100))
    for _ in range(u.threads):
        out = u.clock(issue=1)
        assert out.busy and (out.on, out.half, out.word) == (1, 0, 0)
        for _ in range(u.words - 1):
            out = u.clock()
            assert out.busy and out.on
    assert [u.entry(t) for t in range(u.threads)] == before
    assert u.until_idle() < 40


def test_scan_waits_until_all_threads_have_taken() -> None:
    takes_first(make("P-256", 4))


def only_the_slots_show_scalars(patches: tuple[Patch, ...] = ()) -> None:
    """Clocks, words and data of all writes are the same for all scalars, and every entry is written: the one
    of the digit to the slots that keep it, all others to the slots below.
    """
    traces = []
    comb = Comb(find_curve("P-256"))
    for scalars in ([0] * 4, [comb.curve.n - 1] * 4, [1 << i for i in range(250, 254)]):
        u = CombUnit(comb, scalars, patches)
        for _ in range(6):
            begin = len(u.trace)
            u.scan()
            writes = [out for out in u.trace[begin:] if out.we]
            assert len(writes) == ENTRIES * 2 * u.words
            for thread in range(u.threads):
                assert sum(out.keep >> thread & 1 for out in writes) == 2 * u.words
            u.take(gap=8)
        traces.append([out.public() for out in u.trace])
    assert traces[0] == traces[1] == traces[2]


def test_clocks_words_and_writes_do_not_depend_on_scalars() -> None:
    only_the_slots_show_scalars()


@pytest.mark.parametrize("writes", ["&match_2", "|match_2"])
def test_writes_that_come_only_with_a_digit_are_noticed(writes: str) -> None:
    with pytest.raises(AssertionError):
        only_the_slots_show_scalars(((RTL, "we_o    <= run_2", f"we_o    <= {writes} && run_2"),))


@pytest.mark.parametrize("moment", [0, 3, 20, 31, 33, 300, 541, 545])
def test_stop_ends_everything_at_once(moment: int) -> None:
    """From the next clock on the mailboxes are free, and the next comb is right."""
    u = make("P-256", 4)
    u.clock(scan=1)
    for _ in range(moment):
        u.clock()
    u.clock(stop=1)
    for clock in range(600):
        out = u.clock(stop=int(clock < 50))
        assert not out.we and not out.busy
        assert clock == 0 or not (out.on or out.word)
    u.clock(rewind=1, wait=1)
    u.until_idle()
    digits(u, 5)


@pytest.mark.parametrize("moment", [0, 5, 8, 12, 40, 44, 72, 78])
def test_a_take_after_stop_addresses_no_word(moment: int) -> None:
    """Two takes have been accepted, and stop lasts until all threads have issued them. Meanwhile the handler
    of zeroise uses the mailboxes, with an address that word_o is a part of.
    """
    u = make("P-256", 4)
    u.scan()
    u.clock(take=1)
    u.clock(take=1)
    issues = [7 + 9 * i for i in range(2 * u.threads)]
    for clock in range(120):
        out = u.clock(issue=int(clock in issues), stop=int(clock >= moment))
        assert clock <= moment or not (out.on or out.word), clock
    for _ in range(20):
        u.clock()
    u.clock(rewind=1, wait=1)
    u.until_idle()
    digits(u, 5)


MUTANTS: dict[str, Patch] = {
    "digit of another thread": (RTL, "(digit_q[t][Teeth-2:0]", "(digit_q[0][Teeth-2:0]"),
    "entry of the positive digit": (RTL, "^ {5{!digit_q[t][Teeth-1]}}", ""),
    "next column one too far": (RTL, "Columns + 1)", "Columns + 2)"),
    "next table too early": (RTL, "if (run_q && last) table_q", "if (last_word_q && &entry_q) table_q"),
    "scan overtakes a take": (RTL, "if (!taking && !streaming)", "if (!streaming)"),
    "half changes a thread early": (RTL, "read_last && thread_q ==", "read_last && next_q =="),
    "entry announced early": (RTL, "sync_q && streaming", "sync_q && run_q && !last"),
    "stop lets the entry pass": (RTL, "&& !last) && !stop_i;", "&& !last);"),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_noticed(name: str) -> None:
    with pytest.raises(AssertionError):
        u = make("P-256", 4, (MUTANTS[name],))
        digits(u, 9)
        takes_first(u)
        u.clock(stop=1)
        assert not any(u.clock().we for _ in range(600))
