"""The RTL of the study core: eccel_study with eccel_study_digits, eccel_study_file, eccel_study_multiplier,
eccel_study_sequencer, eccel_study_square and the packages eccel_study_pkg, eccel_study_programs_pkg.

In GF(2^7) it multiplies every point by every scalar in exactly the cycles of the model in Python.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from eccelerate.configs.study_config import variant_params, variant_yardstick
from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.rtlsim.yardstick_bench import Mutant, YardstickError, run
from eccelerate.ucode.study.study_files import CURVES, Image, images
from tests.repo import linters
from tests.study.core import SMALL, machine, points, scalars, small_core, vectors

QUICK = [
    Image("lopez-dahab-montgomery", 4, 2, divider=False),
    Image("jacobian-naf", 1, 3, divider=True),
]
LONG = [image for image in images() if image.digit_bits != 64 and image not in QUICK]


def exhaust(image: Image, count: int) -> None:
    """Every scalar and some points, with the cycles of the model."""
    core, work = machine(SMALL, image), vectors(points(SMALL, count), scalars(SMALL))
    found = run(small_core(image), work)
    for vector, result, cycles in zip(work, found.results, found.cycles, strict=True):
        base = vector["x_i"], vector["y_i"]
        right = point.mul(SMALL, vector["k_i"], base)
        assert ((result["x_o"], result["y_o"]), cycles) == core.run(*base, vector["k_i"])
        assert (result["x_o"], result["y_o"]) == right
    assert [after - n for n, after in zip(found.cycles, found.intervals, strict=False)] == [1] * (
        len(work) - 1
    )


@pytest.mark.parametrize("image", QUICK, ids=str)
def test_the_core_multiplies_every_point_by_every_scalar(image: Image) -> None:
    exhaust(image, SMALL.n - 1)


@pytest.mark.soak
@pytest.mark.parametrize("image", LONG, ids=str)
def test_every_variant_multiplies_every_point_by_every_scalar(image: Image) -> None:
    exhaust(image, SMALL.n - 1)


def test_operations_with_pauses_and_other_operands_end() -> None:
    """Pauses change nothing; excluded scalars, and points that are on no curve, do not stop the core."""
    unit, ks = small_core(QUICK[0]), list(scalars(SMALL))[:9]
    work = vectors(points(SMALL, 2), ks)
    assert run(unit, work, gaps=True).results == run(unit, work).results
    wild = vectors([(0, 0), (0, 1), (127, 127), *points(SMALL, 1)], [0, SMALL.n - 1, SMALL.n, 127])
    assert len(run(unit, [*wild, work[0]], limit=2_000).results) == len(wild) + 1


MUTANTS: list[tuple[Image, Mutant]] = [
    (QUICK[1], ("eccel_study_digits", "more_q ? k_q[Digits-2] || k_q", "more_q ? k_q[Digits-2] && k_q")),
    (QUICK[0], ("eccel_study_multiplier", "first_add_q <= first_q", "first_add_q <= start_i")),
    (QUICK[0], ("eccel_study", "assign swap = in_loop && one;", "assign swap = one;")),
]


@pytest.mark.parametrize(("image", "mutant"), MUTANTS[:1], ids=str)
def test_a_fault_is_noticed(image: Image, mutant: Mutant) -> None:
    noticed(image, mutant)


@pytest.mark.soak
@pytest.mark.parametrize(("image", "mutant"), MUTANTS[1:], ids=str)
def test_more_faults_are_noticed(image: Image, mutant: Mutant) -> None:
    noticed(image, mutant)


def noticed(image: Image, mutant: Mutant) -> None:
    """Another point, other cycles, or no result. Digits that are not the fewest give the right point."""
    core, work = machine(SMALL, image), vectors(points(SMALL, 2), scalars(SMALL))
    right = [core.run(vector["x_i"], vector["y_i"], vector["k_i"]) for vector in work]
    try:
        found = run(small_core(image), work, mutant=mutant, limit=20_000)
    except YardstickError:
        return
    results = [(result["x_o"], result["y_o"]) for result in found.results]
    assert list(zip(results, found.cycles, strict=True)) != right


@pytest.mark.soak
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("image", images()[::9], ids=str)
def test_variants_multiply_on_standard_curves(image: Image, name: str) -> None:
    curve = find_curve(name)
    unit = replace(variant_yardstick(image), params=variant_params(image, name))
    ks = [1, 2, 3, 0x5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A, curve.n // 2, curve.n - 3]
    work = vectors([curve.generator, point.mul(curve, 5, curve.generator) or curve.generator], ks)
    for vector, result in zip(work, run(unit, work).results, strict=True):
        right = point.mul(curve, vector["k_i"], (vector["x_i"], vector["y_i"]))
        assert (result["x_o"], result["y_o"]) == right


@pytest.mark.parametrize(
    "params",
    [{"Kind": 0}, {"Kind": 1, "Divider": 1, "Multipliers": 2}, {"DigitBits": 8}],
    ids=str,
)
def test_a_variant_without_a_program_is_an_error_of_elaboration(params: dict[str, int]) -> None:
    unit = variant_yardstick(QUICK[0])
    assert "there is no program" in linters.slang("eccel_study", unit.files, params)
