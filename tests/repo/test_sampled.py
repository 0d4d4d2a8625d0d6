"""`sampled` keeps the cases that it promises, and loses none."""

from __future__ import annotations

import pytest

from tests.sampled import sampled


@pytest.mark.parametrize(("cases", "now", "kept"), [(7, 1, [0]), (7, 3, [0, 2, 4]), (4, 3, [0, 1, 2])])
def test_cases_are_spread_and_begin_with_the_first(cases: int, now: int, kept: list[int]) -> None:
    _, marked = sampled("case", range(cases), now=now).args
    assert [case.values for case in marked] == [(i,) for i in range(cases)]
    assert [i for i, case in enumerate(marked) if not case.marks] == kept
    assert {mark.name for case in marked for mark in case.marks} == {"soak"}


def test_a_case_of_several_values_keeps_them_apart() -> None:
    for names in ("a, b", ("a", "b")):
        _, marked = sampled(names, [(1, 2), (3, 4)], now=1).args
        assert [case.values for case in marked] == [(1, 2), (3, 4)]
    _, marked = sampled("pair", [(1, 2), (3, 4)], now=1).args
    assert [case.values for case in marked] == [((1, 2),), ((3, 4),)]


@pytest.mark.parametrize("now", [0, 3, 4])
def test_a_number_that_keeps_none_or_all_is_an_error(now: int) -> None:
    with pytest.raises(ValueError, match="now must be from 1 to 2"):
        sampled("case", range(3), now=now)
