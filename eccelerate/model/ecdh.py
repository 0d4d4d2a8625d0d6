"""Elliptic-curve Diffie-Hellman without cofactor multiplication (SEC 1 v2, 3.3.1)."""

from eccelerate.curves.curve import Curve
from eccelerate.model import point


def shared_x(curve: Curve, d: int, public: tuple[int, int]) -> int | None:
    """x of d * public, or None when that is infinity (only possible for a point of small order).

    d in [1, n-1]; public a point on the curve, else ValueError.
    """
    if not 1 <= d < curve.n:
        raise ValueError("the private key has to be in [1, n-1]")
    if not (0 <= public[0] < curve.p and 0 <= public[1] < curve.p and point.is_on_curve(curve, public)):
        raise ValueError("the public key is not a point of the curve")
    shared = point.mul(curve, d, public)
    return None if shared is None else shared[0]
