"""A dead entropy source does not give the key away: every engine refuses it, and works again with a good
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import cycle

import pytest

from eccelerate.configs.config import Config, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.machine.by_config import simulator_of
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import Entropy, RtlTransport
from eccelerate.rtlsim.verilate import ModelSource
from tests.engine.entropy_attack import HASHES, attack, sign

NAMES = (
    *("compact-w32", "binary-163-d64", "turbo-p256"),
    pytest.param("cluster-small", marks=pytest.mark.soak),
)
ONES = 0xFFFFFFFF
FAULTS = {
    "all ones": [ONES],
    "all zeros": [0],
    "one word": [0x5A17C3E9],
    "two words": [0x11, 0xFFFFFFF1],
}
"""Words that a broken source repeats. The last two words differ, except in the bits of which the adaptive
proportion test sees one.
"""


@dataclass
class Rtl:
    """An engine and its curve on the RTL."""

    transport: RtlTransport
    engine: Engine
    curve: Curve

    def load(self) -> None:
        self.engine.load_curve(self.curve)

    def repeat(self, words: list[int], count: int = 2100) -> None:
        """The source repeats words, and later gives none."""
        self.transport.entropy(Entropy.NONE)
        supply = cycle(words)
        self.transport.entropy_words([next(supply) for _ in range(count)])


def opened(config: Config, **parameters: int) -> Rtl:
    """The engine with other parameters of its health tests."""
    source = ModelSource.of(config)
    changed = tuple((name, parameters.get(name, value)) for name, value in source.parameters)
    added = tuple(item for item in parameters.items() if item[0] not in dict(changed))
    transport = RtlTransport(ModelSource(source.top, source.files, changed + added, source.images))
    engine = Engine(transport, pools=[member for member, _ in config.pools])
    return Rtl(transport, engine, find_curve(config.curve_name))


@cache
def on_rtl(name: str) -> Rtl:
    """The engine as other tests build it: the health tests work, without the start-up test."""
    return opened(find_config(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_source_that_dies_ends_jobs_with_secrets_until_it_is_reset(name: str) -> None:
    rtl = on_rtl(name)
    for words in ([ONES], [0x5A17C3E9]):
        rtl.transport.entropy(Entropy.SEED, 1)
        rtl.load()
        assert sign(rtl.engine, HASHES[0]).ok
        rtl.repeat(words)
        assert [sign(rtl.engine, e).status for e in HASHES] == [Status.ENTROPY_FAILED] * 2
        rtl.transport.entropy(Entropy.SEED, 2)  # a good source alone does not help
        assert sign(rtl.engine, HASHES[0]).status == Status.ENTROPY_FAILED
        assert rtl.engine.submit(Op.MOD_ADD, (5, 7)).values[0] == (2 if rtl.curve.kind == "binary" else 12)
        rtl.transport.reset()
        rtl.load()
        first, second = (sign(rtl.engine, e) for e in HASHES)
        assert first.ok and second.ok and first.values[0] != second.values[0]


def test_without_the_health_tests_a_dead_source_gives_the_key_away() -> None:
    """The control: the same engine as it was before it had these tests."""
    rtl = opened(find_config("compact-w32"), HealthTest=0)
    for words in ([ONES], [0x5A17C3E9]):
        rtl.repeat(words)
        rtl.load()
        assert attack(rtl.curve, [sign(rtl.engine, e) for e in HASHES])


@pytest.mark.parametrize("fault", FAULTS)
def test_the_start_up_test_of_1024_words_refuses_a_source_that_was_never_good(fault: str) -> None:
    """With the parameters of a synthesised engine. No job gets a word of such a source."""
    rtl = started()
    rtl.repeat(FAULTS[fault])
    rtl.transport.reset()
    rtl.load()
    assert sign(rtl.engine, HASHES[0]).status == Status.ENTROPY_FAILED
    rtl.transport.entropy(Entropy.SEED, 3)
    rtl.transport.reset()
    rtl.load()
    assert sign(rtl.engine, HASHES[0]).ok


def test_a_job_waits_for_the_start_up_test() -> None:
    """A source that has 1,023 words starts no job, and ends it with NO_ENTROPY as if it had none."""
    rtl = started()
    rtl.transport.entropy(Entropy.SEED, 4)
    rtl.transport.reset()
    rtl.load()
    assert sign(rtl.engine, HASHES[0]).ok
    rtl.transport.entropy(Entropy.NONE)
    rtl.transport.entropy_words([(0x9E3779B9 * i) & ONES for i in range(1, 1024)])
    rtl.transport.reset()
    rtl.load()
    assert sign(rtl.engine, HASHES[0]).status == Status.NO_ENTROPY


@cache
def started() -> Rtl:
    """An engine with the start-up test of the synthesised one."""
    return opened(find_config("compact-w32"), StartupWords=1024)


def test_the_zeroise_input_begins_the_tests_again() -> None:
    rtl = on_rtl("binary-163-d64")
    rtl.transport.reset()
    rtl.load()
    rtl.repeat([ONES])
    assert sign(rtl.engine, HASHES[0]).status == Status.ENTROPY_FAILED
    rtl.transport.entropy(Entropy.SEED, 5)
    rtl.transport.plan = type(rtl.transport.plan)(zeroise_at=40)
    rtl.engine.submit(Op.BASE_MUL, (5,))
    rtl.transport.plan = type(rtl.transport.plan)()
    assert sign(rtl.engine, HASHES[0]).ok


@pytest.mark.parametrize("name", NAMES[:3])
def test_the_simulator_refuses_a_dead_source(name: str) -> None:
    config = find_config(name)
    transport = IssTransport(simulator_of(config, lambda: ONES))
    engine = Engine(transport, pools=[config])
    engine.load_curve(find_curve(config.curve_name))
    assert engine.submit(Op.KEYGEN, (), Flag.RANDOM).status == Status.ENTROPY_FAILED
    assert [sign(engine, e).status for e in HASHES] == [Status.ENTROPY_FAILED] * 2
    transport.simulator.zeroise()
    engine.load_curve(find_curve(config.curve_name))
    assert sign(engine, HASHES[0]).status == Status.ENTROPY_FAILED  # the source is as bad as before
