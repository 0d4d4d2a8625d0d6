"""`--room-times` counts the time of a room's tests and of the processes that they start, in every worker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("workers", ["0", "2"])
def test_cpu_seconds_of_each_room(root: Path, tmp_path: Path, workers: str) -> None:
    file = tmp_path / "times.json"
    tests = ["tests/curves/test_small.py", "tests/bus/test_regs.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, *tests, "--room-times", str(file)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout[-2000:]
    record = json.loads(file.read_text())
    assert record["cpu_seconds"].keys() == {"curves", "bus"}
    assert record["total"] == pytest.approx(sum(record["cpu_seconds"].values()), abs=0.2)
    assert all(f"{room:<16}" in done.stdout for room in (*record["cpu_seconds"], "total"))
