"""The driver's calls through libeccel do what they do on the model; `eccel run --port` uses them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.engine import JobError
from eccelerate.driver.native_engine import NativeEngine
from eccelerate.driver.packet import PacketError
from eccelerate.driver.transport import TransportError
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status
from tests.driver.fake_device import FakeDevice
from tests.driver.library import library

P256 = find_curve("P-256")


@pytest.fixture
def device(tmp_path: Path) -> Iterator[FakeDevice]:
    with FakeDevice(tmp_path / "s", name="compact-w32") as opened:
        yield opened


@pytest.fixture
def engine(device: FakeDevice) -> NativeEngine:
    opened = NativeEngine(device.uri, find_config("compact-w32").pools[0][:1], library=library())
    opened.load_curve(P256)
    return opened


def test_jobs_by_name(engine: NativeEngine) -> None:
    q = engine.base_mul(7).point
    assert q == point.base_mul(P256, 7)
    assert engine.mul(3, q).point == point.base_mul(P256, 21)
    assert engine.ecdh(q, d=5).value == (point.base_mul(P256, 35) or (0, 0))[0]
    r, s = engine.ecdsa_sign(99, d=7).values
    assert engine.ecdsa_verify(99, r, s, q).ok
    assert engine.ecdsa_verify(98, r, s, q).status == Status.BAD_SIGNATURE
    assert engine.mul(0, q).status == Status.INFINITY


def test_many_jobs_on_several_curves(engine: NativeEngine) -> None:
    k1 = find_curve("secp256k1")
    engine.load_curves([P256, k1])
    curves = [P256 if k % 3 else k1 for k in range(1, 60)]
    done = engine.submit_many(Op.BASE_MUL, [(k,) for k in range(1, 60)], curves=curves)
    for index, result in done:
        assert result.point == point.base_mul(curves[index], index + 1)


def test_errors_are_those_of_the_driver(engine: NativeEngine, device: FakeDevice) -> None:
    with pytest.raises(JobError, match="SCALAR_RANGE"):
        engine.ecdh(P256.generator, d=0)
    with pytest.raises(PacketError, match="does not fit"):
        engine.base_mul(1 << 256)
    with pytest.raises(ValueError, match="B-163"):
        engine.load_curve(find_curve("B-163"))
    with pytest.raises(JobError, match="BAD_MODULUS"):
        engine.load_curve(Curve("no", "weierstrass", P256.p, P256.a, P256.b, *P256.generator, P256.n + 2, 1))
    device.stop()
    with pytest.raises(TransportError, match=r"ERROR_(LINK|ABSENT)"):
        engine.base_mul(1)
    with pytest.raises(TransportError, match="No such file"):
        NativeEngine(device.uri, library=library())


def test_eccel_run_uses_the_device(device: FakeDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECCEL_LIBRARY", str(library()))
    run = CliRunner().invoke(app, ["run", "compact-w32", "base-mul", "k=5", "--port", device.uri, "--json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)
    assert int(found["results"]["x"], 16) == (point.base_mul(P256, 5) or (0, 0))[0]
    assert device.count(Op.BASE_MUL) == 1
    other = CliRunner().invoke(app, ["run", "compact-w16", "base-mul", "k=5", "--port", device.uri])
    assert other.exit_code == 2
    both = CliRunner().invoke(app, ["run", "compact-w32", "base-mul", "k=5", "--port", device.uri, "--iss"])
    assert both.exit_code == 2
