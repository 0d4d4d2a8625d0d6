"""Builds the C software for tests, once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os
from functools import cache
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT, build_root

SANITIZERS = ("address,undefined", "thread")


def software_folder(sanitize: str = "") -> Path:
    """Where `make -C sw` writes."""
    return build_root() / f"sw{'-' + sanitize if sanitize else ''}"


@cache
def build(target: str = "lib", sanitize: str = "") -> Path:
    """The folder with what `make -C sw TARGET` builds, `sanitize` as for gcc -fsanitize."""
    folder = software_folder(sanitize)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "-s", "-C", str(ROOT / "sw"), target, f"SANITIZE={sanitize}"]
        done = external.run(command, cwd=ROOT, timeout=600)
        assert done.code == 0, done.text + done.errors
    return folder


def library() -> Path:
    """The shared library. test_lib_sanitized.py runs other tests with a sanitizer in ECCEL_TEST_SANITIZE."""
    return build("lib", os.environ.get("ECCEL_TEST_SANITIZE", "")) / "libeccel.so"


def compile_program(source: Path, folder: Path, sanitize: str = "") -> Path:
    """A C program linked with the static library."""
    built = build("lib", sanitize)
    program = folder / source.stem
    flags = [f"-fsanitize={sanitize}"] if sanitize else []
    done = external.run(
        [
            "gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", *flags,
            f"-I{ROOT / 'sw' / 'include'}", f"-I{ROOT / 'sw' / 'driver'}", str(source),
            str(built / "libeccel.a"), "-o", str(program), "-pthread", "-ldl",
        ],
        cwd=folder, timeout=300,
    )  # fmt: skip
    assert done.code == 0, done.errors
    return program
