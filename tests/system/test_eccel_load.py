"""The load generator against stock OpenSSL: it measures what it says, and it notices what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.explore.system.eccel_load import (
    LoadError,
    LoadPlan,
    clean_environment,
    run_load,
)
from eccelerate.explore.system.openssl_conf import OpensslConf
from eccelerate.external.c_software import build_software, software_folder

PROGRAM = software_folder() / "eccel-load"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    build_software("bench")


@pytest.fixture(scope="module")
def null_conf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our provider with a device that computes nothing."""
    folder = build_software("null-provider")
    settings = {"fallback": "no", "counters": "none"}
    conf = OpensslConf(folder / "bench" / "null" / "eccel.so", "null:", settings)
    return conf.write(tmp_path_factory.mktemp("null") / "openssl.cnf")


def run_program(*words: str) -> external.Outcome:
    return external.run([PROGRAM, *words], timeout=60, env=clean_environment())


@pytest.mark.parametrize("operation", ["ecdh", "sign", "digest-sign", "verify"])
@pytest.mark.parametrize("group", ["prime256v1", "sect163r2"])
def test_every_operation_is_measured_and_checked(operation: str, group: str) -> None:
    for plan in (
        LoadPlan(operation, group, jobs=8, seconds=0.1, warmup=0.02),
        LoadPlan(operation, group, threads=2, seconds=0.1, warmup=0.02),
    ):
        load = run_load(plan)
        assert load.provider == "default" and load.operations > 10
        assert load.checked == (plan.threads or plan.jobs) and load.wrong == 0
        assert 0.09 < load.seconds < 0.5
        assert load.per_second == pytest.approx(load.operations / load.seconds, rel=0.01)
        latency = load.latency_us
        assert 0 < latency["p50"] <= latency["p90"] <= latency["p99"] <= latency["max"]


def test_cpu_time_is_that_of_the_operations() -> None:
    """A waiting program uses no CPU time and one that computes uses all of it. Other programs take a part of
    the time away, so that the best of a few runs counts.
    """
    loads = [run_load(LoadPlan("verify", "secp384r1", threads=1, seconds=0.3)) for _ in range(5)]
    assert all(load.cpu_us <= 1.1e6 / load.per_second for load in loads)
    assert any(load.cpu_us >= 0.5 * load.latency_us["p50"] for load in loads)


def test_a_number_of_operations_is_exact() -> None:
    for jobs, threads in ((7, 0), (1, 3)):
        assert run_load(LoadPlan("sign", "prime256v1", jobs, threads, count=50)).operations == 50


def test_the_cpu_time_of_another_process_is_measured() -> None:
    busy = "while True: pass"
    with subprocess.Popen([sys.executable, "-c", busy]) as other:
        try:
            time.sleep(0.2)
            plan = LoadPlan("sign", "prime256v1", seconds=0.4, watch=other.pid)
            load = run_load(plan)
        finally:
            other.kill()
    assert 0.05e6 < load.watched_us * load.operations < 0.6e6  # of 400 ms, on a machine that others use too


def test_jobs_pause_and_resume_with_our_provider(null_conf: Path) -> None:
    plan = LoadPlan("sign", "prime256v1", jobs=64, seconds=0.1, checked=False)
    load = run_load(plan, null_conf)
    assert load.provider == "eccel" and load.operations > 1000


@pytest.mark.parametrize("operation", ["sign", "digest-sign", "ecdh", "verify"])
@pytest.mark.parametrize("threads", [0, 2])
def test_wrong_results_are_noticed(null_conf: Path, operation: str, threads: int) -> None:
    """The null device's signatures and secrets are wrong, and it accepts every signature."""
    plan = LoadPlan(operation, "prime256v1", jobs=2, threads=threads, seconds=0.05, warmup=0.0)
    with pytest.raises(LoadError, match=r"[1-9]\d* wrong results|was accepted"):
        run_load(plan, null_conf)


def test_work_of_another_provider_is_noticed(tmp_path: Path) -> None:
    """OpenSSL takes the default provider without a word if the configuration loads none."""
    conf = OpensslConf(tmp_path / "absent.so", "null:").write(tmp_path / "openssl.cnf")
    with pytest.raises(LoadError, match="went to the provider default"):
        run_load(LoadPlan("sign", "prime256v1", seconds=0.05), conf)
    with pytest.raises(LoadError, match="not supported for this keytype"):
        run_load(LoadPlan("sign", "prime256v1", seconds=0.05, properties="provider=eccel"), conf)


def test_an_unknown_curve_is_an_error_with_a_reason() -> None:
    done = run_program("sign", "no-such-curve")
    assert done.code == 1 and "invalid curve" in json.loads(done.text)["message"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("sign",),
        ("mul", "prime256v1"),
        ("--jobs", "0", "sign", "prime256v1"),
        ("--jobs", "x", "sign", "prime256v1"),
        ("--seconds", "-1", "sign", "prime256v1"),
        ("--nonsense", "sign", "prime256v1"),
        ("--watch", "999999999", "sign", "prime256v1"),
    ],
)
def test_usage_errors_have_a_message(words: tuple[str, ...]) -> None:
    done = run_program(*words)
    assert done.code == 2 and done.out == b"" and done.errors


def test_the_environment_does_not_choose_the_baseline(
    monkeypatch: pytest.MonkeyPatch, null_conf: Path
) -> None:
    monkeypatch.setenv("OPENSSL_CONF", str(null_conf))
    assert run_load(LoadPlan("sign", "prime256v1", seconds=0.05)).provider == "default"
    assert "OPENSSL_CONF" in os.environ
