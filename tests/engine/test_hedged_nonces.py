"""Hedged nonces: the RTL draws what the simulator draws, and a replayed or dead source of entropy no longer
gives the key away. Each attack is shown to work without the hedge.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from eccelerate.configs.config import Config, find_config, load_configs
from eccelerate.curves import find_curve
from eccelerate.driver import Engine, JobResult
from eccelerate.machine.by_config import simulator_of
from eccelerate.model.entropy_health import HealthTest
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from tests.engine.entropy_attack import HASHES, KEY, attack, sign
from tests.sampled import sampled

NAMES = ("compact-w32", "binary-163-d64", "turbo-p256")
WORDS = 1200
"""Words of entropy that a test needs at most."""


def hedged(config: Config) -> Config:
    """The configuration with hedged nonces."""
    if found := load_configs().get(f"{config.name}-hedged"):
        return found
    parameters = (*config.parameters, ("Hedged", 1))
    program = f"{config.program}_hedged"
    return replace(config, name=f"{config.name}-hedged", program=program, parameters=parameters)


@cache
def on_rtl(name: str, hedge: bool) -> tuple[RtlTransport, Engine]:
    config = hedged(find_config(name)) if hedge else find_config(name)
    transport = RtlTransport(config)
    return transport, Engine(transport, pools=[config])


def supplied(count: int = WORDS, seed: int = 1) -> list[int]:
    rng = random.Random(seed)
    return [rng.getrandbits(32) for _ in range(count)]


@sampled("name", NAMES, now=2)
def test_the_engine_draws_what_the_simulator_draws(name: str) -> None:
    """Also after the job ZEROISE and a reset, which wipe the sponge. Cycles are equal where the simulator
    knows them.
    """
    transport, engine = on_rtl(name, True)
    config, curve = hedged(find_config(name)), find_curve(find_config(name).curve_name)
    transport.reset()
    transport.entropy(Entropy.NONE)
    transport.entropy_words(supplied())
    supply = iter(supplied())
    simulator = simulator_of(config, lambda: next(supply, None))
    model = Engine(IssTransport(simulator), pools=[config])
    for each in (engine, model):
        each.load_curve(curve)
    for op, operands, flags in (
        (Op.ECDSA_SIGN, (5, KEY), Flag.RANDOM),
        (Op.KEYGEN, (), Flag.RANDOM),
        (Op.ECDSA_SIGN, (5,), Flag.RANDOM | Flag.KEY),
        (Op.ZEROISE, (), 0),
        (Op.ECDSA_SIGN, (5, KEY), Flag.RANDOM),
    ):
        got, expected = engine.submit(op, operands, flags), model.submit(op, operands, flags)
        assert (got.status, got.values) == (expected.status, expected.values)
        assert expected.cycles in (None, got.cycles)


def replayed(name: str, hedge: bool, hashes: tuple[int, int] = HASHES) -> list[JobResult]:
    """Signatures of two messages. Before each, the engine is reset, and the source gives the same words."""
    transport, engine = on_rtl(name, hedge)
    results = []
    for e in hashes:
        transport.reset()
        transport.entropy(Entropy.NONE)
        transport.entropy_words(supplied())
        engine.load_curve(find_curve(find_config(name).curve_name))
        results.append(sign(engine, e))
    assert all(result.ok for result in results)
    return results


@sampled("name", NAMES, now=2)
def test_a_replayed_source_gives_the_key_away_without_the_hedge_only(name: str) -> None:
    curve = find_curve(find_config(name).curve_name)
    assert attack(curve, replayed(name, False))
    results = replayed(name, True)
    assert not attack(curve, results) and results[0].values[0] != results[1].values[0]
    # Hashes that differ in one bit, the highest or the lowest; the same hash gives the same signature.
    for e in (HASHES[0] ^ 1, HASHES[0] | 1 << curve.n.bit_length() - 2):
        first, second = replayed(name, True, (HASHES[0], e))
        assert first.values[0] != second.values[0]
    assert len({result.values for result in replayed(name, True, (7, 7))}) == 1


def on_simulator(name: str, entropy: Callable[[], int], *, hedge: bool) -> Engine:
    """An engine without health tests."""
    config = hedged(find_config(name)) if hedge else find_config(name)
    simulator = simulator_of(config, entropy)
    simulator.health = HealthTest(repetition=1 << 32, proportion=1 << 32)
    engine = Engine(IssTransport(simulator), pools=[config])
    engine.load_curve(find_curve(config.curve_name))
    return engine


@pytest.mark.parametrize("name", NAMES)
def test_a_dead_source_gives_the_key_away_without_the_hedge_only(name: str) -> None:
    """Even if the health tests did not notice it, and also with two keys and one hash."""
    curve = find_curve(find_config(name).curve_name)
    engine = on_simulator(name, lambda: 0xFFFFFFFF, hedge=False)
    assert attack(curve, [sign(engine, e) for e in HASHES])
    engine = on_simulator(name, lambda: 0xFFFFFFFF, hedge=True)
    assert not attack(curve, [sign(engine, e) for e in HASHES])
    fresh = [on_simulator(name, lambda: 0xFFFFFFFF, hedge=True) for _ in range(2)]
    nonces = [
        each.submit(Op.ECDSA_SIGN, (HASHES[0], key), Flag.RANDOM).values[0]
        for each, key in zip(fresh, (KEY, KEY + 1), strict=True)
    ]
    assert nonces[0] != nonces[1]
