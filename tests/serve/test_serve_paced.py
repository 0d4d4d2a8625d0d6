"""The paced device keeps the times of its plan: alone, in groups, in streams, on several curves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request, decode_response
from eccelerate.driver.server_link import Frame, ServerLink
from eccelerate.explore.cycle_records import CycleStore
from eccelerate.explore.paced_plan import PlanError, can_pace, in_cluster, make_plan
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.measure_jobs import JobClocks, group_clocks
from eccelerate.rtlsim.probes import Probe
from eccelerate.rtlsim.rtl import RtlTransport
from tests.serve.serve_running import refused, serving

P256, P384, B163 = (find_curve(name) for name in ("P-256", "P-384", "B-163"))
WITHIN = 0.10
"""By how much a time may differ from the plan."""
ATTEMPTS = 30
"""This machine may do other things meanwhile: one attempt has to keep the times."""

Plan = dict[str, Any]


def plan(
    *,
    engines: int = 1,
    threads: int = 1,
    window: int = 1,
    wait: int = 0,
    alone: int = 2000,
    group: int = 1000,
) -> Plan:
    """A plan at 100 kHz, so that a clock is 10 us: easily told from what the host needs."""
    jobs = [
        {"op": op, "flags": 0, "status": 0, "alone": alone, "group": group}
        for op in (Op.BASE_MUL, Op.ECDH, Op.ON_CURVE, Op.MOD_ADD)
    ]
    jobs += [{"op": Op.BASE_MUL, "flags": 4, "status": Status.BAD_OP, "alone": 10, "group": 10}]
    curves = [
        {
            "name": curve.name,
            "words": curve.element_words,
            "load": [f"{value:x}" for value in curve_load_operands(curve)],
            "load_clocks": 500,
            "jobs": jobs,
        }
        for curve in (P256, P384)
    ]
    pool = {
        "config": "test",
        "engines": engines,
        "threads": threads,
        "window": window,
        "wait": wait,
        "curves": curves,
    }
    return {"format": 1, "name": "test", "clock_khz": 100, "max_words": 12, "pools": [pool]}


def seconds_of(link: ServerLink, packets: list[list[int]]) -> list[float]:
    """Seconds from the first request to each response, in order, of packets that are sent at once."""
    data = b"".join(encode_all(packets))
    began = time.monotonic()
    link.send_bytes(data)
    ends = []
    for _ in packets:
        assert link.expect(Frame.RESPONSE)[0] & 0xFF in (0, 1, Status.BAD_OP)
        ends.append(time.monotonic() - began)
    return ends


def encode_all(packets: list[list[int]]) -> list[bytes]:
    from eccelerate.driver.server_link import encode

    return [encode(Frame.REQUEST, packet) for packet in packets]


def request(engine: Engine, op: Op, *operands: int, flags: int = 0) -> list[int]:
    return Request(op, engine.curve_id, 0, flags, engine.width, operands).words()


def keeps(measure: Callable[[], list[float]], expected: list[float]) -> None:
    """One of a few attempts keeps all times; none is too early by more than that."""
    worst = []
    for _ in range(ATTEMPTS):
        found = measure()
        assert all(f >= (1 - WITHIN) * e for f, e in zip(found, expected, strict=True)), (found, expected)
        if all(f <= (1 + WITHIN) * e + 0.0005 for f, e in zip(found, expected, strict=True)):
            return
        worst.append(found)
    pytest.fail(f"{worst} and not {expected}")


def write(folder: Path, content: Plan) -> str:
    path = folder / "plan.json"
    path.write_text(json.dumps(content))
    return str(path)


def test_jobs_of_one_engine_run_one_after_the_other_at_the_pace_of_the_plan(tmp_path: Path) -> None:
    with serving("--paced", write(tmp_path, plan())) as server:
        engine = server.engine(P256)
        link = engine.transport
        assert isinstance(link, ServerLink)
        engine.base_mul(3)  # the curve is loaded
        jobs = [request(engine, Op.BASE_MUL, k + 2) for k in range(10)]
        keeps(lambda: seconds_of(link, jobs), [0.01 * (k + 1) for k in range(10)])
        assert server.counters()["late"] == 0


def test_a_long_stream_keeps_the_rate(tmp_path: Path) -> None:
    """500 jobs of 400 us with 64 in flight: answers may leave in batches, but the engine is always busy."""
    with serving("--paced", write(tmp_path, plan(alone=40, group=40))) as server:
        engine = server.engine(P256)
        link = engine.transport
        assert isinstance(link, ServerLink)
        engine.base_mul(5)
        jobs = [request(engine, Op.BASE_MUL, 5)] * 500

        def stream() -> list[float]:
            began, before = time.monotonic(), server.counters()["busy_clocks"]
            link.stream(jobs, most=64)
            return [time.monotonic() - began, (server.counters()["busy_clocks"] - before) / 100e3]

        keeps(stream, [0.2, 0.2])


def test_a_group_takes_as_long_for_one_as_for_all(tmp_path: Path) -> None:
    """Four threads: alone 20 ms with 5 ms of waiting, full groups 10 ms."""
    content = plan(threads=4, wait=500, alone=2000, group=1000)
    with serving("--paced", write(tmp_path, content)) as server:
        engine = server.engine(P256)
        link = engine.transport
        assert isinstance(link, ServerLink)
        engine.base_mul(3)
        one, two = request(engine, Op.BASE_MUL, 5), request(engine, Op.ON_CURVE, *P256.generator)
        keeps(lambda: seconds_of(link, [one]), [0.020])
        keeps(lambda: seconds_of(link, [one] * 8), [0.010] * 4 + [0.020] * 4)
        # Six: a full group, and an incomplete one that waits: 10 + 5 + 15 ms.
        keeps(lambda: seconds_of(link, [one] * 6), [0.010] * 4 + [0.030] * 2)
        # A job that does not fit ends the wait: 15 ms for the first two, then 20 ms alone.
        keeps(lambda: seconds_of(link, [one, one, two]), [0.015, 0.015, 0.035])


def test_engines_of_a_cluster_work_side_by_side(tmp_path: Path) -> None:
    content = plan(engines=3, threads=2, window=15, wait=100, alone=1100, group=1000)
    with serving("--paced", write(tmp_path, content)) as server:
        engine = server.engine(P256)
        link = engine.transport
        assert isinstance(link, ServerLink)
        engine.base_mul(3)
        one, two = request(engine, Op.BASE_MUL, 5), request(engine, Op.ON_CURVE, *P256.generator)
        keeps(lambda: seconds_of(link, [one] * 12), [0.010] * 6 + [0.020] * 6)
        # Mixed kinds are sorted into groups: three full ones at the same time.
        keeps(lambda: seconds_of(link, [one, two, one, two, one, one]), [0.010] * 6)
        began = server.counters()
        seconds_of(link, [one] * 6)
        ended = server.counters()
        assert ended["busy_clocks"] - began["busy_clocks"] == pytest.approx(1000, rel=0.02)  # of each engine


def test_a_curve_is_loaded_when_the_pool_is_idle(tmp_path: Path) -> None:
    with serving("--paced", write(tmp_path, plan())) as server:
        first, second = server.engine(P256), server.engine(P384)
        first.base_mul(3)
        link = second.transport
        assert isinstance(link, ServerLink)
        loads = server.counters()["curve_loads"]

        def change() -> list[float]:
            first.submit(Op.ON_CURVE, P256.generator)
            return seconds_of(link, [request(second, Op.BASE_MUL, 5)])

        keeps(change, [0.015])  # 5 ms for the curve
        grown = server.counters()["curve_loads"] - loads
        assert grown % 2 == 1 and grown >= 1


def test_jobs_of_a_curve_stay_together_for_a_while(tmp_path: Path) -> None:
    content = plan(alone=50, group=50)
    with serving("--paced", write(tmp_path, content)) as server:
        engines = [server.engine(P256), server.engine(P384)]
        for engine in engines:
            engine.base_mul(3)
        before = server.counters()["curve_loads"]
        links = [engine.transport for engine in engines]
        for _ in range(100):
            for engine, link in zip(engines, links, strict=True):
                assert isinstance(link, ServerLink)
                link.send(Frame.REQUEST, request(engine, Op.BASE_MUL, 9))
        for link in links:
            assert isinstance(link, ServerLink)
            assert all(link.expect(Frame.RESPONSE)[0] & 0xFF == 0 for _ in range(100))
        assert 2 <= server.counters()["curve_loads"] - before <= 8


def test_jobs_and_curves_that_the_engine_lacks_are_refused(tmp_path: Path) -> None:
    with serving("--paced", write(tmp_path, plan())) as server:
        engine = server.engine(P256)
        assert engine.submit(Op.MOD_EXP, (3, 4)).status == Status.BAD_OP
        assert engine.submit(Op.BASE_MUL, (3,), Flag.BLIND).status == Status.BAD_OP  # as the plan says
        assert engine.submit(Op.ON_CURVE, P256.generator, Flag.BLIND).ok
        words = Request(Op.CURVE_LOAD, 1, 0, 0, 6, curve_load_operands(B163)).words()
        assert server.link().exchange(words).words[0] & 0xFF == Status.BAD_MODULUS
        assert server.link().status().clock_khz == 100


@pytest.mark.parametrize(
    ("jobs", "at_once", "expected"), [(5, 0, [0.05] * 5), (4, 2, [0.05, 0.05, 0.10, 0.10])]
)
def test_a_fixed_latency(jobs: int, at_once: int, expected: list[float]) -> None:
    with serving("--latency-ms", "50", "--at-once", str(at_once)) as server:
        engine = server.engine(P256)
        link = engine.transport
        assert isinstance(link, ServerLink)
        packets = [request(engine, Op.BASE_MUL, 5)] * jobs
        keeps(lambda: seconds_of(link, packets), expected)


def test_a_result_that_is_late_is_counted(tmp_path: Path) -> None:
    """A plan of a microsecond: no host computes so quickly, and the results are still right."""
    content = plan(alone=1, group=1)
    content["clock_khz"] = 1_000_000
    with serving("--paced", write(tmp_path, content)) as server:
        engine = server.engine(P384)
        assert engine.base_mul(12345).point == point.base_mul(P384, 12345)
        assert server.counters()["late"] >= 1
        server.stop()
        assert server.events("host_too_slow")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ('{"format": 1,}', "no JSON"),
        ('"\\u00e4"', "no JSON"),
        ("[" * 100, "no JSON"),
        ("{} {}", "no JSON"),
        ("{}", "not a plan"),
        ('{"format": 2, "pools": []}', "not a plan"),
        (json.dumps({**plan(), "clock_khz": 0}), "not a plan"),
        (json.dumps({**plan(), "pools": [plan()["pools"][0]] * 5}), "not a plan"),
        (json.dumps({**plan(), "pools": [{**plan()["pools"][0], "engines": 0.5}]}), "not a plan"),
    ],
)
def test_a_malformed_plan_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    code, message = refused("--listen", f"unix:{tmp_path}/s", "--paced", str(path))
    assert code == 1 and reason in message


def test_the_plan_of_an_engine_has_its_measured_clocks() -> None:
    config = find_config("binary-163-d64")
    made = make_plan([config], [130_000])
    (pool,) = made["pools"]
    (curve,) = pool["curves"]
    jobs = {(job["op"], job["flags"]): job for job in curve["jobs"]}
    assert (pool["engines"], pool["threads"], curve["name"]) == (1, 1, "B-163")
    assert jobs[Op.ECDH, 0]["alone"] < jobs[Op.ECDH, 0]["group"] < jobs[Op.ECDH, Flag.BLIND]["alone"]
    assert jobs[Op.ECDSA_SIGN, Flag.RANDOM]["status"] == Status.OK
    assert {Op.MUL, Op.ECDSA_VERIFY, Op.KEYGEN, Op.KEY_LOAD, Op.ZEROISE} <= {op for op, _ in jobs}
    assert make_plan([config], [130_000], engines=2)["pools"][0]["engines"] == 2


def test_the_clocks_of_a_cluster_come_from_its_own_record() -> None:
    config = find_config("turbo-p256-x9")
    cycles = {"scalar_mul": 212.0, "scalar_mul_sustained": 6.0, "base_mul": 61.0, "base_mul_sustained": 2.0}
    measured = {
        (int(Op.MUL), 0): JobClocks(0, 210, 208),
        (int(Op.BASE_MUL), 0): JobClocks(0, 60, 59),
        (int(Op.BASE_MUL), 2): JobClocks(0, 65, 64),
        (int(Op.DOUBLE_MUL), 0): JobClocks(0, 300, 297),
    }
    times = {key: in_cluster(config, *key, measured, cycles) for key in measured}
    assert list(times.values()) == [
        {"alone": 212.0, "group": 216.0},  # 36 jobs at once
        {"alone": 61.0, "group": 72.0},
        {"alone": 66.0, "group": 77.0},
        {"alone": 302.0, "group": 305.0},
    ]


def test_the_clocks_of_a_group_are_those_of_a_stream_on_the_rtl() -> None:
    """The stored figure of `eccel measure` for four jobs, within the clocks of a transfer."""
    config = find_config("turbo-p256")
    record = CycleStore().latest(config=config.name, curve="P-256")
    assert record is not None
    with RtlTransport(config) as transport:
        engine = Engine(transport)
        engine.load_curve(P256)
        probe = Probe("base_mul", Op.BASE_MUL, (12345,))
        found = group_clocks(transport, engine, probe, config.threads)
    assert found == pytest.approx(4 * record["cycles"]["base_mul_sustained"], rel=0.01)


def test_curves_that_software_lacks_are_named() -> None:
    assert "Montgomery" in can_pace(find_curve("curve25519"))
    assert "cofactor" in can_pace(find_curve("wei25519"))
    with pytest.raises(PlanError, match="no engine of the plan takes it"):
        make_plan([find_config("binary-163-d64")], [1000], curves=[find_curve("P-256")])


def test_results_of_a_plan_are_right(tmp_path: Path) -> None:
    with serving("--paced", write(tmp_path, plan(alone=10, group=10))) as server:
        for curve in (P256, P384):
            engine = server.engine(curve)
            for k in range(2, 30):
                words = engine.transport.exchange(request(engine, Op.BASE_MUL, k)).words
                assert decode_response(words, engine.width).results == point.base_mul(curve, k)
