"""Every job ends within the time that docs/architecture.md states, also on the worst curves that load."""

from __future__ import annotations

import re
from functools import cache

import pytest

from eccelerate.configs.config import ROOT, Config, find_config, load_configs
from eccelerate.configs.tops import job_bits
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.timing import job_bounds
from tests.hostile import accepted_prime_curves

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
WATCHDOG = re.compile(r"parameter int WatchdogBits = (\d+)")
Job = tuple[Op, tuple[int, ...], int]


def worst_jobs(curve: Curve, blind: int) -> list[Job]:
    """Long jobs of every kind: with the flags of `blind`, equal points, an exponent of ones,
    signatures that are wrong.
    """
    n, g = curve.n, curve.generator
    ones = (1 << 32 * curve.element_words) - 1
    try:
        signature = ecdsa.sign(curve, n - 2, 5, 7) or (1, 1)
        public = point.base_mul(curve, n - 2) or g
    except ValueError:  # p or n is a pseudoprime
        signature, public = (1, 1), g
    return [
        (Op.MUL, (n - 2, *g), blind),
        (Op.BASE_MUL, (n - 2,), blind),
        (Op.DOUBLE_MUL, (n - 2, n - 2, *g), 0),
        (Op.POINT_ADD, (*g, *g), 0),
        (Op.ON_CURVE, g, 0),
        (Op.ECDH, (*g, n - 2), 0),
        (Op.ECDSA_SIGN, (5, n - 2), Flag.RANDOM | blind),
        (Op.ECDSA_VERIFY, (5, *signature, *public), 0),
        (Op.ECDSA_VERIFY, (1, 1, 1, *g), 0),
        (Op.KEYGEN, (n - 2,), 0),
        (Op.MOD_EXP, (3, ones), 0),
        (Op.MOD_EXP, (3, ones), Flag.MOD_N),
        (Op.MOD_INV, (3,), 0),
        (Op.SELF_TEST, (), 0),
    ]


def longest(transport: IssTransport | RtlTransport, curve: Curve, blind: int) -> dict[str, int]:
    """The longest time of each operation on a curve."""
    found: dict[str, int] = {}
    load = (Op.CURVE_LOAD, curve_load_operands(curve), 0)
    for op, operands, flags in (load, *worst_jobs(curve, blind)):
        words = Request(op, 1, 1, int(flags), curve.element_words, operands).words()
        reply = transport.exchange(words)
        assert op != Op.CURVE_LOAD or reply.words[0] & 0xFF == Status.OK
        assert reply.cycles is not None
        found[op.name] = max(found.get(op.name, 0), reply.cycles)
    return found


@pytest.mark.parametrize("digit_bits", [16, 32, 64])
@pytest.mark.parametrize("name", ["brainpoolP160r1", "P-521"])
def test_compact_jobs_end_in_time(digit_bits: int, name: str) -> None:
    curve = find_curve(name)
    transport = IssTransport.of(find_config(f"compact-w{digit_bits}"))
    for each in (curve, *accepted_prime_curves(curve)):
        times = longest(transport, each, Flag.BLIND | Flag.CHECK)
        for op, cycles in times.items():
            assert cycles <= job_bounds.compact_bound(op, digit_bits, each.element_words), (each.name, op)
        if each is curve:  # the bounds are not far from the times
            for op in ("MUL", "DOUBLE_MUL", "ECDSA_SIGN", "CURVE_LOAD"):
                assert 3 * times[op] > job_bounds.compact_bound(op, digit_bits, each.element_words), op


def test_binary_jobs_end_in_time() -> None:
    for name, curve in (("binary-163-d64", "B-163"), ("binary-233-d64", "B-233")):
        transport = IssTransport.of(find_config(name))
        for op, cycles in longest(transport, find_curve(curve), Flag.BLIND | Flag.CHECK).items():
            assert cycles <= job_bounds.binary_bound(64, find_curve(curve).element_words), op


def test_turbo_jobs_end_in_time() -> None:
    transport = RtlTransport(find_config("turbo-p256"))
    times = longest(transport, find_curve("P-256"), Flag.BLIND | Flag.CHECK)
    assert job_bounds.turbo_bound(8) / 4 < max(times.values()) <= job_bounds.turbo_bound(8)


@cache
def watchdog(config: Config) -> int:
    """The clocks of the watchdog of an engine."""
    found = dict(config.parameters).get("WatchdogBits")
    if found is None:
        path = next(ROOT.glob(f"rtl/engines/*/{config.top}.sv"))
        match = WATCHDOG.search(path.read_text())
        assert match
        found = int(match[1])
    return 1 << int(found)


def bound(config: Config) -> int:
    """The longest time of any job of an engine."""
    if config.engine == "ecp_compact":
        return max(
            job_bounds.compact_bound(op, config.digit_bits, config.max_words) for op in job_bounds.FACTORS
        )
    if config.binary:
        return job_bounds.binary_bound(dict(config.parameters).get("DigitBits", 64), config.max_words)
    return job_bounds.turbo_bound(config.max_words)


SINGLE = [
    config.name for config in load_configs().values() if len(config.pools) == 1 and config.single is config
]


@pytest.mark.parametrize("name", SINGLE)
def test_the_watchdog_is_above_every_job(name: str) -> None:
    config = find_config(name)
    assert bound(config) < watchdog(config)


def test_a_dispatcher_waits_longer_than_the_watchdogs_of_its_engines() -> None:
    clusters = [config for config in load_configs().values() if config.name not in SINGLE]
    assert clusters
    for cluster in clusters:
        for member, _ in cluster.pools:
            assert watchdog(member) < 14 << job_bits(cluster), (cluster.name, member.name)


def test_the_page_states_these_bounds() -> None:
    section = ARCHITECTURE.split("## Bounded time")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|$", section, re.MULTILINE)
    stated = {name: int(factor) for names, factor in rows for name in re.findall(r"[A-Z_]{3,}", names)}
    assert stated == job_bounds.FACTORS
    assert f"{job_bounds.TURBO} (32 W)^2" in section and f"{job_bounds.BINARY} (32 W)^2" in section
