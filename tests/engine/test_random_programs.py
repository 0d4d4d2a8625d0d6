"""Random programs do the same on the RTL and on the simulator: same registers, same responses, same cycles.

They use sequencer, mover and field unit in every order of instructions, where hand-written programs are
regular.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.rtlsim.rtl import RtlTransport
from tests.engine.monitor import Monitor
from tests.gfp.values import moduli, operands
from tests.ucode.helpers import packet

CANONICAL = range(16, 32)  # below the modulus
INTEGERS = range(32, 40)
SOURCES = ["0", "1", "C", "!C", "Z", "!Z", "P", "!P", "!B", "B|C", "B|Z", "B&C", "B&Z"]
CONDITIONS = ["Z", "C", "B", "XZ", "KEY", "MONT", "AM3", "LOADED", "F0", "F1", "F2", "F3"]
JOB = 0x10


def random_program(rng: random.Random) -> str:
    """Source of one job: blocks of random instructions in counted loops, after branches, and in a called
    routine.
    """
    lines = [f".entry {JOB} start", ".routine start", "    chk 2", "    mod p", "    setp 0"]
    lines += [f"    wipe {slot}" for slot in range(8, 12)]  # memory is undefined at first
    lines += [f"    setc c{i}, {rng.randrange(100)}" for i in range(3)] + ["    setx 5", "    setb 0"]
    for block in range(rng.randrange(4, 8)):
        kind = rng.randrange(4)
        body = [f"    {instruction(rng)}" for _ in range(rng.randrange(2, 20))]
        if kind == 0:
            lines += [f"    setc c3, {rng.randrange(3)}", f".l{block}:", *body, f"    loop c3, .l{block}"]
        elif kind == 1:
            condition = rng.choice(["", "!"]) + rng.choice(CONDITIONS)
            lines += [f"    br {condition}, .s{block}", *body, f".s{block}:"]
        elif kind == 2:
            lines += ["    call leaf", *body]
        else:
            lines += body
    lines += ["    st 0, r16", "    st 1, r17", "    done OK, 2", ".routine leaf"]
    lines += [f"    {instruction(rng)}" for _ in range(6)] + ["    ret"]
    return "\n".join(lines) + "\n"


def instruction(rng: random.Random) -> str:
    """One instruction that keeps canonical registers canonical. Its registers come from small pools, so that
    hazards are frequent.
    """
    c, i = (lambda: f"r{rng.choice(CANONICAL[:5])}"), (lambda: f"r{rng.choice(INTEGERS)}")

    def either() -> str:
        return c() if rng.random() < 0.3 else i()

    kind = rng.choices(["mod", "int", "control"], [6, 3, 2])[0]
    if kind == "mod":
        name = rng.choice(["mul", "mul", "add", "sub", "half", "mov", "csel", "mulx", "movx"])
        args = {"half": [c()], "mov": [c()], "movx": ["r16"], "mulx": [c(), "r16"]}.get(name, [c(), c()])
        return f"{name} {c()}, {', '.join(args)}"
    if kind == "int":
        name = rng.choice(["iadd", "isub", "cadd", "mov", "csel", "iaddl", "isubl", "caddl", "movl"])
        args = [either()] if name in ("mov", "movl") else [either(), either()]
        return f"{name} {i()}, {', '.join(args)}"
    slot, counter = rng.randrange(8, 12), rng.randrange(3)
    return rng.choice([
        f"setb {rng.choice(SOURCES)}", f"setp {rng.randrange(2)}", f"setx {rng.randrange(16)}",
        f"setc c{counter}, {rng.randrange(1000)}", f"ldb {rng.randrange(2)}, c{counter}",
        f"ldbx {slot}, c{counter}", f"ldbn {slot}, c{counter}", f"ldx {slot}, c{counter}",
        f"ldd {slot}, c{counter}",
        f"st {slot}, {either()}", f"ld {i()}, {slot}", f"put1 {slot}", f"wipe {slot}", f"rnd {slot}",
        "keyv 1", "keyv 0", "mod p",
    ])  # fmt: skip


def exchange_on_both(rtl: RtlTransport, iss: DigitSimulator, text: str, words: list[int]) -> list[int]:
    """The response of both, which must also agree in their cycles. `text` is the program, for the message."""
    reply, expected = rtl.exchange(words), iss.submit(words)
    assert (reply.words, reply.cycles) == (expected, iss.cycles), text
    return reply.words


@pytest.mark.parametrize("digit_bits", [16, 32, 64])
def test_random_program_runs_on_the_rtl_as_on_the_simulator(digit_bits: int, tmp_path: Path) -> None:
    rng = random.Random(digit_bits)
    executed = set()
    for width in (6, 7, 8, 13, 17, 8, 6, 12):
        source, text = tmp_path / "random.s", random_program(rng)
        source.write_text(text)
        registers = [0, 1, 2, *CANONICAL, *INTEGERS]
        monitor = Monitor([source], tmp_path, registers)
        supply = [rng.getrandbits(32) for _ in range(10_000)]
        words = iter(supply)
        iss = DigitSimulator(monitor.program, digit_bits, entropy=lambda words=words: next(words))
        m = rng.choice(moduli(width, rng))
        values = {0: m, 1: m, 2: (pow(-m, -1, 1 << 64) << 64) | (pow(-m, -1, 1 << 64) << 128)}
        values |= {r: rng.choice(operands(m, rng)) for r in CANONICAL}
        values |= {r: rng.choice(operands(1 << 32 * width, rng)) for r in INTEGERS}
        with RtlTransport(find_config(f"compact-w{digit_bits}"), program=monitor.hex) as rtl:
            rtl.entropy_words(supply)

            send = partial(exchange_on_both, rtl, iss, text)
            send(monitor.claim(width))
            for slot_words in monitor.write(values, width):
                send(slot_words)
            send(packet(JOB, rng.getrandbits(32 * width), 5, width=width, flags=rng.randrange(16)))
            executed |= set(iss.stats.field_ops) | set(iss.stats.control)
            for register in registers:
                monitor.read(register, send, 0)
    assert len(executed) > 20
