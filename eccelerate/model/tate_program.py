"""The program of the Tate yardstick, for a machine with several multipliers: Miller's algorithm with the
running point T in Jacobian coordinates, Karatsuba's products in F_p^4, and the final exponent.

The digits of the machine are first those of r, then those of (p^2 + 1) / r, both in non-adjacent form, most
significant first and without the first one. The last digit of r counts as 0: the line of its addition is
vertical. Vertical lines have values in F_p^2, which the final exponent maps to 1, so none is computed.

The final exponent is (p^2 - 1) (p^2 + 1) / r. f^(p^2) is the conjugate of f over F_p^2; so f^(p^2 - 1) =
conj(f)^2 / (f conj(f)) needs one inversion in F_p. Its inverse is its conjugate, so digits -1 cost nothing
more.
"""

from __future__ import annotations

from collections.abc import Callable

from eccelerate.model.field_program import Block, Instruction, Label, Value, jump, resolve
from eccelerate.model.tate_curve import naf
from eccelerate.model.tate_pairing import PairingCurve

REGISTERS = 32
POINT = ("px", "py", "qx0", "qx1", "qy0", "qy1")
"""P, and Q = (qx0 + qx1 i, (qy0 + qy1 i) v)."""
OPERANDS = {name: number for number, name in enumerate((*POINT, "one", "rr"))}
"""Numbers of what OpInput can take; rr is 2^(2 Bits) mod p."""
F = ("f0", "f1", "f2", "f3")
MILLER = {name: number for number, name in enumerate((*POINT, "x", "y", "z", *F))}
"""Registers of Miller's algorithm."""
POWER = {name: number for number, name in enumerate(("u0", "u1", "u2", "u3", *F, "rr", "one"))}
"""Registers of the final exponent. f has other numbers there."""

Pair = tuple[Value, Value]
Lines = list[Instruction | Label]


def digits(curve: PairingCurve) -> tuple[list[int], list[int]]:
    """The two sequences of digits."""
    return [*naf(curve.r)[1:-1], 0], naf(curve.exponent)[1:]


# ---------------------------------------------------------------------- F_p^2


def add2(a: Pair, b: Pair) -> Pair:
    """a + b."""
    return a[0] + b[0], a[1] + b[1]


def sub2(a: Pair, b: Pair) -> Pair:
    """a - b."""
    return a[0] - b[0], a[1] - b[1]


def mul2(a: Pair, b: Pair) -> Pair:
    """a b with 3 products (Karatsuba)."""
    low, high = a[0] * b[0], a[1] * b[1]
    return low - high, (a[0] + a[1]) * (b[0] + b[1]) - low - high


def square2(a: Pair) -> Pair:
    """a^2 with 2 products."""
    cross = a[0] * a[1]
    return (a[0] + a[1]) * (a[0] - a[1]), cross + cross


def twist2(a: Pair) -> Pair:
    """a (1 + i) = a v^2."""
    return a[0] - a[1], a[0] + a[1]


# ---------------------------------------------------------------------- F_p^4


def mul4(a: tuple[Pair, Pair], b: tuple[Pair, Pair]) -> tuple[Pair, Pair]:
    """a b with 9 products (Karatsuba twice)."""
    low, high = mul2(a[0], b[0]), mul2(a[1], b[1])
    cross = mul2(add2(a[0], a[1]), add2(b[0], b[1]))
    return add2(low, twist2(high)), sub2(sub2(cross, low), high)


def square4(a: tuple[Pair, Pair]) -> tuple[Pair, Pair]:
    """a^2 with 6 products."""
    low, high = square2(a[0]), square2(a[1])
    cross = square2(add2(a[0], a[1]))
    return add2(low, twist2(high)), sub2(sub2(cross, low), high)


# ---------------------------------------------------------------------- blocks


def _f(block: Block) -> tuple[Pair, Pair]:
    f0, f1, f2, f3 = block.read(*F)
    return (f0, f1), (f2, f3)


def _write_f(block: Block, f: tuple[Pair, Pair]) -> None:
    block.write(f0=f[0][0], f1=f[0][1], f2=f[1][0], f3=f[1][1])


def double(block: Block) -> None:
    """T = 2 T and f = f^2 l(Q), l the tangent in T. 30 products."""
    x, y, z, qx0, qx1, qy0, qy1 = block.read("x", "y", "z", "qx0", "qx1", "qy0", "qy1")
    xx, yy, zz, yz = x * x, y * y, z * z, y * z
    m = xx + xx + xx
    half = x * yy
    twice = half + half
    s = twice + twice
    yyyy = yy * yy
    two = yyyy + yyyy
    four = two + two
    z3 = yz + yz
    x3 = m * m - (s + s)
    y3 = m * (s - x3) - (four + four)
    # l = 2 y z^3 (yQ - slope xQ ...): -2 y^2 - m (z^2 xQ - x), and z3 z^2 yQ at v
    z3zz = z3 * zz
    line = (m * (x - zz * qx0) - (yy + yy), -(m * (zz * qx1))), (z3zz * qy0, z3zz * qy1)
    block.write(x=x3, y=y3, z=z3)
    _write_f(block, mul4(square4(_f(block)), line))


def add(block: Block) -> None:
    """T = T + P and f = f l(Q), l the line through T and P. 25 products."""
    x, y, z, px, py, qx0, qx1, qy0, qy1 = block.read("x", "y", "z", *POINT)
    zz = z * z
    h = px * zz - x
    r = py * (zz * z) - y
    hh = h * h
    v = x * hh
    hhh = hh * h
    x3 = r * r - hhh - (v + v)
    z3 = z * h
    # l = z3 (yQ - py) - r (xQ - px)
    line = (r * (px - qx0) - z3 * py, -(r * qx1)), (z3 * qy0, z3 * qy1)
    block.write(x=x3, y=r * (v - x3) - y * hhh, z=z3)
    _write_f(block, mul4(_f(block), line))


def unitary(block: Block) -> None:
    """u = f^(p^2 - 1) = conj(f)^2 / (f conj(f)), and f = u."""
    low, high = _f(block)
    (rr,) = block.read("rr")
    low_square, high_square = square2(low), twist2(square2(high))
    a, b = sub2(low_square, high_square)  # f conj(f)
    inverse = rr / (a * a + b * b)  # a residue again
    cross = mul2(low, high)
    top = add2(low_square, high_square)
    factor = (a * inverse, -(b * inverse))
    u = mul2(top, factor), mul2((-(cross[0] + cross[0]), -(cross[1] + cross[1])), factor)
    block.write(u0=u[0][0], u1=u[0][1], u2=u[1][0], u3=u[1][1])
    _write_f(block, u)


def square(block: Block) -> None:
    """f = f^2 for a unitary f."""
    low, high = _f(block)
    (one,) = block.read("one")
    square_high = square2(high)
    twisted = twist2(square_high)
    square_low = (twisted[0] + one, twisted[1])
    cross = square2(add2(low, high))
    _write_f(block, (add2(square_low, twisted), sub2(sub2(cross, square_low), square_high)))


def multiply(block: Block) -> None:
    """f = f u."""
    u0, u1, u2, u3 = block.read("u0", "u1", "u2", "u3")
    _write_f(block, mul4(_f(block), ((u0, u1), (u2, u3))))


# ---------------------------------------------------------------------- program


def program(multipliers: int, product_cycles: int) -> list[Instruction]:
    """The program. Address 0 is the begin. product_cycles: from the start of a product to its result."""

    def block(write: Callable[[Block], None], places: dict[str, int]) -> list[Instruction]:
        made = Block(places, REGISTERS, multipliers, product_cycles)
        write(made)
        return made.instructions()

    def convert(names: tuple[str, ...], factor: str) -> Callable[[Block], None]:
        def write(made: Block) -> None:
            (by,) = made.read(factor)
            made.write(**{name: made.read(name)[0] * by for name in names})

        return write

    def load(name: str, place: int) -> Instruction:
        return Instruction("Input", d=place, b=OPERANDS[name])

    spare = len(MILLER)
    negate_p = Instruction("Negate", d=MILLER["py"], b=MILLER["py"])
    negate_u = [Instruction("Negate", d=POWER[name], b=POWER[name]) for name in ("u2", "u3")]
    moved = [Instruction("Move", d=20 + n, b=MILLER[name]) for n, name in enumerate(F)]
    moved += [Instruction("Move", d=POWER[name], b=20 + n) for n, name in enumerate(F)]
    return resolve([
        *(load(name, MILLER[name]) for name in POINT),
        load("rr", spare),
        load("one", MILLER["z"]),
        *block(convert((*POINT, "z"), "rr"), MILLER | {"rr": spare}),
        Instruction("Move", d=MILLER["x"], b=MILLER["px"]),
        Instruction("Move", d=MILLER["y"], b=MILLER["py"]),
        Instruction("Move", d=MILLER["f0"], b=MILLER["z"]),
        *(line for name in F[1:] for line in (
            load("one", MILLER[name]), Instruction("Sub", d=MILLER[name], b=MILLER[name]))),
        jump("External", "power"),  # P or Q is infinity: f = 1

        Label("miller"),
        *block(double, MILLER),
        jump("NoDigit", "miller_next"),
        jump("NotNegative", "plus"),
        negate_p,
        Label("plus"),
        *block(add, MILLER),
        jump("NotNegative", "miller_next"),
        negate_p,
        Label("miller_next"),
        jump("More", "miller"),

        Label("power"),
        *moved,
        load("rr", POWER["rr"]),
        load("one", POWER["one"]),
        *block(convert(("one",), "rr"), POWER),
        *block(unitary, POWER),
        Label("bit"),
        *block(square, POWER),
        jump("NoDigit", "next"),
        jump("NotNegative", "times"),
        *negate_u,
        Label("times"),
        *block(multiply, POWER),
        jump("NotNegative", "next"),
        *negate_u,
        Label("next"),
        jump("More", "bit"),
        load("one", POWER["one"]),
        *block(convert(F, "one"), POWER),
        *(Instruction("Output", unit=n, b=POWER[name]) for n, name in enumerate(F)),
        Instruction("Done"),
    ])  # fmt: skip
