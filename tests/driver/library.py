"""Builds the C software for tests, once for all processes of a test run."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT
from eccelerate.external.c_software import build_software

SANITIZERS = ("address,undefined", "thread")


@cache
def build(target: str = "lib", sanitize: str = "") -> Path:
    """As `build_software`, once in this process."""
    return build_software(target, sanitize=sanitize)


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
