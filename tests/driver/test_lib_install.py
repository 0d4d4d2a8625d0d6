"""What `make -C sw install` installs can be used, is documented, and goes away again."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.configs.config import ROOT
from tests.driver.fake_device import FakeDevice
from tests.driver.library import build

PROGRAM = Path(__file__).parent / "programs" / "installed.c"
MAN = ROOT / "sw" / "man"


def make(target: str, prefix: Path, destination: Path | None = None) -> None:
    build()
    command = ["make", "-s", "-C", str(ROOT / "sw"), target, f"PREFIX={prefix}"]
    done = external.run([*command, f"DESTDIR={destination or ''}"], cwd=ROOT, timeout=300)
    assert done.code == 0, done.errors


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    make("install-lib", folder)
    return folder


@pytest.mark.parametrize("how", ["shared", "static", "c++"])
def test_a_program_is_built_with_pkg_config(prefix: Path, tmp_path: Path, how: str) -> None:
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config is not installed: apt-get install pkgconf")
    query = ["pkg-config", f"--with-path={prefix}/lib/pkgconfig", "--cflags", "--libs"]
    query += ["--static"] if how == "static" else []
    flags = external.run([*query, "eccel"], cwd=tmp_path, timeout=60).text.split()
    if how == "static":
        flags = [str(prefix / "lib" / "libeccel.a") if flag == "-leccel" else flag for flag in flags]
    compiler = ["g++", "-x", "c++"] if how == "c++" else ["gcc", "-std=c11"]
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [*compiler, *warnings, str(PROGRAM), "-x", "none", "-o", "program", *flags]
    done = external.run([*command, f"-Wl,-rpath,{prefix}/lib"], cwd=tmp_path, timeout=60)
    assert done.code == 0, done.errors
    with FakeDevice(tmp_path / "s") as device:
        run = external.run([str(tmp_path / "program"), device.uri], cwd=tmp_path, timeout=60)
    assert run.code == 0, run.errors


def test_uninstall_removes_what_install_has_written(tmp_path: Path) -> None:
    make("install-lib", Path("/usr"), tmp_path)
    installed = files(tmp_path)
    assert {"usr/include/eccel.h", "usr/lib/libeccel.so", "usr/lib/pkgconfig/eccel.pc"} <= installed
    assert "prefix=/usr\n" in (tmp_path / "usr/lib/pkgconfig/eccel.pc").read_text()
    make("uninstall-lib", Path("/usr"), tmp_path)
    assert not files(tmp_path)


def test_the_static_library_takes_no_names_of_the_program(prefix: Path) -> None:
    symbols = external.run(
        ["nm", "-g", "--defined-only", str(prefix / "lib" / "libeccel.a")], cwd=prefix, timeout=60
    ).text
    names = re.findall(r"^[0-9a-f]+ [A-Z] (\S+)$", symbols, re.M)
    assert len(names) > 30 and all(name.startswith("eccel_") for name in names)


def test_every_function_has_its_place_in_the_manual() -> None:
    header = (ROOT / "sw" / "include" / "eccel.h").read_text()
    declared = set(re.findall(r"ECCEL_API[^;]*?(eccel_\w+)\(", header))
    page = (MAN / "eccel.3").read_text()
    synopsis, _, description = page.partition(".Sh DESCRIPTION")
    for name in declared:
        assert re.search(rf"^\.F[no] {name}\b", synopsis, re.M), f"{name} is not in the synopsis"
        assert re.search(rf"^\.Fn {name}\b", description, re.M), f"{name} is not described"
    documented = set(re.findall(r"^\.F[no] (eccel_\w+)", page, re.M))
    assert documented - declared == {"eccel_done"}


def test_every_transport_is_in_the_manual() -> None:
    page = (MAN / "eccel_uri.7").read_text()
    sources = (ROOT / "sw" / "driver").glob("link_*.c")
    schemes = [name for path in sources for name in re.findall(r'\.scheme = "(\w+)"', path.read_text())]
    assert len(schemes) == 5 and all(f".It Ic {scheme}:" in page for scheme in schemes)


@pytest.mark.parametrize("page", ["eccel.3", "eccel_uri.7"])
def test_the_manual_has_no_fault(page: str) -> None:
    if not shutil.which("groff"):
        pytest.skip("groff is not installed: apt-get install groff-base")
    done = external.run(["groff", "-mdoc", "-Tutf8", "-ww", str(MAN / page)], cwd=ROOT, timeout=60)
    assert done.code == 0 and not done.errors
    assert "NAME" in re.sub(r".\x08", "", done.text)
