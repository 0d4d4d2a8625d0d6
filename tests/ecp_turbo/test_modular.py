"""Worst cases of modular arithmetic and of additions of points, on the lock-step simulator."""

from __future__ import annotations

import itertools

import pytest

from eccelerate.curves import find_curve
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.model.solinas import FORMS
from tests.ecp_turbo.lockstep import Group

NAMES = list(FORMS)


@pytest.mark.parametrize("modulus", ["p", "n"])
@pytest.mark.parametrize("name", NAMES)
def test_modular_arithmetic(name: str, modulus: str) -> None:
    group = Group(find_curve(name))
    flags, m = (0, group.curve.p) if modulus == "p" else (Flag.MOD_N, group.curve.n)
    top = (1 << 32 * group.curve.element_words) - 1
    values = [0, 1, 2, m - 1, m - 2, m // 2, m, top, *(group.rng.randrange(m) for _ in range(4))]
    pairs = list(itertools.product(values, repeat=2))
    for op in (Op.MOD_ADD, Op.MOD_SUB, Op.MOD_MUL):
        statuses = group.in_groups(op, pairs, flags)
        assert statuses.count(Status.COORD_RANGE) == sum(max(pair) >= m for pair in pairs)
    group.in_groups(Op.MOD_INV, [(value,) for value in values], flags)
    exponents = [0, 1, m - 1, m - 2, top, *(group.rng.randrange(top) for _ in range(3))]
    group.in_groups(Op.MOD_EXP, list(zip(values[:4] * 2, exponents, strict=True)), flags)
    group.in_groups(Op.MOD_EXP, [(value, 5) for value in values], flags)


@pytest.mark.parametrize("name", NAMES)
def test_every_case_of_an_addition(name: str) -> None:
    """Equal, opposite and infinite points in some threads, and pairs that are no points in others."""
    group = Group(find_curve(name))
    curve = group.curve
    p, q, infinity = group.point(), group.point(), (0, 0)
    twice = point.add(curve, p, p)
    assert twice is not None
    minus = (p[0], curve.p - p[1])
    points = [infinity, p, minus, twice, q, (p[0], p[1] ^ 1)]
    pairs = [(*left, *right) for left, right in itertools.product(points, repeat=2)]
    statuses = group.in_groups(Op.POINT_ADD, pairs)
    assert {Status.OK, Status.INFINITY, Status.NOT_ON_CURVE} == set(statuses)
    wide = [(*p, curve.p, q[1]), (p[0], curve.p, *q), (*p, *q), (0, 0, 1, curve.p)]
    assert group.expect(Op.POINT_ADD, wide)[2] == Status.OK
