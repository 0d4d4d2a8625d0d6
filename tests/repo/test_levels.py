"""Rooms use only lower ones, and the checks of this do report an offence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repo import levels, rtl

ROOT = Path(__file__).resolve().parents[2]


def _write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_python_imports_look_down() -> None:
    assert levels.python_offences(ROOT / levels.PACKAGE) == []


def test_rtl_instances_look_down() -> None:
    assert levels.rtl_offences(rtl.scan(ROOT / "rtl")) == []


def test_c_types_stay_in_their_room() -> None:
    assert any((ROOT / "sw").rglob("*.[ch]")), "no C file was checked"
    assert levels.c_offences(ROOT / "sw") == []


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("model/ecdsa.py", "from eccelerate.rtlsim import rtl\n"),
        ("model/ecdsa.py", "import eccelerate.cli.main\n"),
        ("model/ecdsa.py", "from eccelerate import ucode\n"),
        ("model/ecdsa.py", "from ..driver.packet import Packet\n"),
        ("model/ecdsa.py", "from .. import driver\n"),
        ("model/__init__.py", "from ..driver import Packet\n"),
        ("model/ecdsa.py", "def f():\n    import eccelerate.flow\n"),
        ("helpers.py", "x = 1\n"),
        ("misc/thing.py", "x = 1\n"),
    ],
)
def test_python_offence_is_found(tmp_path: Path, place: str, text: str) -> None:
    allowed = {"model/ok.py": "from eccelerate.curves import curve\nfrom . import ecdsa\n", "__init__.py": ""}
    package = _write(tmp_path / levels.PACKAGE, allowed)
    assert levels.python_offences(package) == []
    _write(package, {place: text})
    assert len(levels.python_offences(package)) == 1


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("gfp/eccel_x.sv", "module eccel_x; eccel_seq u_seq (); endmodule"),
        ("gfp/eccel_x.sv", "module eccel_x; if (1) begin : gen_a eccel_seq #(.N(3)) u_seq (); end endmodule"),
        ("gfp/eccel_x.sv", "module eccel_x import eccel_seq_pkg::*; (); endmodule"),
        ("gfp/eccel_x.sv", "module eccel_x; localparam int N = eccel_seq_pkg::N; endmodule"),
        ("gfp/eccel_x.sv", "module eccel_x; MULT18X18D u_cell (); endmodule"),
        ("top/eccel_x.sv", "module eccel_x; eccel_aes u_aes (); endmodule"),
        ("prim_ecp5/eccel_x.sv", "module eccel_x; endmodule"),
        ("misc/eccel_x.sv", "module eccel_x; endmodule"),
        ("gfp/x.sv", "module x; endmodule"),
        ("engine/eccel_x.sv", "module eccel_x; eccel_turbo u_turbo (); endmodule"),
        ("engines/compact/eccel_x.sv", "module eccel_x; eccel_turbo u_turbo (); endmodule"),
        ("engines/eccel_x.sv", "module eccel_x; endmodule"),
    ],
)
def test_rtl_offence_is_found(tmp_path: Path, place: str, text: str) -> None:
    allowed = {
        "prim/eccel_mul.sv": "module eccel_mul; endmodule",
        "prim_ecp5/eccel_mul.sv": "module eccel_mul; MULT18X18D u_cell (); endmodule",
        "prim_ecp5/eccel_ecp5_cells.sv": "module MULT18X18D; endmodule",
        "engine/gen/eccel_seq_pkg.sv": "package eccel_seq_pkg; localparam int N = 1; endpackage",
        "engine/eccel_seq.sv": "module eccel_seq; eccel_mul u_mul (); endmodule",
        "engines/turbo/eccel_turbo.sv": "module eccel_turbo; eccel_seq u_seq (); endmodule",
        "compare/eccel_aes.sv": "module eccel_aes; eccel_seq u_seq (); endmodule",
        "top/eccel_top.sv": "module eccel_top; eccel_seq u_seq (); endmodule",
    }
    folder = _write(tmp_path, allowed)
    assert levels.rtl_offences(rtl.scan(folder)) == []
    _write(folder, {place: text})
    assert len(levels.rtl_offences(rtl.scan(folder))) == 1


@pytest.mark.parametrize(
    ("place", "text"),
    [("driver/a.c", "OSSL_PARAM p;\n"), ("provider/b.c", '#include "gen/eccel_regs.h"\n')],
)
def test_c_offence_is_found(tmp_path: Path, place: str, text: str) -> None:
    allowed = {"provider/ok.c": "OSSL_PARAM p;\n", "driver/ok.h": '#include "gen/eccel_regs.h"\n'}
    folder = _write(tmp_path, allowed)
    assert levels.c_offences(folder) == []
    _write(folder, {place: text})
    assert len(levels.c_offences(folder)) == 1


def test_programs_are_started_in_one_room() -> None:
    for path in (ROOT / levels.PACKAGE).rglob("*.py"):
        if path.parent.name != "external":
            assert "subprocess" not in path.read_text(), path


def test_no_two_modules_have_one_name() -> None:
    assert levels.repeated_names(ROOT / levels.PACKAGE) == []


def test_a_repeated_name_is_found(tmp_path: Path) -> None:
    package = _write(tmp_path, {"flow/__init__.py": "", "cli/__init__.py": "", "cli/report.py": ""})
    assert levels.repeated_names(package) == []
    _write(package, {"vectors/report.py": ""})
    assert levels.repeated_names(package) == ["report: cli/report.py, vectors/report.py"]


def test_only_cli_writes_to_the_terminal() -> None:
    assert levels.terminal_offences(ROOT / levels.PACKAGE) == []


@pytest.mark.parametrize(
    "text",
    [
        "print(1)\n",
        "def f(say=print):\n    say(1)\n",
        "import rich\n",
        "from rich.table import Table\n",
        "import typer.core\n",
        "def f():\n    from typer import echo\n",
        "import sys\nsys.stdout.write('a')\n",
        "import sys\nprint_to = sys.stderr\n",
        "from sys import stdout\n",
    ],
)
def test_terminal_output_is_found(tmp_path: Path, text: str) -> None:
    allowed = {"cli/x.py": text, "flow/x.py": "import sys\n\nsys.exit(blueprint('print'))\n"}
    package = _write(tmp_path / levels.PACKAGE, allowed)
    assert levels.terminal_offences(package) == []
    _write(package, {"explore/x.py": text})
    assert len(levels.terminal_offences(package)) == 1
