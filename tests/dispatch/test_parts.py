"""What single parts of the dispatcher guarantee: counters, entropy, and the check of responses."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import chain

import pytest

from tests.dispatch.part import Part
from tests.verilated import Patch

ENGINES = 3
UNIT_CLOCKS = 1024
COUNTED_WITHIN = 36 * ENGINES
OP, GROUP, TICKET, MAX_WORDS = 0x05, 9, 3, 6
PARITY = TICKET.bit_count() & 1


# ---- eccel_dispatch_count ----


def counters(part: Part, engine: int) -> list[int]:
    """Jobs, resets, busy units and clock units of an engine."""
    found = []
    for counter in range(4):
        found.append(part.clock(12, read_i=1, engine_i=engine, counter_i=counter)["value_o"])
        part.clock(COUNTED_WITHIN, read_i=0)
    return found


def test_every_event_counts_once(patches: Sequence[Patch] = ()) -> None:
    part, rng = Part("count", {"Engines": ENGINES}, patches=patches), random.Random(1)
    jobs, faults, busy = [0] * ENGINES, [0] * ENGINES, [0] * ENGINES
    part.clock(COUNTED_WITHIN)
    for _ in range(120):
        mask = rng.randrange(2**ENGINES)
        done_at = [set(rng.sample(range(COUNTED_WITHIN), 15)) for _ in range(ENGINES)]
        fails = rng.randrange(2**ENGINES)
        for clock in range(COUNTED_WITHIN):
            done = sum(1 << e for e in range(ENGINES) if clock in done_at[e])
            part.clock(done_i=done, busy_i=mask, fault_i=fails if 5 <= clock < 40 else 0)
        for e in range(ENGINES):
            jobs[e] += 15
            faults[e] += fails >> e & 1
            busy[e] += COUNTED_WITHIN * (mask >> e & 1)
    part.clock(COUNTED_WITHIN, done_i=0, busy_i=0, fault_i=0)
    for e in range(ENGINES):
        clocks = part.clocks
        found = counters(part, e)
        assert found[:3] == [jobs[e], faults[e], busy[e] // UNIT_CLOCKS]
        assert abs(found[3] - clocks // UNIT_CLOCKS) <= 1


def test_counters_are_0_after_reset() -> None:
    part = Part("count", {"Engines": ENGINES})
    part.clock(200, done_i=1, busy_i=1)
    part.clock(3, rst_ni=0, done_i=0, busy_i=0)
    part.clock(COUNTED_WITHIN, rst_ni=1)
    assert counters(part, 0) == [0, 0, 0, 0]


# ---- eccel_dispatch_entropy ----


class Source:
    """An entropy part fed with the words 1, 2, 3, ... `word` is the next one, and `got` has the words of each
    engine.
    """

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        self.part = Part("entropy", {"Engines": ENGINES}, patches)
        self.rng = random.Random(2)
        self.word = 1
        self.got: list[list[int]] = [[] for _ in range(ENGINES)]

    def run(self, clocks: int, asking: int = 2**ENGINES - 1, **inputs: int) -> None:
        """The source and the engines of the mask `asking` stall at random."""
        for _ in range(clocks):
            ready, valid = self.rng.getrandbits(ENGINES) & asking, self.rng.random() < 0.7
            out = self.part.clock(ent_i=valid << 32 | self.word, eng_ready_i=ready, **inputs)
            for e in range(ENGINES):
                if out.array("eng_o")[e] >> 32 and ready >> e & 1:
                    self.got[e].append(out.array("eng_o")[e] & 0xFFFFFFFF)
            self.word += valid and out["ent_ready_o"]


def test_a_word_of_entropy_goes_to_one_engine() -> None:
    source = Source()
    source.run(3000, targets_i=2**ENGINES - 1)
    given = sorted(chain(*source.got))
    assert len(given) == len(set(given)) and all(len(words) > 50 for words in source.got)
    assert source.word - 1 - len(given) <= ENGINES + 1  # the rest is in the registers


def test_engines_of_a_shared_job_draw_the_same_words(patches: Sequence[Patch] = ()) -> None:
    source = Source(patches)
    source.run(300, targets_i=0b111)
    source.run(20, asking=0)  # all registers are full
    source.run(4, asking=0, shared_i=1, targets_i=0b101)
    source.got, begin = [[] for _ in range(ENGINES)], source.word
    source.run(2000)
    first, middle, last = source.got
    assert len(first) > 50 and not middle and abs(len(first) - len(last)) <= 1
    longer, shorter = sorted((first, last), key=len, reverse=True)
    assert longer == list(range(begin, begin + len(longer))) and shorter == longer[: len(shorter)]
    source.run(4, asking=0, shared_i=0, targets_i=0b111)
    source.got, begin = [[] for _ in range(ENGINES)], source.word
    source.run(1000)
    after = list(chain(*source.got))
    assert len(after) == len(set(after)) > 50 and min(after) >= begin  # what was left is dropped


def test_an_engine_that_is_given_up_keeps_no_word() -> None:
    part = Part("entropy", {"Engines": ENGINES})
    part.clock(30, ent_i=1 << 32 | 7, targets_i=7, eng_ready_i=1)
    part.clock(30, eng_ready_i=0)
    assert part.clock().array("eng_o")[0] == 1 << 32 | 7
    part.clock(2, fault_i=1)
    assert part.clock(fault_i=0).array("eng_o")[0] >> 32 == 0


def test_an_engine_gets_entropy_in_time() -> None:
    for engine in range(ENGINES):
        part = Part("entropy", {"Engines": ENGINES})
        part.clock(20 + engine, ent_i=1 << 32 | 5, targets_i=7)
        waits = next(
            clock for clock in range(100) if part.clock(eng_ready_i=1 << engine).array("eng_o")[engine] >> 32
        )
        assert waits <= 2 * ENGINES + 6


def test_every_engine_sees_a_failed_source(patches: Sequence[Patch] = ()) -> None:
    source = Source(patches)
    source.run(300, targets_i=7)
    failed = 1 << 33
    seen = [
        [word >> 33 for word in source.part.clock(ent_i=failed, eng_ready_i=0).array("eng_o")]
        for _ in range(ENGINES + 1)
    ]
    assert seen == [[int(e < clocks) for e in range(ENGINES)] for clocks in range(ENGINES + 1)]
    given = [word >> 32 & 1 for word in source.part.clock(5, eng_ready_i=7).array("eng_o")]
    assert given == [0] * ENGINES, "a failed source gives no word"


# ---- eccel_dispatch_answer ----


def response(
    words: int, *, op: int = OP, group: int = GROUP, parity: int = PARITY, ticket: int = TICKET
) -> list[int]:
    """The words of a response with an internal tag: header, length, results."""
    tag = OP << 8 | group << 4 | parity << 3 | ticket
    return [tag << 16 | op << 8 | 0, words, *(0xABC000 + i for i in range(words))]


def answer(patches: Sequence[Patch] = ()) -> Part:
    """The part after its RAM is cleared, with one pending job and the host's header of this job."""
    part = Part("answer", {"MaxWords": MAX_WORDS}, patches=patches)
    part.clock(100, owed_i=1 << TICKET, group_i=GROUP)
    part.clock(header_valid_i=1, header_ticket_i=TICKET, header_i=0x12340005)
    part.clock(5, header_valid_i=0)
    return part


def send(part: Part, words: list[int], last: int | None = None) -> bool:
    """Send words until one is refused with bad_o or all are transferred. Returns whether bad_o came, which
    must be once.

    `last` is the index of the word with the mark, by default the last one.
    """
    bad = 0
    for i, word in enumerate(words):
        mark = i == (len(words) - 1 if last is None else last)
        for _ in range(40):
            out = part.clock(rsp_i=1 << 33 | mark << 32 | word)
            bad += out["bad_o"]
            if out["rsp_ready_o"] or bad:
                break
        if bad:
            break
    for _ in range(60):
        bad += part.clock(rsp_i=0)["bad_o"]
    assert bad <= 1
    return bool(bad)


def read(part: Part, index: int) -> int:
    return part.clock(5, read_i=1, read_header_i=0, read_index_i=index)["data_o"]


@pytest.mark.parametrize("words", [0, 1, MAX_WORDS, 2 * MAX_WORDS])
def test_a_response_is_kept_until_it_is_released(words: int) -> None:
    part, sent = answer(), response(words)
    assert not send(part, sent)
    out = part.clock()
    assert (out["answered_o"], out["ticket_o"]) == (1, TICKET)
    assert [read(part, i) for i in range(len(sent))] == sent
    assert part.clock(5, read_i=1, read_header_i=1, read_ticket_i=TICKET)["data_o"] == 0x12340005
    part.clock(100, release_i=1, read_i=0)
    assert part.clock(5, release_i=0)["answered_o"] == 0
    assert [read(part, i) for i in range(len(sent))] == [0] * len(sent)


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (response(2, op=OP ^ 0x10), None),
        (response(2, group=GROUP ^ 1), None),
        (response(2, parity=1 - PARITY), None),
        (response(2, ticket=TICKET ^ 4), None),
        (response(2 * MAX_WORDS + 1), None),
        ([response(2)[0], 1 << 16 | 2, 7, 8], None),
        (response(3), 0),
        (response(3), 1),
        (response(3), 3),
        (response(3), 99),
    ],
    ids=["operation", "group", "parity", "ticket", "long", "reserved bits", "no length", "no words",
         "early", "late"],
)  # fmt: skip
def test_a_malformed_response_is_refused(
    words: list[int], last: int | None, patches: Sequence[Patch] = ()
) -> None:
    part = answer(patches)
    assert send(part, words, last)
    assert part.clock()["answered_o"] == 0
    assert [read(part, i) for i in range(2 + 2 * MAX_WORDS)] == [0] * (2 + 2 * MAX_WORDS)
    assert not send(part, response(1)) and part.clock()["answered_o"] == 1


# ---- mutants ----


def _wrong_parity(patches: Sequence[Patch]) -> None:
    test_a_malformed_response_is_refused(response(2, parity=1 - PARITY), None, patches)


@pytest.mark.parametrize(
    ("part", "old", "new", "claim"),
    [
        ("count", "4'(done_i[e]);", "4'(done_i[e] && !take[e]);", test_every_event_counts_once),
        (
            "entropy",
            "!fault_i[e] && !drop_q",
            "!fault_i[e]",
            test_engines_of_a_shared_job_draw_the_same_words,
        ),
        ("entropy", "{failed_q, ent_i.failed}", "ent_i.failed", test_every_engine_sees_a_failed_source),
        ("answer", "|| bad_parity_q", "", _wrong_parity),
    ],
    ids=[
        "an event is lost as another is counted",
        "a word is left for the next job",
        "one engine alone sees a failure",
        "no parity",
    ],
)
def test_a_mutant_of_a_part_fails(
    part: str, old: str, new: str, claim: Callable[[Sequence[Patch]], None]
) -> None:
    with pytest.raises(AssertionError):
        claim([(f"eccel_dispatch_{part}.sv", old, new)])
