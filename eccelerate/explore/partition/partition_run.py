"""Simulates a cut: its devices and links are built into one program, and results are compared with integers.

The program is kept in build/partition under a hash of its sources.
"""

from __future__ import annotations

import fcntl
import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import build_root
from eccelerate.curves import Curve, find_curve
from eccelerate.explore.partition.link_spec import PartitionError
from eccelerate.explore.partition.partition_cuts import Cut, Job
from eccelerate.explore.partition.partition_rtl import channels, device_files, library_files, system_file
from eccelerate.model.complete_addition import add
from eccelerate.model.point import base_mul
from eccelerate.rtlsim.bench_program import VERILATE_FLAGS, compile_bench
from eccelerate.rtlsim.verilate import COMPILE_FLAGS, HARNESS_DIR, verilator_version

BENCH = HARNESS_DIR / "partition_bench.cpp"
CHANNEL = HARNESS_DIR / "eccel_link_channel.sv"
SYSTEM = "partition_system"
PREFIX = "Vsystem"
RUN_S = 600
CURVE_BITS = (192, 224, 256, 384, 521)
"""Sizes of the NIST curves over primes."""
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
    """The modulus of the bench: the largest number 2^bits - c that is 3 modulo 4 and no multiple of 3, 5, 7.
    Any odd modulus would do.
    """
    value = (1 << bits) - 1
    while value % 4 != 3 or any(value % small == 0 for small in (3, 5, 7) if value > small):
        value -= 1
    return value


def require_curve(bits: int) -> Curve:
    """The NIST curve over a prime of that size, with a = -3. Raises PartitionError if there is none."""
    if bits not in CURVE_BITS:
        sizes = ", ".join(map(str, CURVE_BITS))
        raise PartitionError(f"additions are on the NIST curves over primes: --bits {sizes}, not {bits}")
    return find_curve(f"P-{bits}")


def constants_of(job: Job) -> dict[str, int]:
    """The stable inputs of a unit: the modulus m, -1 / m modulo 2^bits, and the curve in Montgomery form."""
    if job.op == "mul":
        return {}
    curve = require_curve(job.bits) if job.op == "add" else None
    modulus = curve.p if curve else modulus_of(job.bits)
    found = {"modulus_i": modulus, "inverse_i": -pow(modulus, -1, 1 << job.bits) % (1 << job.bits)}
    if curve:
        found |= {"a_i": (curve.a << job.bits) % modulus, "b_i": (curve.b << job.bits) % modulus}
    return found


def expected(job: Job, given: Sequence[int]) -> list[int]:
    """The results of a job. An addition is in Montgomery form."""
    if job.op == "mul":
        return [given[0] * given[1]]
    modulus = constants_of(job)["modulus_i"]
    back = pow(1 << job.bits, -1, modulus)
    if job.op == "montmul":
        return [given[0] * given[1] * back % modulus]
    plain = [value * back % modulus for value in given]
    names = dict(zip(("X1", "Y1", "Z1", "X2", "Y2", "Z2"), plain, strict=True))
    curve = require_curve(job.bits)
    return [(value << job.bits) % modulus for value in add(4, {**names, "a": curve.a, "b": curve.b}, curve.p)]


def operands(job: Job, count: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Operands of jobs: the corners of the range first, then random ones."""
    rng = random.Random(seed)
    if job.op == "add":
        return _points(job, count, rng)
    top = (1 << job.bits) - 1 if job.op == "mul" else modulus_of(job.bits) - 1
    half = (1 << job.half) - 1
    corners = [0, 1, top, half, top ^ half if job.op == "mul" else top - half]
    pairs: list[tuple[int, ...]] = [(a, b) for a in corners for b in corners]
    rng.shuffle(pairs)
    pairs.insert(0, (top, top))
    while len(pairs) < count:
        pairs.append((rng.randint(0, top), rng.randint(0, top)))
    return pairs[:count]


def _points(job: Job, count: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Pairs of projective points in Montgomery form: first equal and opposite ones and infinity."""
    curve = require_curve(job.bits)

    def projective(k: int) -> tuple[int, int, int]:
        scale = rng.randrange(1, curve.p)
        found = base_mul(curve, k) if k % curve.n else None
        x, y, z = (found[0] * scale, found[1] * scale, scale) if found else (0, scale, 0)
        return (x << job.bits) % curve.p, (y << job.bits) % curve.p, (z << job.bits) % curve.p

    some = [(1, 1), (5, -5), (0, 7), (7, 0), (0, 0), (1, 2)]
    while len(some) < count:
        some.append((rng.randrange(1, curve.n), rng.randrange(1, curve.n)))
    return [(*projective(k % curve.n), *projective(m % curve.n)) for k, m in some[:count]]


def _words(value: int, count: int, width: int) -> list[str]:
    return [f"{value >> i * width & (1 << width) - 1:x}" for i in range(count)]


def jobs_text(job: Job, count: int, seed: int = 1) -> str:
    """The file jobs.txt."""
    lines = []
    for given in operands(job, count, seed):
        there = [word for value in given for word in _words(value, job.words, job.width)]
        results = expected(job, given)
        each = job.words_out // len(results)
        back = [word for value in results for word in _words(value, each, job.width)]
        lines.append(f"{' '.join(there)} -> {' '.join(back)}\n")
    return "".join(lines)


def sources(cut: Cut) -> tuple[list[Path], dict[str, str]]:
    """Files of the library, and the text of the generated ones by name."""
    files = device_files(cut, constants_of(cut.job))
    return [*library_files(cut), CHANNEL], files | {f"{SYSTEM}.sv": system_file(cut)}


def program(cut: Cut, progress: Progress | None = None) -> Path:
    """The bench of a cut, built if it does not exist yet. Raises BuildError."""
    library, files = sources(cut)
    parts = [verilator_version(), repr((VERILATE_FLAGS, COMPILE_FLAGS)), BENCH.read_text(), *files.values()]
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
    for name, text in files.items():
        (folder / name).write_text(text)
    compile_bench(BENCH, folder, SYSTEM, PREFIX, [*library, *files], x_assign="unique", progress=progress)


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
