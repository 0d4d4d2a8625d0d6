"""eccel_solinas_core as a Python object: Verilated once per content, for real and toy primes, and mutants."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.model.solinas import Solinas
from eccelerate.model.solinas_gen import PACKAGE, package
from eccelerate.sim.build import verilator_environment, verilator_root, verilator_version
from eccelerate.sim.config import RTL_DIR, build_root

HARNESS = Path(__file__).with_name("harness.cpp")
ROOMS = (RTL_DIR / "prim", RTL_DIR / "gfp" / "turbo")
Patch = tuple[str, str, str]  # file name, text, replacement


def sources(field: Solinas, patches: Sequence[Patch] = ()) -> dict[str, str]:
    """Text of every file, package first; it holds this one prime. Each patch must change something."""
    texts = {Path(PACKAGE).name: package([field])}
    texts |= {path.name: path.read_text() for room in ROOMS for path in sorted(room.glob("*.sv"))}
    if field.form.name != "P-256":  # the default of the modules' parameter
        texts[Path(PACKAGE).name] = texts[Path(PACKAGE).name].replace("} prime_e;", ", P256 = 99} prime_e;")
    for name, old, new in patches:
        assert old in texts[name], f"the mutant's place is gone from {name}: {old}"
        texts[name] = texts[name].replace(old, new)
    return texts


def _build(field: Solinas, patches: Sequence[Patch]) -> ctypes.CDLL:
    texts = sources(field, patches)
    settings = [f"-DWORDS={field.words}", f"-DWORD_BITS={field.word_bits}", f"-DLANES={field.lanes}"]
    digest = hashlib.sha256("\0".join([*settings, HARNESS.read_text(), *texts.values()]).encode()).hexdigest()
    folder = build_root() / "tests" / "gfp_turbo" / f"{field.form.name}-{digest[:16]}"
    library = folder / "libunit.so"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.is_file():
            _verilate(texts, settings, folder)
    loaded = ctypes.CDLL(str(library))
    loaded.unit_open.restype = ctypes.c_void_p
    return loaded


def _verilate(texts: dict[str, str], settings: Sequence[str], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "rtl").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "rtl" / name).write_text(text)
    flags = ["-fPIC", "-fno-gnu-unique", "-O2", *settings]
    command = [
        str(verilator_root() / "bin" / "verilator"), "--cc", "-O3", "--flatten", "--x-initial", "unique",
        "--x-assign", "unique", "--threads", "1", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style",
        "--prefix", "Vunit", "--top-module", "eccel_solinas_core", "-GPrime=0", "--Mdir", "obj",
        "-CFLAGS", " ".join(flags), *(f"rtl/{name}" for name in texts),
    ]  # fmt: skip
    # Verilator's own library is the same for all: compiled once.
    version = hashlib.sha256(verilator_version().encode()).hexdigest()[:16]
    common = folder.parent / f"libverilated-{version}.a"
    make = ["make", "-C", "obj", "-f", "Vunit.mk", "OPT_FAST=-O1", "OPT_GLOBAL=-O1", "libVunit.a"]
    make += [] if common.is_file() else ["libverilated.a"]
    root = verilator_root() / "include"
    link = [
        "g++", "-std=gnu++20", *flags, "-shared", "-Iobj", f"-I{root}", f"-I{root / 'vltstd'}",
        str(HARNESS), "obj/libVunit.a", str(common), "-o", "libunit.part", "-pthread",
    ]  # fmt: skip
    for step in (command, make, link):
        done = subprocess.run(
            step, cwd=folder, env=verilator_environment(), capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]
        if step is make and not common.is_file():
            (folder / "obj" / "libverilated.a").rename(common)
    shutil.rmtree(folder / "obj")
    (folder / "libunit.part").rename(folder / "libunit.so")


KINDS = {"add": 0, "sub": 1, "canon": 2}


@dataclass
class Job:
    """One operation: operands, clocks from the start of the one before; then the result and its clocks."""

    kind: str
    x: int
    y: int
    gap: int
    result: int = -1
    latency: int = -1


class Core:
    """One eccel_solinas_core."""

    def __init__(self, field: Solinas, patches: Sequence[Patch] = ()) -> None:
        self.field = field
        self._lib = _build(field, patches)
        self._unit = ctypes.c_void_p(self._lib.unit_open())
        words = ctypes.c_uint32 * field.words
        fields = [("x", words), ("y", words), ("r", words), ("gap", ctypes.c_uint32)]
        fields += [("kind", ctypes.c_uint8), ("start", ctypes.c_uint64), ("first", ctypes.c_uint64)]
        self._job = type("_Job", (ctypes.Structure,), {"_fields_": fields})
        self._words = words

    def __del__(self) -> None:
        if hasattr(self, "_unit"):
            self._lib.unit_close(self._unit)

    def run(self, products: Sequence[Job] = (), sums: Sequence[Job] = ()) -> None:
        """Run both streams side by side and note results and latencies in the jobs."""
        arrays = []
        for jobs in (products, sums):
            array = (self._job * max(1, len(jobs)))()
            for i, job in enumerate(jobs):
                array[i].x = self._words(*self.field.split(job.x, self.field.words))
                array[i].y = self._words(*self.field.split(job.y, self.field.words))
                array[i].gap, array[i].kind = job.gap, KINDS.get(job.kind, 0)
            arrays.append(array)
        limit = sum(job.gap for job in (*products, *sums)) + 1000
        extra = self._lib.unit_run(
            self._unit, arrays[0], len(products), arrays[1], len(sums), ctypes.c_uint64(limit)
        )
        assert extra == 0, "results are missing" if extra < 0 else f"{extra} results that nobody asked for"
        for jobs, array in zip((products, sums), arrays, strict=True):
            for job, item in zip(jobs, array, strict=False):
                job.result, job.latency = self.field.join(item.r), item.first - item.start

    def exhaust(self) -> int:
        """Every product of two values below 2^n at full rate (small fields only): how many are wrong."""
        wrong: int = self._lib.unit_exhaust(self._unit, self.field.bits, self.field.p)
        return wrong
