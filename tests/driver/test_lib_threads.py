"""libeccel with many threads, many jobs, and processes that fork; under sanitizers in `make soak`."""

from __future__ import annotations

import json
import select
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.curves import find_curve
from eccelerate.driver.native import NativeHandle
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.driver.library import SANITIZERS, compile_program, library

PROGRAMS = Path(__file__).parent / "programs"
P256 = find_curve("P-256")
MOST_CPU_US = 10.0
"""Bound on the library's CPU for one job with 64 in flight. It takes about 3; the machine may be busy."""

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Compile a program of this folder and run it."""

    def compiled(name: str, *arguments: object, sanitize: str = "") -> str:
        program = compile_program(PROGRAMS / f"{name}.c", tmp_path, sanitize)
        done = external.run([str(program), *map(str, arguments)], cwd=tmp_path, timeout=300)
        assert done.code == 0, done.text + done.errors
        assert "Sanitizer" not in done.errors, done.errors
        return done.text

    return compiled


def test_threads_share_a_handle(run, tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "a") as first, FakeDevice(tmp_path / "b", server=False) as second:
        text = run("stress", f"{first.uri},{second.uri}", 8, 200)
    assert text == "1600 right, 0 wrong\n"
    assert min(first.count(Op.MOD_ADD), second.count(Op.MOD_ADD)) > 100, "both devices had work"


def test_a_child_goes_on_with_connections_of_its_own(run, tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s", delay=0.002) as device:
        assert run("forks", device.uri, 10) == "all right\n"
        assert device.connections == 12


def test_a_thousand_jobs_at_once(tmp_path: Path) -> None:
    with FakeDevice(tmp_path / "s") as device, NativeHandle(device.uri, library=library()) as handle:
        jobs = [handle.start(Op.MOD_ADD, P256, (k, k)) for k in range(1000)]
        for k, job in enumerate(jobs):
            assert job.wait().values == (2 * k,)
            job.free()


@pytest.mark.parametrize("piece", [1, 7, 13])
def test_responses_may_come_in_pieces(tmp_path: Path, piece: int) -> None:
    device = FakeDevice(tmp_path / "s", piece=piece)
    with device, NativeHandle(device.uri, library=library()) as handle:
        jobs = [handle.start(Op.MOD_ADD, P256, (k, k)) for k in range(50)]
        for k, job in enumerate(jobs):
            assert job.wait().values == (2 * k,)
            job.free()


def test_a_descriptor_tells_that_jobs_have_finished(tmp_path: Path) -> None:
    with (
        FakeDevice(tmp_path / "s", delay=0.05) as device,
        NativeHandle(device.uri, library=library()) as handle,
    ):
        fd = handle.fd()
        assert fd == handle.fd() and not select.select([fd], [], [], 0)[0]
        job = handle.start(Op.MOD_ADD, P256, (1, 2))
        assert not job.done
        with pytest.raises(TimeoutError):
            job.wait(1)
        assert select.select([fd], [], [], 10)[0] == [fd]
        assert job.done and job.wait(0).values == (3,)
        assert handle.poll() == 0
        assert not select.select([fd], [], [], 0)[0], "poll has cleared it"
        job.free()


def test_cpu_of_the_library_for_one_job(run, tmp_path: Path) -> None:
    found = json.loads(run("cost", tmp_path, 100_000))
    assert found["cpu_us"] < MOST_CPU_US, found


@pytest.mark.parametrize("sanitize", SANITIZERS)
def test_sanitizers_find_nothing(run, tmp_path: Path, sanitize: str) -> None:
    with FakeDevice(tmp_path / "a") as first, FakeDevice(tmp_path / "b", server=False) as second:
        run("stress", f"{first.uri},{second.uri}", 4, 50, sanitize=sanitize)


@pytest.mark.parametrize(
    ("rounds", "seed"), [(3000, 1), pytest.param(500_000, 2, marks=pytest.mark.soak)], ids=["short", "long"]
)
def test_damaged_bytes_are_never_taken_for_a_frame(run, rounds: int, seed: int) -> None:
    assert run("fuzz", rounds, seed, sanitize="address,undefined") == "done\n"


@pytest.mark.soak
@pytest.mark.parametrize("sanitize", SANITIZERS)
def test_sanitizers_find_nothing_in_a_long_run(run, tmp_path: Path, sanitize: str) -> None:
    with FakeDevice(tmp_path / "a") as first, FakeDevice(tmp_path / "b", server=False) as second:
        run("stress", f"{first.uri},{second.uri}", 16, 2000, sanitize=sanitize)


@pytest.mark.soak
def test_many_children_while_threads_submit(run, tmp_path: Path) -> None:
    """A thread of a child may call while another one makes the child's connections.

    Only one sanitizer can follow a fork of a process with threads. The allocator of the address sanitizer
    keeps its locks in the child, which then waits for a thread that it does not have (GCC 12). Valgrind
    checks the memory of forks.
    """
    with FakeDevice(tmp_path / "s", delay=0.002) as device:
        assert run("forks", device.uri, 3000, sanitize="undefined") == "all right\n"


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "arguments"), [("stress", (4, 200)), ("forks", (100,))])
def test_valgrind_finds_nothing(tmp_path: Path, name: str, arguments: tuple[int, ...]) -> None:
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed: apt-get install valgrind")
    program = compile_program(PROGRAMS / f"{name}.c", tmp_path)
    checks = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"]
    with FakeDevice(tmp_path / "s", delay=0.002) as device:
        command = [*checks, str(program), device.uri, *map(str, arguments)]
        done = external.run(command, cwd=tmp_path, timeout=800)
    assert done.code == 0 and "==" not in done.errors, done.errors
