"""Point formulas of the study core, for y^2 + x y = x^3 + x^2 + b, written once for each coordinate system.

The base point is (px, py), and pxy = px + py, so that -P is (px, pxy). c = b^(1/4). A sum is (qx, qy), or
(qx : qy : qz). Names of the ladder are in pairs: (xd : zd) is the point that a step doubles, and (xs : zs)
becomes the sum of both.

Sources: IEEE P1363-2000, A.10.6 and A.10.7 (Jacobian); J. Lopez, R. Dahab, SAC 1998, and E. Al-Daoud et al.,
IEEE Trans. Computers 51, 2002 (Lopez-Dahab); J. Lopez, R. Dahab, CHES 1999 (ladder); T. Itoh, S. Tsujii,
Inf. Comput. 78, 1988 (inversion).
"""

from __future__ import annotations

from dataclasses import dataclass

LOAD = """
    px = input x
    py = input y
"""
NEGATIVE = """
    pxy = px + py
"""


@dataclass(frozen=True)
class Coordinates:
    """Blocks of a coordinate system: `start` makes the first sum of the base point; `step` is done for each
    digit below the first one that is not 0, and `add` after it if the digit is not 0. `end` makes (qx, qy),
    with `inverse` = 1 / `inverted` between `before` and it, if it needs an inverse.
    """

    start: str
    step: str
    add: str
    before: str
    inverted: str
    end: str


AFFINE = Coordinates(
    start="""
        qx = px
        qy = py
    """,
    step="""
        t = qy / qx
        s = qx + t              # slope
        v = qx^2
        w = s^2
        u = 1 + s
        qx = w + u              # x3 = s^2 + s + 1
        t = s * qx
        t = t + qx
        qy = t + v              # y3 = x^2 + s x3 + x3
    """,
    add="""
        n = qy + py
        d = qx + px
        s = n / d               # slope
        t = s^2
        t = t + s
        t = t + d
        qx = 1 + t              # x3 = s^2 + s + x1 + x2 + 1
        u = px + qx
        v = s * u
        t = qx + py
        qy = v + t              # y3 = s (x2 + x3) + x3 + y2
    """,
    before="",
    inverted="",
    end="",
)

JACOBIAN = Coordinates(  # x = X / Z^2, y = Y / Z^3
    start="""
        qx = px
        qy = py
        qz = 1
    """,
    step="""
        s = qz^2
        u = qx^2
        v = qy * qz
        r = c * s
        qz = qx * s             # Z3 = X Z^2
        r = (r + qx)^2
        p = u^2
        qx = r^2                # X3 = (X + c Z^2)^4
        w = v + u
        w = w + qz              # U = Z3 + X^2 + Y Z
        p = p * qz
        w = w * qx
        qy = p + w              # Y3 = X^4 Z3 + U X3
    """,
    add="""
        s = qz^2
        t = px * s
        u = py * qz
        w = qx + t              # W = X + x Z^2
        u = u * s
        r = qy + u              # R = Y + y Z^3
        qz = qz * w             # Z3 = Z W
        t = r + qz              # T = R + Z3
        v = r * px
        p = qz * py
        v = v + p               # V = R x + Z3 y
        d = w^2
        d = d * w
        e = t * r
        s = qz^2
        d = d + e
        qx = d + s              # X3 = W^3 + T R + Z3^2
        t = t * qx
        v = v * s
        qy = t + v              # Y3 = T X3 + V Z3^2
    """,
    before="",
    inverted="qz",
    end="""
        s = inverse^2
        qx = qx * s
        t = qy * inverse
        qy = t * s
    """,
)

LOPEZ_DAHAB = Coordinates(  # x = X / Z, y = Y / Z^2
    start=JACOBIAN.start,
    step="""
        m = qx * qz
        t = c * qz
        u = qx^2
        t = t^2
        qz = m^2                # Z3 = X^2 Z^2
        qx = (u + t)^2          # X3 = X^4 + b Z^4
        w = t^2                 # b Z^4
        s = qy^2
        s = s + w
        s = s + qz              # Y^2 + Z3 + b Z^4
        p = w * qz
        r = s * qx
        qy = p + r              # Y3 = b Z^4 Z3 + X3 (Y^2 + Z3 + b Z^4)
    """,
    add="""
        s = qz^2
        t = px * qz
        u = py * s
        t = qx + t              # B = X + x Z
        a = qy + u              # A = Y + y Z^2
        w = qz * t              # C = Z B
        qz = w^2                # Z3 = C^2
        t = t^2
        t = t + w
        t = t + a               # A + B^2 + C
        t = w * t
        v = a * w
        s = a^2
        u = px * qz
        r = qz^2
        r = pxy * r
        qx = s + t              # X3 = A^2 + C (A + B^2 + C)
        u = u + qx
        v = v + qz
        v = u * v
        qy = v + r              # Y3 = (x Z3 + X3) (A C + Z3) + (x + y) Z3^2
    """,
    before="",
    inverted="qz",
    end="""
        qx = qx * inverse
        s = inverse^2
        qy = qy * s
    """,
)

LADDER = Coordinates(  # x-coordinates only, x = X / Z; the difference of the two points is P
    start="""
        xd = px
        zd = 1
        zs = px^2
        t = (c + px)^2
        xs = t^2                # x^4 + b
    """,
    step="""
        t = xd * zs
        u = xs * zd
        p = xd * zd
        q = c * zd
        zs = (t + u)^2
        zd = p^2
        v = t * u
        w = px * zs
        q = (q + xd)^2
        xd = q^2                # (X + c Z)^4
        xs = v + w
    """,
    add="",
    before="""
        u = px * zd
        v = px * zs
        w = zd * zs
        d = v * zd              # x Z1 Z2
        e = xd * v              # X1 x Z2
        u = xd + u
        v = xs + v
        s = u * v
        t = px^2
        t = t + py
        t = t * w
        s = s + t               # (X1 + x Z1) (X2 + x Z2) + (x^2 + y) Z1 Z2
    """,
    inverted="d",
    end="""
        qx = e * inverse
        t = px + qx
        s = s * inverse
        t = t * s
        qy = t + py             # y = (x + x1) (...) / (x Z1 Z2) + y
    """,
)


def division(inverted: str) -> str:
    """1 / `inverted` by the divider."""
    return f"inverse = 1 / {inverted}"


def itoh_tsujii(inverted: str, m: int) -> str:
    """1 / `inverted` = inverted^(2^m - 2) by products and squares: `power` becomes inverted^(2^n - 1) for
    each prefix n of m - 1 in binary.
    """
    lines, power, have = list[str](), inverted, 1
    for bit in f"{m - 1:b}"[1:]:
        lines += [f"root = {_squares(power, have)}", f"power = root * {power}"]
        power, have = "power", 2 * have
        if bit == "1":
            lines += ["root = power^2", f"power = root * {inverted}"]
            have += 1
    return "\n".join([*lines, f"inverse = {power}^2"])


def _squares(name: str, count: int) -> str:
    return f"{name}^2" if count == 1 else f"{name}^(2^{count})"
