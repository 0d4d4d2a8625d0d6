"""Integers, integers modulo m and elliptic curves for scripts, on an engine or in Python.

    from eccel_maths import EllipticCurve, Integer, Mod

With the environment variable ECCEL_DEVICES (such as unix:/run/eccel.sock) the calculations go to an engine,
where it can do them. Without it, or where it cannot, Python computes. The results are the same. `Integer`
also serves `pow(Integer(a), e, m)`; for scripts that use plain integers there is `with accelerated():`, or
`python -m eccel_maths SCRIPT`.

The settings ECCEL_MIN_BITS, ECCEL_TIMEOUT_MS, ECCEL_STRICT and ECCEL_REPORT are explained in docs/maths.md.
SPDX-License-Identifier: Apache-2.0
"""

from eccel_maths.builtin_pow import accelerated
from eccel_maths.curves import EllipticCurve, Point, elladd, ellmul, ellpow
from eccel_maths.engine import DeviceError, counters
from eccel_maths.numbers import Integer, Mod

__all__ = [
    "DeviceError",
    "EllipticCurve",
    "Integer",
    "Mod",
    "Point",
    "accelerated",
    "counters",
    "elladd",
    "ellmul",
    "ellpow",
]
