"""The simulator: job port, mailbox, entropy, zeroise, traps, reduction outside its canonical range, and
speed.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.machine.thread_state import ProgramError
from tests.ucode.helpers import HEADER, ISA, assemble_text, packet, ready, status_of

LOADER = (
    HEADER
    + """
.global_reg a = 4
.global_reg b = 5
.global_block tab, 16, align 16 = 16
.entry ZEROISE_INPUT zero
.entry CURVE_LOAD load
.entry MOD_MUL mm
.entry MOD_ADD ma
.entry KEYGEN draw
.entry SELF_TEST forever
.entry ZEROISE zop
.entry MOD_SUB steps
zero: wipe 0
    wipe 12
    keyv 0
    done ZEROISED, 0
load: chk 2
    par
    ld p, 1
    ld n, 1
    ld par, 0
    loaded 1
    done OK, 0
mm: chk 2
    mod p
    ld a, 0
    ld tab+5, 1
    setx 5
    mulx a, a, tab
    st 0, a
    done OK, 1
ma: st 0, a
    st 1, b
    done OK, 2
draw: rnd 12
    keyv 1
    ld a, 12
    st 0, a
    done OK, 1
forever: jmp forever
zop: wipe 12
    done OK, 0
steps: mul a, a, b
    mul p, a, b
    add b, a, b
    setc c0, 3
.l: loop c0, .l
    mod p
    done OK, 0
"""
)
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def load_packet(m: int, width: int, curve: int = 1, kind: int = 0, constant: int | None = None) -> list[int]:
    bits = m.bit_length()
    constant = pow(-m, -1, 1 << 64) if constant is None else constant
    par = bits | bits << 16 | kind << 32 | constant << 64 | constant << 128
    return packet("CURVE_LOAD", par, m, width=width, curve=curve)


@pytest.fixture()
def program(tmp_path: Path):
    return assemble_text(tmp_path, LOADER)


def value(response: list[int], element: int = 0, width: int = 6) -> int:
    words = response[2 + element * width : 2 + (element + 1) * width]
    return sum(w << 32 * i for i, w in enumerate(words))


@pytest.mark.parametrize("digit_bits", [8, 16, 32, 64])
def test_load_and_multiply(program, digit_bits: int):
    iss = DigitSimulator(program, digit_bits)
    rng = random.Random(digit_bits)
    for width, m in ((8, P256), (17, 2**521 - 1), (6, 251), (7, 2**222 - 117)):
        assert status_of(iss.submit(load_packet(m, width))) == "OK"
        s = -(-32 * width // digit_bits)
        for _ in range(20):
            a, b = rng.randrange(m), rng.randrange(m)
            response = iss.submit(packet("MOD_MUL", a, b, width=width, tag=99))
            assert response[:2] == [ISA.job["MOD_MUL"] << 8 | 99 << 16, width]
            assert value(response, 0, width) == a * b * pow(2, -digit_bits * s, m) % m


def test_header_is_checked_in_order(program):
    iss = DigitSimulator(program, 32)

    def status(words: list[int]) -> str:
        response = iss.submit(words)
        assert response[1] == 0 and len(response) == 2
        assert response[0] >> 8 == words[0] & 0xFF | words[0] >> 16 << 8
        return status_of(response)

    assert status(packet("MOD_MUL", 1, 2)) == "BAD_CURVE"
    assert status(packet("SELF_TEST")) == "BAD_CURVE"
    assert status(packet("ZEROISE", width=17)) == "OK"
    assert status(load_packet(P256, 8, curve=5)) == "OK"
    good = packet("MOD_MUL", 1, 2, width=8, curve=5)
    assert status_of(iss.submit(good)) == "OK"
    assert status(good[:1]) == "BAD_LENGTH"
    assert status(good[:-1]) == "BAD_LENGTH"
    assert status([*good, 0]) == "BAD_LENGTH"
    assert status([good[0], good[1] - 1, *good[2:-1]]) == "BAD_LENGTH"
    assert status(packet("MOD_MUL", 1, 2, width=9, curve=5)) == "BAD_LENGTH"
    assert status(packet("MOD_MUL", 1, 2, 3, width=8, curve=5)) == "BAD_LENGTH"
    assert status(packet("MOD_MUL", *range(9), width=8, curve=5)) == "BAD_LENGTH"
    for width in (0, 5, 18):
        assert status(packet("CURVE_LOAD", width=width, curve=5)) == "BAD_LENGTH"
    assert status(packet("MOD_MUL", 1, 2, width=8, curve=6)) == "BAD_CURVE"
    assert status(packet("MOD_MUL", 1, 2, width=8, curve=6, flags=32)) == "BAD_OP"
    assert status(packet("MOD_MUL", 1, 2, width=9, curve=6, flags=32)) == "BAD_LENGTH"
    assert status(packet("MOD_MUL", 1, 2, width=8, curve=6)[:-1]) == "BAD_CURVE"
    assert status([good[0], good[1] + 1, *good[2:]]) == "BAD_LENGTH"
    assert status([good[0], good[1] + 1, *good[2:], 0]) == "BAD_LENGTH"
    for op in (0, 0x30, 0x3F, 0x40, 0xFF):
        assert status(packet(op, width=8, curve=5)) == "BAD_OP"
    assert status(packet(0x2F, width=8, curve=6)) == "BAD_CURVE"
    assert status_of(iss.submit(good)) == "OK"
    # A load that the port refuses keeps the curve; a reset does not.
    assert status(load_packet(P256, 8, curve=5)[:-8]) == "BAD_LENGTH"
    assert status_of(iss.submit(good)) == "OK"
    iss.reset()
    assert status(good) == "BAD_CURVE"


def test_entropy_fills_the_slot_and_a_dry_source_ends_the_job(program):
    supply = iter(range(100, 1000))
    iss = DigitSimulator(program, 32, entropy=lambda: next(supply, None))
    iss.submit(load_packet(251, 6))
    response = iss.submit(packet("KEYGEN"))
    assert response[2:] == list(range(100, 106))
    assert iss.state.slots[12] == sum((100 + i) << 32 * i for i in range(9)) and iss.state.key_valid
    dry = DigitSimulator(program, 32, entropy=iter([1, 2, None]).__next__)
    dry.submit(load_packet(251, 6))
    assert status_of(dry.submit(packet("KEYGEN"))) == "NO_ENTROPY"
    assert not dry.state.key_valid


def test_zeroise_input_ends_a_job_and_wipes_when_idle(program):
    iss = DigitSimulator(program, 32, entropy=lambda: 1)
    iss.submit(load_packet(251, 6))
    iss.submit(packet("KEYGEN"))
    response = iss.submit(packet("SELF_TEST", tag=3), zeroise_after=1000)
    assert response == [ISA.status["ZEROISED"] | ISA.job["SELF_TEST"] << 8 | 3 << 16, 0]
    assert iss.state.slots[12] == 0 and not iss.state.key_valid
    iss.submit(packet("KEYGEN"))
    iss.zeroise()
    assert iss.state.slots[12] == 0 and not iss.state.key_valid
    assert status_of(iss.submit(packet("MOD_MUL", 3, 4))) == "OK"


def test_stored_register_covers_the_long_length(program):
    for digit_bits, words in ((8, 9), (16, 9), (32, 9), (64, 10)):
        iss = DigitSimulator(program, digit_bits)
        iss.submit(load_packet(251, 6))
        iss.state.slots[0] = (1 << 1024) - 1
        iss.write_register(4, 0)
        iss.submit(packet("MOD_ADD"))
        assert iss.state.slots[0] == (1 << 1024) - (1 << 32 * words)


def digit_serial(a: int, b: int, m: int, constant: int, w: int, s: int) -> int:
    """Coarsely integrated operand scanning, written as the algorithm: what hardware does for any operands."""
    base = 1 << w
    t = 0
    for i in range(s):
        t += (a >> w * i) % base * b
        t = (t + t % base * constant % base * m) >> w
    return (t - m if t >= m else t) % (1 << w * s)


@pytest.mark.parametrize("digit_bits", [8, 16, 32, 64])
@pytest.mark.parametrize("kind", ["right", "wrong constant", "even modulus", "zero modulus"])
def test_reduction_follows_the_digits_for_any_operands(program, digit_bits: int, kind: str):
    rng = random.Random(kind + str(digit_bits))
    iss = DigitSimulator(program, digit_bits)
    s = -(-192 // digit_bits)
    for _ in range(30):
        m = 0 if kind == "zero modulus" else rng.randrange(3, 1 << rng.randrange(2, 193)) | 1
        constant = pow(-m, -1, 1 << 64) if m else 5
        if kind == "wrong constant":
            constant = rng.randrange(1 << 64)
        m &= -2 if kind == "even modulus" else -1
        iss.submit(load_packet(m, 6, constant=constant))
        top = (1 << 192) - 1
        a, b = (rng.choice([rng.randrange(top), top, m, 0, 1]) for _ in range(2))
        got = value(iss.submit(packet("MOD_MUL", a, b)))
        expected = digit_serial(a, b, m, constant % (1 << digit_bits), digit_bits, s)
        assert got == expected & top


def test_modulus_registers_are_mirrored_at_once(tmp_path: Path):
    text = HEADER + ".global_reg a = 4\n.entry MUL f\nf: mod p\n add p, a, a\n add a, a, p\n done OK, 0\n"
    iss = ready(assemble_text(tmp_path, text), 32)
    iss.write_register(0, 1000)
    iss.write_register(4, 30)
    iss.submit(packet("MUL"))
    assert [iss.read_register(r) for r in (0, 4)] == [60, 30]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([ISA.encode("ret")], "empty stack"),
        ([ISA.encode("call", target=64)], "stack overflow"),
        ([ISA.encode("setc", counter=0, base=0, imm=-1)], "counter 0 set to -1"),
        ([15 << 19], "illegal instruction"),
        ([31 << 19 | 6 << 16], "illegal instruction"),
        ([ISA.encode("setb", src=13)], "setb source 13"),
        ([ISA.encode("jmp", target=64)], "watchdog"),
        ([ISA.encode("setc", counter=0, base=2, imm=0), ISA.encode("ldb", counter=0, slot=0)], "bit 1024"),
        ([ISA.encode("chk", n=0)] * 1984, "out of range"),
    ],
)
def test_traps(words: list[int], message: str):
    image = [ISA.encode("jmp", target=64)] * 64 + words
    image += [ISA.encode("done", status=0, n=0)] * (2048 - len(image))
    iss = ready(image, 32, max_instructions=10_000)
    iss.state.bits_p = 1024
    with pytest.raises(ProgramError, match=message):
        iss.submit(packet("MUL"))


def test_packet_must_be_words(program):
    for words in ([], [1 << 32, 0], [-1]):
        with pytest.raises(ValueError, match="a packet"):
            DigitSimulator(program, 32).submit(words)
    with pytest.raises(ValueError, match="digit_bits"):
        DigitSimulator(program, 12)


def test_statistics_of_a_job(program):
    iss = DigitSimulator(program, 32)
    iss.submit(load_packet(251, 6))
    iss.submit(packet("MOD_SUB"))
    assert iss.stats.instructions == 11
    assert iss.stats.field_ops == {"mul": 2, "add": 1}
    assert iss.stats.control == {"jmp": 1, "setc": 1, "loop": 4, "mod": 1, "done": 1}
    assert sum(iss.stats.counts) == 11


def test_speed(tmp_path: Path):
    """40,000 instructions of a 256-bit ladder mix take at most a quarter of a second of CPU time (best of
    three).
    """
    body = "    mul x, x, y\n    mul y, y, x\n    add x, x, y\n    csel y, y, x\n    sub x, x, y\n" * 2
    text = HEADER + ".entry MUL f\n.reg x, y\nf: mod p\n ld x, 0\n ld y, 1\n setc c0, 1000\n"
    text += ".l:\n" + body * 4 + "    loop c0, .l\n    done OK, 0\n"
    iss = ready(assemble_text(tmp_path, text), 32, 8)
    iss.state.width = 8
    iss.write_register(0, P256)
    iss.write_register(2, pow(-P256, -1, 1 << 64) << 64)
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        assert status_of(iss.submit(packet("MUL", P256 - 5, P256 // 3, width=8))) == "OK"
        best = min(best, time.process_time() - start)
    assert iss.stats.instructions > 40_000
    assert best < 0.25


@pytest.mark.parametrize(
    ("digit_bits", "width", "expected"), [(16, 7, 224), (32, 7, 224), (64, 7, 256), (64, 8, 256)]
)
def test_counter_base_rbits_is_the_length_of_r(tmp_path: Path, digit_bits: int, width: int, expected: int):
    iss = ready(
        assemble_text(tmp_path, ".entry MUL f\nf: setc c2, RBITS-3\n done OK, 0\n"), digit_bits, width
    )
    iss.submit(packet("MUL", width=width))
    assert iss.state.counters[2] == expected - 3


def test_constant_is_fetched_when_the_modulus_is_selected(tmp_path: Path):
    text = (
        HEADER + ".global_reg a = 4\n.entry MUL f\nf: mod p\n sub par, par, par\n mul a, a, a\n done OK, 0\n"
    )
    iss = ready(assemble_text(tmp_path, text), 32)
    iss.write_register(0, 251)
    iss.write_register(2, pow(-251, -1, 1 << 64) << 64)
    iss.write_register(4, 200)
    iss.submit(packet("MUL"))
    assert iss.read_register(4) == 200 * 200 * pow(2, -192, 251) % 251
