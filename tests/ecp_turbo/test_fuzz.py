"""Turbo engines, and a cluster of them, under disorder (tests/disorder.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from eccelerate.rtlsim.verilate import ModelSource
from tests.disorder import Disorder, RecordProperty
from tests.dispatch.clusters import cluster_files, turbo_cluster
from tests.ecp_compact.bench import Comparison
from tests.hostile import refused_prime_curves, wrong_order

DRAWS = (Op.ECDSA_SIGN, Op.KEYGEN)


class Lockstep(Comparison):
    """Threads draw for themselves, so that what comes from entropy is not the model's, and the engine does
    not know X_LADDER. Of such a job only the header of the answer is compared, and afterwards both
    get the same key.
    """

    def expect(self, words: Sequence[int]) -> list[int]:
        expected = super().expect(words)
        assert isinstance(self.transport, RtlTransport)
        self.transport.entropy(Entropy.SEED, self.rng.getrandbits(32))
        return expected

    def exchange(self, words: Sequence[int]) -> list[int]:
        op, flags = words[0] & 0xFF, words[1] >> 16 & 0xFF if len(words) > 1 else 0
        drawn = op in DRAWS and flags & Flag.RANDOM
        unknown = op == Op.X_LADDER
        if not drawn and not unknown:
            return super().exchange(words)
        expected = self.expect(words)
        got = self.transport.exchange(list(words)).words
        assert got[0] >> 8 == expected[0] >> 8 and len(got) == 2 + got[1]
        assert unknown or got[0] == expected[0]
        if op == Op.KEYGEN:
            self.submit(Op.KEY_LOAD, (3,))
        return got


class LockstepDisorder(Disorder):
    """Well-formed jobs draw nothing and are not blinded."""

    def reload(self) -> None:
        super().reload()
        self.jobs = [job for job in self.jobs if not job[2] & (Flag.RANDOM | Flag.BLIND)]


def engine_in_disorder(seed: int) -> Disorder:
    config, curve = find_config("turbo-p256"), find_curve("P-256")
    bench = Lockstep(RtlTransport(config), config.max_words, 0, seed=seed)
    refused = list(refused_prime_curves(curve).values())
    return LockstepDisorder(
        bench, [curve], seed, 20_000, refused=refused, accepted=[wrong_order(curve)],
        quick=0.95, resets=0.03, delay=3,
    )  # fmt: skip


def cluster_in_disorder(seed: int) -> Disorder:
    config, curve = turbo_cluster(0, 2, 2), find_curve("P-192")
    source = replace(ModelSource.of(config), files=cluster_files(config))
    bench = Lockstep(RtlTransport(source), curve.element_words, 0, seed=seed)
    refused = list(refused_prime_curves(find_curve("P-192")).values())
    refused = [operands for operands in refused if all(value >> 192 == 0 for value in operands)]
    return LockstepDisorder(
        bench, [curve], seed, 20_000, refused=refused, accepted=[wrong_order(curve)],
        quick=0.95, resets=0.03, delay=20_000,
    )  # fmt: skip


def test_engine_in_disorder() -> None:
    disorder = engine_in_disorder(1)
    disorder.run_packets(300)
    assert disorder.statuses >= {Status.OK, Status.BAD_LENGTH, Status.BAD_CURVE}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_engine_in_long_disorder(seed: int, record_property: RecordProperty) -> None:
    """100,000 packets."""
    disorder = engine_in_disorder(1000 + seed)
    disorder.run_packets(25_000)
    record_property("packets", disorder.packets)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_cluster_in_long_disorder(seed: int, record_property: RecordProperty) -> None:
    """100,000 packets."""
    disorder = cluster_in_disorder(1000 + seed)
    disorder.run_packets(25_000)
    record_property("packets", disorder.packets)


def test_random_values_are_only_compared_by_status() -> None:
    """The control of Lockstep: another status is noticed."""
    disorder = engine_in_disorder(2)
    disorder.bench.golden.engine.reset()
    with pytest.raises(AssertionError):
        disorder.bench.submit(Op.KEYGEN, (), Flag.RANDOM)
