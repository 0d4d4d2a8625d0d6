"""eccel_point_add with eccel_point_products: every pair of points of small curves, and NIST curves."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from eccelerate.configs.rtl_reach import reached_files
from eccelerate.curves.curve import Curve
from eccelerate.curves.loader import find_curve
from eccelerate.curves.small import curve_points, find_small_curve
from eccelerate.model import point as affine
from eccelerate.model.complete_addition import INPUTS, PACKAGE, STEPS, add, outputs, program, steps
from eccelerate.model.solinas import FORMS
from eccelerate.timing.modmul_timing import modmul_timing
from eccelerate.timing.multiplier_timing import MultiplierTiming
from eccelerate.timing.point_timing import point_add_latency
from tests.conftest import ROOT
from tests.module import Module
from tests.verilated import Patch

Projective = tuple[int, int, int]
Pair = tuple[affine.Point, affine.Point]


class PointAdder:
    """The RTL on one curve. Coordinates go in and come out in plain form."""

    def __init__(
        self, curve: Curve, algorithm: int, patches: Sequence[Patch] = (), **parameters: int
    ) -> None:
        self.curve, self.algorithm, self.rng = curve, algorithm, random.Random(curve.name)
        self.third = (3 * curve.b if algorithm == 1 else curve.b) % curve.p
        size = 1 << parameters["Bits"]
        self.form = size if parameters.get("Reduction", 1) == 1 else 1
        files = reached_files("eccel_point_add")
        self.unit = Module("point", "eccel_point_add", files, {"Algorithm": algorithm, **parameters}, patches)
        self.unit.clock(4, rst_i=1).clock(
            rst_i=0, a_i=self._to(curve.a), b_i=self._to(self.third),
            modulus_i=curve.p, inverse_i=-pow(curve.p, -1, size) % size,
        )  # fmt: skip
        self.latency = self.unit["latency_o"]

    def _to(self, value: int) -> int:
        return value * self.form % self.curve.p

    def projective(self, point: affine.Point) -> Projective:
        """A random representative."""
        p = self.curve.p
        z = self.rng.randrange(1, p)
        return (0, z, 0) if point is None else (point[0] * z % p, point[1] * z % p, z)

    def add(self, left: Projective, right: Projective) -> Projective:
        """The sum. Checks that it comes after exactly latency_o cycles."""
        names = ("x1_i", "y1_i", "z1_i", "x2_i", "y2_i", "z2_i")
        inputs = {name: self._to(v) for name, v in zip(names, (*left, *right), strict=True)}
        assert self.unit.clock(valid_i=1, **inputs)["ready_o"]
        junk = {name: self.rng.randrange(self.curve.p) for name in names}
        for _ in range(self.latency - 1):
            assert not self.unit.clock(valid_i=0, **junk)["valid_o"]
            assert not self.unit["ready_o"]
        assert self.unit.clock()["valid_o"]
        back = pow(self.form, -1, self.curve.p)
        found = [self.unit[name] for name in ("x3_o", "y3_o", "z3_o")]
        assert all(v < self.curve.p for v in found)
        self.unit.clock()
        x, y, z = (v * back % self.curve.p for v in found)
        return x, y, z

    def check(self, pairs: Iterator[Pair] | Sequence[Pair]) -> None:
        """Compares with the formulas and with the textbook's group law."""
        p = self.curve.p
        for left, right in pairs:
            given = (self.projective(left), self.projective(right))
            x, y, z = self.add(*given)
            values = dict(zip(INPUTS, (*given[0], *given[1], self.curve.a % p, self.third), strict=True))
            assert (x, y, z) == add(self.algorithm, values, p)
            assert x or y or z
            found = None if z == 0 else (x * pow(z, -1, p) % p, y * pow(z, -1, p) % p)
            assert found == affine.add(self.curve, left, right), (left, right)


def all_pairs(curve: Curve) -> list[Pair]:
    points = [None, *curve_points(curve)]
    return [(left, right) for left in points for right in points]


def special_pairs(curve: Curve, rng: random.Random) -> list[Pair]:
    """Infinity on either side, equal and opposite points, a point and its multiples, random points."""
    g = curve.generator
    q = affine.mul(curve, rng.randrange(1, curve.n), g)
    r = affine.mul(curve, rng.randrange(1, curve.n), g)
    inverse = affine.negate(curve, q)
    found: list[Pair] = [(None, None), (None, q), (q, None), (q, q), (q, inverse), (inverse, q), (q, r)]
    return [*found, (g, affine.mul(curve, curve.n - 1, g)), (g, affine.mul(curve, 2, g)), (r, g)]


@pytest.mark.parametrize(
    ("a", "algorithm", "parameters"),
    [
        (-3, 4, {"Kind": 3, "Levels": 1, "Pipelined": 1}),
        (5, 1, {"Kind": 3, "Levels": 1, "Pipelined": 0}),
        (0, 1, {"Kind": 4, "Word": 5, "Pipelined": 1, "Units": 3}),
    ],
    ids=["a-3", "any-a", "three-units"],
)
def test_all_pairs_of_points_of_a_small_curve(a: int, algorithm: int, parameters: dict[str, int]) -> None:
    curve = find_small_curve(31, a)
    PointAdder(curve, algorithm, Bits=5, **parameters).check(all_pairs(curve))


@pytest.mark.parametrize(
    "parameters",
    [
        {"Kind": 0, "Pipelined": 0},
        {"Kind": 1, "Word": 4, "Pipelined": 1, "Units": 2},
        {"Kind": 2, "Pipelined": 1},
        {"Kind": 5, "Lanes": 2, "Pipelined": 1, "Passes": 3},
        {"Kind": 5, "Lanes": 1, "Pipelined": 1, "Units": 8},
    ],
    ids=str,
)
def test_every_kind_of_multiplier_serves(parameters: dict[str, int]) -> None:
    curve = find_small_curve(251, -3, n_above_p=True)
    pairs = random.Random(1).sample(all_pairs(curve), 40)
    PointAdder(curve, 4, Bits=16, **parameters).check([*pairs, *special_pairs(curve, random.Random(2))])


@pytest.mark.parametrize(
    ("name", "algorithm", "parameters"),
    [
        pytest.param(*("P-256", 4, {"Kind": 3, "Levels": 4, "Reduction": 2}), marks=pytest.mark.soak),
        ("P-256", 1, {"Kind": 4, "Word": 32}),
        pytest.param(
            *("P-192", 4, {"Kind": 4, "Word": 24, "Reduction": 2, "Units": 2}), marks=pytest.mark.soak
        ),
        pytest.param(*("secp256k1", 1, {"Kind": 3, "Levels": 4, "Reduction": 2}), marks=pytest.mark.soak),
    ],
)
def test_published_curves(name: str, algorithm: int, parameters: dict[str, int]) -> None:
    curve = find_curve(name)
    sizes = {"Bits": curve.p_bits, "Prime": [*FORMS].index(name), "Pipelined": 1}
    adder = PointAdder(curve, algorithm, **sizes, **parameters)
    adder.check(special_pairs(curve, random.Random(name)))
    assert adder.latency == expected_latency(algorithm, {**sizes, **parameters}, name)


def expected_latency(algorithm: int, parameters: dict[str, int], name: str) -> int:
    bits, pipelined = parameters["Bits"], bool(parameters["Pipelined"])
    files = reached_files("eccel_mul")
    sizes = {key: v for key, v in parameters.items() if key not in ("Reduction", "Prime", "Units", "Passes")}
    unit = Module("point", "eccel_mul", files, sizes)
    unit.clock(4, rst_i=1).clock(rst_i=0)
    mul = MultiplierTiming(unit["latency_o"], unit["interval_o"])
    montgomery = parameters.get("Reduction", 1) == 1
    product = modmul_timing(
        mul, "montgomery" if montgomery else "solinas", bits, pipelined=pipelined, prime=name
    )
    return point_add_latency(
        algorithm, parameters.get("Units", 1), mul, product, bits,
        pipelined=pipelined, three_passes=montgomery,
    )  # fmt: skip


def test_the_latency_of_odd_configurations_is_that_of_the_model() -> None:
    curve = find_small_curve(251, -3, n_above_p=True)
    for units, pipelined in ((1, 1), (2, 1), (8, 1), (1, 0), (3, 0)):
        parameters = {"Kind": 5, "Lanes": 1, "Bits": 16, "Pipelined": pipelined, "Units": units}
        adder = PointAdder(curve, 1, **parameters)
        assert adder.latency == expected_latency(1, parameters, "")


def test_a_reset_ends_an_addition() -> None:
    curve = find_small_curve(31, -3)
    adder = PointAdder(curve, 4, Bits=5, Kind=3, Levels=1, Pipelined=1)
    for wait in (1, 5, 9, 20, 50, adder.latency - 1):
        adder.unit.clock(valid_i=1).clock(wait, valid_i=0).clock(rst_i=1).clock(rst_i=0)
        adder.check(all_pairs(curve)[50:53])


@pytest.mark.parametrize("algorithm", STEPS)
def test_the_program_computes_what_the_steps_of_the_paper_compute(algorithm: int) -> None:
    rng, p = random.Random(algorithm), 2**61 - 1
    values = {name: rng.randrange(p) for name in INPUTS}
    memories: dict[tuple[int, int], int] = {(1, i): v for i, v in enumerate(values.values())}
    found = {}
    for each in program(algorithm):
        left, right = memories[each.left], memories[each.right]
        value = {"*": left * right, "+": left + right, "-": left - right}[each.kind] % p
        if each.output:
            found[each.output] = value
        else:
            memories[int(each.kind != "*"), each.target] = value
    assert (found["X3"], found["Y3"], found["Z3"]) == add(algorithm, values, p)
    kinds = [step.kind for step in steps(algorithm)]
    assert (kinds.count("*"), len(kinds)) == {1: (17, 40), 4: (14, 43)}[algorithm]


def test_the_package_is_the_generated_one() -> None:
    assert (ROOT / PACKAGE).read_text() == outputs()[PACKAGE]


@pytest.mark.parametrize(
    "patch",
    [
        ("eccel_point_add.sv", "[step_q.target] <= 1'b1", "[step_q.target] <= 1'b0"),
        ("eccel_point_add.sv", "sub_q       <= step_q.sub", "sub_q       <= 1'b0"),
        ("eccel_point_products.sv", "ready & (~ready + Units'(1'b1))", "Units'(1'b1)"),
    ],
    ids=["no-wait", "no-difference", "only-one-unit"],
)  # fmt: skip
def test_mutants_fail(patch: Patch) -> None:
    curve = find_small_curve(31, -3)
    adder = PointAdder(curve, 4, [patch], Bits=5, Kind=5, Lanes=1, Pipelined=1, Units=2)
    with pytest.raises(AssertionError):
        adder.check(all_pairs(curve)[40:60])
