"""Single modules of rtl/engine: timeout, recoder, decoder, counters, job port, thread.

The sequencers and their parts run programs (test_programs.py, test_random_programs.py). The controls are
tested in their engines: eccel_control in tests/ecp_compact, eccel_lockstep_control in tests/ecp_turbo.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from eccelerate import isa
from eccelerate.driver.packet import Request, Response, split_words
from tests.engine.units import Units
from tests.verilated import Patch

TIMEOUT = 65534  # cycles, as the header of eccel_timeout says
ISA = isa.load("compact")
STATUS, JOB = ISA.status, ISA.job
WIDTH, CURVE = 8, 3
LOADED = 1 << 13 | WIDTH << 8 | CURVE
VALID, LAST = 1 << 33, 1 << 32


@pytest.fixture
def units() -> Units:
    return Units()


# ---------------------------------------------------------------------- eccel_timeout


def timeout(units: Units, event: str) -> int:
    """Cycles between begin_i or taken_i and over_o. soon_o has to come in the cycle before it, and in no
    other.
    """
    units.clock(**{event: 1})
    units.clock(**{event: 0}, run_i=1)
    soon = 0
    for cycle in range(1, 2 * TIMEOUT):
        if units["over_o"]:
            assert soon
            return cycle - 1
        soon = units["soon_o"]
        units.clock()
        assert not soon or units["over_o"]
    raise AssertionError("no timeout")


def test_timeout_comes_65534_cycles_after_the_last_word(units: Units) -> None:
    assert timeout(units, "begin_i") == TIMEOUT
    units.clock(begin_i=1)
    units.clock(TIMEOUT - 10, begin_i=0, run_i=1)
    assert timeout(units, "taken_i") == TIMEOUT


def test_a_failed_source_ends_the_wait_at_once(patches: Sequence[Patch] = ()) -> None:
    """But not in the cycles in which the last words may still be on their way; and once for each rnd."""
    units = Units(patches)
    for event in ("begin_i", "taken_i"):
        units.clock(5, run_i=0)
        units.clock(**{event: 1}, failed_i=1)
        units.clock(**{event: 0}, run_i=1)
        over, before = [], False
        for cycle in range(200):
            assert units["over_o"] == before and not (units["over_o"] and units["soon_o"])
            if before := bool(units["soon_o"]):
                over.append(cycle + 1)
            units.clock()
        assert 8 <= over[0] <= 40


def test_a_failed_source_that_ends_the_wait_too_early_is_noticed() -> None:
    with pytest.raises(AssertionError):
        test_a_failed_source_ends_the_wait_at_once(
            [("eccel_timeout.sv", "failed_i && shift_q[10]", "failed_i")]
        )


def test_a_shorter_timeout_is_noticed() -> None:
    early = Units([("eccel_timeout.sv", "16'h0008", "16'h0011")])
    assert timeout(early, "begin_i") == TIMEOUT - 1


# ---------------------------------------------------------------------- eccel_recoder


def recoded(units: Units, scalars: Sequence[int], bits: int) -> list[list[int]]:
    """The digits of two scalars that take turns, the highest digit first."""
    units.clock(clear_i=1)
    units.clock(2, clear_i=0)
    digits: list[list[int]] = [[], []]
    for j in range(bits + 4, -1, -1):
        for scalar, found in zip(scalars, digits, strict=True):
            units.clock(2, bit_i=(scalar << 5) >> j & 1)
            size = 2 * units["window_o"] + 1 if units["due_o"] else 0
            found.append(-size if units["sign_o"] else size)
            units.clock(step_i=1)
            units.clock(step_i=0)
    return digits


def test_digits_of_the_recoder_add_up_and_one_in_six_differs_from_zero(units: Units) -> None:
    rng = random.Random(1)
    edges = [0, 1, (1 << 64) - 1, 0x5555555555555555, 1 << 63, 0x8000000000000001]
    pairs = [(a, edges[-i - 1]) for i, a in enumerate(edges)]
    pairs += [(rng.getrandbits(64), rng.getrandbits(64)) for _ in range(100)]
    found: list[int] = []
    for pair in pairs:
        for scalar, digits in zip(pair, recoded(units, pair, 64), strict=True):
            value = 0
            for digit in digits:
                value = 2 * value + digit
            assert value == scalar
            assert all(d == 0 or (d % 2 and abs(d) <= 15) for d in digits)
            found += digits
    assert 0.15 < sum(map(bool, found)) / len(found) < 0.18


# ---------------------------------------------------------------------- eccel_decode, eccel_counters


def execute(units: Units, word: int, x: int = 0) -> None:
    """The cycles of one instruction: decode, operands, execute."""
    units.clock(decode_i=1, fetched_i=word, x_i=x)
    units.clock(decode_i=0, fetched_i=0)
    units.clock(index_i=units["indexed_o"])
    units.clock(index_i=0, execute_i=1)
    units.clock(execute_i=0)


@pytest.mark.parametrize("form", [pytest.param(f, id=m) for m, f in ISA.forms.items()])
def test_decoder_tells_field_operations_from_control(units: Units, form: isa.Form) -> None:
    word = ISA.encode(form.mnemonic, **({"rb": 0x10} if "rb" in form.operands else {}))
    execute(units, word, x=5)
    assert units["field_o"] == form.is_field
    assert units["control_o"] == (not form.is_field)
    assert units["indexed_o"] == form.indexed
    assert units["instr_o"] == (word | 5 if form.indexed else word)


def test_decoder_knows_which_instructions_look_at_the_field_units_flags(units: Units) -> None:
    for condition in ISA.conditions.values():
        execute(units, ISA.encode("br", cond=condition.code))
        assert units["on_unit_o"] == bool(condition.flags & {"Z", "C"}), condition.name
    for source in ISA.setb.values():
        execute(units, ISA.encode("setb", src=source.code))
        assert units["from_flags_o"] == bool(source.flags & {"Z", "C"}), source.text


def counter(units: Units, number: int) -> int:
    """The counter that a loop names. The loop is not executed."""
    units.clock(decode_i=1, fetched_i=ISA.encode("loop", counter=number, target=0))
    units.clock(decode_i=0)
    return units["count_o"]


def test_setc_adds_base_and_immediate(units: Units) -> None:
    rng = random.Random(2)
    sizes = {"words_i": 9, "pbits_i": 256, "nbits_i": 260}
    units.clock(**sizes)
    bases = {"ZERO": 0, "PBITS": 256, "NBITS": 260, "RBITS": 32 * 9}
    for _ in range(60):
        name, number, imm = rng.choice([*bases]), rng.randrange(4), rng.randrange(-200, 600)
        execute(units, ISA.encode("setc", counter=number, base=ISA.base[name], imm=imm))
        assert counter(units, number) == (bases[name] + imm) % 2048
        assert number != 3 or units["last_o"] == (bases[name] + imm) % 2048


def test_loop_counts_down_to_zero_and_stays(units: Units) -> None:
    for number in range(4):
        execute(units, ISA.encode("setc", counter=number, base=0, imm=number + 1))
    for left in (2, 1, 0, 0):
        execute(units, ISA.encode("loop", counter=2, target=0))
        assert counter(units, 2) == left
    assert [counter(units, number) for number in range(4)] == [1, 2, 0, 4]


# ---------------------------------------------------------------------- eccel_job_port


def send_word(units: Units, word: int, *, last: bool) -> None:
    """Send a word of a packet to the job port."""
    for _ in range(100):
        units.clock(req_i=VALID | last * LAST | word)
        if units["req_ready_o"]:
            units.clock(req_i=word)
            return
    raise AssertionError("the port does not accept the packet")


def send(units: Units, words: Sequence[int]) -> None:
    """A packet to the job port."""
    for i, word in enumerate(words):
        send_word(units, word, last=i == len(words) - 1)


def received(units: Units, stall: int = 0) -> list[int]:
    """The response of the job port, and that nothing comes after it."""
    words = []
    for _ in range(4000):
        units.clock(rsp_ready_i=1)
        if units["rsp_o"] & VALID:
            words.append(units["rsp_o"] & 0xFFFFFFFF)
            last = units["rsp_o"] & LAST
            units.clock(stall + 1, rsp_ready_i=0)
            if last:
                units.clock(50, rsp_ready_i=1)
                assert not units["rsp_o"] & VALID and not units["busy_o"]
                units.clock(rsp_ready_i=0)
                return words
    raise AssertionError("no response")


def started(units: Units) -> bool:
    """Whether the sequencer is started within some cycles."""
    for _ in range(20):
        units.clock()
        if units["start_o"]:
            return True
    return False


def finish(units: Units, status: int, results: Sequence[int]) -> None:
    """What the sequencer does at the end of a job, with result elements in the first slots."""
    for slot, value in enumerate(results):
        for i, word in enumerate(split_words(value, WIDTH)):
            units.clock(poke_i=1, peek_addr_i=slot << 5 | i, poke_data_i=word)
    units.clock(poke_i=0, peek_addr_i=0)
    units.clock(finish_i=1, outcome_i=status << 4 | len(results))
    units.clock(finish_i=0)


def slot(units: Units, number: int) -> int:
    """An element in the mailbox, while the port leaves it free."""
    value = 0
    for i in range(WIDTH):
        units.clock(3, peek_addr_i=number << 5 | i)
        value |= units["peek_data_o"] << 32 * i
    return value


@pytest.mark.parametrize("stall", [0, 1, 7])
def test_operands_reach_their_slots_and_results_the_response(units: Units, stall: int) -> None:
    rng = random.Random(stall)
    units.clock(curve_i=LOADED)
    for tag, (inputs, outputs) in enumerate([(0, 0), (1, 2), (4, 1), (8, 2)]):
        operands = tuple(rng.getrandbits(32 * WIDTH) for _ in range(inputs))
        results = tuple(rng.getrandbits(32 * WIDTH) for _ in range(outputs))
        send(units, Request(JOB["KEYGEN"], CURVE, tag, 0x62, WIDTH, operands).words())
        assert started(units)
        fields = JOB["KEYGEN"] << 25 | 0x62 << 17 | inputs << 13 | WIDTH << 8 | CURVE
        assert units["job_o"] == fields
        assert [slot(units, i) for i in range(inputs)] == list(operands)
        finish(units, STATUS["OK"], results)
        assert received(units, stall) == Response(STATUS["OK"], JOB["KEYGEN"], tag, results).words(WIDTH)


def malformed() -> dict[str, tuple[list[int], str]]:
    """Packets with one mistake each, and the status that answers it."""
    good = Request(JOB["MUL"], CURVE, 7, 0, WIDTH, (1, 2, 3)).words()
    count = 3 * WIDTH
    return {
        "one word": (good[:1], "BAD_LENGTH"),
        "header alone": (good[:2], "BAD_LENGTH"),
        "one word short": (good[:-1], "BAD_LENGTH"),
        "one word long": ([*good, 0], "BAD_LENGTH"),
        "part of an element": ([good[0], good[1] - 1, *good[2:-1]], "BAD_LENGTH"),
        "nine elements": (Request(1, CURVE, 7, 0, WIDTH, (1,) * 9).words(), "BAD_LENGTH"),
        "W too small": ([good[0], count | 5 << 24, *good[2:]], "BAD_LENGTH"),
        "W not of the curve": ([good[0], count | 6 << 24, *good[2:]], "BAD_LENGTH"),
        "W too large": ([good[0], count | 18 << 24, *good[2:]], "BAD_LENGTH"),
        "operation 0": ([good[0] & ~0xFF, *good[1:]], "BAD_OP"),
        "operation of a trap": ([good[0] & ~0xFF | ISA.trap["LENGTH"], *good[1:]], "BAD_OP"),
        "attribute of a key": ([good[0], good[1] | 1 << 21, *good[2:]], "BAD_OP"),
        "drawn key, nonce of the host": (
            [good[0] & ~0xFF | JOB["KEYGEN"], good[1] | 0x82 << 16, *good[2:]],
            "BAD_OP",
        ),
        "another curve": ([good[0] ^ 0x100, *good[1:]], "BAD_CURVE"),
    }


WITH_OPERANDS = ("one word short", "one word long", "part of an element", "nine elements")
"""Packets that turn out to be malformed when operands have already come: a program has to wipe them."""


@pytest.mark.parametrize("name", malformed())
def test_a_malformed_packet_is_answered_and_leaves_nothing(units: Units, name: str) -> None:
    words, status = malformed()[name]
    units.clock(curve_i=LOADED)
    send(units, words)
    assert started(units) == (name in WITH_OPERANDS)
    if name in WITH_OPERANDS:
        assert units["job_o"] >> 25 & 63 == 48 | words[0] & 14
        finish(units, STATUS[status], ())
    assert received(units) == Response(STATUS[status], words[0] & 0xFF, 7).words(WIDTH)
    send(units, Request(JOB["MUL"], CURVE, 8, 0, WIDTH, (5,)).words())
    assert started(units) and slot(units, 0) == 5


def test_a_job_without_a_loaded_curve_is_refused_but_a_curve_is_loaded(units: Units) -> None:
    units.clock(curve_i=0)
    send(units, Request(JOB["MUL"], CURVE, 1, 0, WIDTH, (5,)).words())
    assert not started(units)
    assert received(units) == Response(STATUS["BAD_CURVE"], JOB["MUL"], 1).words(WIDTH)
    send(units, Request(JOB["CURVE_LOAD"], CURVE, 2, 0, WIDTH, (5,)).words())
    assert started(units)


def test_zeroise_in_a_packet_drains_it_and_runs_the_handler(units: Units) -> None:
    words = Request(JOB["MUL"], CURVE, 9, 0, WIDTH, (5, 6)).words()
    units.clock(curve_i=LOADED)
    for i, word in enumerate(words):
        if i == 6:
            units.clock(zeroise_i=1)
            units.clock(10, zeroise_i=0)
            assert units["wipe_o"] and units["job_o"] >> 8 & 31 == 17  # the largest element
            units.clock(finish_i=1, wiped_i=1)
            units.clock(3, finish_i=0, wiped_i=0)
            assert not units["wipe_o"]
        send_word(units, word, last=i == len(words) - 1)
    assert received(units) == Response(STATUS["ZEROISED"], JOB["MUL"], 9).words(WIDTH)


# ---------------------------------------------------------------------- eccel_job_thread


def run_thread(units: Units, operands: tuple[int, ...]) -> None:
    """Send a job, and see that port and thread start it."""
    send(units, Request(JOB["MUL"], CURVE, 1, 0, WIDTH, operands).words())
    assert started(units) and units["thread_start_o"]
    units.clock(2)


def write(units: Units, address: int, word: int, *, member: bool) -> None:
    """Write a word of the mailboxes; member: the thread belongs to the group."""
    units.clock(2, member_i=member)
    units.clock(peek_addr_i=address, poke_i=1, poke_data_i=word)
    units.clock(poke_i=0)


def word(units: Units, address: int) -> int:
    """A word of the thread's mailbox."""
    units.clock(4, peek_addr_i=address)
    return units["thread_mover_o"]


def thread_response(units: Units) -> list[int]:
    """The response of the thread; a word is there two clocks after its valid."""
    words = []
    for _ in range(4000):
        units.clock(rsp_ready_i=0)
        if units["thread_rsp_o"] & VALID:
            units.clock(2)
            words.append(units["thread_rsp_o"] & 0xFFFFFFFF)
            units.clock(rsp_ready_i=1)
            if units["thread_rsp_o"] & LAST:
                units.clock(rsp_ready_i=0)
                return words
    raise AssertionError("no response")


def test_a_word_reaches_the_mover_after_three_clocks_and_the_sequencer_after_four(units: Units) -> None:
    units.clock(curve_i=LOADED)
    run_thread(units, (sum((100 + i) << 32 * i for i in range(WIDTH)),))
    for i in range(WIDTH):
        units.clock(peek_addr_i=i)
        if i >= 3:
            assert units["thread_mover_o"] == 100 + i - 3
        if i >= 4:
            assert units["thread_useq_o"] == 100 + i - 4


def test_only_a_member_of_the_group_is_written_and_only_during_its_job(units: Units) -> None:
    units.clock(curve_i=LOADED)
    run_thread(units, (5, 6))
    write(units, 1 << 5, 7, member=True)
    write(units, 0, 8, member=True)
    write(units, 0, 9, member=False)
    assert (word(units, 0), word(units, 1 << 5)) == (8, 7)
    units.clock(outcome_i=STATUS["OK"] << 4 | 1)
    units.clock(finish_i=1, outcome_i=0)
    units.clock(finish_i=0)
    write(units, 1 << 5, 10, member=True)
    assert thread_response(units) == Response(STATUS["OK"], JOB["MUL"], 1, (8,)).words(WIDTH)
    run_thread(units, (5,))
    assert word(units, 1 << 5) == 7


def test_a_write_to_a_thread_outside_the_group_is_noticed() -> None:
    careless = Units([("eccel_job_thread.sv", "free && member_i", "free")])
    with pytest.raises(AssertionError):
        test_only_a_member_of_the_group_is_written_and_only_during_its_job(careless)
