"""The programs of the study core multiply points, at every number of multipliers and digits, and faults in
formulas and schedules are noticed.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.lopez_dahab import fourth_root
from eccelerate.ucode.study import study_formulas, study_program
from eccelerate.ucode.study.study_files import CURVES, PATH, Image, images, outputs, package
from eccelerate.ucode.study.study_machine import Machine, MachineError, digits_from_top
from eccelerate.ucode.study.study_program import COORDINATES, KINDS, program
from eccelerate.ucode.study.study_schedule import Timing, schedule
from eccelerate.ucode.study.study_text import FormulaError, needed, parse
from eccelerate.ucode.study.study_words import WORD_BITS, Word
from tests.study.core import SMALL, machine, points, scalars


def image_of(kind: str, digit_bits: int = 4, multipliers: int = 2) -> Image:
    affine = kind.startswith("affine")
    return Image(kind, digit_bits, 1 if affine else multipliers, divider=affine)


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_multiplies_every_point_by_every_scalar(kind: str) -> None:
    core = machine(SMALL, image_of(kind))
    for base in points(SMALL, 2):
        for k in scalars(SMALL):
            assert core.run(*base, k)[0] == point.mul(SMALL, k, base)


@pytest.mark.parametrize("image", [i for i in images() if i.digit_bits != 64][::5], ids=str)
def test_programs_of_other_units_multiply(image: Image) -> None:
    core = machine(SMALL, image)
    for k in list(scalars(SMALL))[::7]:
        assert core.run(*SMALL.generator, k)[0] == point.mul(SMALL, k, SMALL.generator)


@pytest.mark.soak
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("image", images(), ids=str)
def test_every_program_multiplies_on_a_standard_curve(image: Image, name: str) -> None:
    curve, chance = find_curve(name), random.Random(1)
    core = machine(curve, image)
    for k in (1, 2, 3, curve.n - 3, chance.randrange(1, curve.n - 2)):
        assert core.run(*curve.generator, k)[0] == point.mul(curve, k, curve.generator)


def test_digits_from_the_top_have_the_value_and_the_weight_of_the_non_adjacent_form() -> None:
    for k in range(1 << 10):
        digits = list(digits_from_top(k, 10))
        assert sum(d << i for i, d in enumerate(reversed(digits))) == k
        assert sum(map(abs, digits)) == (k ^ 3 * k).bit_count()


def test_a_wrong_formula_gives_a_wrong_point(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(COORDINATES["jacobian"], step=study_formulas.JACOBIAN.step.replace("qx = r^2", "qx = r"))
    monkeypatch.setitem(study_program.COORDINATES, "jacobian", wrong)
    faulty = program.__wrapped__("jacobian-binary", 2, 2, 7, divider=False)
    timing = Timing(2, 2, 7)
    core = Machine(faulty, timing, SMALL.p, fourth_root(SMALL.p, SMALL.b))
    assert core.run(*SMALL.generator, 2)[0] != point.mul(SMALL, 2, SMALL.generator)


@pytest.mark.parametrize("digits", [2, 41])
def test_a_schedule_for_another_latency_is_noticed(digits: int) -> None:
    made = program("lopez-dahab-montgomery", 2, digits, 7, divider=False)
    slower = Timing(2, digits + 1, 7)
    with pytest.raises(MachineError):
        Machine(made, slower, SMALL.p, 1).run(*SMALL.generator, 5)


def test_a_quotient_is_read_in_its_only_cycle() -> None:
    made = program("affine-binary", 1, 2, 7, divider=True)
    with pytest.raises(MachineError, match="no quotient"):
        Machine(made, replace(Timing(1, 2, 7), degree=8), SMALL.p, 1).run(*SMALL.generator, 5)


@pytest.mark.parametrize(
    ("digits", "multipliers", "most"), [(11, 1, 69), (11, 2, 37), (11, 3, 31), (163, 3, 335)]
)
def test_a_ladder_step_takes_little_more_than_its_products(digits: int, multipliers: int, most: int) -> None:
    block = needed(parse("step", study_formulas.LADDER.step), {"xd", "zd", "xs", "zs"})
    found = schedule(block, Timing(multipliers, digits, 163))
    assert 6 * digits / multipliers < found.cycles <= most


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = b - c", "no operation"),
        ("a := b", "a line is"),
        ("a = 1 + c", "constants"),
        ("a = b^(2^1)", "at least 2"),
    ],
)
def test_a_formula_that_cannot_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(FormulaError, match=says):
        parse("wrong", text)


def test_affine_coordinates_need_the_divider() -> None:
    with pytest.raises(ValueError, match="divider"):
        program("affine-naf", 1, 11, 163, divider=False)


def test_too_many_values_are_refused() -> None:
    names = [f"v{i}" for i in range(20)]
    squares, sums = [f"{name} = a^2" for name in names], [f"a = a + {name}" for name in names]
    block = parse("wide", "\n".join([*squares, "a = a * a", *sums]))
    found = schedule(block, Timing(1, 40, 7), 2)  # all squares wait for the product
    with pytest.raises(FormulaError, match="registers"):
        study_program.allocate(found, {"a"}, {"a": 0})


def test_a_word_has_the_bits_of_the_package() -> None:
    assert Word(control=study_program.Control.DONE, count=256, divide=True).encode().bit_length() == WORD_BITS
    with pytest.raises(ValueError, match="256"):
        Word(count=257).encode()
    with pytest.raises(ValueError, match="does not fit"):
        Word(a=16).encode()


@pytest.mark.parametrize(
    "image", [image_of("affine-naf", 64), image_of("lopez-dahab-montgomery", 16)], ids=str
)
def test_the_package_has_the_program(image: Image) -> None:
    text = package([find_curve(name) for name in CURVES], [image])
    item = text[text.index(f"      // {image.kind}") : text.rindex("      default")]
    assert item in (ROOT / PATH).read_text()


@pytest.mark.soak
def test_the_package_is_that_of_the_formulas() -> None:
    assert {name: (ROOT / name).read_text() for name in outputs()} == outputs()


def test_a_package_is_for_curves_over_one_field() -> None:
    with pytest.raises(ValueError, match="one field"):
        package([find_curve("B-163"), find_curve("B-233")], [])
