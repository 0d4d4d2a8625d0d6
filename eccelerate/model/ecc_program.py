"""Programs of the ECC-256 yardsticks: k P by double-and-add, in affine and in Jacobian coordinates.

The flag of the machine says that the running point T is infinity. The digit is the bit of k, most significant
first; IfMore goes to the next one, and after the last one to the first.
"""

from __future__ import annotations

from collections.abc import Callable

from eccelerate.model.field_program import Block, Instruction, Label, jump, resolve

REGISTERS = 16
NAMES = ("x", "y", "z", "bx", "by", "a", "rr")
"""T, the operand P = (bx, by) and a as Montgomery residues, and 2^(2 Bits) mod p."""
PLACES = {name: number for number, name in enumerate(NAMES)}
JACOBIAN = PLACES | {"w": 13, "h": 14, "r": 15}
"""For Jacobian coordinates also w = a z^4, and what an addition begins with."""
SPARE = len(NAMES)
"""A register for the factor 1, which ends a Montgomery residue."""
OPERANDS = {"one": 0, "bx": 1, "by": 2, "a": 3}
"""Numbers of what OpInput can take."""
RESULTS = ("x", "y", "z")

Lines = list[Instruction | Label]


def _block(write: Callable[[Block], None], places: dict[str, int] | None = None) -> list[Instruction]:
    block = Block(places or PLACES, REGISTERS)
    write(block)
    return block.instructions()


def jacobian_double(block: Block) -> None:
    """T = 2 T, 8 products, with w = a z^4 (Cohen, Miyaji, Ono 1998)."""
    x, y, z, w = block.read("x", "y", "z", "w")
    yy = y * y
    half = x * yy
    twice = half + half
    s = twice + twice
    xx = x * x
    m = (xx + xx) + xx + w
    yyyy = yy * yy
    two = yyyy + yyyy
    four = two + two
    eight = four + four
    yz = y * z
    half_w = w * eight
    x3 = m * m - (s + s)
    block.write(x=x3, y=m * (s - x3) - eight, z=yz + yz, w=half_w + half_w)


def jacobian_differences(block: Block) -> None:
    """h = bx z^2 - x and r = by z^3 - y, both 0 if T = P."""
    x, y, z, bx, by = block.read("x", "y", "z", "bx", "by")
    zz = z * z
    block.write(h=bx * zz - x, r=by * (zz * z) - y)


def jacobian_add(block: Block) -> None:
    """T = T + P from h and r; 11 products with the differences, and 3 for w."""
    x, y, z, a, h, r = block.read("x", "y", "z", "a", "h", "r")
    hh = h * h
    v = x * hh
    hhh = hh * h
    x3 = r * r - hhh - (v + v)
    z3 = z * h
    zz = z3 * z3
    block.write(x=x3, y=r * (v - x3) - y * hhh, z=z3, w=a * (zz * zz))


def affine_double(block: Block) -> None:
    """T = 2 T: a division and 4 products."""
    x, y, a, rr = block.read("x", "y", "a", "rr")
    xx = x * x
    slope = ((xx + xx) + xx + a) / (y + y) * rr  # the quotient of two residues is no residue
    x3 = slope * slope - (x + x)
    block.write(x=x3, y=slope * (x - x3) - y)


def affine_add(block: Block) -> None:
    """T = T + P: a division and 3 products."""
    x, y, bx, by, rr = block.read("x", "y", "bx", "by", "rr")
    slope = (by - y) / (bx - x) * rr
    x3 = slope * slope - x - bx
    block.write(x=x3, y=slope * (x - x3) - y)


def _compare(name: str, other: str) -> list[Instruction]:
    """The condition Zero says whether two registers are equal."""
    return [
        Instruction("Move", d=SPARE, b=PLACES[name]),
        Instruction("Sub", d=SPARE, b=PLACES[other]),
        _test(SPARE),
    ]


def _test(number: int) -> Instruction:
    """The condition Zero says whether a register is 0."""
    return Instruction("Test", b=number)


def _flag(infinity: bool) -> Instruction:
    return Instruction("Flag", unit=int(infinity))


def _begin() -> Lines:
    """Operands into registers as residues; T is infinity."""
    residues = ("bx", "by", "a")

    def convert(block: Block) -> None:
        (rr,) = block.read("rr")
        block.write(**{name: value * rr for name, value in zip(residues, block.read(*residues), strict=True)})

    lines: Lines = [Instruction("Input", d=PLACES[name], b=OPERANDS[name]) for name in residues]
    lines += [Instruction("Input", d=PLACES["rr"], b=OPERANDS["one"])]
    lines += [jump("External", "infinity"), Label("power")]
    lines += [Instruction("Add", d=PLACES["rr"], b=PLACES["rr"])] * 2
    lines += [jump("More", "power"), *_block(convert)]
    return [*lines, _flag(True)]


def _end(results: tuple[str, ...]) -> Lines:
    """Results out of their residues; all 0 for infinity."""

    def convert(block: Block) -> None:
        (one,) = block.read("one")
        block.write(**{name: value * one for name, value in zip(results, block.read(*results), strict=True)})

    out = [Instruction("Output", unit=unit, b=PLACES[name]) for unit, name in enumerate(results)]
    zero = [
        Instruction("Input", d=SPARE, b=OPERANDS["one"]),
        Instruction("Sub", d=SPARE, b=SPARE),
        *(Instruction("Move", d=PLACES[name], b=SPARE) for name in results),
    ]
    return [
        jump("Flag", "infinity"),
        Instruction("Input", d=SPARE, b=OPERANDS["one"]),
        *_block(convert, PLACES | {"one": SPARE}),
        jump("Always", "out"),
        Label("infinity"),
        _flag(True),
        *zero,
        Label("out"),
        *out,
        Instruction("Done"),
    ]


def _affine_double(name: str) -> Lines:
    """T = 2 T, which is infinity for a T of order 2."""
    order_2 = [_test(PLACES["y"]), jump("Nonzero", name), _flag(True), jump("Always", name + "_end")]
    return [*order_2, Label(name), *_block(affine_double), Label(name + "_end")]


def jacobian() -> list[Instruction]:
    """k P = (x / z^2, y / z^3). Address 0 is the begin.

    For T = P the addition is a doubling. It takes the one of the loop, with the flag as a mark.
    """
    return resolve([
        *_begin(),
        Label("bit"),
        jump("Flag", "doubled"),
        Label("double"),
        *_block(jacobian_double, JACOBIAN),
        _test(PLACES["z"]),
        jump("Flag", "was_equal"),
        jump("Nonzero", "doubled"),
        _flag(True),  # T had the order 2
        Label("doubled"),
        jump("NoDigit", "next"),
        jump("Flag", "first"),
        *_block(jacobian_differences, JACOBIAN),
        _test(JACOBIAN["h"]),
        jump("Nonzero", "distinct"),
        _test(JACOBIAN["r"]),
        _flag(True),
        jump("Nonzero", "next"),  # T = -P
        jump("Always", "double"),
        Label("was_equal"),
        _flag(False),
        jump("Nonzero", "next"),
        _flag(True),
        jump("Always", "next"),
        Label("first"),  # T = P
        Instruction("Move", d=PLACES["x"], b=PLACES["bx"]),
        Instruction("Move", d=PLACES["y"], b=PLACES["by"]),
        Instruction("Input", d=PLACES["z"], b=OPERANDS["one"]),
        Instruction("Multiply", d=PLACES["z"], b=PLACES["rr"]),
        Instruction("Product", d=PLACES["z"]),
        Instruction("Move", d=JACOBIAN["w"], b=PLACES["a"]),
        _flag(False),
        jump("Always", "next"),
        Label("distinct"),
        *_block(jacobian_add, JACOBIAN),
        Label("next"),
        jump("More", "bit"),
        *_end(("x", "y", "z")),
    ])  # fmt: skip


def affine() -> list[Instruction]:
    """k P = (x, y). Address 0 is the begin."""
    return resolve([
        *_begin(),
        Label("bit"),
        jump("Flag", "doubled"),
        *_affine_double("double"),
        Label("doubled"),
        jump("NoDigit", "next"),
        jump("Flag", "first"),
        *_compare("x", "bx"),
        jump("Nonzero", "distinct"),
        *_compare("y", "by"),
        jump("Nonzero", "vertical"),
        jump("Always", "equal"),
        Label("distinct"),
        *_block(affine_add),
        jump("Always", "next"),
        Label("vertical"),  # T = -P
        _flag(True),
        jump("Always", "next"),
        Label("equal"),  # T = P
        *_affine_double("equal_double"),
        jump("Always", "next"),
        Label("first"),  # T = P
        Instruction("Move", d=PLACES["x"], b=PLACES["bx"]),
        Instruction("Move", d=PLACES["y"], b=PLACES["by"]),
        _flag(False),
        Label("next"),
        jump("More", "bit"),
        *_end(("x", "y")),
    ])  # fmt: skip
