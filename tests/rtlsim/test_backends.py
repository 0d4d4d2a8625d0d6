"""The three backends are one engine: same driver, same responses, repeatable entropy, consistent
measurements.

tests/ecp_compact tests every operation and every kind of bad input on the engine.
"""

from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.model import ecdsa, point
from eccelerate.rtlsim.backend import BACKENDS, open_engine
from eccelerate.rtlsim.measure_config import measure_cycles
from eccelerate.timing.compact_cycles import FieldTiming

CONFIG = find_config("compact-w32")
P256 = find_curve("P-256")


@pytest.mark.parametrize("backend", BACKENDS)
def test_keys_and_signatures(backend: str) -> None:
    engine = open_engine(CONFIG, backend)
    engine.load_curve(P256)
    public = engine.keygen().point
    for e in (0, 1, P256.n, (1 << 256) - 1):
        r, s = engine.ecdsa_sign(e, blind=True).values
        assert ecdsa.verify(P256, e, r, s, public)
        assert engine.ecdsa_verify(e, r, s, public).ok
    assert engine.base_mul(5).point == point.base_mul(P256, 5)
    assert (engine.base_mul(5).cycles is None) == (backend == "golden")


@pytest.mark.parametrize("backend", BACKENDS)
def test_entropy_comes_from_the_seed(backend: str) -> None:
    def public(seed: int) -> tuple[int, int]:
        engine = open_engine(CONFIG, backend, seed=seed)
        engine.load_curve(P256)
        return engine.keygen().point

    assert public(1) == public(1) != public(2)


def test_golden_model_and_simulator_draw_alike() -> None:
    keys = set()
    for backend in ("golden", "iss"):
        engine = open_engine(CONFIG, backend, seed=7)
        engine.load_curve(P256)
        keys.add(engine.keygen(blind=True).point)
        keys.add(engine.keygen().point)
    assert len(keys) == 2


def test_unknown_backends_and_waveforms_without_rtl_are_refused() -> None:
    with pytest.raises(ValueError, match="rtl, iss, golden"):
        open_engine(CONFIG, "board")
    with pytest.raises(ValueError, match="only the RTL"):
        open_engine(CONFIG, "iss", wave=Path("trace.vcd"))


def test_measured_cycles_are_consistent() -> None:
    cycles = measure_cycles(CONFIG, P256)
    timing = FieldTiming(CONFIG.digit_bits, 8)
    assert cycles["field_mul"] == timing.latency("mul") + 1  # done is in the cycle before
    assert cycles["field_add"] == timing.latency("add") + 1
    assert cycles["field_mul_interval"] == timing.interval("mul")
    assert 0 < cycles["field_mul_interval"] <= cycles["field_mul"] < cycles["ladder_step"]
    assert 250 * cycles["ladder_step"] < cycles["scalar_mul"]
    assert cycles["ladder_step"] < cycles["inversion"] < cycles["scalar_mul"] < cycles["scalar_mul_blinded"]
    assert cycles == measure_cycles(CONFIG, P256)
