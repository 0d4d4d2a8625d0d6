"""Integers with products on the engine, and integers modulo m.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from typing import Any

from eccel_maths.engine import calculate


class Integer(int):
    """An integer whose products, and pow(a, e, m), go to the engine. It is an int everywhere else."""

    def __mul__(self, other: Any) -> Any:
        """The product."""
        if not isinstance(other, int):
            return NotImplemented
        done = calculate("product", int(self), int(other))
        return Integer(done[0] if done else int(self) * int(other))

    __rmul__ = __mul__

    def __pow__(self, exponent: Any, modulus: Any = None) -> Any:
        """The power, modulo a number if there is one."""
        if not isinstance(exponent, int) or not isinstance(modulus, int | None):
            return NotImplemented
        if modulus is not None and modulus > 0:
            done = calculate("mod_exp", int(modulus), int(self), int(exponent))
            if done:
                return Integer(done[0])
        result = pow(int(self), int(exponent), None if modulus is None else int(modulus))
        return Integer(result) if isinstance(result, int) else result

    def __add__(self, other: Any) -> Any:
        """The sum."""
        return Integer(int(self) + int(other)) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        """The difference."""
        return Integer(int(self) - int(other)) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        """The difference."""
        return Integer(int(other) - int(self)) if isinstance(other, int) else NotImplemented

    def __mod__(self, other: Any) -> Any:
        """The remainder."""
        return Integer(int(self) % int(other)) if isinstance(other, int) else NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        """The quotient."""
        return Integer(int(self) // int(other)) if isinstance(other, int) else NotImplemented

    def __neg__(self) -> Integer:
        """The negative."""
        return Integer(-int(self))


class Mod:
    """An integer modulo m > 0: Mod(5, 7) + 1. One operand may be an int.

    Raises ZeroDivisionError for an inverse that does not exist, ValueError for different moduli.
    """

    __slots__ = ("modulus", "value")

    def __init__(self, value: int, modulus: int) -> None:
        if modulus <= 0:
            raise ValueError(f"the modulus has to be positive, not {modulus}")
        self.value = int(value) % int(modulus)
        self.modulus = int(modulus)

    def _other(self, other: Any) -> int | None:
        if isinstance(other, Mod):
            if other.modulus != self.modulus:
                raise ValueError("the operands have different moduli")
            return other.value
        return int(other) if isinstance(other, int) else None

    def _binary(self, name: str, left: int, right: int) -> Mod:
        m = self.modulus
        done = calculate(name, m, left, right)
        if done:
            return Mod(done[0], m)
        plain = {"mod_mul": left * right, "mod_add": left + right, "mod_sub": left - right}
        return Mod(plain[name], m)

    def __add__(self, other: Any) -> Any:
        """The sum."""
        b = self._other(other)
        return NotImplemented if b is None else self._binary("mod_add", self.value, b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        """The difference."""
        b = self._other(other)
        return NotImplemented if b is None else self._binary("mod_sub", self.value, b)

    def __rsub__(self, other: Any) -> Any:
        """The difference."""
        b = self._other(other)
        return NotImplemented if b is None else self._binary("mod_sub", b, self.value)

    def __mul__(self, other: Any) -> Any:
        """The product."""
        b = self._other(other)
        return NotImplemented if b is None else self._binary("mod_mul", self.value, b)

    __rmul__ = __mul__

    def inverse(self) -> Mod:
        """1 / x."""
        done = calculate("mod_inv", self.modulus, self.value)
        if done:
            return Mod(done[0], self.modulus)
        try:
            return Mod(pow(self.value, -1, self.modulus), self.modulus)
        except ValueError as error:
            raise ZeroDivisionError(f"{self} has no inverse") from error

    def __truediv__(self, other: Any) -> Any:
        """The quotient."""
        b = self._other(other)
        return NotImplemented if b is None else self * Mod(b, self.modulus).inverse()

    def __rtruediv__(self, other: Any) -> Any:
        """The quotient."""
        b = self._other(other)
        return NotImplemented if b is None else b * self.inverse()

    def __pow__(self, exponent: int) -> Mod:
        """The power, with an exponent of any sign."""
        done = calculate("mod_exp", self.modulus, self.value, int(exponent))
        if done:
            return Mod(done[0], self.modulus)
        base = self.inverse() if exponent < 0 else self
        return Mod(pow(base.value, abs(exponent), self.modulus), self.modulus)

    def __neg__(self) -> Mod:
        """The negative."""
        return Mod(-self.value, self.modulus)

    def __eq__(self, other: object) -> bool:
        """Equal modulo m; a different modulus is not equal."""
        if isinstance(other, Mod):
            return (self.value, self.modulus) == (other.value, other.modulus)
        return isinstance(other, int) and (other - self.value) % self.modulus == 0

    def __hash__(self) -> int:
        """Of value and modulus."""
        return hash((self.value, self.modulus))

    def __int__(self) -> int:
        """The value, 0 <= value < m."""
        return self.value

    def __repr__(self) -> str:
        """As it can be typed."""
        return f"Mod({self.value}, {self.modulus})"
