"""Functions of Liberty mean what the standard says, and malformed ones are refused."""

from __future__ import annotations

from itertools import product

import pytest

from eccelerate.energy.cell_plan import table_of
from eccelerate.energy.pin_function import evaluate
from eccelerate.flow.errors import FlowError


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("!(A*B)", lambda a, b, c: 1 - (a & b)),
        ("(!A) | (!B)", lambda a, b, c: 1 - (a & b)),
        ("A' + B C", lambda a, b, c: (1 - a) | (b & c)),
        ("A B | C", lambda a, b, c: (a & b) | c),
        ("A^B^C", lambda a, b, c: a ^ b ^ c),
        ("A & B ^ C", lambda a, b, c: a & (b ^ c)),
        ("!A B", lambda a, b, c: (1 - a) & b),
        ("(A | B)' C", lambda a, b, c: (1 - (a | b)) & c),
        ("1", lambda a, b, c: 1),
    ],
)
def test_function_has_the_meaning_of_the_standard(text: str, meaning) -> None:  # type: ignore[no-untyped-def]
    table = table_of(text, ("A", "B", "C"))
    for a, b, c in product((0, 1), repeat=3):
        assert evaluate(text, {"A": a, "B": b, "C": c}) == meaning(a, b, c)
        assert table >> (a + 2 * b + 4 * c) & 1 == meaning(a, b, c)


@pytest.mark.parametrize("text", ["", "A +", "(A", "A ~ B", "A) B", "* A"])
def test_malformed_function_is_refused(text: str) -> None:
    with pytest.raises(FlowError, match="no Liberty function"):
        evaluate(text, {"A": 0, "B": 0})


def test_function_of_too_many_pins_is_refused() -> None:
    with pytest.raises(FlowError, match="more than 6"):
        table_of("A", tuple("ABCDEFG"))
