"""Operands of a job as a user writes them: 0x hexadecimal, decimal, or a constant of the curve such as
n-1.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from eccelerate.cli.failures import UsageError
from eccelerate.curves import Curve
from eccelerate.driver.operands import operand_names
from eccelerate.model.jobs import Op

_CONSTANT = re.compile(r"(p|n|a|b|gx|gy|h|order)?([+-]\d+)?$")
_PAIRS = {"G": ("gx", "gy"), "inf": ("0", "0")}


def parse_op(name: str) -> Op:
    """The operation called `name`, in any case, with - or _. Raises UsageError with the closest ones."""
    try:
        return Op[name.upper().replace("-", "_")]
    except KeyError:
        names = [op_name(op) for op in Op]
        close = difflib.get_close_matches(name.lower(), names, n=3) or names
        raise UsageError(f"no operation {name}: did you mean {', '.join(close)}?") from None


def op_name(op: Op) -> str:
    """The operation as the command line writes it."""
    return op.name.lower().replace("_", "-")


def parse_value(text: str, curve: Curve | None) -> int:
    """One operand >= 0. Raises UsageError."""
    try:
        value = int(text.replace("_", ""), 0)
    except ValueError:
        match = _CONSTANT.match(text)
        if match is None or match[1] is None:
            raise UsageError(
                f"cannot read {text!r}: write 0x..., decimal digits, or p, n, gx, gy, order, n-1, ..."
            ) from None
        if curve is None:
            raise UsageError(f"{text!r} needs a curve: add --curve") from None
        value = int(getattr(curve, match[1])) + int(match[2] or 0)
    if value < 0:
        raise UsageError(
            f"{text!r} is negative: operands are integers from 0 up; write n-1 for -1 mod n, p-1 for -1 mod p"
        )
    return value


def parse_operands(op: Op, flags: int, arguments: Sequence[str], curve: Curve | None) -> tuple[int, ...]:
    """The operands of `op` in packet order.

    arguments: positional values (G means gx gy, inf means the point at infinity) and name=value in any
    order. Raises UsageError, which names missing, unknown and surplus operands.
    """
    names = operand_names(op, flags)
    texts: dict[str, str] = {}
    positional: list[str] = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals:
            positional += _PAIRS.get(argument, (argument,))
        elif name not in names:
            raise UsageError(f"{op_name(op)} has no operand {name}; it takes {_list(names)}")
        elif name in texts:
            raise UsageError(f"operand {name} is given twice")
        else:
            texts[name] = value
    free = [name for name in names if name not in texts]
    if len(positional) > len(free):
        raise UsageError(
            f"{op_name(op)} takes {_list(names)}; {len(positional) + len(texts)} values are given"
        )
    texts.update(zip(free, positional, strict=False))
    missing = [name for name in names if name not in texts]
    if missing:
        raise UsageError(f"{op_name(op)} takes {_list(names)}; missing: {', '.join(missing)}")
    return tuple(parse_value(texts[name], curve) for name in names)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "no operands"
