"""Keys in the devices of a server: who sets, uses and wipes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request
from eccelerate.driver.server_link import Frame, ServerLink
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from tests.serve.serve_running import Server, model, serving, wait_for

P256, P384 = find_curve("P-256"), find_curve("P-384")
DEVICES = {"paced": ("--latency-ms", "1"), "RTL": ()}


@pytest.fixture(scope="module", params=list(DEVICES))
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The paced device, and the model of an engine."""
    arguments = DEVICES[request.param] or ("--device", model("compact-w32"))
    with serving(*arguments) as found:
        yield found


def test_a_key_belongs_to_the_connection_that_has_set_it(server: Server) -> None:
    owner, other = server.engine(P256), server.engine(P256)
    owner.submit(Op.KEY_LOAD, (1234,)).check()
    r, s = owner.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).check().values
    assert ecdsa.verify(P256, 5, r, s, owner.base_mul(1234).point)
    assert other.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).status == Status.NO_KEY
    assert other.submit(Op.KEY_LOAD, (99,)).status == Status.KEY_REFUSED
    assert other.submit(Op.KEYGEN, (), Flag.RANDOM).status == Status.KEY_REFUSED
    assert other.submit(Op.ZEROISE).status == Status.OK  # there is none that it may wipe
    assert owner.submit(Op.ECDH, (*owner.base_mul(3).point,), Flag.KEY).ok
    assert owner.submit(Op.KEY_LOAD, (99,)).status == Status.KEY_REFUSED  # occupied
    assert owner.submit(Op.ZEROISE).ok
    assert owner.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).status == Status.NO_KEY
    assert other.submit(Op.KEY_LOAD, (99,)).ok
    assert other.submit(Op.ZEROISE).ok


def test_a_key_without_an_owner_serves_everybody(server: Server) -> None:
    owner = server.engine(P256)
    public = owner.submit(Op.KEYGEN, (), Flag.RANDOM).check().point
    link = owner.transport
    assert isinstance(link, ServerLink)
    others = server.counters()["connections"] - 1
    link.close()
    wait_for(lambda: server.counters()["connections"] <= others)
    for _ in range(2):
        heir = server.engine(P256)
        r, s = heir.submit(Op.ECDSA_SIGN, (6,), Flag.KEY | Flag.RANDOM).check().values
        assert ecdsa.verify(P256, 6, r, s, public)
        assert heir.submit(Op.KEY_LOAD, (99,)).status == Status.KEY_REFUSED
    heir.submit(Op.ZEROISE).check()
    assert heir.submit(Op.ECDSA_SIGN, (6,), Flag.KEY | Flag.RANDOM).status == Status.NO_KEY


def test_attributes_of_a_key_are_kept(server: Server) -> None:
    engine = server.engine(P256)
    point = engine.base_mul(3).point
    for attributes, sign, agree, own_nonce in (
        (Flag.NO_SIGN, Status.KEY_REFUSED, Status.OK, Status.KEY_REFUSED),
        (Flag.NO_AGREE, Status.OK, Status.KEY_REFUSED, Status.KEY_REFUSED),
        (Flag.HOST_NONCE, Status.OK, Status.OK, Status.OK),
        (Flag.NONE, Status.OK, Status.OK, Status.KEY_REFUSED),
    ):
        engine.submit(Op.KEY_LOAD, (1234,), attributes).check()
        assert engine.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).status == sign
        assert engine.submit(Op.ECDSA_SIGN, (5, 7), Flag.KEY).status == own_nonce
        assert engine.submit(Op.ECDH, point, Flag.KEY).status == agree
        engine.submit(Op.ZEROISE).check()


def test_a_key_out_of_range_leaves_the_slot_free(server: Server) -> None:
    engine, other = server.engine(P256), server.engine(P256)
    for d in (0, P256.n):
        assert engine.submit(Op.KEY_LOAD, (d,)).status == Status.SCALAR_RANGE
        assert engine.submit(Op.KEYGEN, (d,)).status == Status.SCALAR_RANGE
    assert other.submit(Op.KEY_LOAD, (7,)).ok
    assert other.submit(Op.ZEROISE).ok


def test_a_job_after_a_key_uses_it_without_waiting_for_the_answer(server: Server) -> None:
    engine = server.engine(P256)
    link = engine.transport
    assert isinstance(link, ServerLink)
    for _ in range(5):
        jobs = [
            (Op.KEY_LOAD, 0, (77,)),
            (Op.ECDSA_SIGN, 3, (5,)),
            (Op.ZEROISE, 0, ()),
            (Op.ECDSA_SIGN, 3, (5,)),
        ]
        link.send_bytes(b"")
        for tag, (op, flags, operands) in enumerate(jobs):
            link.send(Frame.REQUEST, Request(op, engine.curve_id, tag, flags, 8, operands).words())
        heads = [link.expect(Frame.RESPONSE)[0] for _ in jobs]
        assert {head >> 16: head & 0xFF for head in heads} == {0: 0, 1: 0, 2: 0, 3: Status.NO_KEY}


def test_a_reset_wipes_the_key_of_the_connection(server: Server) -> None:
    engine, other = server.engine(P256), server.engine(P256)
    engine.submit(Op.KEY_LOAD, (77,)).check()
    link = engine.transport
    assert isinstance(link, ServerLink)
    link.send(Frame.CONTROL, [2])
    assert link.expect(Frame.STATUS)[2] & 2
    wait_for(lambda: other.submit(Op.KEY_LOAD, (5,)).ok)
    other.submit(Op.ZEROISE).check()


@pytest.mark.parametrize("device", list(DEVICES))
def test_other_curves_wait_while_a_key_is_in_the_only_engine(device: str) -> None:
    with serving(*(DEVICES[device] or ("--device", model("compact-w32")))) as server:
        owner, other = server.engine(P256), server.engine(P384)
        assert other.base_mul(5).ok
        owner.submit(Op.KEY_LOAD, (77,)).check()
        assert other.submit(Op.BASE_MUL, (5,)).status == Status.KEY_REFUSED
        assert server.engine("brainpoolP256r1").submit(Op.BASE_MUL, (5,)).status == Status.KEY_REFUSED
        assert owner.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).ok
        owner.submit(Op.ZEROISE).check()
        assert other.base_mul(5).ok


def test_each_pool_of_a_paced_device_has_a_key(tmp_path: Path) -> None:
    """Two pools: P-256 and P-384 share one, brainpoolP256r1 has its own."""
    brainpool = find_curve("brainpoolP256r1")
    pools = [pool_of(P256, P384), pool_of(brainpool)]
    plan = {"format": 1, "name": "two", "clock_khz": 1000, "max_words": 12, "pools": pools}
    (tmp_path / "plan").write_text(json.dumps(plan))
    with serving("--paced", str(tmp_path / "plan"), "--prepare", "2") as server:
        first, second, third = (server.engine(curve) for curve in (P256, P384, brainpool))
        first.submit(Op.KEY_LOAD, (11,)).check()
        third.submit(Op.KEY_LOAD, (13,)).check()
        assert second.submit(Op.KEY_LOAD, (12,)).status == Status.KEY_REFUSED
        assert second.submit(Op.BASE_MUL, (12,)).status == Status.KEY_REFUSED
        for engine, d in ((first, 11), (third, 13)):
            assert engine.curve is not None
            public = point.base_mul(engine.curve, d)
            r, s = engine.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).check().values
            assert public is not None and ecdsa.verify(engine.curve, 5, r, s, public)
        first.submit(Op.ZEROISE).check()
        second.submit(Op.KEY_LOAD, (12,)).check()
        assert first.submit(Op.BASE_MUL, (12,)).status == Status.KEY_REFUSED
        assert third.submit(Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM).ok
        second.submit(Op.ZEROISE).check()


def pool_of(*curves: Curve) -> dict[str, object]:
    """A pool of a plan whose jobs take 10 us."""
    ops = (Op.BASE_MUL, Op.KEY_LOAD, Op.ECDSA_SIGN, Op.ZEROISE)
    jobs = [{"op": op, "flags": 0, "status": 0, "alone": 10, "group": 10} for op in ops]
    jobs.append({"op": Op.ECDSA_SIGN, "flags": 2, "status": 0, "alone": 10, "group": 10})
    return {
        "engines": 1,
        "threads": 1,
        "window": 1,
        "wait": 0,
        "curves": [
            {
                "words": curve.element_words,
                "load": [f"{value:x}" for value in curve_load_operands(curve)],
                "load_clocks": 10,
                "jobs": jobs,
            }
            for curve in curves
        ],
    }
