"""The curves that libeccel loads into engines: in turn, in pools, and again when they were lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.driver.native import Outcome
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status
from tests.driver.fake_device import FakeDevice
from tests.driver.misbehaviour import (
    UNSUPPORTED,
    open_handle,
)

P256, K1 = find_curve("P-256"), find_curve("secp256k1")


@pytest.mark.parametrize("other", [None, find_curve("P-384")], ids=["lost", "another curve"])
def test_a_curve_that_was_lost_is_loaded_again(tmp_path: Path, other: Curve | None) -> None:
    """Another master has reset the engine, or has loaded a curve with longer elements."""

    class Forgetful(FakeDevice):
        lost = 0

        def _response(self, request, engines):
            if request.op == Op.BASE_MUL and request.operands == (2,) and self.lost < 2:
                self.lost += 1
                for engine in engines.values():
                    engine.load(other, 200) if other else engine.reset()
            return super()._response(request, engines)

    with Forgetful(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        for k in (1, 2, 3):
            assert handle.run(Op.BASE_MUL, P256, (k,)).values == point.base_mul(P256, k)
        assert device.lost == 2 and device.count(Op.CURVE_LOAD) == 3
        ids = [curve_id for op, curve_id in device.jobs if op == Op.CURVE_LOAD]
        assert len(set(ids)) == 3, "each load has an id of its own"


def test_a_curve_that_is_always_lost_ends_the_job(tmp_path: Path) -> None:
    class Hostile(FakeDevice):
        def _response(self, request, engines):
            for engine in engines.values() if request.op == Op.BASE_MUL else ():
                engine.reset()
            return super()._response(request, engines)

    with Hostile(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == Status.BAD_CURVE
        assert device.count(Op.BASE_MUL) == 9


def test_curves_take_turns_within_bounds(tmp_path: Path) -> None:
    """Many jobs of one curve do not keep a single job of another curve waiting, and are not split up much."""
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device, timeout_ms=60000) as handle:
        order: list[str] = []
        done = threading.Semaphore(0)

        def note(name: str):
            def called(outcome: Outcome) -> None:
                assert outcome.result == 0
                order.append(name)
                done.release()

            return called

        for _ in range(300):
            handle.submit(note("many"), Op.MOD_ADD, P256, (1, 2))
        handle.submit(note("one"), Op.MOD_ADD, K1, (1, 2))
        for _ in range(301):
            assert done.acquire(timeout=30)
        assert order.index("one") < 250
        assert device.count(Op.CURVE_LOAD) <= 5


def test_pools_have_curves_of_their_own(tmp_path: Path) -> None:
    b163 = find_curve("B-163")
    device = FakeDevice(tmp_path / "s", server=False, cluster=True, binary=(False, True))
    with device, open_handle(device) as handle:
        for _ in range(5):
            assert handle.run(Op.BASE_MUL, P256, (1,)).values == P256.generator
            assert handle.run(Op.BASE_MUL, b163, (1,)).values == b163.generator
        loads = [curve_id for op, curve_id in device.jobs if op == Op.CURVE_LOAD]
        assert len([each for each in loads if each >> 6 == 1]) in (1, 2) and len(loads) <= 3
        assert handle.run(Op.BASE_MUL, find_curve("P-521"), (1,)).result == 0


def test_a_curve_that_no_device_takes_is_unsupported(tmp_path: Path) -> None:
    b163 = find_curve("B-163")
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device) as handle:
        for _ in range(3):
            assert handle.run(Op.BASE_MUL, b163, (1,)).result == UNSUPPORTED
        assert device.count(Op.CURVE_LOAD) == 1, "it is remembered"
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0


def test_more_curves_than_the_library_remembers(tmp_path: Path) -> None:
    """Each has its turn on an engine that holds one curve; the oldest are forgotten."""
    g = P256.generator
    with FakeDevice(tmp_path / "s", server=False) as device, open_handle(device, timeout_ms=60000) as handle:
        for number in range(150):
            n = P256.n + 2 * number
            curve = Curve(f"own {number}", "weierstrass", P256.p, P256.a, P256.b, *g, n, 1)
            assert handle.run(Op.BASE_MUL, curve, (1,)).result in (Status.OK, Status.BAD_MODULUS)
        assert handle.run(Op.BASE_MUL, P256, (1,)).values == g
        assert device.count(Op.CURVE_LOAD) == 151
