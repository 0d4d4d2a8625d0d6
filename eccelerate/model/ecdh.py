"""Elliptic-curve Diffie-Hellman, without and with cofactor multiplication (SEC 1 v2, 3.3.1 and 3.3.2)."""

from eccelerate.curves.curve import Curve
from eccelerate.model import point


def shared_x(curve: Curve, d: int, public: tuple[int, int], *, cofactor: bool = False) -> int | None:
    """The x-coordinate of d * public, or with `cofactor` of h * d * public. None if the result is infinity,
    as for a point of small order.

    d is in [1, n-1], and public is a point of the curve; otherwise ValueError.
    """
    if not 1 <= d < curve.n:
        raise ValueError("the private key has to be in [1, n-1]")
    if not all(0 <= value < curve.field_size for value in public) or not point.is_on_curve(curve, public):
        raise ValueError("the public key is not a point of the curve")
    shared = point.mul(curve, d * curve.h if cofactor else d, public)
    return None if shared is None else shared[0]
