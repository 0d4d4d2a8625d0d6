"""Python's pow with three integers, on the engine.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from eccel_maths.engine import calculate

_own = builtins.pow


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    """pow(base, exp, mod): three integers go to the engine, everything else to Python's own pow."""
    if all(type(each) is int for each in (base, exp, mod)) and mod > 0:
        done = calculate("mod_exp", mod, base, exp)
        if done:
            return done[0]
    return _own(base, exp, mod)


@contextmanager
def accelerated() -> Iterator[None]:
    """Inside, the built-in function pow uses the engine."""
    before = builtins.pow
    builtins.pow = _pow
    try:
        yield
    finally:
        builtins.pow = before
