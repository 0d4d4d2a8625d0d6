"""eccel_binary_units with a sequencer: random streams to both units have the effect of their instructions one
by one, in the cycles that the simulator counts.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config, rtl_files
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.verilate import UCODE_IMAGE, ModelSource
from eccelerate.timing.binary_cycles import BinaryBuild
from tests.ecp_binary.machine import DIGIT, STREAM, Image, Machine
from tests.gf2m.multiplier import degree, generic_mask, table
from tests.gf2m.test_generic_multiplier import CATALOGUE, random_irreducible
from tests.gf2m.test_multiplier import PAPER, SMALL
from tests.gf2m.unit import POLYNOMIAL
from tests.sampled import sampled
from tests.ucode.helpers import packet, status_of

SMALL_THREE = [SMALL[0], SMALL[2], SMALL[-1]]
WIDE = [f for f in table() if degree(f) in (113, 359)]


def source(fields: Sequence[int], digit_bits: int, max_words: int) -> ModelSource:
    """The engine with the fields of these polynomials."""
    return engine(sum(1 << table().index(f) for f in fields), digit_bits, max_words)


def engine(mask: int, digit_bits: int, max_words: int, *, divider: bool = False) -> ModelSource:
    """The engine with the fields of a mask."""
    parameters = {"Fields": mask, "DigitBits": digit_bits, "MaxWords": max_words, "UcodeFile": UCODE_IMAGE}
    parameters |= {"Divider": 1} if divider else {}
    files = tuple(rtl_files(find_config("binary-163-d64")))
    return ModelSource("eccel_ecp_binary", files, tuple(parameters.items()))


def check(model: ModelSource, f: int, width: int, length: int, rng: random.Random, folder: Path) -> None:
    """One stream in GF(2^m) and modulo an odd number of the same width takes the cycles that the simulator
    counts.
    """
    m = degree(f)
    n = rng.getrandbits(32 * width) | 1 | 1 << 32 * width - rng.randrange(1, 60)
    values = [1 << m, (1 << m) - 1, 1 << 32 * width - 1, 1 << rng.randrange(m, 32 * width)]
    values += [rng.getrandbits(m), rng.getrandbits(32 * width)]
    parameters = dict(model.parameters)
    machine = Machine(f, n, width, values, rng, BinaryBuild.of(parameters))
    initial = [machine.elements | {POLYNOMIAL: f ^ 1 << m}, machine.constants | machine.numbers]
    for _ in range(length):
        machine.either()
    image = Image(machine.words, machine.waits)
    iss = DigitSimulator(image.words, DIGIT, max_words=int(parameters["MaxWords"]), binary=machine.build)

    with RtlTransport(model, program=image.write(folder / "image.hex")) as rtl:

        def send(code: int, *operands: int) -> list[int]:
            request = packet(code, *operands, width=width)
            reply = rtl.exchange(request)
            words = reply.words
            assert status_of(words) == "OK"
            iss.submit(request)
            assert reply.cycles == iss.cycles
            starts = range(2, len(words), width)
            return [sum(words[at + i] << 32 * i for i in range(width)) for at in starts]

        send(0x20, m)
        for code, unit, registers in image.setters:
            send(code, *(initial[unit][register] for register in registers))
        send(STREAM, 0, machine.bits, *values)
        shown: list[dict[int, int]] = [{}, {}]
        for code, unit, registers in image.getters:
            shown[unit] |= dict(zip(registers, send(code), strict=True))
    assert shown == [machine.elements, machine.numbers]


@sampled("f", PAPER, ids=degree, now=2)
def test_named_fields(f: int, tmp_path: Path) -> None:
    rng = random.Random(f)
    model = source(PAPER, 64, max_words=8)
    for width in {6, 8, -(-(degree(f) + 1) // 32)} - set(range(-(-degree(f) // 32))):
        for _ in range(2):
            check(model, f, width, 250, rng, tmp_path)


@pytest.mark.parametrize("digit_bits", [2, 8])
@sampled("f", SMALL_THREE, ids=degree, now=2)
def test_small_fields(f: int, digit_bits: int, tmp_path: Path) -> None:
    """A digit of 8 bits holds a whole element, so this is the full-width unit."""
    rng = random.Random(f)
    for _ in range(4):
        check(source(SMALL_THREE, digit_bits, max_words=6), f, 6, 250, rng, tmp_path)


@sampled("f", WIDE, ids=degree, now=1)
def test_a_register_of_more_words_than_the_mover_brings(f: int, tmp_path: Path) -> None:
    rng = random.Random(f)
    for _ in range(2):
        check(source(WIDE, 128, max_words=13), f, max(6, degree(f) // 32 + 2), 100, rng, tmp_path)


@sampled("f", [*CATALOGUE, SMALL[0], random_irreducible(255, 200)], ids=degree, now=6)
def test_generic_build(f: int, tmp_path: Path) -> None:
    """The words of elements end anywhere in a word and in the register."""
    rng = random.Random(f)
    for width in {8, max(6, -(-(degree(f) + 1) // 32))}:
        check(engine(generic_mask(255), 64, 8), f, width, 200, rng, tmp_path)


@pytest.mark.parametrize("divider", [False, True])
@pytest.mark.parametrize("f", SMALL, ids=degree)
def test_generic_build_of_small_fields(f: int, divider: bool, tmp_path: Path) -> None:
    rng = random.Random(f)
    for _ in range(3):
        check(engine(generic_mask(8), 3, 6, divider=divider), f, 6, 250, rng, tmp_path)
