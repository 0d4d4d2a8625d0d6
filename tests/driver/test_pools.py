"""Several pools behind one driver: which one gets a curve, and jobs on several curves at once."""

from __future__ import annotations

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine, JobError
from eccelerate.driver.packet import Request, decode_response
from eccelerate.driver.pool import AnyCurve, place_curves
from eccelerate.model import point
from eccelerate.model.jobs import IDS, Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.pool_transport import PoolTransport

CLUSTER = find_config("cluster-p256-b163")
P256, P384, P521, B163, B233 = (find_curve(name) for name in ("P-256", "P-384", "P-521", "B-163", "B-233"))
GENERIC = find_curve("brainpoolP256r1")


@pytest.fixture
def engine() -> Engine:
    return open_engine(CLUSTER, "golden")


def test_a_curve_goes_to_the_first_pool_that_takes_it(engine: Engine) -> None:
    for curve, pool in ((P256, 0), (B163, 1), (P384, 2), (P521, 2), (P256, 0)):
        engine.load_curve(curve, 5)
        assert engine.curve_id == pool * IDS + 5
        assert engine.base_mul(7).point == point.base_mul(curve, 7)
    engine.select(B163)
    assert engine.base_mul(9).point == point.base_mul(B163, 9)
    with pytest.raises(ValueError, match="P-384 is not loaded"):
        engine.select(P384)  # P-521 has taken its place


def test_a_pool_without_a_curve_comes_before_one_that_has_another() -> None:
    engine = open_engine(CLUSTER, "golden")
    # The first and the last pool accept any prime.
    engine.pools = (engine.pools[2], engine.pools[1], AnyCurve("other"))
    engine.load_curve(P256)
    engine.load_curve(P384)
    assert engine.loaded == {0: (P256, 1), 2: (P384, 2 * IDS + 1)}


def test_a_curve_that_no_pool_takes_is_refused_with_what_each_lacks(engine: Engine) -> None:
    with pytest.raises(ValueError) as refused:
        engine.load_curve(B233)
    for text in ("turbo-p256 takes prime fields only", "binary-163-d64 has fields of degree 163 only"):
        assert text in str(refused.value)
    with pytest.raises(ValueError, match=r"ids 0\.\.63"):
        engine.load_curve(P256, 64)


def test_curves_that_are_needed_at_once_find_places_for_all() -> None:
    any_prime, p256 = AnyCurve("any"), find_config("turbo-p256")
    assert place_curves([any_prime, p256], [P256, P384]) == [1, 0]
    assert place_curves([any_prime, p256], [P384, P256]) == [0, 1]
    assert place_curves([any_prime, p256], [P256]) == [0]
    with pytest.raises(ValueError, match="P-384 goes to any; P-521 goes to any"):
        place_curves([any_prime, p256], [P384, P521])
    with pytest.raises(ValueError, match="B-163 goes to none"):
        place_curves([any_prime], [B163])


@pytest.mark.parametrize("backend", ["golden", "iss"])
def test_jobs_on_several_curves_in_one_stream(backend: str) -> None:
    engine = open_engine(CLUSTER, backend)
    curves = [P256, B163, GENERIC]
    engine.load_curves(curves)
    jobs = [curves[k % 3] for k in range(9)]
    answers = engine.submit_many(Op.ON_CURVE, [curve.generator for curve in jobs], curves=jobs)
    assert sorted(index for index, _ in answers) == list(range(9))
    assert {job.status for _, job in answers} == {Status.OK}
    answers = engine.submit_many(Op.BASE_MUL, [(k + 2,) for k in range(3)], curves=curves)
    assert {i: job.point for i, job in answers} == {i: point.base_mul(c, i + 2) for i, c in enumerate(curves)}
    with pytest.raises(ValueError, match="P-384 is not loaded"):
        engine.submit_many(Op.BASE_MUL, [(1,)], curves=[P384])


@pytest.mark.parametrize("backend", ["golden", "iss"])
def test_without_rtl_packets_go_where_the_dispatcher_sends_them(backend: str) -> None:
    """ZEROISE goes to every pool, whatever its W. Packets of no pool go to none, and keep their place in a
    stream.
    """
    engine = open_engine(CLUSTER, backend)
    curves = [P256, B163]
    engine.load_curves(curves)
    for curve in curves:
        engine.select(curve)
        engine.key_load(3)
    transport = engine.transport
    assert isinstance(transport, PoolTransport)
    use = [
        Request(Op.ECDH, i * IDS + 1, i, Flag.KEY, c.element_words, c.generator).words()
        for i, c in enumerate(curves)
    ]
    # The cycles of the dispatcher are not known.
    assert all(transport.exchange(words).cycles is None for words in use)
    wipe = Request(Op.ZEROISE, 3 * IDS, 2, 0, 31).words()
    unknown = Request(Op.CURVE_LOAD, 3 * IDS + 1, 3, 0, 8, (0,) * 8).words()
    replies = [decode_response(r.words, 1) for r in transport.stream([*use, wipe, *use, unknown])]
    found = [(reply.tag, reply.op, reply.status) for reply in replies]
    assert sorted(found[:2]) == [(0, Op.ECDH, Status.OK), (1, Op.ECDH, Status.OK)]
    assert found[2] == (2, Op.ZEROISE, Status.OK)
    assert sorted(found[3:5]) == [(0, Op.ECDH, Status.NO_KEY), (1, Op.ECDH, Status.NO_KEY)]
    assert found[5] == (3, Op.CURVE_LOAD, Status.BAD_CURVE)
    with pytest.raises(JobError):
        engine.ecdh(B163.generator)


def test_an_engine_for_any_prime_of_a_length_takes_them() -> None:
    pool = find_config("turbo-generic256")
    assert pool.lacks(GENERIC) == "" and pool.lacks(P256) == ""
    assert "primes of 256 bits only" in pool.lacks(P384)
    small = find_config("compact-w16-up5k")
    assert small.lacks(P256) == "" and "holds 256 bits" in small.lacks(P384)
