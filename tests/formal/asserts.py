"""Assertions of a module in formal/, proved about RTL or refuted. They hold for all inputs and, if there are
registers, from the initial values on, by induction over as many cycles as this needs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from eccelerate.configs.config import ROOT

SCRIPT = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
ys.Pass.call(design, ["read_slang", *sys.argv[3:], "--top", sys.argv[1]])
for command in ("hierarchy -top " + sys.argv[1], "proc", "flatten", "cutpoint -blackbox", "async2sync",
                "chformal -lower", "opt_clean", "sat -prove-asserts -set-assumes -verify " + sys.argv[2]):
    ys.run_pass(command, design)
"""
CYCLES = 3
"""Length of the longest induction."""


def holds(
    name: str, sources: Sequence[Path], parameters: Sequence[str] = (), *, registers: bool = False
) -> bool:
    """Whether the assertions of formal/<name>.sv are proved about source texts, packages first."""
    top = ROOT / "formal" / f"{name}.sv"
    how = f"-seq 1 -tempinduct -maxsteps {CYCLES}" if registers else ""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, name, how, *parameters, *map(str, sources), str(top)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    finished = ("SAT proof finished", "Induction step proven", "proof failed", "base case: FAIL")
    assert any(text in done.stdout for text in finished), (done.stdout + done.stderr)[-2000:]
    return done.returncode == 0


def mutant(path: Path, folder: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text, f"the mutant's place is gone from {path.name}: {old}"
    target = folder / path.name
    target.write_text(text.replace(old, new))
    return target
