"""PARI/GP, Octave and Python with the engine below them: what they need, how to build it, how a script runs.

docs/maths.md explains what the libraries do, sw/maths/core/process.h the settings.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.external.c_software import build_software, software_folder
from eccelerate.external.command import CommandError, Outcome, is_installed, run

SETTINGS = ("ECCEL_DEVICES", "ECCEL_MIN_BITS", "ECCEL_TIMEOUT_MS", "ECCEL_STRICT", "ECCEL_REPORT")
KINDS = ("product", "mod_mul", "mod_add", "mod_inv", "mod_exp", "point_mul", "point_add")
"""The calculations that the libraries count, by their names in the report."""
SECONDS = 600


@dataclass(frozen=True)
class MathsPackage:
    """A package. programs and headers: what has to be there, with the Debian package that has it. target: of
    sw/Makefile. suffix: of its scripts.
    """

    name: str
    title: str
    target: str
    suffix: str
    programs: Mapping[str, str]
    headers: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Where its libraries are built."""
        return software_folder() / "maths" / self.name


PACKAGES = (
    MathsPackage(
        "pari",
        "PARI/GP",
        "maths-pari",
        ".gp",
        {"gp": "pari-gp"},
        {"gmp.h": "libgmp-dev", "pari/pari.h": "libpari-dev"},
    ),
    MathsPackage(
        "octave",
        "Octave",
        "maths-octave",
        ".m",
        {"octave-cli": "octave", "mkoctfile": "octave-dev"},
        {"gmp.h": "libgmp-dev"},
    ),
    MathsPackage("python", "Python", "maths-core", ".py", {}, {"gmp.h": "libgmp-dev"}),
)


def find_package(name: str) -> MathsPackage:
    """The package of this name. Raises ValueError naming the known ones."""
    for package in PACKAGES:
        if package.name == name:
            return package
    raise ValueError(f"no package {name}: there are {', '.join(each.name for each in PACKAGES)}")


def missing(package: MathsPackage) -> list[str]:
    """Debian packages that have to be installed first. Raises MissingError without a C compiler."""
    found = [debian for program, debian in package.programs.items() if not is_installed(program)]
    for header, debian in package.headers.items():
        text = f"#include <stdio.h>\n#include <{header}>\n"
        if run(["gcc", "-E", "-x", "c", "-"], given=text, timeout=60).code:
            found.append(debian)
    return found


def build(package: MathsPackage, *, jobs: int = 2) -> Path:
    """Build the libraries of a package and return their folder.

    Raises CommandError with the names of missing packages or the compiler's message.
    """
    if lacking := missing(package):
        raise CommandError(f"{package.title}: apt install {' '.join(lacking)}")
    build_software(package.target, jobs=jobs)
    return package.folder


def command(package: MathsPackage, script: Path, *, on_engine: bool) -> list[str]:
    """The command that runs a script, without the environment."""
    if package.name == "pari":
        return ["gp", "-q", *([] if on_engine else ["-f"]), str(script)]
    if package.name == "octave":
        folders = (package.folder / "common", package.folder / ("engine" if on_engine else "plain"))
        return ["octave-cli", "-q", *(word for each in folders for word in ("-p", str(each))), str(script)]
    return [sys.executable, str(script)]


def variables(package: MathsPackage) -> dict[str, str]:
    """Environment variables with which the package finds its libraries."""
    return {
        "pari": {"GPRC": str(package.folder / "gprc")},
        "octave": {},
        "python": {"PYTHONPATH": str(package.folder)},
    }[package.name]


@dataclass(frozen=True)
class ScriptRun:
    """What a script printed, and what the engine did for it: the report of libeccel_maths, {} without one."""

    outcome: Outcome
    report: dict[str, Any]

    def jobs(self, kind: str) -> int:
        """Jobs that the engine did for one kind of calculation."""
        return int(self.report[kind]["jobs"]) if self.report else 0


def run_script(
    package: MathsPackage,
    script: Path,
    devices: str | None,
    settings: Mapping[str, str] | None = None,
    timeout: float = SECONDS,
) -> ScriptRun:
    """Run a script, unchanged: on the devices, or with the package's own routines if `devices` is None.

    Raises MissingError if the package is not installed, CommandError if it does not end in time.
    """
    env = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    env |= {"HISTFILE": os.devnull, "TERM": "dumb"}
    if devices is not None or package.name == "python":
        env |= variables(package)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        if devices is not None:
            env |= {"ECCEL_DEVICES": devices, "ECCEL_REPORT": str(report), **(settings or {})}
        words = command(package, script, on_engine=devices is not None)
        done = run(words, env=env, given="", timeout=timeout)
        found = json.loads(report.read_text()) if report.is_file() else {}
    return ScriptRun(done, found)


def split_times(text: str) -> tuple[list[str], dict[str, float]]:
    """The results of an example, and its times in milliseconds from the lines `time NAME MILLISECONDS`."""
    results: list[str] = []
    times: dict[str, float] = {}
    for line in text.splitlines():
        words: Sequence[str] = line.split()
        if len(words) == 3 and words[0] == "time":
            times[words[1]] = float(words[2])
        elif words:
            results.append(line.rstrip())
    return results, times
