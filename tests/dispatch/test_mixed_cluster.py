"""A cluster of real engines of three kinds: one stream on three curves, with the golden model's results."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.cluster import all_counters, counters
from eccelerate.driver.packet import Request, decode_response
from eccelerate.explore import software
from eccelerate.model import point
from eccelerate.model.jobs import IDS, Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.rtl import Plan, RtlTransport

CONFIG = find_config("cluster-p256-b163")
CURVES = [find_curve(name) for name in ("P-256", "B-163", "secp192k1")]
SHARES = (6, 6, 1)
"""Share of each curve's jobs: a compact engine needs as long for one job as a turbo engine for a group."""
OPS = ((Op.ON_CURVE, 1), (Op.POINT_ADD, 2), (Op.MUL, 3), (Op.BASE_MUL, 3), (Op.ECDH, 3), (Op.ECDSA_VERIFY, 1))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(RtlTransport(CONFIG), pools=[config for config, _ in CONFIG.pools])


def _job(rng: random.Random, pool: int, tag: int, key: bool) -> list[int]:
    """A job of any kind. Some jobs are to be refused."""
    curve = CURVES[pool]
    (op,) = rng.choices([op for op, _ in OPS], [weight for _, weight in OPS])
    x, y = point.base_mul(curve, rng.randrange(1, curve.n)) or (0, 0)
    k, flags = rng.randrange(1, curve.n), 0
    operands = {
        Op.ON_CURVE: (x, y ^ rng.randrange(2)),
        Op.POINT_ADD: (x, y, *curve.generator),
        Op.MUL: (k, x, y ^ (rng.randrange(8) == 0)),
        Op.BASE_MUL: (k,),
        Op.ECDH: (x, y, k),
        Op.ECDSA_VERIFY: (k, k, k, x, y),
    }[op]
    if op == Op.ECDH and key:
        operands, flags = (x, y), int(Flag.KEY)
    stray = rng.random() < 0.05  # another id of the same pool, for which no curve is loaded
    return Request(op, IDS * pool + 1 + stray, tag, flags, curve.element_words, operands).words()


def _check_stream(
    engine: Engine, golden: Engine, packets: list[list[int]], faults: tuple[int, ...] = ()
) -> int:
    """Every packet gets one response, that of the golden model. Jobs for the pools of `faults` may fail
    instead.
    """
    transport = engine.transport
    assert isinstance(transport, RtlTransport)
    transport.plan = Plan(40_000_000, req_stall=0x11111111, rsp_stall=0x0F0F0000)
    failed, seen = 0, Counter[int]()
    for reply in transport.stream(packets):
        tag = reply.words[0] >> 16
        words, width = packets[tag], packets[tag][1] >> 24
        seen[tag] += 1
        got = decode_response(reply.words, width)
        if got.status == Status.ENGINE_FAULT:
            assert (words[0] >> 8 & 0xFF) // IDS in faults
            failed += 1
            continue
        want = decode_response(golden.transport.exchange(words).words, width)
        assert (got.op, got.status, got.results) == (want.op, want.status, want.results), hex(words[0])
    assert seen == Counter(range(len(packets)))
    return failed


def test_three_kinds_of_engines_in_one_stream(engine: Engine) -> None:
    """Every pool has its own key. Jobs are served and refused. An engine is lost, and its pool's curve brings
    it back.
    """
    rng, golden = random.Random(3), open_engine(CONFIG, "golden")
    for each in (engine, golden):
        each.load_curves(CURVES)
        for curve in CURVES:
            each.select(curve)
            each.key_load(curve.n // 3)
    pools = rng.choices(range(3), SHARES, k=50)
    packets = [_job(rng, pool, tag, key=tag % 2 == 0) for tag, pool in enumerate(pools)]
    # At the end comes a pool that does not exist: the state of the others has nothing to do with it.
    packets.append(Request(Op.KEY_LOAD, 3 * IDS + 1, len(packets), 0, 8, (1,)).words())
    assert _check_stream(engine, golden, packets) == 0
    assert [state.pool for state in all_counters(engine.transport)] == [0, 0, 1, 2]
    assert not counters(engine.transport, 2, restart=True).in_service
    packets = [_job(rng, tag % 2, tag, key=False) for tag in range(16)]
    assert _check_stream(engine, golden, packets, faults=(1,)) == 8
    engine.load_curve(CURVES[1])
    assert all(state.in_service for state in all_counters(engine.transport))
    assert _check_stream(engine, golden, packets) == 0


def test_zeroise_clears_the_key_of_every_kind(engine: Engine) -> None:
    engine.load_curves(CURVES)
    for curve in CURVES:
        engine.select(curve)
        engine.key_load(5)
    engine.zeroise()
    for curve in CURVES:
        engine.select(curve)
        assert engine.submit(Op.ECDH, curve.generator, Flag.KEY).status == Status.NO_KEY


def test_attributes_of_a_key_hold_in_every_engine_of_its_pool(engine: Engine) -> None:
    engine.load_curves(CURVES)
    for curve in CURVES:
        engine.select(curve)
        for attributes, signs, agrees in (
            (Flag.HOST_NONCE | Flag.NO_AGREE, Status.OK, Status.KEY_REFUSED),
            (Flag.NONE, Status.KEY_REFUSED, Status.OK),
        ):
            engine.submit(Op.KEY_LOAD, (5,), attributes).check()
            signatures = engine.submit_many(Op.ECDSA_SIGN, [(7, 1)] * 4, Flag.KEY)
            secrets = engine.submit_many(Op.ECDH, [curve.generator] * 4, Flag.KEY)
            assert {result.status for _, result in signatures} == {signs}
            assert {result.status for _, result in secrets} == {agrees}
    engine.zeroise()


def test_a_file_that_mixes_curves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`eccel run --batch` runs each line on its own curve, and gives figures for each curve and engine."""
    monkeypatch.setattr(software, "speed", lambda op, curve: 20_000)
    path, out = tmp_path / "jobs.csv", tmp_path / "results.jsonl"
    names = [CURVES[0].name, CURVES[1].name, ""]  # "": that of --curve
    lines = [{"k": k, "curve": names[k % 3]} for k in range(1, 13)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["run", CONFIG.name, "base-mul", "--curve", "secp192k1", "--batch", str(path)]
    result = CliRunner().invoke(app, [*command, "--json", "--out", str(out)])
    assert result.exit_code == 0, result.output
    for record in map(json.loads, out.read_text().splitlines()):
        line = lines[record["line"] - 1]
        assert record["curve"] == (line["curve"] or "secp192k1")
        want = point.base_mul(find_curve(record["curve"]), int(line["k"])) or (0, 0)
        assert (int(record["x"], 16), int(record["y"], 16)) == want
    found = json.loads(result.stdout)
    assert {name: own["jobs"] for name, own in found["curves"].items()} == dict.fromkeys(
        ("P-256", "B-163", "secp192k1"), 4
    )
    assert found["engines"] == ["turbo-p256", "turbo-p256", "binary-163-d64", "compact-w32"]
    assert all(0 < share <= 1 for share in found["engine_busy"][2:]) and sum(found["engine_busy"][:2]) > 0
    assert found["curves"]["secp192k1"]["last_answer_cycle"] == found["cycles"]
