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
    """T = 2 T, 10 products (Cohen, Miyaji, Ono 1998)."""
    x, y, z, a = block.read("x", "y", "z", "a")
    yy = y * y
    half = x * yy
    twice = half + half
    s = twice + twice
    zz = z * z
    xx = x * x
    m = (xx + xx) + xx + a * (zz * zz)
    yyyy = yy * yy
    two = yyyy + yyyy
    four = two + two
    yz = y * z
    x3 = m * m - (s + s)
    block.write(x=x3, y=m * (s - x3) - (four + four), z=yz + yz)


def jacobian_differences(block: Block) -> None:
    """h = bx z^2 - x and r = by z^3 - y, both 0 if T = P."""
    x, y, z, bx, by = block.read("x", "y", "z", "bx", "by")
    zz = z * z
    block.write(h=bx * zz - x, r=by * (zz * z) - y)


def jacobian_add(block: Block) -> None:
    """T = T + P from h and r; with the differences 11 products."""
    x, y, z, h, r = block.read("x", "y", "z", "h", "r")
    hh = h * h
    v = x * hh
    hhh = hh * h
    x3 = r * r - hhh - (v + v)
    block.write(x=x3, y=r * (v - x3) - y * hhh, z=z * h)


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


def _first(coordinates: tuple[str, ...]) -> Lines:
    """T = P."""
    lines: Lines = [Instruction("Move", d=PLACES[to], b=PLACES["b" + to]) for to in ("x", "y")]
    if "z" in coordinates:
        lines.append(Instruction("Input", d=PLACES["z"], b=OPERANDS["one"]))
        lines.append(Instruction("Multiply", d=PLACES["z"], b=PLACES["rr"]))
        lines.append(Instruction("Product", d=PLACES["z"]))
    return [*lines, _flag(False)]


def _double(formula: Callable[[Block], None], name: str, coordinates: tuple[str, ...]) -> Lines:
    """T = 2 T, where T has an order of 2 too: then it becomes infinity."""
    if "z" in coordinates:
        test = [*_block(formula), _test(PLACES["z"]), jump("Nonzero", name)]
        return [*test, _flag(True), Label(name)]
    body = _block(formula)
    order_2 = [_test(PLACES["y"]), jump("Nonzero", name), _flag(True), jump("Always", name + "_end")]
    return [*order_2, Label(name), *body, Label(name + "_end")]


def _program(coordinates: tuple[str, ...], double: Callable[[Block], None], add: Lines) -> list[Instruction]:
    return resolve([
        *_begin(),
        Label("bit"),
        jump("Flag", "doubled"),
        *_double(double, "double", coordinates),
        Label("doubled"),
        jump("NoDigit", "next"),
        jump("Flag", "first"),
        *add,
        jump("Always", "next"),
        Label("vertical"),  # T = -P
        _flag(True),
        jump("Always", "next"),
        Label("equal"),  # T = P
        *_double(double, "equal_double", coordinates),
        jump("Always", "next"),
        Label("first"),
        *_first(coordinates),
        Label("next"),
        jump("More", "bit"),
        *_end(coordinates),
    ])  # fmt: skip


def jacobian() -> list[Instruction]:
    """k P = (x / z^2, y / z^3). Address 0 is the begin."""
    places = PLACES | {"h": 14, "r": 15}
    add: Lines = [
        *_block(jacobian_differences, places),
        _test(places["h"]),
        jump("Nonzero", "distinct"),
        _test(places["r"]),
        jump("Nonzero", "vertical"),
        jump("Always", "equal"),
        Label("distinct"),
        *_block(jacobian_add, places),
    ]
    return _program(("x", "y", "z"), jacobian_double, add)


def affine() -> list[Instruction]:
    """k P = (x, y). Address 0 is the begin."""
    add: Lines = [
        *_compare("x", "bx"),
        jump("Nonzero", "distinct"),
        *_compare("y", "by"),
        jump("Nonzero", "vertical"),
        jump("Always", "equal"),
        Label("distinct"),
        *_block(affine_add),
    ]
    return _program(("x", "y"), affine_double, add)
