"""Pools: the engines of one configuration behind a transport, and which curves they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from eccelerate.curves import Curve


class Pool(Protocol):
    """What the driver must know about the engines of one configuration."""

    @property
    def name(self) -> str:
        """Name of the configuration, for messages."""

    def lacks(self, curve: Curve) -> str:
        """Why the engines do not support the curve; the empty string if they do."""


@dataclass(frozen=True)
class AnyCurve:
    """Engines that support every curve of a kind; binary: curves over GF(2^m), else over prime fields."""

    name: str = "the engine"
    binary: bool = False

    def lacks(self, curve: Curve) -> str:
        """As `Pool`."""
        return other_field(self.name, self.binary, curve)


def other_field(name: str, binary: bool, curve: Curve) -> str:
    """The message that the engines called `name` are for the other kind of field, or the empty string."""
    if binary == (curve.kind == "binary"):
        return ""
    if binary:
        return f"it is over a prime field, {name} takes curves over GF(2^m) only"
    return f"it is a binary curve, {name} takes prime fields only"


def lacking(pools: Sequence[Pool], curve: Curve) -> str:
    """Why no pool supports the curve, pool by pool; the empty string if one does."""
    reasons = [pool.lacks(curve) for pool in pools]
    return "; ".join(reasons) if all(reasons) else ""


def place_curves(pools: Sequence[Pool], curves: Sequence[Curve]) -> list[int]:
    """A different pool for each curve: the first pools in order that leave a place for the other curves.

    Raises ValueError, which says for each curve which pools support it.
    """

    def place(at: int, free: frozenset[int]) -> list[int] | None:
        if at == len(curves):
            return []
        for number in sorted(free):
            if not pools[number].lacks(curves[at]):
                rest = place(at + 1, free - {number})
                if rest is not None:
                    return [number, *rest]
        return None

    found = place(0, frozenset(range(len(pools))))
    if found is None:
        able = [
            f"{curve.name} goes to {', '.join(p.name for p in pools if not p.lacks(curve)) or 'none'}"
            for curve in curves
        ]
        raise ValueError(f"each curve needs its own pool: {'; '.join(able)}")
    return found
