"""libeccel on the AXI4-Lite shell with the compact engine, and its build for microcontrollers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.config import ROOT, find_config, rtl_files
from eccelerate.configs.images import load_program
from tests.driver.library import build, compile_program
from tests.verilated import Unit

PROGRAMS = Path(__file__).parent / "programs"
CROSS = (
    ("riscv64-unknown-elf-", "-march=rv32imac -mabi=ilp32"),
    ("arm-none-eabi-", "-mcpu=cortex-m0plus -mthumb"),
)
LIBC = {"memcpy", "memset", "memcmp"}
COMPILER_RUNTIME = re.compile(r"__\w+")
"""Functions of libgcc, which comes with the compiler."""


def simulated(name: str, *parameters: str) -> Path:
    """The library of a simulated shell."""
    config = find_config("compact-w32")
    unit = Unit(
        room="driver",
        name=name,
        top=config.shell,
        harness=Path(__file__).with_name("shell_harness.cpp"),
        texts={str(path): path.read_text() for path in rtl_files(config, shell=True)},
        parameters=[f'-GUcodeFile="{load_program(config).hex}"', "-GFifoAddrBits=8", *parameters],
        settings=(),
        optimisation=2,
    )
    return Path(unit.load()._name)


@pytest.fixture(scope="module")
def shell() -> Path:
    """A shell with one window, which software feeds with entropy."""
    return simulated("shell")


def test_masters_with_windows_of_their_own_share_an_engine(tmp_path: Path) -> None:
    """Each loads its curve again when the other one has replaced it, also by one with longer elements."""
    library = simulated("shell-windows", "-GWindows=2", "-GExternalEntropy=1")
    compiled = compile_program(PROGRAMS / "windows_shell.c", tmp_path)
    done = external.run([str(compiled), str(library)], cwd=tmp_path, timeout=300)
    assert (done.code, done.text) == (0, "0 wrong\n"), done.errors


@pytest.mark.parametrize(
    ("program", "arguments"),
    [("mmio_shell", []), ("uio_shell", []), ("uio_shell", ["irq"])],
    ids=["mmio", "uio", "uio with interrupts"],
)
def test_jobs_through_registers(shell: Path, tmp_path: Path, program: str, arguments: list[str]) -> None:
    compiled = compile_program(PROGRAMS / f"{program}.c", tmp_path)
    done = external.run([str(compiled), str(shell), *arguments], cwd=tmp_path, timeout=300)
    assert (done.code, done.text) == (0, "0 wrong\n"), done.errors


@pytest.mark.parametrize(("cross", "flags"), CROSS, ids=["riscv32", "cortex-m0"])
def test_the_code_for_microcontrollers_needs_three_functions(cross: str, flags: str, tmp_path: Path) -> None:
    """It compiles without a C library, and asks the program for memcpy, memset and memcmp only."""
    if not shutil.which(f"{cross}gcc"):
        pytest.skip(f"{cross}gcc is not installed: apt-get install gcc-{cross.rstrip('-')}")
    command = [
        "make",
        "-s",
        "-C",
        str(ROOT / "sw"),
        "freestanding",
        f"CROSS={cross}",
        f"TARGET_FLAGS={flags}",
    ]
    done = external.run([*command, f"B={tmp_path}"], cwd=ROOT, timeout=300)
    assert done.code == 0, done.errors
    archive, whole = tmp_path / "freestanding" / "libeccel.a", tmp_path / "whole.o"
    link = [f"{cross}gcc", *flags.split(), "-nostdlib", "-r", "-Wl,--whole-archive", str(archive)]
    assert external.run([*link, "-o", str(whole)], cwd=tmp_path, timeout=60).code == 0
    symbols = external.run([f"{cross}nm", "-u", str(whole)], cwd=tmp_path, timeout=60).text.split()
    needed = {name for name in symbols if name != "U" and not COMPILER_RUNTIME.fullmatch(name)}
    assert needed <= LIBC


def test_the_library_exports_its_interface_only() -> None:
    symbols = external.run(
        ["nm", "-D", "--defined-only", str(build() / "libeccel.so")], cwd=ROOT, timeout=60
    ).text
    names = {line.split()[-1] for line in symbols.splitlines()}
    header = (ROOT / "sw" / "include" / "eccel.h").read_text()
    declared = set(re.findall(r"ECCEL_API[^;]*?(eccel_\w+)\(", header))
    assert names == declared and len(declared) > 30
