"""Operands of a yardstick with the results that it must give."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from eccelerate.configs.yardstick_config import Yardstick


@dataclass(frozen=True)
class Check:
    """An operation: operands, results, and whether it is one whose cycles count (loading a key is none)."""

    operands: Mapping[str, int]
    results: Mapping[str, int]
    counts: bool = True


def checks(unit: Yardstick, generator: random.Random) -> list[Check]:
    """Operations with random operands."""
    raise NotImplementedError
