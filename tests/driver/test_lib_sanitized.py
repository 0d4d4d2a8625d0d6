"""The tests of libeccel once more, with a library that the sanitizers have instrumented."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.config import ROOT
from tests.driver.library import SANITIZERS, build

HERE = Path(__file__).parent
TESTS = (
    "test_lib_jobs", "test_lib_faults", "test_lib_devices", "test_lib_curves", "test_lib_self_test",
    "test_lib_uart", "test_native_engine",
)  # fmt: skip
RUNTIMES = {"address,undefined": "libasan.so", "thread": "libtsan.so"}


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("sanitize", SANITIZERS)
def test_sanitizers_find_nothing_in_the_other_tests(sanitize: str, tmp_path: Path) -> None:
    """A report that does not name the library is about Python itself."""
    build("lib", sanitize)
    runtime = external.run(
        ["gcc", f"-print-file-name={RUNTIMES[sanitize]}"], cwd=ROOT, timeout=60
    ).text.strip()
    log = f"log_path={tmp_path / 'report'}:exitcode=0"
    env = os.environ | {
        "ECCEL_TEST_SANITIZE": sanitize,
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": f"detect_leaks=0:{log}",
        "TSAN_OPTIONS": log,
        "UBSAN_OPTIONS": f"print_stacktrace=1:{log}",
    }
    files = [str(HERE / f"{name}.py") for name in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    done = external.run(command, cwd=ROOT, env=env, timeout=1500)
    assert done.code == 0, done.text[-3000:]
    reports = [path.read_text() for path in tmp_path.glob("report*")]
    assert not [text for text in reports if "eccel" in text], reports
