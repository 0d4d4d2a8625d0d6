"""Prime-field reference functions: inverse, square root, and the digit-serial Montgomery product."""


def mod_inverse(a: int, m: int) -> int:
    """a^-1 mod m, and 0 for a = 0 mod m (the convention of MOD_INV). m is prime; otherwise ValueError is
    possible.
    """
    return pow(a, -1, m) if a % m else 0


def mod_sqrt(a: int, p: int) -> int | None:
    """A square root of a mod p (the even one), or None for a non-residue. p is an odd prime.
    Tonelli-Shanks.
    """
    a %= p
    if a == 0:
        return 0
    if pow(a, (p - 1) // 2, p) != 1:
        return None
    twos = ((p - 1) & (1 - p)).bit_length() - 1
    odd = (p - 1) >> twos
    non_residue = next(z for z in range(2, p) if pow(z, (p - 1) // 2, p) == p - 1)
    root, t, c = pow(a, (odd + 1) // 2, p), pow(a, odd, p), pow(non_residue, odd, p)
    # Invariant: root^2 = a * t, and the order of t is a power of two that falls with every round.
    while t != 1:
        least, square = 0, t
        while square != 1:
            square, least = square * square % p, least + 1
        b = pow(c, 1 << (twos - least - 1), p)
        root, c, twos = root * b % p, b * b % p, least
        t = t * c % p
    return root if root % 2 == 0 else p - root


def passes_prime_test(m: int) -> bool:
    """Euler's test to the base 3, which CURVE_LOAD makes: every prime above 3 passes, and so do the Euler
    pseudoprimes to the base 3 (121, 703, 1541, ..). For m = 3 mod 4 it is the test of Miller and Rabin.
    """
    return m > 1 and m % 2 == 1 and pow(3, m // 2, m) in (1, m - 1)


def neg_inverse(m: int, bits: int) -> int:
    """-m^-1 mod 2^bits, the reduction constant of Montgomery's method. m is odd, otherwise ValueError."""
    return -pow(m, -1, 1 << bits) % (1 << bits)


def montgomery_product(a: int, b: int, m: int, w: int, s: int) -> int:
    """a * b * R^-1 mod m with R = 2^(w s), canonical, in s steps of w bits (CIOS; Koc, Acar, Kaliski 1996).

    m is odd and m < R; a < R; b < m. The accumulator then stays below 2m, so one subtraction is enough.
    Otherwise ValueError.
    """
    if m % 2 == 0 or m >> (w * s):
        raise ValueError(f"the modulus has to be odd and below 2^{w * s}")
    if not (0 <= a < 1 << (w * s) and 0 <= b < m):
        raise ValueError("operands out of range: 0 <= a < R and 0 <= b < m are needed")
    mask = (1 << w) - 1
    constant = neg_inverse(m, w)
    accumulator = 0
    for i in range(s):
        accumulator += (a >> (w * i) & mask) * b
        quotient = accumulator * constant & mask
        accumulator = (accumulator + quotient * m) >> w
    return accumulator - m if accumulator >= m else accumulator
