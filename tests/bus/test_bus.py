"""The bus side in Verilator: the AXI4-Lite shell with a stand-in engine and a library bus model
(cocotbext-axi), the same with engines, and the FIFO in every size. What is guaranteed is in the modules that
end in _bench.
"""

from __future__ import annotations

import contextlib
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
from tests.formal.asserts import mutant
from tests.sampled import sampled
from tests.verilated import quick_build_environment

FIFO = ("rtl/isa/eccel_packet_pkg.sv", "rtl/prim/eccel_ram.sv", "rtl/bus/eccel_fifo.sv")
SHELL = (
    "rtl/bus/gen/eccel_reg_pkg.sv",
    *FIFO,
    "rtl/bus/eccel_axil_window.sv",
    "rtl/bus/eccel_window_router.sv",
    "rtl/bus/eccel_axil_shell.sv",
    "tests/bus/eccel_ecp_compact.sv",
    "rtl/top/gen/eccel_compact_axil.sv",
)
SHELL_BENCHES = ("shell_bench", "overflow_bench", "control_bench", "zeroise_bench")
BUILDS = {
    "small": {"DigitBits": 16, "MaxWords": 8, "FifoAddrBits": 7, "ExternalEntropy": 0},
    "default": {"DigitBits": 32, "MaxWords": 17, "FifoAddrBits": 9, "ExternalEntropy": 1},
    "deep": {"DigitBits": 64, "MaxWords": 17, "FifoAddrBits": 8, "ExternalEntropy": 0},
}

SEVERAL = {
    n: {"DigitBits": 16, "MaxWords": 8, "FifoAddrBits": 7, "Windows": n, "ExternalEntropy": 1} for n in (2, 4)
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
    """Build `top` and run all tests of bench modules on it, or the one called `only`. Fails with the names of
    the tests that failed; with `fails`, fails if no test does.
    """
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
        only: str | None = None,
        fails: bool = False,
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
        results = folder / "results.xml"
        results.unlink(missing_ok=True)
        with contextlib.suppress(SystemExit):  # which the runner raises if a test has failed
            runner.test(
                hdl_toplevel=top,
                test_module=",".join(f"tests.bus.{bench}" for bench in benches),
                testcase=only,
                build_dir=folder,
                test_dir=folder,
                results_xml=str(results),
                extra_env={f"BENCH_{key.upper()}": str(value) for key, value in parameters.items()}
                | (settings or {}),
            )
        cases = list(ElementTree.parse(results).iter("testcase"))
        assert cases, "the simulator ran no test"
        failed = [case.get("name") for case in cases if len(case.findall("failure") + case.findall("error"))]
        if fails:
            assert failed, "no test has noticed the fault"
            return
        assert not failed, f"failed in the simulator: {', '.join(map(str, failed))}"

    return run


@pytest.mark.timeout(300)
@sampled("build", ["default", "small", "deep"], now=1)
def test_shell(simulate, build: str) -> None:
    simulate(f"shell-{build}", SHELL_BENCHES, "eccel_compact_axil", SHELL, BUILDS[build])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("windows", [2, pytest.param(4, marks=pytest.mark.soak)])
def test_windows(simulate, windows: int) -> None:
    benches = ("windows_bench", "zeroise_bench", "shell_bench") if windows == 2 else ("windows_bench",)
    simulate(f"windows-{windows}", benches, "eccel_compact_axil", SHELL, SEVERAL[windows])


def turbo_peripheral() -> tuple[str, tuple[str, ...], dict[str, int], dict[str, str]]:
    """The real engine for the smallest prime and one thread, with two windows: top, files, parameters."""
    cfg = find_config("turbo-p256")
    parameters = {"Prime": 0, "Threads": 1, "FifoAddrBits": 8, "Windows": 2, "ExternalEntropy": 1}
    sources = tuple(str(path) for path in rtl_files(cfg, shell=True))
    return cfg.shell, sources, parameters, {"UcodeFile": f'"{load_program(cfg).hex}"'}


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_turbo_peripheral(simulate) -> None:
    simulate("peripheral-turbo", ("turbo_bench", "attack_bench", "disorder_bench"), *turbo_peripheral())


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_turbo_peripheral_in_long_disorder(simulate) -> None:
    simulate(
        "peripheral-turbo", ("disorder_bench",), *turbo_peripheral(),
        settings={"BENCH_PACKETS": "2000", "BENCH_SEED": "2"},
    )  # fmt: skip


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_shell_that_does_not_reset_its_engine_is_noticed(simulate, root: Path, tmp_path: Path) -> None:
    top, sources, parameters, texts = turbo_peripheral()
    broken = mutant(root / SHELL[-3], tmp_path, "assign eng_rst_no = rst_nq;", "assign eng_rst_no = rst_ni;")
    sources = tuple(str(broken) if Path(path).name == broken.name else path for path in sources)
    name, benches = "peripheral-turbo-reset", ("disorder_bench",)
    simulate(name, benches, top, sources, parameters, texts, {"BENCH_PACKETS": "200"}, fails=True)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_peripheral_of_a_cluster_of_one_kind(simulate) -> None:
    """The cluster has two of these engines."""
    cfg = turbo_cluster(0, 2, 1)
    sources = tuple(str(path) for path in cluster_files(cfg, shell=True))
    texts = {parameter: f'"{path}"' for parameter, path in images(cfg).items()}
    name, settings = "peripheral-turbo-x2", {"BENCH_ENGINES": "2"}
    parameters = {"FifoAddrBits": 8, "Windows": 2, "ExternalEntropy": 1}
    simulate(name, ("turbo_bench", "order_bench"), cfg.shell, sources, parameters, texts, settings)


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


FIFO_FAULTS = {
    "words-stay": (".we_i(1'b1)", ".we_i(we_q)"),
    "full-stays": ("if (!rst_ni) full_q <= '0;", "if (1'b0) full_q <= '0;"),
    "dropped-shown": ("valid_q  <= settle_q && !dropping_q", "valid_q  <= settle_q"),
}
"""Name -> text of eccel_fifo.sv, and what a faulty one has in its place."""
FIFO_TESTS = {"dropped-shown": "dropped_packets_are_never_shown"}
ROUTER_FAULTS = {
    "tag": (
        "out_q.data[31-:TagBits] <= TagBits'(turn_q)",
        "out_q.data[31-:TagBits] <= head.data[31-:TagBits]",
    ),
    "packet": ("if (head.last) turn_q <= turn_q + 1'b1", "turn_q <= turn_q + 1'b1"),
    "room": ("count_q != Most", "1'b1"),
}
ROUTER_TESTS = {
    "tag": "a_response_is_seen_in_its_window_only",
    "packet": "random_interleavings",
    "room": "nobody_stops_the_others",
}


@pytest.mark.timeout(300)
@sampled("fault", FIFO_FAULTS, now=1)
def test_a_faulty_fifo_is_noticed(simulate, root: Path, tmp_path: Path, fault: str) -> None:
    """Words are not overwritten, a full FIFO is not wiped, or dropped words are shown."""
    broken = mutant(root / FIFO[-1], tmp_path, *FIFO_FAULTS[fault])
    sources = (*FIFO[:-1], str(broken), "tests/bus/eccel_fifo_bench.sv")
    only = FIFO_TESTS.get(fault, "no_word_stays_in_the_memory")
    simulate(f"fifo-{fault}", ("fifo_bench",), "eccel_fifo_bench", sources, {}, only=only, fails=True)


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.parametrize("fault", ROUTER_FAULTS)
def test_a_faulty_router_is_noticed(simulate, root: Path, tmp_path: Path, fault: str) -> None:
    """A window keeps the tag that it wrote, words of windows mix, or a window has more requests than room."""
    name = "rtl/bus/eccel_window_router.sv"
    broken = mutant(root / name, tmp_path, *ROUTER_FAULTS[fault])
    sources = tuple(str(broken) if path == name else path for path in SHELL)
    simulate(
        f"router-{fault}", ("windows_bench",), "eccel_compact_axil", sources, SEVERAL[2],
        only=ROUTER_TESTS[fault], fails=True,
    )  # fmt: skip
