"""A bundle stands alone: from its own folder and file lists it lints and runs jobs over its bus."""

import subprocess
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine, Reply
from eccelerate.explore.designs import config_design
from eccelerate.flow import device, synthesise
from eccelerate.flow.bundle import top_module, write_sources
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.build import verilator_root
from eccelerate.rtlsim.golden_transport import GoldenTransport
from tests.repo import linters
from tests.verilated import quick_build_environment

P256 = find_curve("P-256")
BENCH = Path(__file__).with_name("bundle_bench.sv")
TARGETS = [("compact-w32", "ecp5-25f-6"), ("compact-w16-up5k", "up5k"), ("compact-w32", "lifcl-40")]


class Recorder:
    """The golden model; keeps what goes in and out."""

    def __init__(self) -> None:
        self.inner = GoldenTransport()
        self.requests: list[list[int]] = []
        self.responses: list[list[int]] = []

    def exchange(self, words: list[int]) -> Reply:
        reply = self.inner.exchange(words)
        self.requests.append(words)
        self.responses.append(list(reply.words))
        return reply


def listed(folder: Path, name: str) -> list[Path]:
    lines = (folder / name).read_text().splitlines()
    return [folder / line for line in lines if not line.startswith("//")]


def run(argv: list[str], folder: Path, timeout: int) -> str:
    done = subprocess.run(
        argv, cwd=folder, env=quick_build_environment(), capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


@pytest.mark.parametrize(("name", "target"), TARGETS)
def test_bundle_lints_and_runs_from_its_file_list(name: str, target: str, tmp_path: Path) -> None:
    design = config_design(find_config(name))
    out = tmp_path / "rtl"  # a name that stands in the bundle as well
    write_sources(design, device(target), synthesise(design, target).ports, out)
    top = top_module(design)
    verilator = [str(verilator_root() / "bin" / "verilator"), "--no-timing"]
    for list_name in (f"{name}.f", f"{name}_sim.f"):
        files = listed(out, list_name)
        assert files[-1] == out / "rtl" / f"{top}.sv"
        text = run([*verilator, "--lint-only", "--top-module", top, "-f", list_name], out, 120)
        assert "%Warning" not in text
        assert linters.slang(top, files, {}) == ""

    recorder = Recorder()
    engine = Engine(recorder)
    engine.load_curve(P256)
    engine.submit(Op.MOD_MUL, (P256.gx, P256.gy))
    engine.submit(Op.ON_CURVE, P256.generator)
    engine.submit(Op.ON_CURVE, (P256.gx, P256.gx))
    words = [
        f"{(i == len(request) - 1) << 32 | word:09x}"
        for request in recorder.requests
        for i, word in enumerate(request)
    ]
    (out / "request.hex").write_text("\n".join(words) + "\n")
    defines = [f"-DWORDS={len(words)}", f"-DTAG={recorder.requests[-1][0] >> 16}", f"-DTOP={top}"]
    build = [verilator[0], "--binary", "--timing", "-O1", "-Wno-fatal", *defines]
    run([*build, "--top-module", "bundle_bench", "-f", f"{name}_sim.f", str(BENCH)], out, 400)
    shown = run(["obj_dir/Vbundle_bench"], out, 120).splitlines()
    assert not [line for line in shown if line.startswith("error")]
    responses = [f"word {word:08x}" for response in recorder.responses for word in response]
    assert [line for line in shown if line.startswith("word")] == responses
