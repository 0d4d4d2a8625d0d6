"""The operations of the turbo engine's field unit on the values of one thread, exact to the last bit."""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate.model.solinas import Solinas

PRODUCTS = ("mul", "mull", "mulh", "mulw")
UNARY = ("canon", "mov")  # these do not read rb


@dataclass(frozen=True)
class Outcome:
    """Result of an operation. `zero` and `carry` are the flags Z and C, or None if they do not change.
    `second` is the result of mulw in the register after rd.
    """

    value: int
    zero: bool | None = None
    carry: bool | None = None
    second: int | None = None


def operate(field: Solinas, op: str, a: int, b: int, *, select: bool = False, carry: bool = False) -> Outcome:
    """One operation on ra = a and rb = b. `select` is the secret bit B, and `carry` is the flag C before the
    operation.

    Modular operations and products need a and b below 2^n, the others below 2^(w W). So are their results.
    """
    if op in PRODUCTS:
        if op == "mul":
            return Outcome(field.multiply(a, b))
        high, low = divmod(a * b, 1 << field.bits)
        return Outcome(high if op == "mulh" else low, second=high if op == "mulw" else None)
    if op in ("add", "sub", "canon", "addsub"):
        subtract = op == "sub" or (op == "addsub" and select)
        value = field.canonical(a) if op == "canon" else (field.subtract if subtract else field.add)(a, b)
        return Outcome(value, value == 0)
    if op in ("mov", "csel"):
        value = b if op == "csel" and select else a
        return Outcome(value, value == 0)
    taken = {"iadd": b, "isub": -b, "cadd": b * select, "caddc": b * carry}[op]
    over, value = divmod(a + taken, 1 << field.word_bits * field.words)
    return Outcome(value, value == 0, over != 0)
