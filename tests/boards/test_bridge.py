"""The UART bridge against a model of the receiver: good frames, faults, noise, floods, entropy."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from eccelerate.regs import ID_VALUE
from tests.boards import frames
from tests.boards.bridge import DELAY, STALL, THIRST, Bridge, answer, dropped, flags, frame, levels
from tests.boards.frames import CONTROL, ENTROPY, ERROR, HELLO, REQUEST, RESPONSE, STATUS, Frame
from tests.sampled import sampled
from tests.verilated import Patch

CAPACITY = 254
LIMITS = {REQUEST: (1, 160), HELLO: (0, 0), ENTROPY: (1, 64), CONTROL: (1, 1)}
PROBE = [0x00770001, 2 | 8 << 24, 0xC0C0DBDB, 0x12345678]


def fresh(patches: tuple[Patch, ...] = (), **settings: int) -> Bridge:
    bridge = Bridge(patches=patches, **settings)
    bridge.settle()
    return bridge


def request(rng: random.Random, words: int | None = None) -> list[int]:
    """A request that looks like one. Its words are rich in the bytes that SLIP escapes."""
    n = rng.choice([2, 3, 18, 66, 138, 160]) if words is None else words
    odd = [0xC0, 0xDB, 0xDC, 0xDD, 0, 0xFF]
    body = [int.from_bytes(rng.choices([*odd, rng.randrange(256)], k=4)) for _ in range(n)]
    body[0] = rng.randrange(1 << 32)
    return body


def lenient(part: bytes) -> bytes:
    """The bytes as the receiver counts them: a wrong escape is one byte, an escape at the end is none."""
    found, escaped = bytearray(), False
    for byte in part:
        if escaped:
            found.append(frames.ESCAPE if byte & 1 else frames.END)
        elif byte != frames.ESCAPE:
            found.append(byte)
        escaped = not escaped and byte == frames.ESCAPE
    return bytes(found)


def reason(part: bytes) -> int:
    """Why a frame is lost: the model of docs/links.md. 0 for a good one."""
    plain = frames.unslip(part)
    head = lenient(part)[:4]
    known = len(head) == 4 and head[1] == 1 and head[0] in LIMITS
    if known and int.from_bytes(head[2:], "little") > LIMITS[head[0]][1]:
        return frames.TOO_LONG
    if plain is None or len(plain) < 8 or plain[1] != 1 or plain[0] not in LIMITS:
        return frames.MALFORMED
    count = plain[2] | plain[3] << 8
    if count < LIMITS[plain[0]][0] or len(plain) != 8 + 4 * count:
        return frames.MALFORMED
    if plain[0] == CONTROL and plain[4:8] not in (b"\1\0\0\0", b"\2\0\0\0"):
        return frames.MALFORMED
    return 0 if frames.decode(part) else frames.WRONG_CRC


def of_kind(found: list[Frame], kind: int) -> list[Frame]:
    return [each for each in found if each.kind == kind]


# ---- one test for a claim; a mutant runs the same functions ----


def passes_good_frames(bridge: Bridge) -> None:
    rng = random.Random(1)
    bridge.set(STALL, 3)
    for _ in range(30):
        sent: list[list[int]] = []
        while sum(map(len, sent)) <= CAPACITY - 160:
            sent.append(request(rng))
        bridge.send(b"".join(frame(REQUEST, each) for each in sent), gap=rng.choice([0, 0, 1.5]))
        assert of_kind(bridge.settle(), RESPONSE) == [answer(each) for each in sent]
        assert bridge.requests() == sent
    assert bridge.lost == 0 and bridge.cut == []


FAULTS: dict[str, tuple[bytes, int]] = {
    "crc": (frames.slip(frames.content(REQUEST, PROBE)[:-1] + b"\x55"), 1),
    "content": (frames.slip(frames.content(REQUEST, PROBE).replace(b"\x78", b"\x79")), 1),
    "short": (frames.slip(frames.content(REQUEST, PROBE)[:-4]), 2),
    "shorter by a byte": (frames.slip(frames.content(REQUEST, PROBE)[:-1]), 2),
    "longer by a byte": (frames.slip(frames.content(REQUEST, PROBE) + b"\0"), 2),
    "header only": (frames.slip(b"\1\1"), 2),
    "count too small": (frames.slip(frames.content(REQUEST, PROBE, count=3)), 2),
    "count too large": (frames.slip(frames.content(REQUEST, PROBE, count=5)), 2),
    "no words": (frame(REQUEST), 2),
    "no entropy": (frame(ENTROPY), 2),
    "no control": (frame(CONTROL), 2),
    "unknown control": (frame(CONTROL, [3]), 2),
    "control of zero": (frame(CONTROL, [0]), 2),
    "wide control": (frame(CONTROL, [0x101]), 2),
    "version": (frames.slip(frames.content(REQUEST, PROBE, version=2)), 2),
    "type of the device": (frame(RESPONSE, PROBE), 2),
    "unknown type": (frame(0x81, PROBE), 2),
    "bad escape": (b"\xc0\x01\x01\xdb\x01\xc0", 2),
    "escape at the end": (frame(HELLO)[:-1] + b"\xdb\xc0", 2),
    "one word too long": (frame(REQUEST, [7] * 161), 3),
    "length above a byte": (frame(REQUEST, [7] * 260), 3),
    "entropy too long": (frame(ENTROPY, [7] * 65), 3),
    "hello with a word": (frame(HELLO, [1]), 3),
    "control of two words": (frame(CONTROL, [1, 1]), 3),
    "length of all ones": (frames.slip(frames.content(REQUEST, PROBE, count=0xFFFF)), 3),
}


def reports(bridge: Bridge, fault: str) -> None:
    data, code = FAULTS[fault]
    before = bridge.lost
    bridge.send(data + frame(REQUEST, PROBE))
    found = bridge.settle()
    assert of_kind(found, ERROR) == [Frame(ERROR, (code,))], fault
    assert of_kind(found, RESPONSE) == [answer(PROBE)], fault
    assert (bridge.requests(), bridge.lost - before) == ([PROBE], 1), fault


def survives_noise(bridge: Bridge, rounds: int = 60) -> None:
    """Bytes are changed, lost, doubled and inserted. The engine gets what the model says, and the frame after
    a frame that was hit gets through.
    """
    rng, lost = random.Random(7), bridge.lost
    for _ in range(rounds):
        sent = [request(rng, rng.choice([1, 2, 5, 20])) for _ in range(4)]
        stream = bytearray().join(frame(REQUEST, each) for each in sent)
        for _ in range(rng.randrange(1, 5)):
            at, new = rng.randrange(len(stream)), rng.choice([0xC0, 0xDB, rng.randrange(256)])
            match rng.randrange(4):
                case 0:
                    stream[at] = new
                case 1:
                    del stream[at]
                case 2:
                    stream.insert(at, new)
                case _:
                    stream[at:at] = rng.randbytes(rng.randrange(9))
        parts = [part for part in bytes(stream + b"\xc0").split(b"\xc0") if part]
        bad = [reason(part) for part in parts if reason(part)]
        good = [list(f.words) for part in parts if (f := frames.decode(part)) and f.kind == REQUEST]
        lost += len(bad)
        bridge.send(bytes(stream) + b"\xc0", gap=rng.choice([0, 2]))
        found = bridge.settle()
        assert bridge.requests() == good
        assert of_kind(found, RESPONSE) == [answer(each) for each in good]
        assert bridge.lost == lost
        if bad:
            assert of_kind(found, ERROR)[-1].words == (bad[-1],)
    bridge.send(frame(HELLO))
    (status,) = bridge.settle()
    assert dropped(status) == lost


def refuses_what_does_not_fit(bridge: Bridge) -> None:
    """The engine is busy. Requests up to the stated number of words are kept, the others reported, and the
    room that a refused request took is free again.
    """
    rng = random.Random(3)
    bridge.set(DELAY, 400_000)
    first = request(rng, 2)
    bridge.send(frame(REQUEST, first))
    bridge.idle(100)
    kept = [request(rng, n) for n in (100, 100, 40, 12)]
    assert sum(map(len, (first, *kept))) == CAPACITY
    too_many = [request(rng, n) for n in (160, 4, 30)]
    order = [kept[0], too_many[0], kept[1], kept[2], kept[3], too_many[1], too_many[2]]
    codes = []
    for each in order:
        bridge.send(frame(REQUEST, each))
        bridge.idle(3000)
        codes += [f.words[0] for f in bridge.received() if f.kind == ERROR]
    assert codes == [frames.NO_ROOM] * 3
    bridge.set(DELAY, 10)
    found = bridge.settle(900_000)
    assert of_kind(found, RESPONSE) == [answer(each) for each in (first, *kept)]
    assert bridge.requests() == [first, *kept]


def answers_in_a_flood(bridge: Bridge) -> None:
    """More garbage and HELLO than can be answered: responses still come, and nothing piles up."""
    rng = random.Random(5)
    for _ in range(3):
        junk = b"".join(rng.choice([b"\xc0\x55", frame(HELLO)]) for _ in range(60))
        bridge.send(junk + frame(REQUEST, PROBE) + junk)
        found = bridge.settle()
        assert of_kind(found, RESPONSE) == [answer(PROBE)]
        assert found.index(answer(PROBE)) < len(found) - 2, "the response was last"
        assert of_kind(found, STATUS) and of_kind(found, ERROR)
    assert bridge.cut == []


def feeds_entropy(bridge: Bridge) -> None:
    """The bridge asks as long as it has room; each word is used once, in order, and a frame as a whole."""
    rng = random.Random(9)
    words = [rng.randrange(1 << 32) for _ in range(64 * 24)]
    bridge.set(THIRST, 1024)
    bridge.send(frame(HELLO))
    taken, sent, asked = [], 0, flags(bridge.settle()[-1])[0]
    while asked:
        bridge.send(frame(ENTROPY, words[sent : sent + 64]))
        sent += 64
        statuses = of_kind(bridge.settle(), STATUS)
        taken += bridge.entropy()
        assert len(statuses) <= 1
        asked = bool(statuses) and flags(statuses[0])[0]
    assert taken == words[:1024]
    assert sent == 1024 + 192  # the buffer has less than 64 words of room
    # Frames that do not fit are dropped as a whole, without an error.
    bridge.send(frame(ENTROPY, words[sent : sent + 60]) + frame(ENTROPY, [1] * 64) + frame(ENTROPY, [2]))
    assert bridge.settle() == [] and bridge.lost == 0
    bridge.set(THIRST, 1000)
    (status,) = bridge.settle()
    assert flags(status)[0]
    assert bridge.entropy() == [*words[1024 : sent + 60], 2]
    # A lost frame is asked for again.
    bridge.send(frames.slip(frames.content(ENTROPY, words[:64])[:-1] + b"\0"))
    found = bridge.settle()
    assert [f.kind for f in found] in ([STATUS, ERROR], [ERROR, STATUS])
    assert bridge.entropy() == []


def waits_for_entropy(bridge: Bridge) -> None:
    """A request waits while the engine takes all entropy, and passes when enough is left, or when the host
    has sent none for long. Then others pass at once.
    """
    bridge.set(THIRST, 128)
    bridge.send(frame(REQUEST, PROBE))
    for _ in range(3):
        bridge.send(frame(ENTROPY, [5] * 64))
        bridge.idle(2000)
        assert bridge.requests() == []
    bridge.send(frame(ENTROPY, [5] * 64))
    assert of_kind(bridge.settle(), RESPONSE) == [answer(PROBE)]
    bridge.requests()
    bridge.set(THIRST, 1)
    bridge.idle(10)
    bridge.send(frame(REQUEST, PROBE))
    bridge.idle(50_000)
    assert bridge.requests() == []
    bridge.idle(20_000)
    assert bridge.requests() == [PROBE]
    bridge.send(frame(REQUEST, PROBE))
    bridge.idle(100)
    assert bridge.requests() == [PROBE]


CLAIMS: dict[str, Callable[[Bridge], None]] = {
    "good frames": passes_good_frames,
    "noise": survives_noise,
    "no room": refuses_what_does_not_fit,
    "flood": answers_in_a_flood,
    "entropy": feeds_entropy,
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_bridge(claim: str) -> None:
    CLAIMS[claim](fresh())


def test_requests_wait_for_entropy() -> None:
    waits_for_entropy(fresh(dry=16))


def test_entropy_from_single_port_memory() -> None:
    feeds_entropy(fresh(small=True))


def test_entropy_of_another_source() -> None:
    """The engine gets the words of the port, requests do not wait, and frames of entropy are dropped."""
    bridge = Bridge(external=True, dry=24)
    (first,) = bridge.settle()
    assert flags(first) == (False, True, False)
    assert first.words[1] >> 27 & 1 == 1, "EXT_ENTROPY"
    bridge.set(THIRST, 100)
    bridge.send(frame(ENTROPY, [1] * 64) + frame(REQUEST, PROBE))
    assert bridge.settle() == [answer(PROBE)]
    assert bridge.entropy() == [0x5EED0000 + i for i in range(100)] and bridge.lost == 0


def test_every_reason_is_reported_and_the_next_frame_gets_through() -> None:
    bridge = fresh()
    for fault, (data, code) in FAULTS.items():
        parts = [part for part in data.split(b"\xc0") if part]
        assert [reason(part) for part in parts] == [code], fault
        reports(bridge, fault)


def test_the_model_finds_good_frames_good() -> None:
    for data in (frame(REQUEST, PROBE), frame(HELLO), frame(CONTROL, [1]), frame(ENTROPY, [5] * 64)):
        assert reason(data[1:-1]) == 0


def test_status_says_what_the_board_is() -> None:
    bridge = Bridge(log2=9)
    (first,) = bridge.settle()
    assert flags(first) == (True, True, False)
    bridge.send(frame(HELLO))
    (status,) = bridge.settle()
    assert flags(status) == (True, False, False)
    assert status.words == (ID_VALUE, 32 // 8 << 28 | 17 << 20 | 9 << 16, 1, 48000, *[0] * 6)


RATES = [(step, skew) for step in (32768, 21845, 4000) for skew in (0.98, 1, 1.02)]
"""With 8 clocks in a bit (65536) the edge of the start bit is known to an eighth of a bit only."""


@sampled(("step", "skew"), [*RATES, (65536, 1)], now=4)
def test_a_baud_rate_within_2_percent_is_accepted(step: int, skew: float) -> None:
    bridge = fresh(step=step)
    rng = random.Random(step)
    sent = [request(rng, n) for n in (2, 20, 40)]
    for each in sent:
        bridge.send(frame(REQUEST, each), skew=skew)
    assert of_kind(bridge.settle(2_000_000), RESPONSE) == [answer(each) for each in sent]
    assert bridge.lost == 0


@pytest.mark.parametrize("skew", [0.5, 0.92, 1.08, 2.0])
def test_another_baud_rate_is_noticed(skew: float) -> None:
    bridge = fresh(step=32768)
    bridge.send(frame(REQUEST, PROBE) * 4, skew=skew)
    bridge.send(b"\xc0")
    found = bridge.settle()
    assert of_kind(found, ERROR) and bridge.requests() == []
    bridge.send(frame(REQUEST, PROBE))
    assert of_kind(bridge.settle(), RESPONSE) == [answer(PROBE)]


def test_a_wrong_sample_in_every_bit_changes_nothing() -> None:
    """One clock of each bit is inverted, around the middle, where the samples are."""
    bridge, rng = fresh(), random.Random(2)
    line = levels(frame(REQUEST, PROBE))
    for start in range(0, len(line), 8):
        at = start + rng.choice([3, 4, 5])
        line[at] ^= 1
    bridge.play(line)
    assert of_kind(bridge.settle(), RESPONSE) == [answer(PROBE)]


def test_noise_on_the_line_is_left_behind() -> None:
    """The line takes random levels for some time, or stays low. Frames after it get through, and no other."""
    rng, bridge = random.Random(4), fresh()
    for length in (1, 3, 8, 80, 400, 2000):
        for kind in ("random", "low"):
            line = levels(frame(REQUEST, PROBE))
            at = rng.randrange(len(line))
            noise = bytes(length) if kind == "low" else bytes(rng.randrange(2) for _ in range(length))
            bridge.play(line[:at] + noise + line[at:])
            bridge.idle(100)  # what looks like a byte under way ends
            bridge.send(b"\xc0" + frame(REQUEST, [*PROBE, length]))
            assert of_kind(bridge.settle(), RESPONSE)[-1] == answer([*PROBE, length])
            got = bridge.requests()
            assert all(each in (PROBE, [*PROBE, length]) for each in got) and len(got) <= 2


def test_a_break_is_one_fault() -> None:
    bridge = fresh()
    bridge.play(bytes(5000))
    bridge.idle(20)
    bridge.send(frame(REQUEST, PROBE))
    found = bridge.settle()
    assert of_kind(found, ERROR) == [Frame(ERROR, (frames.MALFORMED,))]
    assert of_kind(found, RESPONSE) == [answer(PROBE)]


IN, OUT, QUEUE, TOP, RX = (
    f"eccel_uart_{name}.sv" for name in ("frame_in", "frame_out", "queue", "bridge", "rx")
)
MUTANTS: dict[str, tuple[Patch, str]] = {
    "the CRC does not matter": ((IN, "whole && crc_good &&", "whole &&"), "noise"),
    "a frame may go on after its CRC": ((IN, " || phase_q == Whole) bad_q", ") bad_q"), "noise"),
    "a wrong escape is accepted": ((IN, "escaped_q && !(data_i inside", "1'b0 && !(data_i inside"), "noise"),
    "lost words stay": ((TOP, ".drop_i    (frame.lost),", ".drop_i    (1'b0),"), "noise"),
    "a full queue is not noticed": ((QUEUE, "&& !(&fill_q)", ""), "no room"),
    "a word is lost at the border": ((IN, "left_q != 8'd0;", "left_q > 8'd1;"), "good frames"),
    "bytes are not escaped": ((OUT, "data_q == End || data_q == Escape", "data_q == End"), "good frames"),
    "responses wait for all others": ((OUT, "rsp_i.valid && favour_q", "1'b0"), "flood"),
    "entropy is asked for once": ((TOP, " || frame.spilt || frame.lost) asked_q", ") asked_q"), "entropy"),
    "spilt entropy is used": ((TOP, "frame.lost || frame.spilt", "frame.lost"), "entropy"),
}


@sampled("mutant", MUTANTS, now=2)
def test_a_fault_in_the_bridge_is_noticed(mutant: str) -> None:
    patch, claim = MUTANTS[mutant]
    bridge = fresh((patch,))
    with pytest.raises((AssertionError, IndexError, ValueError)):
        CLAIMS[claim](bridge)
