"""The model is fast enough to replace a board: a million engine cycles a second on one core."""

import time

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.backend import open_engine

CYCLES_PER_SECOND = 1_000_000
PATIENCE_SECONDS = 60


@pytest.mark.parametrize("digits", [16, 32, 64])
def test_a_million_cycles_a_second(digits: int) -> None:
    """Measures processor time, and takes the best of many short runs. Other work on the machine takes cache
    and clock from every run while it lasts, so a fast model has a minute to show one undisturbed run.
    """
    engine = open_engine(find_config(f"compact-w{digits}"))
    engine.load_curve(find_curve("P-256"))
    best = 0.0
    deadline = time.monotonic() + PATIENCE_SECONDS
    while best < CYCLES_PER_SECOND and time.monotonic() < deadline:
        start = time.process_time()
        cycles = engine.base_mul(5).cycles or 0
        best = max(best, cycles / (time.process_time() - start))
    assert best >= CYCLES_PER_SECOND, f"{best:,.0f} cycles a second"
