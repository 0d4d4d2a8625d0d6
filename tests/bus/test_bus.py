"""The bus side in Verilator: the AXI4-Lite shell with a stand-in engine and a library bus model
(cocotbext-axi), and the FIFO in every size. The guarantees are in shell_bench.py, overflow_bench.py,
control_bench.py and fifo_bench.py.
"""

from __future__ import annotations

import os
import shutil
import xml.etree.ElementTree as ElementTree
from importlib.metadata import version
from pathlib import Path

import pytest
from cocotb_tools.runner import get_runner

from eccelerate.configs.config import build_root, find_config, rtl_files
from eccelerate.configs.images import images, load_program
from tests.dispatch.clusters import cluster_files, turbo_cluster
from tests.verilated import quick_build_environment

FIFO = ("rtl/isa/eccel_packet_pkg.sv", "rtl/prim/eccel_ram.sv", "rtl/bus/eccel_fifo.sv")
SHELL = (
    "rtl/bus/gen/eccel_reg_pkg.sv",
    *FIFO,
    "rtl/bus/eccel_axil_shell.sv",
    "tests/bus/eccel_ecp_compact.sv",
    "rtl/top/gen/eccel_compact_axil.sv",
)
SHELL_BENCHES = ("shell_bench", "overflow_bench", "control_bench")
BUILDS = {
    "small": {"DigitBits": 16, "MaxWords": 8, "FifoAddrBits": 6, "ExternalEntropy": 0},
    "default": {"DigitBits": 32, "MaxWords": 17, "FifoAddrBits": 9, "ExternalEntropy": 1},
    "deep": {"DigitBits": 64, "MaxWords": 17, "FifoAddrBits": 8, "ExternalEntropy": 0},
}

RUNTIME = build_root() / "tests" / "bus" / f"runtime-{version('verilator')}"
"""Verilator's own functions, which are the same in every simulation."""


def _share_runtime(source: Path, to: Path) -> None:
    """Copy the objects of Verilator's own functions that the other folder does not have."""
    to.mkdir(parents=True, exist_ok=True)
    for found in source.glob("verilated*.o"):
        if not (to / found.name).exists():
            part = to / f"{found.name}.{os.getpid()}"
            shutil.copy2(found, part)
            part.rename(to / found.name)


@pytest.fixture
def simulate(root: Path, monkeypatch: pytest.MonkeyPatch):
    """Build `top` and run all tests of bench modules on it. Fails with the names of the tests that failed."""
    for name, value in quick_build_environment().items():
        monkeypatch.setenv(name, value)

    def run(
        name: str,
        benches: tuple[str, ...],
        top: str,
        sources: tuple[str, ...],
        parameters: dict[str, int],
        texts: dict[str, str] | None = None,
        settings: dict[str, str] | None = None,
    ) -> None:
        folder = build_root() / "tests" / "bus" / name
        _share_runtime(RUNTIME, folder)
        runner = get_runner("verilator")
        runner.build(
            sources=[root / path for path in sources],
            hdl_toplevel=top,
            parameters={**parameters, **(texts or {})},
            build_args=["-Wno-fatal", "--threads", "1"],
            timescale=("1ns", "1ps"),
            build_dir=folder,
        )
        _share_runtime(folder, RUNTIME)
        results = runner.test(
            hdl_toplevel=top,
            test_module=",".join(f"tests.bus.{bench}" for bench in benches),
            build_dir=folder,
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            extra_env={f"BENCH_{key.upper()}": str(value) for key, value in parameters.items()}
            | (settings or {}),
        )
        cases = list(ElementTree.parse(results).iter("testcase"))
        assert cases, "the simulator ran no test"
        failed = [case.get("name") for case in cases if len(case.findall("failure") + case.findall("error"))]
        assert not failed, f"failed in the simulator: {', '.join(map(str, failed))}"

    return run


@pytest.mark.timeout(300)
@pytest.mark.parametrize("build", BUILDS)
def test_shell(simulate, build: str) -> None:
    simulate(f"shell-{build}", SHELL_BENCHES, "eccel_compact_axil", SHELL, BUILDS[build])


@pytest.mark.timeout(600)
def test_turbo_peripheral(simulate) -> None:
    """This is the real engine, for the smallest prime and one thread."""
    cfg = find_config("turbo-p256")
    sources = tuple(str(path) for path in rtl_files(cfg, shell=True))
    parameters = {"Prime": 0, "Threads": 1, "FifoAddrBits": 8}
    texts = {"UcodeFile": f'"{load_program(cfg).hex}"'}
    simulate("peripheral-turbo", ("turbo_bench",), cfg.shell, sources, parameters, texts)


@pytest.mark.timeout(600)
def test_peripheral_of_a_cluster_of_one_kind(simulate) -> None:
    """The cluster has two of these engines."""
    cfg = turbo_cluster(0, 2, 1)
    sources = tuple(str(path) for path in cluster_files(cfg, shell=True))
    texts = {parameter: f'"{path}"' for parameter, path in images(cfg).items()}
    name, settings = "peripheral-turbo-x2", {"BENCH_ENGINES": "2"}
    simulate(name, ("turbo_bench",), cfg.shell, sources, {"FifoAddrBits": 8}, texts, settings)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_peripheral_of_a_cluster_of_several_kinds(simulate) -> None:
    """The cluster is the generated one, with its engines as configured."""
    cfg = find_config("cluster-small")
    sources = tuple(str(path) for path in rtl_files(cfg, shell=True))
    texts = {parameter: f'"{path}"' for parameter, path in images(cfg).items()}
    simulate(f"peripheral-{cfg.name}", ("cluster_bench",), cfg.shell, sources, {"FifoAddrBits": 8}, texts)


@pytest.mark.timeout(300)
def test_fifo(simulate) -> None:
    simulate("fifo", ("fifo_bench",), "eccel_fifo_bench", (*FIFO, "tests/bus/eccel_fifo_bench.sv"), {})
