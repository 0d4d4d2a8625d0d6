"""A bundle of a multiplier stands alone: `make` in it runs the bench, and its files are what they were."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_bundle import CHECKSUMS, write_unit
from eccelerate.flow.multiplier_store import unit_device
from eccelerate.rtlsim.verilate import verilator_environment
from tests.multipliers.records import RECORDS
from tests.repo import linters


def run(folder: Path, *command: str, code: int = 0) -> str:
    env = {name: value for name, value in verilator_environment().items() if name != "MAKELEVEL"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == code, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def bundle(name: str, device: str, out: Path) -> Path:
    write_unit(parse_multiplier(name), unit_device(device), out, RECORDS[0])
    return out


def test_make_compares_products_and_checksums(tmp_path: Path) -> None:
    out = bundle("broadcast-64-w16-pipelined", "ecp5-85f-6", tmp_path / "rtl")
    text = run(out, "make")
    assert "%Warning" not in text and "PASS: " in text.rstrip().splitlines()[-1]
    run(out, "make", "check")
    products = out / "bench" / "products.h"
    last = products.read_text().splitlines()[-2]
    products.write_text(products.read_text().replace(last, '    "mul 3 5 10",'))  # 0x10 is not 15
    assert "FAIL: 3 * 5 is 10, not f" in run(out, "make", code=2)
    assert "bench/products.h: FAILED" in run(out, "make", "check", code=2)


@pytest.mark.soak
def test_the_core_file_runs_the_bench(tmp_path: Path) -> None:
    bundle("comba-32-x1", "up5k", tmp_path)
    text = (tmp_path / "comba-32-x1.core").read_text()
    name = next(line.removeprefix("name: ") for line in text.splitlines() if line.startswith("name: "))
    assert name.startswith("eccelerate:multiplier:comba-32-x1:")
    assert "PASS: " in run(tmp_path, "fusesoc", "--cores-root", ".", "run", "--target", "sim", name)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("shift-add-32", "xc2v"),
        ("comba-192-x16-pipelined-montgomery", "ecp5-85f-6"),
        ("booth-64", "lifcl-40"),
    ],
)
def test_file_lists_and_the_instantiation_of_the_readme_are_complete(
    name: str, device: str, tmp_path: Path
) -> None:
    bundle(name, device, tmp_path)
    assert "%Warning" not in run(tmp_path, "make", "lint")
    for file_list in tmp_path.glob("*.f"):
        files = [tmp_path / line for line in file_list.read_text().splitlines() if not line.startswith("//")]
        assert linters.slang(files[-1].stem, files, {}) == ""
    block = (tmp_path / "README.md").read_text().split("```systemverilog\n")[1].split("```")[0]
    (tmp_path / "user.sv").write_text(f"module user;\n{block}endmodule\n")
    verilator = ("verilator", "--lint-only", "--no-timing", "--top-module", "user")
    assert "%Error" not in run(tmp_path, *verilator, "-f", f"{name}_sim.f", "user.sv")
    sums = (tmp_path / CHECKSUMS).read_text()
    assert "report.json" in sums and json.loads((tmp_path / "report.json").read_text()) == RECORDS[0]


def test_a_folder_with_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    with pytest.raises(FlowError, match="not an empty folder"):
        bundle("shift-add-32", "xc2v", tmp_path)
