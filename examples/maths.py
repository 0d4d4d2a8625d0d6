"""Integers, integers modulo p, and points, in Python or on an engine: docs/maths.md.

    PYTHONPATH=build/sw/maths/python python3 examples/maths.py

runs in Python; with ECCEL_DEVICES, on the engine that it names.
SPDX-License-Identifier: Apache-2.0
"""

import time

from eccel_maths import EllipticCurve, Integer, Mod, ellmul

p = 2**256 - 2**224 + 2**192 + 2**96 - 1
n = 115792089210356248762697446949407573529996955224135760342422259061068512044369
G_X = 48439561293906451759052585252797914202762949526041747995844080717082404635286
G_Y = 36134250956749795798585127919587881956611106672985015071877198253568414405109
E = EllipticCurve(p, -3, 41058363725152142129326129780047268409114441015993725554835256314039467401291)
G = E.point(G_X, G_Y)

x = Mod(3, p) ** 1000
y = Mod(5, p) ** 1000
a = Integer(int(x))
b = Integer(int(y))


def show(name, value):
    """One result in hexadecimal."""
    print(name, f"{int(value):x}")


def show_point(name, point):
    """Coordinates in hexadecimal."""
    print(name, "infinity" if point.xy is None else f"{point.x:x} {point.y:x}")


def each(name, calculate):
    """Milliseconds for one operation, from as many as fit into 200 ms, after one that does not count."""
    calculate()
    start, count = time.monotonic(), 0
    while time.monotonic() - start < 0.2:
        calculate()
        count += 1
    print(f"time {name} {1000 * (time.monotonic() - start) / count:.6f}")


show("product", a * b)
show("mod_mul", x * y)
show("mod_inv", 1 / y)
show("mod_exp", pow(Integer(x), b, p))
show("mod_exp_negative", x**-b)
P = ellmul(E, G, a)
Q = ellmul(E, G, b)
show_point("public_a", P)
show_point("public_b", Q)
show_point("shared_a", a * Q)
show_point("shared_b", b * P)
show_point("point_add", P + Q)
show_point("point_double", P + P)
show_point("point_negative", -5 * G)
show_point("point_order", n * P)
show_point("point_sub", P - P)

each("product", lambda: a * b)
each("mod_mul", lambda: x * y)
each("mod_inv", lambda: 1 / y)
each("mod_exp", lambda: x**b)
each("point_add", lambda: P + Q)
each("point_mul", lambda: b * P)
