"""A bundle stands alone: in its own folder it passes lint, and `make` signs over its bus."""

import re
import subprocess
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.designs import config_design
from eccelerate.flow import device, synthesise
from eccelerate.flow.bundle import write_sources
from eccelerate.flow.bundle_bench import bench_jobs
from eccelerate.flow.bundle_text import Ports, core_name, top_module
from eccelerate.model import ecdsa, point
from eccelerate.regs.register_files import html
from eccelerate.rtlsim.verilate import verilator_environment
from tests.repo import linters

AXIL = {
    "awaddr": ("input", 6), "awvalid": ("input", 1), "awready": ("output", 1), "wdata": ("input", 32),
    "wstrb": ("input", 4), "wvalid": ("input", 1), "wready": ("output", 1), "bresp": ("output", 2),
    "bvalid": ("output", 1), "bready": ("input", 1), "araddr": ("input", 6), "arvalid": ("input", 1),
    "arready": ("output", 1), "rdata": ("output", 32), "rresp": ("output", 2), "rvalid": ("output", 1),
    "rready": ("input", 1),
}  # fmt: skip
ON_A_BUS: Ports = {
    "clk_i": ("input", 1), "rst_ni": ("input", 1), **{f"s_axil_{name}": port for name, port in AXIL.items()},
    "irq_o": ("output", 1), "zeroise_i": ("input", 1), "alarm_o": ("output", 1),
    "ext_ent_valid_i": ("input", 1), "ext_ent_ready_o": ("output", 1), "ext_ent_data_i": ("input", 32),
}  # fmt: skip
WITH_PACKETS: Ports = {
    "clk_i": ("input", 1), "rst_ni": ("input", 1), "req_i": ("input", 34), "req_ready_o": ("output", 1),
    "rsp_o": ("output", 34), "rsp_ready_i": ("input", 1), "ent_i": ("input", 34),
    "ent_ready_o": ("output", 1), "zeroise_i": ("input", 1), "busy_o": ("output", 1),
    "alarm_o": ("output", 1),
}  # fmt: skip


def run(folder: Path, *command: str, code: int = 0) -> str:
    """The output of a command that a user types. It also works if another make runs the tests."""
    env = {name: value for name, value in verilator_environment().items() if name != "MAKELEVEL"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == code, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def bundle(name: str, target: str, out: Path, ports: Ports | None = None, windows: int = 1) -> str:
    """Write the sources of a bundle. Returns the name of its top."""
    config = find_config(name)
    design = config_design(config, shell=bool(config.shell), windows=windows)
    found = ports or synthesise(design, target).ports
    write_sources(design, device(target), found, out, bench_jobs(config))
    return top_module(design)


def test_make_signs_over_the_bus(tmp_path: Path) -> None:
    """The signature that it prints verifies under the key that it prints, and another one is noticed. The
    bundle has two windows, of which the bench uses the first.
    """
    out = tmp_path / "rtl"  # a name that also occurs in the bundle
    top = bundle("compact-w32", "ecp5-25f-6", out, windows=2)
    ports = (out / "rtl" / f"{top}.sv").read_text()
    assert "[12:0] s_axil_awaddr" in ports and "[1:0] irq_o" in ports and ".Windows(2)" in ports
    text = run(out, "make")
    assert "%Warning" not in text and text.rstrip().endswith("PASS: every response is the expected one")
    r, s, x, y = (int(value, 16) for value in re.findall(r"^  [rsxy] = (0x[0-9a-f]{64})$", text, re.M))
    curve, e = find_curve("P-256"), 0xAF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF
    assert point.is_on_curve(curve, (x, y)) and ecdsa.verify(curve, e, r, s, (x, y))

    jobs = out / "bench" / "jobs.h"
    word = f"0x{r & 0xFFFFFFFF:08x}u"
    assert jobs.read_text().count(word) == 2  # in the expected signature, and in the one to be verified
    jobs.write_text(jobs.read_text().replace(word, "0x00000001u", 1))
    assert "FAIL: not the expected response" in run(out, "make", code=2)


def test_fusesoc_lints_and_signs(tmp_path: Path) -> None:
    bundle("compact-w16-up5k", "up5k", tmp_path, ON_A_BUS)
    core = core_name(config_design(find_config("compact-w16-up5k")))
    assert re.fullmatch(r"eccelerate:engine:compact-w16-up5k:\d+\.\d+\.\d+", core)
    fusesoc = ("fusesoc", "--cores-root", ".", "run", "--target")
    assert "%Warning" not in run(tmp_path, *fusesoc, "lint", core)
    assert "PASS: every response is the expected one" in run(tmp_path, *fusesoc, "sim", core)


@pytest.mark.parametrize(
    ("name", "target", "ports"),
    [
        ("compact-w32", "lifcl-40", ON_A_BUS),
        ("turbo-p256", "ecp5-85f-6", ON_A_BUS),
        ("turbo-generic256", "ecp5-85f-6", WITH_PACKETS),
        ("binary-163-d64", "ecp5-25f-6", ON_A_BUS),
        ("cluster-small", "ecp5-85f-6", ON_A_BUS),
    ],
)
def test_bundle_lints_from_its_file_lists(name: str, target: str, ports: Ports, tmp_path: Path) -> None:
    top = bundle(name, target, tmp_path, ports)
    assert "%Warning" not in run(tmp_path, "make", "lint")
    for file_list in tmp_path.glob("*.f"):
        lines = file_list.read_text().splitlines()
        files = [tmp_path / line for line in lines if not line.startswith("//")]
        assert files[-1] == tmp_path / "rtl" / f"{top}.sv"
        assert linters.slang(top, files, {}) == ""
    text = (tmp_path / "README.md").read_text()
    assert all(f".{port}({port})" in text for port in ports)
    jobs = [job.name for job in bench_jobs(find_config(name))]
    assert jobs[-1] == ("MUL" if name == "turbo-generic256" else "ECDSA_VERIFY")


def test_the_instantiation_of_the_readme_can_be_pasted(tmp_path: Path) -> None:
    name = "turbo-generic256"
    bundle(name, "ecp5-85f-6", tmp_path, WITH_PACKETS)
    block = (tmp_path / "README.md").read_text().split("```systemverilog\n")[1].split("```")[0]
    (tmp_path / "user.sv").write_text(f"module user;\n{block}endmodule\n")
    verilator = ("verilator", "--lint-only", "--no-timing", "--top-module", "user")
    assert "%Error" not in run(tmp_path, *verilator, "-f", f"{name}-core_sim.f", "user.sv")


def test_the_page_of_registers_starts_no_browser(tmp_path: Path) -> None:
    html(tmp_path)
    assert (tmp_path / "index.html").is_file()
    assert not [path for path in tmp_path.rglob("*") if "launcher" in path.name]
