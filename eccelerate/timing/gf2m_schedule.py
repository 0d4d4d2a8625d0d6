"""Operations of the binary engine's unit for GF(2^m), in the order in which the unit starts them.

One step of the ladder (model/lopez_dahab.py) is six products. S = (Xs : Zs) is the sum of the step before,
and D = (Xd : Zd) is the double. E is the one of the two that this step doubles; the scalar decides, so both
are read and one is selected. x is that of the base point, and c = b^(1/4):

    Xd' = (c Ze + Xe)^4      Zd' = (Xe Ze)^2
    Zs' = (Xs Zd + Xd Zs)^2  Xs' = x Zs' + (Xs Zd)(Xd Zs)

Every square and sum follows a product. So an operation is a product of two registers, a sum with a third one,
and squares, and six operations make a step. `gf2m_cycles` computes when they start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from eccelerate.isa.binary_registers import C4, INV, NEXT, T1, T2, T3, XS, X

NONE = -1
"""Stands for a register where nothing is written."""


@dataclass(frozen=True)
class Operation:
    """(a * b + c)^(2^squares) goes to `after`, and the bare product to `plain`.

    `a`, `b` and `c` are registers. Of a pair, the scalar's bit selects one: the first if it is 1. Without `b`
    the second factor is 1.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: tuple[int, ...] = ()
    squares: int = 0
    plain: int = NONE
    after: int = NONE


@cache
def ladder_step(step: int) -> tuple[Operation, ...]:
    """The six operations of a step, in the order of issue. A step reads the state that the one before it
    wrote, so the registers of the two states swap their roles with each step. `step` gives the parity.
    """
    xs, zs, xd, zd = (_place(XS + i, step) for i in range(4))
    new_xs, new_zs, new_xd, new_zd = (register ^ NEXT for register in (xs, zs, xd, zd))
    xe, ze = (xs, xd), (zs, zd)
    return (
        Operation((C4,), ze, xe, 2, after=new_xd),
        Operation((xs,), (zd,), (T2,), 1, plain=T1, after=new_zs),
        Operation(ze, xe, squares=1, after=new_zd),
        Operation((T1,), (T2,), plain=T3),
        Operation((X,), (new_zs,), (T3,), after=new_xs),
        Operation((new_xd,), (new_zs,), plain=T2),
    )


@cache
def ladder_step_of_products(step: int) -> tuple[Operation, ...]:
    """The operations of a step for a unit whose squares are products. These are ten, in the order with the
    shortest gaps between dependent ones.
    """
    xd, zs, zd, t3, xs, t2 = (replace(each, squares=0) for each in ladder_step(step))
    square_xd, square_zs, square_zd = (_square(each.after) for each in (xd, zs, zd))
    return (xd, zs, zd, square_xd, t3, square_zs, square_xd, square_zd, xs, t2)


@cache
def as_products(operation: Operation) -> tuple[Operation, ...]:
    """The products that compute squares of a register, for a unit where each square is a product. Any other
    operation stays as it is.
    """
    if not operation.squares:
        return (operation,)
    first = Operation(operation.a, operation.a, plain=operation.after)
    return (first, *[_square(operation.after)] * (operation.squares - 1))


@cache
def inversion(m: int, squarer: bool) -> tuple[Operation, ...]:
    """RegInv = 1 / RegInv in GF(2^m), as a list of operations that depend on each other
    (rtl/engines/binary/eccel_gf2m_invert.sv). They compute x^(2^e - 1) for the prefixes e of the binary
    number m - 1, each from the one before.

    With `squarer`, an operation also computes the squares that its result needs next; otherwise these are
    operations of their own.
    """
    operations = [Operation((INV,), (), squares=1, after=T3)]
    bits, prefix = bin(m - 1)[3:], 1
    for number, bit in enumerate(bits, 1):
        last = number == len(bits)
        prefix = 2 * prefix + int(bit)
        again = bit == "1"
        operations.append(
            Operation(
                (T1 if number > 1 else INV,),
                (T3,),
                squares=1 if again or last else prefix,
                plain=T1,
                after=INV if last and not again else T3,
            )
        )
        if again:
            squares, after = (1, INV) if last else (prefix, T3)
            operations.append(Operation((T3,), (INV,), squares=squares, plain=T1, after=after))
    if squarer:
        return tuple(operations)
    apart = [
        half
        for each in operations[1:]
        for half in (
            replace(each, squares=0, after=NONE),
            Operation((T1,), (), squares=each.squares, after=each.after),
        )
    ]
    return (operations[0], *apart)


def _square(register: int) -> Operation:
    return Operation((register,), (register,), plain=register)


def _place(register: int, turn: int) -> int:
    """The register's number after so many steps."""
    return register ^ NEXT if turn & 1 and register >= XS else register


@cache
def placed(operation: Operation) -> Operation:
    """The operation after an odd number of steps, when the registers of the two states have swapped their
    roles.
    """
    a, b, c = (tuple(_place(each, 1) for each in pair) for pair in (operation.a, operation.b, operation.c))
    plain, after = (_place(each, 1) for each in (operation.plain, operation.after))
    return Operation(a, b, c, operation.squares, plain, after)
