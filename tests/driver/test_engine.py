"""The driver's jobs on the golden model: right results, results distinguished from refusals, protocol errors
detected.
"""

import random

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver import Engine, JobError, PacketError, Reply, TransportError
from eccelerate.driver.advice import ADVICE, advice, status_name
from eccelerate.driver.engine import INFINITY
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.golden_transport import GoldenTransport

P256 = find_curve("P-256")
G = P256.generator


@pytest.fixture
def engine() -> Engine:
    engine = Engine(GoldenTransport())
    engine.load_curve(P256)
    return engine


def test_point_jobs(engine: Engine) -> None:
    k, u = 0x1234567, 0x89ABCDEF
    kg = engine.base_mul(k).point
    assert kg == point.base_mul(P256, k)
    assert engine.mul(u, kg).point == point.base_mul(P256, u * k)
    assert engine.double_mul(3, 5, kg).point == point.base_mul(P256, 3 + 5 * k)
    assert engine.point_add(kg, G).point == point.base_mul(P256, k + 1)
    assert engine.ecdh(kg, u).value == point.base_mul(P256, u * k)[0]


def test_infinity_is_an_answer(engine: Engine) -> None:
    job = engine.base_mul(P256.n)
    assert (job.status, job.point) == (Status.INFINITY, INFINITY)
    assert engine.point_add(G, (P256.gx, P256.p - P256.gy)).status == Status.INFINITY


def test_signatures_with_given_and_drawn_secrets(engine: Engine) -> None:
    rng = random.Random(3)
    public = engine.keygen().point
    for blind in (False, True):
        e = rng.getrandbits(256)
        r, s = engine.ecdsa_sign(e, blind=blind).values
        assert engine.ecdsa_verify(e, r, s, public).ok
        assert engine.ecdsa_verify(e ^ 1, r, s, public).status == Status.BAD_SIGNATURE
    d, k = rng.randrange(1, P256.n), rng.randrange(1, P256.n)
    engine.key_load(d, host_nonce=True)
    assert engine.ecdsa_sign(5, k=k).values == engine.ecdsa_sign(5, d=d, k=k).values


def test_modular_jobs(engine: Engine) -> None:
    for name, m in (("p", P256.p), ("n", P256.n)):
        a, b = m - 2, m // 3
        assert engine.mod_mul(a, b, name).value == a * b % m
        assert engine.mod_add(a, b, name).value == (a + b) % m
        assert engine.mod_sub(b, a, name).value == (b - a) % m
        assert engine.mod_inv(a, name).value == pow(a, -1, m)
        assert engine.mod_exp(a, 65537, name).value == pow(a, 65537, m)
    with pytest.raises(ValueError, match='"p" or "n"'):
        engine.mod_inv(3, "q")


def test_montgomery_ladder() -> None:
    engine = Engine(GoldenTransport())
    curve = find_curve("Curve25519")
    assert curve.kind == "montgomery"
    engine.load_curve(curve)
    # RFC 7748, section 5.2, first iteration of the test loop (k = u = 9, clamped).
    k = (9 & ~7 & ((1 << 254) - 1)) | 1 << 254
    expected = int.from_bytes(
        bytes.fromhex("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"), "little"
    )
    assert engine.x_ladder(k, 9).value == expected


def test_refusals_raise_and_say_what_to_do(engine: Engine) -> None:
    with pytest.raises(JobError, match=r"KEYGEN: SCALAR_RANGE.*1\.\.n-1") as caught:
        engine.keygen(0)
    assert caught.value.status == Status.SCALAR_RANGE
    with pytest.raises(JobError, match="key_load or keygen"):
        engine.ecdsa_sign(1, k=5)
    with pytest.raises(JobError, match="NOT_ON_CURVE"):
        engine.mul(5, (1, 1))
    with pytest.raises(JobError, match="COORD_RANGE"):
        engine.on_curve((P256.p, 1))
    assert engine.on_curve((1, 1)).status == Status.NOT_ON_CURVE
    with pytest.raises(PacketError, match="does not fit"):
        engine.base_mul(1 << 256)


def test_submit_returns_every_status(engine: Engine) -> None:
    assert engine.submit(0x7F).status == Status.BAD_OP
    assert engine.submit(Op.MUL, (1,)).status == Status.BAD_LENGTH
    assert engine.submit(Op.BASE_MUL, (1,), curve_id=9).status == Status.BAD_CURVE
    assert engine.submit(Op.BASE_MUL, (1,), 0x80).status == Status.BAD_OP


def test_zeroise_clears_the_key_and_keeps_the_curve(engine: Engine) -> None:
    engine.keygen(5)
    engine.zeroise()
    assert engine.submit(Op.ECDH, G, Flag.KEY).status == Status.NO_KEY
    assert engine.base_mul(1).point == G
    assert engine.self_test().ok


def test_a_curve_of_another_width_replaces_the_first(engine: Engine) -> None:
    for name in ("P-521", "P-192", "secp160r1"):
        curve = find_curve(name)
        engine.load_curve(curve)
        assert engine.width == curve.element_words
        assert engine.base_mul(curve.n - 1).point == (curve.gx, curve.p - curve.gy)


def test_a_refused_curve_leaves_none(engine: Engine) -> None:
    from dataclasses import replace

    with pytest.raises(JobError):
        engine.load_curve(replace(P256, b=0))
    assert engine.submit(Op.BASE_MUL, (1,)).status == Status.BAD_CURVE


class _Tampered:
    """A transport that changes one response word."""

    def __init__(self, index: int, mask: int) -> None:
        self.inner, self.index, self.mask = GoldenTransport(), index, mask

    def exchange(self, words: list[int]) -> Reply:
        reply = self.inner.exchange(words)
        reply.words[self.index] ^= self.mask
        return reply


class WithoutResults(GoldenTransport):
    """Its answers have a status, but no results."""

    def exchange(self, words: list[int]) -> Reply:
        reply = super().exchange(words)
        return Reply([reply.words[0], 0], reply.cycles)


def test_a_response_that_lacks_results_is_noticed() -> None:
    engine = Engine(WithoutResults())
    engine.load_curve(P256)
    assert engine.submit(Op.MUL, (1, P256.p, 0)).status == Status.COORD_RANGE
    with pytest.raises(TransportError, match="0 results, expected 2"):
        engine.submit(Op.BASE_MUL, (5,))


@pytest.mark.parametrize(("index", "mask"), [(0, 1 << 16), (0, 1 << 8), (1, 1), (1, 1 << 20)])
def test_a_foreign_or_broken_response_is_noticed(index: int, mask: int) -> None:
    with pytest.raises(TransportError):
        Engine(_Tampered(index, mask)).load_curve(P256)


def test_every_status_has_advice() -> None:
    assert set(ADVICE) == set(Status)
    assert "versions" in advice(0xEE)
    assert status_name(0xEE) == "UNKNOWN_0xee"
