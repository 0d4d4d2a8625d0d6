"""Every source file passes its linters, and every linter does report a fault."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from eccelerate.configs.cluster_config import ClusterConfig
from eccelerate.configs.config import load_configs
from tests.repo import linters, rtl, tree

ROOT = Path(__file__).resolve().parents[2]
FILES = rtl.scan(ROOT / "rtl")
VENDORS = [None, *sorted({f.room.removeprefix("prim_") for f in FILES if f.room.startswith("prim_")})]
WAIVERS = sorted((ROOT / "rtl").rglob("*.vlt"))
DIGIT_BITS = (16, 32, 64)


Parameters = dict[str, int | str]
WITH_TABLE = ("eccel_turbo_axil",)
WITH_WINDOWS = ("eccel_compact_axil",)
BOARDS = "eccel_board_"
"""Tops with the twins of one vendor, which tests/boards lints with their own clocks and engines."""


def _python_files() -> list[Path]:
    return [p for p in tree.source_files(ROOT) if p.suffix == ".py"]


def _builds() -> list[tuple[str | None, str, Parameters]]:
    """(vendor, top module, parameters): each top with its defaults, and at every digit size that it knows; an
    engine also with a table of its base point, and a peripheral also with several windows.

    A vendor's twins are linted as tops of their own and below each top that reaches them. They are not linted
    below clusters, because the engines of clusters are linted below their own tops.
    """
    builds: list[tuple[str | None, str, Parameters]] = []
    clusters = {config.shell for config in load_configs().values() if isinstance(config, ClusterConfig)}
    for vendor in VENDORS:
        files = rtl.build_set(FILES, vendor)
        for top in rtl.tops(files):
            text = next(f.path for f in files if top in f.modules).read_text()
            sized = re.search(r"parameter\s+int(\s+unsigned)?\s+DigitBits\b", text)
            wanted: list[Parameters] = [{"DigitBits": bits} for bits in DIGIT_BITS] if sized else [{}]
            if vendor == "ice40":  # its multipliers have 16 bits, and the RTL refuses larger digits
                wanted = [p for p in wanted if p.get("DigitBits", 16) == 16]
            if vendor is not None and (top in clusters or top.startswith(BOARDS)):
                continue
            if vendor == "xilinx":  # the only twin is that of boards
                continue
            if vendor is None and top in WITH_WINDOWS:
                wanted.append({"Windows": 4, "ExternalEntropy": 1})
            if vendor is None and top in WITH_TABLE:
                wanted.append({"CombFile": '"table.hex"'})
            builds += [(vendor, top, p) for p in wanted]
    return builds


def _name(build: tuple[str | None, str, Parameters]) -> str:
    vendor, top, parameters = build
    return "-".join(
        [vendor or "portable", top, *(k if isinstance(v, str) else f"{k}{v}" for k, v in parameters.items())]
    )


def _none(complaints: str) -> None:
    """Fail with the linter's own message if it has one."""
    if complaints:
        pytest.fail(complaints, pytrace=False)


def test_ruff() -> None:
    _none(linters.ruff(ROOT, _python_files()))


def test_mypy() -> None:
    _none(linters.mypy(ROOT, [p for p in _python_files() if p.relative_to(ROOT).parts[0] == "eccelerate"]))


def test_verible() -> None:
    own = [f.path for f in FILES if not f.is_cells and not tree.is_generated(f.path)]
    _none(linters.verible(ROOT, own))


@pytest.mark.parametrize("build", _builds(), ids=_name)
def test_rtl(build: tuple[str | None, str, Parameters]) -> None:
    """Verilator -Wall gives no warning, and slang no error or warning."""
    vendor, top, parameters = build
    paths = [f.path for f in rtl.reached(rtl.build_set(FILES, vendor), top)]
    _none(linters.verilator_wall(ROOT, top, paths, parameters, WAIVERS))
    _none(linters.slang(top, paths, parameters))


def _module(body: str) -> str:
    return f"module top (\n    input logic [3:0] a_i,\n    output logic [3:0] b_o\n);\n  {body}\nendmodule\n"


GOOD_RTL = _module("assign b_o = a_i;")
# For each linter: file name, a text that it accepts, one that it must not accept, and the call.
FAULTS: dict[str, tuple[str, str, str, Callable[[Path], str]]] = {
    "ruff": ("x.py", '"""A."""\n\nx = 1\n', '"""A."""\n\nimport os\n', lambda p: linters.ruff(ROOT, [p])),
    "mypy": ("x.py", "x: int = 1\n", 'x: int = "1"\n', lambda p: linters.mypy(ROOT, [p])),
    "mypy_untyped": (
        "x.py",
        "def f(x: int) -> int:\n    return x\n",
        "def f(x):\n    return x\n",
        lambda p: linters.mypy(ROOT, [p]),
    ),
    "verible": ("top.sv", GOOD_RTL, _module("assign b_o = a_i; "), lambda p: linters.verible(ROOT, [p])),
    "slang": ("top.sv", GOOD_RTL, _module("assign b_o = c;"), lambda p: linters.slang("top", [p], {})),
    "slang_warn": ("top.sv", GOOD_RTL, _module("assign b_o = 20;"), lambda p: linters.slang("top", [p], {})),
    "verilator": (
        "top.sv",
        GOOD_RTL,
        _module("assign b_o = a_i + 5'd1;"),
        lambda p: linters.verilator_wall(ROOT, "top", [p], {}),
    ),
}


@pytest.mark.parametrize("linter", FAULTS)
def test_linter_reports(tmp_path: Path, linter: str) -> None:
    """The same call as above reports nothing for a good file, and something for a bad one."""
    name, good, bad, run = FAULTS[linter]
    path = tmp_path / name
    path.write_text(good)
    assert run(path) == ""
    path.write_text(bad)
    assert run(path) != ""
