"""Pools: the engines of one configuration behind a transport, and which curves they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eccelerate.curves import Curve, load_catalogue
from eccelerate.model.binary_fields import LEAST_GENERIC_DEGREE


@dataclass(frozen=True)
class Pool:
    """What engines of one configuration take.

    name: of the configuration, for messages; binary: curves over GF(2^m), else over prime fields;
    prime: the only prime, None for any; prime_bits: the length that primes must have, 0 for any;
    polynomials: the only fields, () for any; generic_degree: if not 0, any polynomial up to that degree;
    koblitz: of these fields Koblitz curves alone;
    max_words: widest element in 32-bit words, 0 when it is not known.
    """

    name: str = "the engine"
    binary: bool = False
    prime: int | None = None
    prime_bits: int = 0
    polynomials: tuple[int, ...] = ()
    generic_degree: int = 0
    koblitz: bool = False
    max_words: int = 0

    def lacks(self, curve: Curve) -> str:
        """What keeps the engines from the curve; the empty string when they take it."""
        if self.binary != (curve.kind == "binary"):
            if self.binary:
                return f"it is over a prime field, {self.name} takes curves over GF(2^m) only"
            return f"it is a binary curve, {self.name} takes prime fields only"
        if self.prime not in (None, curve.p):
            return f"{self.name} computes modulo {_prime_name(self.prime)} only"
        if self.prime_bits and curve.p.bit_length() != self.prime_bits:
            return f"{self.name} takes primes of {self.prime_bits} bits only"
        if self.polynomials and curve.p not in self.polynomials:
            degrees = [f.bit_length() - 1 for f in self.polynomials]
            if curve.p_bits in degrees:
                return f"{self.name} has another reduction polynomial of degree {curve.p_bits}"
            return f"{self.name} has fields of degree {', '.join(map(str, degrees))} only"
        if self.generic_degree and not LEAST_GENERIC_DEGREE <= curve.p_bits <= self.generic_degree:
            degrees_taken = f"{LEAST_GENERIC_DEGREE} to {self.generic_degree}"
            return f"{self.name} takes polynomials of degree {degrees_taken} only"
        if self.koblitz and not curve.is_koblitz:
            return f"{self.name} takes Koblitz curves only"
        if self.max_words and curve.element_words > self.max_words:
            return f"{self.name} holds {32 * self.max_words} bits, the curve needs {32 * curve.element_words}"
        return ""


def _prime_name(prime: int | None) -> str:
    """A prime by a curve over it."""
    names = (curve.name for curve in load_catalogue().values() if curve.p == prime)
    return f"the prime of {next(names, 'another curve')}"


def lacking(pools: Sequence[Pool], curve: Curve) -> str:
    """What keeps every pool from the curve, pool by pool; the empty string when one takes it."""
    reasons = [pool.lacks(curve) for pool in pools]
    return "; ".join(reasons) if all(reasons) else ""


def place_curves(pools: Sequence[Pool], curves: Sequence[Curve]) -> list[int]:
    """A pool of its own for each curve, at once: the first in order that leave a place for the others.

    Raises ValueError that says for each curve which pools take it.
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
        raise ValueError(f"each curve needs a pool of its own at once: {'; '.join(able)}")
    return found
