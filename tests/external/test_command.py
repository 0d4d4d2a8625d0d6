"""Programs run with a time limit, and the message of a failure names the cause."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from eccelerate.external import CommandError, MissingError, run

SHOUT = "import sys; print(sys.stdin.read().upper()); print('no', file=sys.stderr); sys.exit(3)"


def test_the_outcome_has_both_channels_and_the_code() -> None:
    done = run([sys.executable, "-c", SHOUT], timeout=30, given="yes")
    assert (done.code, done.text.strip(), done.errors.strip()) == (3, "YES", "no")


def test_a_log_takes_both_channels(tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run([sys.executable, "-c", "print(1); raise SystemExit('2')"], timeout=30, log=log)
    assert done.code == 1 and done.out == b"" and set(log.read_text().split()) == {"1", "2"}


def test_a_missing_program_is_named() -> None:
    with pytest.raises(MissingError, match="no-such-program is not installed"):
        run(["no-such-program"], timeout=1)


def test_a_program_that_hangs_is_ended() -> None:
    with pytest.raises(CommandError, match=r"python\S* did not end within 1 s"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], timeout=1)
