"""The tests of the core once more, with a library that the sanitizers have instrumented."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.config import ROOT
from eccelerate.external.c_software import build_software
from tests.driver.library import SANITIZERS
from tests.driver.test_lib_sanitized import RUNTIMES

HERE = Path(__file__).parent
TESTS = ("test_maths_core", "test_maths_python")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("sanitize", SANITIZERS)
def test_sanitizers_find_nothing_in_the_core(sanitize: str, tmp_path: Path) -> None:
    """A report that does not name the library is about Python itself."""
    folder = build_software("maths-core", sanitize=sanitize) / "maths" / "python" / "eccel_maths"
    runtime = external.run(["gcc", f"-print-file-name={RUNTIMES[sanitize]}"], timeout=60).text.strip()
    log = f"log_path={tmp_path / 'report'}:exitcode=0"
    env = os.environ | {
        "ECCEL_MATHS_LIBRARY": str(folder / "libeccel_maths.so"),
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
