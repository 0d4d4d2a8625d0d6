"""Rates of a cluster's pools: the arithmetic on a transport with a known clock, and the RTL in `make
soak`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from eccelerate.configs.config import Config, find_config
from eccelerate.driver import Reply
from eccelerate.rtlsim import measure_cluster as module
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.measure_cluster import measure_cluster
from eccelerate.rtlsim.probes import MeasureError


class Paced:
    """The golden model, with a response every 1,000 clocks."""

    spoilt = False

    def __init__(self, config: Config, *, seed: int) -> None:
        self.inner = open_engine(config, "golden", seed=seed).transport

    def __enter__(self) -> Paced:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def stream(self, packets: Sequence[list[int]]) -> list[Reply]:
        answers = [self.inner.exchange(list(words)).words for words in packets]
        if self.spoilt:
            answers[-1] = [answers[-1][0] | 0x12, 0]
        return [Reply(words, 1000 * (i + 1)) for i, words in enumerate(answers)]


def test_clocks_of_a_pool_are_those_from_one_of_its_answers_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "RtlTransport", Paced)
    small, large = (measure_cluster(find_config(name)) for name in ("cluster-small", "cluster-p256-b163"))
    assert [(rate.config, rate.curve, rate.alone, rate.mixed, rate.jobs) for rate in small] == [
        ("compact-w16", "P-256", 1000.0, 2000.0, 4),
        ("binary-163-d16", "B-163", 1000.0, 2000.0, 4),
    ]
    assert [rate.jobs for rate in large] == [32, 32, 32] and large[0].engines == 2
    monkeypatch.setattr(Paced, "spoilt", True)
    with pytest.raises(MeasureError, match="pool 0 ends with status 18"):
        measure_cluster(find_config("cluster-small"))


@pytest.mark.soak
def test_pools_of_a_cluster_keep_their_own_rates() -> None:
    for rate in measure_cluster(find_config("cluster-p256-b163")):
        assert rate.alone <= rate.mixed < 1.1 * rate.alone
