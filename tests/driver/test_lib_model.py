"""libeccel on the cycle-accurate model in its own process: results of the golden model, cycles of the RTL."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.native import NativeError, NativeHandle
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.model_folder import write_model
from eccelerate.rtlsim.rtl import RtlTransport
from tests.driver.library import library
from tests.driver.test_lib_jobs import jobs_on

P256, K1, B163 = find_curve("P-256"), find_curve("secp256k1"), find_curve("B-163")


def open_model(tmp_path: Path, config: str, **options: int) -> NativeHandle:
    folder = tmp_path / config
    write_model(find_config(config), folder, 100_000)
    return NativeHandle(f"model:{folder}", timeout_ms=60_000, library=library(), **options)


@pytest.mark.parametrize(
    ("config", "curve"), [("compact-w32", P256), ("binary-163-d64", B163)], ids=lambda value: str(value)[:14]
)
def test_every_operation_on_the_rtl(tmp_path: Path, config: str, curve) -> None:
    golden = GoldenEngine(binary=curve.kind == "binary")
    golden.load(curve)
    with open_model(tmp_path, config) as handle:
        info = handle.devices()[0]
        assert (info.name.decode(), info.clock_khz) == (config, 100_000)
        for op, operands, flags in jobs_on(curve, random.Random(2)):
            expected = golden.do(op, *operands, flags=flags)
            found = handle.run(op, curve, operands, flags)
            assert (found.result, found.values) == (expected.status, expected.values), (op, flags)
            assert found.cycles > 0
        assert handle.self_test(curve) == 0


def test_cycles_are_those_of_the_rtl(tmp_path: Path) -> None:
    with RtlTransport(find_config("compact-w32")) as transport:
        engine = Engine(transport)
        engine.load_curve(P256)
        expected = [engine.base_mul(5).cycles, engine.on_curve(P256.generator).cycles]
    with open_model(tmp_path, "compact-w32") as handle:
        found = [
            handle.run(Op.BASE_MUL, P256, (5,)).cycles,
            handle.run(Op.ON_CURVE, P256, P256.generator).cycles,
        ]
    assert found == expected


def test_signatures_have_nonces_from_the_operating_system(tmp_path: Path) -> None:
    public = point.base_mul(P256, 7)
    assert public
    with open_model(tmp_path, "compact-w32") as handle:
        found = {handle.run(Op.ECDSA_SIGN, P256, (5, 7), Flag.RANDOM).values for _ in range(3)}
    with open_model(tmp_path, "compact-w32") as handle:
        found |= {handle.run(Op.ECDSA_SIGN, P256, (5, 7), Flag.RANDOM).values for _ in range(3)}
    assert len(found) == 6 and all(ecdsa.verify(P256, 5, *signature, public) for signature in found)


def test_a_turbo_engine_works_on_several_jobs_at_once(tmp_path: Path) -> None:
    """Four jobs in flight share the engine: together they take less than twice the time of one."""
    with open_model(tmp_path, "turbo-p256") as handle:
        q = point.base_mul(P256, 3)
        assert q
        alone = handle.run(Op.MUL, P256, (9, *q)).cycles
        jobs = [handle.start(Op.MUL, P256, (k, *q)) for k in range(1, 9)]
        done = [job.wait() for job in jobs]
        assert [outcome.values for outcome in done] == [point.base_mul(P256, 3 * k) for k in range(1, 9)]
        assert max(outcome.cycles for outcome in done) < 4 * alone
        assert handle.run(Op.BASE_MUL, K1, (1,)).result == -4, "ERROR_UNSUPPORTED"
        for job in jobs:
            job.free()


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_a_cluster_serves_two_kinds_of_curves(tmp_path: Path) -> None:
    with open_model(tmp_path, "cluster-small") as handle:
        curves = [P256, B163]
        jobs = [(k, curves[k % 2], handle.start(Op.BASE_MUL, curves[k % 2], (k,))) for k in range(1, 12)]
        for k, curve, job in jobs:
            found = job.wait()
            assert found.result in (0, -4) and (found.result or found.values == point.base_mul(curve, k))
            job.free()


def test_two_models_share_the_work(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    write_model(find_config("compact-w32"), folder)
    uris = f"model:{folder} model:{folder}"
    with NativeHandle(uris, timeout_ms=60_000, library=library()) as handle:
        jobs = [handle.start(Op.BASE_MUL, P256, (k,)) for k in range(1, 13)]
        done = [job.wait() for job in jobs]
        assert [outcome.values for outcome in done] == [point.base_mul(P256, k) for k in range(1, 13)]
        assert min(sum(outcome.device == i for outcome in done) for i in (0, 1)) >= 3
        for job in jobs:
            job.free()


def test_a_job_that_takes_too_long_resets_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    write_model(find_config("compact-w32"), folder)
    with NativeHandle(f"model:{folder}", timeout_ms=30, retry_ms=60_000, library=library()) as handle:
        assert handle.run(Op.ON_CURVE, find_curve("P-521"), (1, 2)).result == -6, "ERROR_TIMEOUT"
        # The job may end while its curve is being loaded; then the timeout of that load resets the model.
        end = time.monotonic() + 10
        while handle.devices()[0].in_service and time.monotonic() < end:
            time.sleep(0.01)
        assert not handle.devices()[0].in_service


def test_a_child_has_no_model(tmp_path: Path) -> None:
    with open_model(tmp_path, "compact-w32") as handle:
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0
        child = os.fork()
        if not child:
            signal.alarm(20)
            found = handle.run(Op.BASE_MUL, P256, (1,)).result
            handle.close()
            os._exit(0 if found == -3 else 1)  # ERROR_ABSENT
        assert os.waitpid(child, 0)[1] == 0
        assert handle.run(Op.BASE_MUL, P256, (1,)).result == 0


def test_the_working_directory_stays(tmp_path: Path) -> None:
    """The harness enters the folder of the images, but in a thread whose directory is its own."""
    before = Path.cwd()
    with open_model(tmp_path, "compact-w32") as handle:
        assert Path.cwd() == before
        assert handle.run(Op.SELF_TEST, P256).result == Status.OK
    assert Path.cwd() == before


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    for text in ("", "eccel-model 2\n"):
        (tmp_path / "model.txt").write_text(text)
        with pytest.raises(NativeError, match="description of a model"):
            NativeHandle(f"model:{tmp_path}", library=library())
    (tmp_path / "model.txt").write_text("eccel-model 1\n")
    (tmp_path / "libengine.so").write_text("no library")
    with pytest.raises(NativeError, match=r"libengine\.so"):
        NativeHandle(f"model:{tmp_path}", library=library())


def test_eccel_build_writes_a_model(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["build", "compact-w32", "--model", str(tmp_path / "m")])
    assert run.exit_code == 0, run.output
    with NativeHandle(f"model:{tmp_path / 'm'}", library=library()) as handle:
        assert handle.devices()[0].name == b"compact-w32"
        assert handle.devices()[0].clock_khz > 1000
    assert CliRunner().invoke(app, ["build", "compact-w32"]).exit_code == 2
    both = ["build", "compact-w32", "--model", str(tmp_path / "n"), "--device", "ecp5-25f-6"]
    assert CliRunner().invoke(app, both).exit_code == 2
