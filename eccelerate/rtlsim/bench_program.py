"""Compiles a bench: a module that Verilator translates, with a C++ program around it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from eccelerate import external
from eccelerate.rtlsim.verilate import (
    COMPILE_FLAGS,
    HARNESS_DIR,
    BuildError,
    common_headers,
    runtime_library,
    verilator_environment,
    verilator_root,
)

BUILD_S = 1800
SHOWN_LINES = 30
# Parameters that a module refuses are errors, other complaints are for the linter.
VERILATE_FLAGS = (
    "--cc", "-O3", "--threads", "1", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style",
    "-Werror-USERERROR",
)  # fmt: skip


def compile_bench(
    bench: Path,
    folder: Path,
    top: str,
    prefix: str,
    files: Sequence[str | Path],
    parameters: Mapping[str, int] | None = None,
    *,
    x_assign: str = "fast",
    x_initial: str = "unique",
    progress: Callable[[str], None] | None = None,
) -> None:
    """Write the program `folder`/bench. It is there when it is complete.

    bench: the C++ source. folder: exists, and has the headers that the bench includes; relative names of
    `files` are of files in it. prefix: of the class of the model. x_assign, x_initial: values of x, as
    Verilator's options. Raises BuildError.
    """
    say = progress or (lambda text: None)
    say("compiling the RTL (Verilator)")
    generics = [f"-G{name}={_literal(value)}" for name, value in (parameters or {}).items()]
    run_tool(
        [
            verilator_root() / "bin" / "verilator", *VERILATE_FLAGS, "--x-assign", x_assign,
            "--x-initial", x_initial, "--prefix", prefix, "--top-module", top, *generics, "--Mdir", "obj",
            "-CFLAGS", " ".join(COMPILE_FLAGS), *files,
        ],
        folder,
    )  # fmt: skip
    say("compiling the bench (g++)")
    # One compiler run for all, so that g++ reads the headers once.
    parts = [*sorted((folder / "obj").glob("*.cpp")), bench]
    (folder / "whole.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    root = verilator_root() / "include"
    include = [f"-I{path}" for path in (folder, folder / "obj", HARNESS_DIR, root, root / "vltstd")]
    objects: list[str | Path] = [runtime_library(folder / "obj", prefix), "-o", "bench.part", "-lpthread"]
    flags = ("-std=gnu++20", *COMPILE_FLAGS, *common_headers(COMPILE_FLAGS), *include)
    run_tool(["g++", *flags, "whole.cpp", *objects], folder)
    shutil.rmtree(folder / "obj")
    (folder / "bench.part").rename(folder / "bench")


def run_tool(command: Sequence[str | Path], folder: Path) -> None:
    """Run a compiler in `folder`. Raises BuildError with what it said, from the first error on."""
    done = run_program(command, folder, BUILD_S)
    if done.code:
        lines = (done.errors + done.text).strip().splitlines()
        first = next((i for i, line in enumerate(lines) if "rror" in line), 0)
        text = "\n".join(lines[first : first + SHOWN_LINES])
        raise BuildError(f"{Path(command[0]).name} failed in {folder.name}:\n{text}")


def run_program(command: Sequence[str | Path], folder: Path, seconds: float) -> external.Outcome:
    """Run a program in `folder`, with Verilator's environment. Raises BuildError if it cannot be started or
    takes longer.
    """
    try:
        return external.run(command, cwd=folder, env=verilator_environment(), timeout=seconds)
    except external.CommandError as error:
        raise BuildError(str(error)) from error


def _literal(value: int) -> str:
    """A parameter for Verilator, which takes decimal numbers of 32 bits only."""
    return str(value) if -(1 << 31) <= value < 1 << 31 else f"{value.bit_length()}'h{value:x}"
