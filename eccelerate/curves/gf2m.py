"""GF(2^m) and y^2 + x y = x^3 + a x^2 + b over it, on integers: everything that checking a binary curve
needs.

In an element, bit i of the integer is the coefficient of z^i. The same holds for f, the reduction polynomial
of degree m.
"""

from functools import lru_cache

from eccelerate.curves.group import Affine

_FEW_TERMS = 9


@lru_cache(maxsize=128)
def _lower_terms(f: int) -> tuple[int, ...]:
    """Exponents of f below its degree. Empty if f has too many terms for `reduce` to gain by them."""
    if f.bit_count() > _FEW_TERMS:
        return ()
    return tuple(i for i in range(f.bit_length() - 1) if f >> i & 1)


def reduce(value: int, f: int) -> int:
    """value mod f: all bits above the degree at once if f has few terms, otherwise bit by bit."""
    degree = f.bit_length() - 1
    if lower := _lower_terms(f):
        while high := value >> degree:
            value ^= high << degree
            for exponent in lower:
                value ^= high << exponent
        return value
    while (excess := value.bit_length() - 1 - degree) >= 0:
        value ^= f << excess
    return value


def mul(a: int, b: int, f: int) -> int:
    """a * b mod f, for any a, b >= 0: a byte of b at a time, most significant first."""
    multiple = [0, a]
    for i in (1, 2, 3):
        multiple += [a << i ^ each for each in multiple]
    product = 0
    for byte in b.to_bytes((b.bit_length() + 7) // 8):
        product = product << 8 ^ multiple[byte >> 4] << 4 ^ multiple[byte & 15]
    return reduce(product, f)


def square(a: int, f: int) -> int:
    """a^2 mod f: the bits of a with zeros between them."""
    return reduce(int(f"{a:b}", 4), f)


def half_trace(value: int, f: int) -> int:
    """H with H^2 + H = value, or value + 1 if the trace of value is 1. m is odd.

    H is the sum of value^(4^i) for i = 0 .. (m - 1) / 2.
    """
    total = 0
    for _ in range(f.bit_length() // 2):
        total = square(square(total, f), f) ^ value
    return total


def solve_quadratic(c: int, f: int) -> int | None:
    """z with z^2 + z = c (z + 1 is the other solution), or None if there is none. Works for any m.

    IEEE 1363-2000, A.4.7. It starts from an element of trace 1, by Newton's identities 1 for odd m, and
    otherwise z^(m - e), where e is the highest odd exponent of f.
    """
    m = f.bit_length() - 1
    with_trace_1 = 1 if m & 1 else 1 << m - max(e for e in range(1, m, 2) if f >> e & 1)
    z, power = 0, c
    for _ in range(m - 1):
        squared = square(power, f)
        z = square(z, f) ^ mul(squared, with_trace_1, f)
        power = squared ^ c
    return None if power else z


def gcd(a: int, b: int) -> int:
    """Greatest common divisor of two polynomials."""
    while b:
        a, b = b, reduce(a, b)
    return a


def inverse(a: int, f: int) -> int:
    """a^-1 mod f by the extended Euclidean algorithm. ZeroDivisionError if a and f share a factor."""
    u, v, g1, g2 = reduce(a, f), f, 1, 0
    while u != 1:
        if not u:
            raise ZeroDivisionError("no inverse: the element shares a factor with the polynomial")
        shift = u.bit_length() - v.bit_length()
        if shift < 0:
            u, v, g1, g2, shift = v, u, g2, g1, -shift
        u ^= v << shift
        g1 ^= g2 << shift
    return reduce(g1, f)


def is_irreducible(f: int) -> bool:
    """Rabin's test: z^(2^m) = z mod f, and f shares no factor with z^(2^(m/q)) - z for each prime q that
    divides m.
    """
    m = f.bit_length() - 1
    if m < 1:
        return False
    primes = [q for q in range(2, m + 1) if m % q == 0 and all(q % d for d in range(2, q))]
    power = z = reduce(2, f)
    for exponent in range(1, m + 1):
        power = square(power, f)
        if exponent < m and any(exponent == m // q for q in primes) and gcd(f, power ^ z) != 1:
            return False
    return power == z


def on_curve(point: tuple[int, int], a: int, b: int, f: int) -> bool:
    """Whether the affine point satisfies the curve's equation."""
    x, y = point
    xx = square(x, f)
    return square(y, f) ^ mul(x, y, f) == mul(xx, x ^ a, f) ^ b


def add(p: Affine, q: Affine, a: int, f: int) -> Affine:
    """The affine group law, in every case."""
    if p is None or q is None:
        return p or q
    (x1, y1), (x2, y2) = p, q
    if x1 == x2:
        if y1 != y2 or not x1:
            return None
        slope = x1 ^ mul(y1, inverse(x1, f), f)
    else:
        slope = mul(y1 ^ y2, inverse(x1 ^ x2, f), f)
    x3 = square(slope, f) ^ slope ^ x1 ^ x2 ^ a
    return x3, mul(slope, x1 ^ x3, f) ^ x3 ^ y1


def point_mul(k: int, point: Affine, a: int, f: int) -> Affine:
    """k * point by double-and-add, k >= 0."""
    result: Affine = None
    for bit in f"{k:b}":
        result = add(result, result, a, f)
        if bit == "1":
            result = add(result, point, a, f)
    return result
