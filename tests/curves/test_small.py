"""The small curves have the orders (counted in another way) and the variety that they claim."""

import pytest

from eccelerate.curves.group import jacobian_mul
from eccelerate.curves.small import curve_points, find_small_curve, small_cofactor_curves, small_curves
from eccelerate.curves.validate import is_prime, require_valid

ALL = (*small_curves(), *small_cofactor_curves())


@pytest.mark.parametrize("curve", ALL, ids=lambda curve: curve.name)
def test_order_by_euler_criterion(curve) -> None:
    p = curve.p
    count = 1
    for x in range(p):
        value = (x**3 + curve.a * x + curve.b) % p
        count += 1 if value == 0 else 2 * (pow(value, (p - 1) // 2, p) == 1)
    assert count == curve.order == len(curve_points(curve)) + 1
    assert is_prime(curve.n) and curve.n != p
    assert jacobian_mul(curve.n, curve.generator, curve.a, p) is None
    require_valid(curve)


def test_variety() -> None:
    curves = small_curves()
    assert {curve.h for curve in curves} == {1}
    assert {curve.p % 4 for curve in curves} == {1, 3}
    assert {curve.n > curve.p for curve in curves} == {True, False}
    assert any(curve.a_is_minus_3 for curve in curves) and any(curve.a == 0 for curve in curves)
    assert [curve.h for curve in small_cofactor_curves()] == [2, 4, 8, 16]


def test_impossible_wish_says_so() -> None:
    with pytest.raises(ValueError, match="cofactor 200"):
        find_small_curve(11, 1, cofactor=200)
