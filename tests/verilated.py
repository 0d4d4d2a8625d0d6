"""A module with a C++ harness as a shared library. It is built by Verilator once for its content, also for
mutated sources.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import build_root
from eccelerate.rtlsim.verilate import (
    COMPILE_FLAGS,
    HARNESS_DIR,
    ONE_RUN,
    common_headers,
    runtime_library,
    verilator_environment,
    verilator_root,
)

Patch = tuple[str, str, str]  # key of the text, what is replaced, replacement


def quick_build_environment() -> dict[str, str]:
    """The environment for simulations that run for less time than g++ would need to optimise them: a build
    with -O0.
    """
    env = verilator_environment()
    env["MAKEFLAGS"] += f" {ONE_RUN} OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    return env


def patched(texts: Mapping[str, str], patches: Sequence[Patch]) -> dict[str, str]:
    """The texts with every patch applied. Each patch must change something."""
    result = dict(texts)
    for name, old, new in patches:
        assert old in result[name], f"the mutant's place is gone from {name}: {old}"
        result[name] = result[name].replace(old, new)
    return result


@dataclass(frozen=True)
class Unit:
    """The contents of a library.

    room: folder in build/tests.
    name: name of the library's folder.
    parameters: -G values of the module `top`.
    settings: -D flags of the harness.
    texts: SystemVerilog by file name, in the order of compilation.
    unknown: value of X and of uninitialised registers ("fast" is 0, "unique" is random).
    optimisation: level of g++. 2 is for tests that run for longer than compiling takes; most do not, above
        all those of mutants. 0 is for wide modules that run for some thousand clocks.
    """

    room: str
    name: str
    top: str
    harness: Path
    texts: Mapping[str, str]
    parameters: Sequence[str]
    settings: Sequence[str]
    unknown: str = "fast"
    optimisation: int = 1

    def digest(self) -> str:
        """A hash of everything that the library depends on."""
        sources = [self.harness, *sorted(HARNESS_DIR.glob("*.h"))]
        parts = [self.top, self.unknown, *self._flags(), *self.parameters, *self.settings]
        parts += [path.read_text() for path in sources]
        return hashlib.sha256("\0".join([*parts, *self.texts.values()]).encode()).hexdigest()[:16]

    def _flags(self) -> tuple[str, ...]:
        """Flags of the compiler. If there are several -O, the last one counts. With the level of the models a
        unit has their flags, and so their precompiled headers.
        """
        level = f"-O{self.optimisation}"
        return COMPILE_FLAGS if level in COMPILE_FLAGS else (*COMPILE_FLAGS, level)

    def load(self) -> ctypes.CDLL:
        """The library, which is built if it does not exist yet. Several processes may call this at once."""
        folder = build_root() / "tests" / self.room / f"{self.name}-{self.digest()}"
        library = folder / "libunit.so"
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not library.is_file():
                self._build(folder)
        loaded = ctypes.CDLL(str(library))
        loaded.unit_open.restype = ctypes.c_void_p
        return loaded

    def _build(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "rtl").mkdir(parents=True)
        files = [f"rtl/{Path(name).name}" for name in self.texts]
        for file, text in zip(files, self.texts.values(), strict=True):
            (folder / file).write_text(text)
        command = [
            str(verilator_root() / "bin" / "verilator"), "--cc", "-O3", "--flatten",
            "--x-initial", self.unknown, "--x-assign", self.unknown, "--threads", "1", "--no-timing",
            "-Wno-fatal", "-Wno-lint", "-Wno-style", "--prefix", "Vunit", "--top-module", self.top,
            *self.parameters, "--Mdir", "obj", "-CFLAGS", " ".join(COMPILE_FLAGS), *files,
        ]  # fmt: skip
        self._run(command, folder)
        # One compiler run for the harness and the whole model, so that g++ reads their headers once.

        parts = [*sorted((folder / "obj").glob("*.cpp")), self.harness]
        (folder / "unit.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
        flags, root = self._flags(), verilator_root() / "include"
        include = [f"-I{path}" for path in (folder / "obj", HARNESS_DIR, root, root / "vltstd")]
        library = [
            "g++", "-std=gnu++20", *flags, *common_headers(flags), *self.settings, *include, "-shared",
            "unit.cpp", str(runtime_library(folder / "obj", "Vunit")),
            "-o", "libunit.part", "-lpthread",
        ]  # fmt: skip
        # Reading the headers of Verilator takes longer than compiling a small module.
        assert "-Winvalid-pch" not in self._run(library, folder), "g++ does not use the precompiled headers"
        shutil.rmtree(folder / "obj")
        (folder / "libunit.part").rename(folder / "libunit.so")

    @staticmethod
    def _run(command: Sequence[str], folder: Path) -> str:
        """Runs a tool; what it warns of."""
        done = subprocess.run(
            command, cwd=folder, env=verilator_environment(), capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
        return done.stderr
