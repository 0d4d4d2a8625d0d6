"""ECDSA, keys and joint multiples on the lock-step simulator: each status next to every other one in a
group.
"""

from __future__ import annotations

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import decode_response
from eccelerate.model import ecdsa, point
from eccelerate.model.field import mod_inverse
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.model.solinas import FORMS
from tests.ecp_turbo.lockstep import Group
from tests.hostile import wrong_order

NAMES = list(FORMS)


def _signed(group: Group, e: int | None = None) -> tuple[int, int, int, int, int]:
    """A hash, its signature by a random key, and the public key."""
    curve, n = group.curve, group.curve.n
    d = group.rng.randrange(1, n)
    e = group.rng.randrange(n) if e is None else e
    signature = ecdsa.sign(curve, d, e, group.rng.randrange(1, n))
    public = point.base_mul(curve, d)
    assert signature is not None and public is not None
    return (e, *signature, *public)


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name: str) -> None:
    group = Group(find_curve(name))
    n, rng = group.curve.n, group.rng
    top = (1 << n.bit_length()) - 1
    scalars = [1, 2, n - 1, n - 2, rng.randrange(n), rng.randrange(n), 0, n]
    jobs = [(rng.choice((0, 1, n, top, rng.randrange(n))), d, rng.choice(scalars)) for d in scalars]
    jobs += [(rng.randrange(n), d, rng.randrange(1, n)) for d in scalars]
    assert {Status.OK, Status.SCALAR_RANGE} == set(group.in_groups(Op.ECDSA_SIGN, jobs))


@pytest.mark.parametrize("name", ["P-256", "P-521"])
def test_signatures_that_come_out_zero(name: str) -> None:
    """s = 0 for e = -r d. Only this thread then asks for another nonce."""
    group = Group(find_curve(name))
    curve, n = group.curve, group.curve.n
    d, k = group.rng.randrange(1, n), group.rng.randrange(1, n)
    nonce_point = point.base_mul(curve, k)
    assert nonce_point is not None
    e = -nonce_point[0] * d % n
    statuses = group.expect(Op.ECDSA_SIGN, [(1, d, k), (e, d, k), (e, d, 1), (e, 0, k)])
    assert statuses == [Status.OK, Status.RETRY, Status.OK, Status.SCALAR_RANGE]


def test_a_hash_wider_than_n_is_refused() -> None:
    """Only P-521 has room for such a hash. The elements of other curves are as wide as n."""
    group = Group(find_curve("P-521"))
    e, r, s, x, y = _signed(group)
    wide = 1 << 521
    for op, operands in (
        (Op.ECDSA_SIGN, (wide, 5, 7)),
        (Op.ECDSA_VERIFY, (wide, r, s, x, y)),
    ):
        words = group.iss.submit(group.packet(op, operands))
        assert decode_response(words, group.curve.element_words).status == Status.SCALAR_RANGE
    group.expect(Op.ECDSA_VERIFY, [(e, r, s, x, y)])


@pytest.mark.parametrize("name", NAMES)
def test_verification(name: str) -> None:
    group = Group(find_curve(name))
    curve, n = group.curve, group.curve.n
    good = [_signed(group) for _ in range(6)] + [_signed(group, e) for e in (0, (1 << n.bit_length()) - 1)]
    e, r, s, x, y = good[0]
    bad = [
        (e, r, n - s, x, y),  # as valid as s
        (e + 1, r, s, x, y),
        (e, r % (n - 1) + 1, s, x, y),
        (e, r, s, *group.point()),
        (e, 0, s, x, y),
        (e, r, 0, x, y),
        (e, n, s, x, y),
        (e, r, n, x, y),
        (e, n - 1, n - 1, x, y),
        (e, r, s, x, y ^ 1),
        (e, r, s, curve.p, y),
        (e, r, s, 0, 0),
    ]
    jobs = [job for pair in zip(good + good[:4], bad, strict=True) for job in pair]
    statuses = group.in_groups(Op.ECDSA_VERIFY, jobs)
    assert statuses[::2] == [Status.OK] * 12
    assert set(statuses) == {
        Status.OK,
        Status.BAD_SIGNATURE,
        Status.NOT_ON_CURVE,
        Status.COORD_RANGE,
    }


@pytest.mark.parametrize("name", NAMES)
def test_verification_where_an_addition_is_exceptional(name: str) -> None:
    """u1 G = u2 Q, u1 G = -u2 Q, u1 = 0, and an r that comes from x = r + n."""
    group = Group(find_curve(name))
    curve, n = group.curve, group.curve.n
    jobs = []
    for d in (1, n - 1, 2, group.rng.randrange(1, n)):
        public = point.base_mul(curve, d)
        assert public is not None
        r, s = (group.rng.randrange(1, n) for _ in range(2))
        for e in (r * d % n, -r * d % n, 0):
            jobs.append((e, r, s, *public))
        # u1 G = u2 Q with a valid signature: R = 2 u1 G, r = x(R), s = e / u1
        u1 = group.rng.randrange(1, n)
        double = point.base_mul(curve, 2 * u1 % n)
        assert double is not None
        r = double[0] % n
        e = r * d % n
        jobs.append((e, r, e * mod_inverse(u1, n) % n, *public))
    statuses = group.in_groups(Op.ECDSA_VERIFY, jobs)
    assert statuses[3::4] == [Status.OK] * 4
    assert statuses.count(Status.BAD_SIGNATURE) == 12


@pytest.mark.parametrize("name", ["P-192", "P-256", "P-521", "secp256k1"])
def test_verification_of_an_x_above_n(name: str) -> None:
    """Here r = x - n. The test chooses x first, and then a key that fits any u1 and u2."""
    group = Group(find_curve(name))
    curve, n = group.curve, group.curve.n
    assert n < curve.p, "every x is below n"
    jobs = []
    x = n
    while len(jobs) < 4:
        x += 1
        nonce_point = point.lift_x(curve, x)
        if nonce_point is None:
            continue
        r = x - n
        u1, u2 = (group.rng.randrange(1, n) for _ in range(2))
        minus = point.base_mul(curve, -u1 % n)
        public = point.mul(curve, mod_inverse(u2, n), point.add(curve, nonce_point, minus))
        assert public is not None
        s = r * mod_inverse(u2, n) % n
        jobs.append((u1 * s % n, r, s, *public))
    assert group.expect(Op.ECDSA_VERIFY, jobs) == [Status.OK] * 4


@pytest.mark.parametrize("name", NAMES)
def test_joint_multiples(name: str) -> None:
    group = Group(find_curve(name))
    n, rng = group.curve.n, group.rng
    g, p = group.curve.generator, group.point()
    minus = (g[0], group.curve.p - g[1])
    k, top = rng.randrange(1, n), (1 << n.bit_length()) - 1
    jobs = [
        (k, k, *g),
        (k, n - k, *g),
        (k, k, *minus),
        (k, rng.randrange(n), *p),
        (0, 0, *p),
        (0, k, *p),
        (k, 0, *p),
        (n, n, *p),
        (1, 1, *g),
        (2, 1, *g),
        (n - 1, 1, *g),
        (top, top, *p),
        (top + 1, 1, *p) if n.bit_length() % 32 else (1, 1, *p),
        (1, 1, 0, 0),
        (1, 1, p[0], p[1] ^ 1),
        (1, 1, group.curve.p, p[1]),
    ]
    statuses = group.in_groups(Op.DOUBLE_MUL, jobs)
    assert {Status.OK, Status.INFINITY, Status.NOT_ON_CURVE, Status.COORD_RANGE} <= set(statuses)


@pytest.mark.parametrize("name", NAMES)
def test_keys(name: str) -> None:
    """Later jobs use a generated key. A key out of range leaves the old one."""
    group = Group(find_curve(name))
    n, p = group.curve.n, group.point()
    assert group.expect(Op.ECDSA_SIGN, [(1, 5)], Flag.KEY) == [Status.NO_KEY]
    for d in (1, n - 1, group.rng.randrange(1, n), 0, n):
        group.expect(Op.KEYGEN, [(d,)], Flag.HOST_NONCE)
        group.expect(Op.ECDH, [p], Flag.KEY)
    group.expect(Op.ECDSA_SIGN, [(group.rng.randrange(n), k) for k in (1, 0, n, 9)], Flag.KEY)
    assert group.expect(Op.SELF_TEST, [()]) == [Status.OK]


@pytest.mark.parametrize("name", ["P-224", "P-256", "P-521"])
def test_drawn_keys_are_the_models(name: str) -> None:
    """The draws of an exclusive job serve all threads, and the model uses the same words."""
    group = Group(find_curve(name))
    for flags in (Flag.RANDOM, Flag.RANDOM):
        group.drawn.setstate(group.rng.getstate())
        group.expect(Op.KEYGEN, [()], flags)
    group.expect(Op.ECDH, [group.point()], Flag.KEY)


@pytest.mark.parametrize("name", ["P-256", "P-521"])
@pytest.mark.parametrize("flags", [Flag.RANDOM, Flag.RANDOM | Flag.KEY])
def test_drawn_nonces_differ_between_threads_and_sign(name: str, flags: Flag) -> None:
    group = Group(find_curve(name))
    curve, n = group.curve, group.curve.n
    d = group.rng.randrange(1, n)
    group.expect(Op.KEY_LOAD, [(d,)])
    public = point.base_mul(curve, d)
    e = group.rng.randrange(n)
    operands = (e,) if flags & Flag.KEY else (e, d)
    packets = [group.packet(Op.ECDSA_SIGN, operands, tag, flags) for tag in range(4)]
    answers = [decode_response(words, curve.element_words) for words in group.iss.submit_group(packets)]
    assert all(answer.status == Status.OK for answer in answers)
    assert len({answer.results[0] for answer in answers}) == 4
    assert all(ecdsa.verify(curve, e, *answer.results, public) for answer in answers)


def test_a_dry_entropy_port_ends_jobs_with_secrets_only() -> None:
    group = Group(find_curve("P-256"))
    verify = _signed(group)
    group.dry = True
    for op, operands, flags in (
        (Op.MUL, (5, *group.point()), 0),
        (Op.BASE_MUL, (5,), 0),
        (Op.ECDH, (*group.point(), 5), 0),
        (Op.ECDSA_SIGN, (1, 2, 3), 0),
        (Op.KEYGEN, (5,), 0),
        (Op.KEYGEN, (), Flag.RANDOM),
        (Op.SELF_TEST, (), 0),
    ):
        words = group.iss.submit(group.packet(op, operands, flags=flags))
        assert decode_response(words, 8).status == Status.NO_ENTROPY
    group.expect(Op.ECDSA_VERIFY, [verify])


def test_self_test_fails_with_a_wrong_order() -> None:
    """The host is responsible for n. The self-test fails if n is wrong."""
    right: Curve = find_curve("P-256")
    group = Group(wrong_order(right))
    words = group.iss.submit(group.packet(Op.SELF_TEST, ()))
    assert decode_response(words, 8).status == Status.SELF_TEST_FAILED
