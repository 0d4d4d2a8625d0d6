"""Simulates a cut: its devices and links are built into one program, whose results are compared with integers.

The program is kept in build/partition under a hash of its sources.
"""

from __future__ import annotations

import fcntl
import hashlib
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import build_root
from eccelerate.explore.partition.partition_cuts import Cut, Job
from eccelerate.explore.partition.partition_rtl import channels, device_files, library_files, system_file
from eccelerate.rtlsim.verilate import (
    COMPILE_FLAGS,
    HARNESS_DIR,
    BuildError,
    common_headers,
    runtime_library,
    verilator_environment,
    verilator_root,
    verilator_version,
)

BENCH = HARNESS_DIR / "partition_bench.cpp"
CHANNEL = HARNESS_DIR / "eccel_link_channel.sv"
SYSTEM = "partition_system"
PREFIX = "Vsystem"
BUILD_S, RUN_S = 1800, 600
_FLAGS = (*COMPILE_FLAGS, "-O1")
Progress = Callable[[str], None]


class PartitionRunError(RuntimeError):
    """The system gave a wrong result, or none."""


@dataclass(frozen=True)
class Outcome:
    """What a run of the bench printed: see sim/partition_bench.cpp."""

    status: str
    results: int
    cycles: int
    first: int
    retries: int
    end: int


def modulus_of(bits: int) -> int:
    """The modulus of the bench: the largest number 2^bits - c that is 3 modulo 4 and no multiple of 3, 5 or 7.
    Any odd modulus would do.
    """
    value = (1 << bits) - 1
    while value % 4 != 3 or any(value % small == 0 for small in (3, 5, 7) if value > small):
        value -= 1
    return value


def constants_of(job: Job) -> dict[str, int]:
    """The stable inputs of a Montgomery product: the modulus m and -1 / m modulo 2^bits."""
    if job.op != "montmul":
        return {}
    modulus = modulus_of(job.bits)
    return {"modulus_i": modulus, "inverse_i": -pow(modulus, -1, 1 << job.bits) % (1 << job.bits)}


def expected(job: Job, a: int, b: int) -> int:
    """The result of a job."""
    if job.op == "mul":
        return a * b
    modulus = modulus_of(job.bits)
    return a * b * pow(1 << job.bits, -1, modulus) % modulus


def operands(job: Job, count: int, seed: int = 1) -> list[tuple[int, int]]:
    """Operands of jobs: the corners of the range first, then random ones."""
    top = (1 << job.bits) - 1 if job.op == "mul" else modulus_of(job.bits) - 1
    half = (1 << job.half) - 1
    corners = [0, 1, top, half, top ^ half if job.op == "mul" else top - half]
    pairs = [(a, b) for a in corners for b in corners]
    rng = random.Random(seed)
    rng.shuffle(pairs)
    pairs.insert(0, (top, top))
    while len(pairs) < count:
        pairs.append((rng.randint(0, top), rng.randint(0, top)))
    return pairs[:count]


def _words(value: int, count: int, width: int) -> list[str]:
    return [f"{value >> i * width & (1 << width) - 1:x}" for i in range(count)]


def jobs_text(job: Job, count: int, seed: int = 1) -> str:
    """The file jobs.txt."""
    lines = []
    for a, b in operands(job, count, seed):
        given = [*_words(a, job.words, job.width), *_words(b, job.words, job.width)]
        result = _words(expected(job, a, b), job.words_out, job.width)
        lines.append(f"{' '.join(given)} -> {' '.join(result)}\n")
    return "".join(lines)


def sources(cut: Cut) -> tuple[list[Path], dict[str, str]]:
    """Files of the library, and the text of the generated ones by name."""
    files = device_files(cut, constants_of(cut.job))
    return [*library_files(cut), CHANNEL], files | {f"{SYSTEM}.sv": system_file(cut)}


def program(cut: Cut, progress: Progress | None = None) -> Path:
    """The bench of a cut, built if it does not exist yet. Raises BuildError."""
    library, files = sources(cut)
    parts = [verilator_version(), repr(_FLAGS), BENCH.read_text(), *files.values()]
    parts += [path.read_text() for path in library]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    folder = build_root() / "partition" / f"{cut.name}-{cut.job.op}-{cut.job.bits}-{key}"
    found = folder / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.is_file():
            _build(folder, library, files, progress or (lambda text: None))
    return found


def _build(folder: Path, library: Sequence[Path], files: dict[str, str], progress: Progress) -> None:
    progress("compiling the RTL of all devices (Verilator)")
    for name, text in files.items():
        (folder / name).write_text(text)
    root = verilator_root()
    _tool(
        [
            str(root / "bin" / "verilator"), "--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique",
            "--threads", "1", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--prefix", PREFIX,
            "--top-module", SYSTEM, "--Mdir", "obj", "-CFLAGS", " ".join(_FLAGS),
            *[str(path) for path in library], *files,
        ],
        folder,
    )  # fmt: skip
    progress("compiling the bench (g++)")
    parts = [*sorted((folder / "obj").glob("*.cpp")), BENCH]
    (folder / "bench_all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    include = [f"-I{path}" for path in (folder / "obj", root / "include", root / "include" / "vltstd")]
    runtime = str(runtime_library(folder / "obj", PREFIX))
    _tool(
        [
            "g++", "-std=gnu++20", *_FLAGS, *common_headers(_FLAGS), *include, "bench_all.cpp", runtime,
            "-o", "bench.part", "-lpthread",
        ],
        folder,
    )  # fmt: skip
    shutil.rmtree(folder / "obj")
    (folder / "bench.part").rename(folder / "bench")


def _tool(command: Sequence[str], folder: Path) -> None:
    try:
        done = external.run(command, cwd=folder, env=verilator_environment(), timeout=BUILD_S)
    except external.CommandError as error:
        raise BuildError(str(error)) from error
    if done.code:
        lines = (done.errors + done.text).strip().splitlines()
        raise BuildError(f"{Path(command[0]).name} failed:\n" + "\n".join(lines[:40]))


def simulate(
    cut: Cut, count: int, options: Sequence[object] = (), seed: int = 1, progress: Progress | None = None
) -> Outcome:
    """Run `count` jobs through the devices of a cut. options: of sim/partition_bench.cpp. Raises BuildError,
    and PartitionRunError if a result is wrong or missing.
    """
    bench = program(cut, progress)
    text = jobs_text(cut.job, count, seed)
    run = bench.parent / f"run-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    run.mkdir(exist_ok=True)
    (run / "jobs.txt").write_text(text)
    if progress:
        progress(f"simulating {count} jobs on {len(cut.devices)} device{'s' * (len(cut.devices) > 1)}")
    limit = int(cut.cycles(count) * 4) + 200_000
    words = ["--channels", len(channels(cut)), "--limit", limit, *options]
    done = external.run([bench, *map(str, words)], cwd=run, timeout=RUN_S)
    found = dict(line.partition(" ")[::2] for line in done.text.splitlines())
    if "STATUS" not in found:
        raise PartitionRunError(f"the bench ended with {done.code}: {done.errors[-500:]}")
    if found["STATUS"].startswith(("wrong", "timeout")):
        raise PartitionRunError(f"the simulated system failed: {found['STATUS']}, {found['RESULTS']} results")
    keys = ("RESULTS", "CYCLES", "FIRST", "RETRIES", "END")
    return Outcome(found["STATUS"], *(int(found[key]) for key in keys))
