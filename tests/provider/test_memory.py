"""No errors of memory and no leaks: valgrind with the provider as it is, sanitizers with the stub."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eccelerate.external.c_software import build_software
from eccelerate.external.service import Service
from tests.provider.lab import STRICT, Lab, build_stub, call

SANITIZERS = "address,undefined"
LONG = 3000
SIGNS = ("ERROR: ", "WARNING: ThreadSanitizer", "runtime error")


@contextmanager
def _paced(folder: Path) -> Iterator[str]:
    """A server without an engine, for tests that look at memory only."""
    socket = folder / "paced.sock"
    command = [build_software("serve") / "eccel-serve", "--listen", f"unix:{socket}", "--latency-ms", "1"]
    with Service(command, folder / "paced.log", socket.exists):
        yield f"unix:{socket}"


def _valgrind(lab: Lab, folder: Path, *command: str | Path) -> str:
    """What valgrind complains about: errors and lost memory."""
    log = folder / "valgrind.log"
    options = ["-q", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]
    words = ["valgrind", *options, f"--log-file={log}", *map(str, command)]
    done = subprocess.run(words, env=lab.env, capture_output=True, timeout=LONG)
    return log.read_text() or done.stderr.decode()[-2000:] * bool(done.returncode)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_valgrind_finds_nothing(tmp_path: Path, module: Path, program: Callable[[str], Path]) -> None:
    with _paced(tmp_path) as uri:
        lab = Lab(tmp_path / "lab", module, uri, STRICT)
        assert _valgrind(lab, tmp_path, program("interop"), "named", "prime256v1", "1") == ""
        assert _valgrind(lab, tmp_path, program("many"), "P-256", "5", "2") == ""
        assert lab.counters().hardware["sign"] > 0
        alone = Lab(tmp_path / "alone", module, "")
        assert _valgrind(alone, tmp_path, program("interop"), "unnamed", "sect163k1", "1") == ""


def test_a_freed_key_leaves_no_copy_in_memory(
    tmp_path: Path, module: Path, program: Callable[[str], Path]
) -> None:
    with _paced(tmp_path) as uri:
        lab = Lab(tmp_path / "lab", module, uri, STRICT)
        assert call(program("wiped"), "keep", env=lab.env) == b"1\n"
        assert call(program("wiped"), "free", env=lab.env) == b"0\n"
        assert lab.counters().hardware["sign"] == 4 and lab.counters().paused == 4
    alone = Lab(tmp_path / "alone", module, "")
    assert call(program("wiped"), "keep", env=alone.env) == b"2\n"  # the form for software is another one
    assert call(program("wiped"), "free", env=alone.env) == b"0\n"


@pytest.mark.soak
@pytest.mark.timeout(14000)
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_valgrind_finds_nothing_in_long_runs(
    tmp_path: Path, module: Path, program: Callable[[str], Path]
) -> None:
    with _paced(tmp_path) as uri:
        lab = Lab(tmp_path / "lab", module, uri, STRICT)
        for form in ("named", "explicit", "unnamed"):
            assert _valgrind(lab, tmp_path, program("interop"), form, "secp384r1") == ""
        assert _valgrind(lab, tmp_path, program("many"), "P-256", "300", "2") == ""
        key, certificate = lab.make_certificate("server", "P-256")
        assert _valgrind(lab, tmp_path, program("aborted"), certificate, key, "50", "drain") == ""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Lab]:
    """Configurations with a provider that was compiled with sanitizers, and the stub."""
    folder = tmp_path_factory.mktemp("sanitized")
    stub = build_stub(folder, SANITIZERS)

    def build(name: str, devices: str, **settings: str) -> Lab:
        return Lab(folder / name, stub, devices, settings)

    return build


def _sanitized(lab: Lab, *command: str | Path, runtimes: tuple[str, ...] = ("asan", "ubsan")) -> None:
    libraries = [call("gcc", f"-print-file-name=lib{name}.so").decode().strip() for name in runtimes]
    # The stub's threads keep OpenSSL's generators of random numbers; valgrind looks for leaks.
    options = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
    env = {**lab.env, "LD_PRELOAD": " ".join(libraries), **options}
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, timeout=LONG)
    text = done.stderr.decode(errors="replace")
    assert done.returncode == 0 and all(sign not in text for sign in SIGNS), text[-3000:]


def test_sanitizers_find_nothing(checked: Callable[..., Lab], program: Callable[[str], Path]) -> None:
    lab = checked("short", "soft:", fallback="no")
    for form in ("named", "unnamed"):
        _sanitized(lab, program("interop"), form, "sect163k1", "2")
    _sanitized(lab, program("many"), "P-256", "100", "2")
    key, certificate = lab.make_certificate("server", "P-256", stock=True)
    for mode in ("drain", "free"):
        slow = checked(f"slow-{mode}", "soft:delay_us=1000&workers=8", fallback="no")
        _sanitized(slow, program("aborted"), certificate, key, "20", mode)
    assert lab.counters().hardware["sign"] > 0


def test_sanitizers_would_find_an_error(checked: Callable[..., Lab], tmp_path: Path) -> None:
    source, wrong = tmp_path / "wrong.c", tmp_path / "wrong"
    source.write_text(
        "#include <stdlib.h>\nint main(int n, char **a) { (void)a; char *p = malloc(4); return p[3 + n]; }\n"
    )
    call("gcc", "-w", "-fsanitize=address", "-O0", source, "-o", wrong)
    with pytest.raises(AssertionError):
        _sanitized(checked("wrong", ""), wrong)


@pytest.mark.soak
@pytest.mark.timeout(14000)
def test_sanitizers_find_nothing_in_long_runs(
    checked: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    lab = checked("long", "soft:workers=4", fallback="no")
    for form in ("named", "explicit", "unnamed"):
        _sanitized(lab, program("interop"), form)
    _sanitized(lab, program("many"), "P-256", "1000", "5")
    _sanitized(lab, program("forked"), "50", "8")
    key, certificate = lab.make_certificate("server", "P-256", stock=True)
    slow = checked("slow", "soft:delay_us=5000&workers=64", fallback="no")
    for mode in ("drain", "free"):
        _sanitized(slow, program("aborted"), certificate, key, "800", mode)


@pytest.fixture(scope="module")
def threaded(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A configuration with a provider that was compiled to find races, and the stub."""
    folder = tmp_path_factory.mktemp("races")
    return Lab(folder / "lab", build_stub(folder, "thread"), "soft:workers=4&delay_us=200", STRICT)


def test_threads_have_no_races(threaded: Lab, program: Callable[[str], Path]) -> None:
    _sanitized(threaded, program("threads"), "4", "8", runtimes=("tsan",))
    _sanitized(threaded, program("many"), "P-256", "50", "1", runtimes=("tsan",))


@pytest.mark.soak
@pytest.mark.timeout(14000)
def test_threads_have_no_races_in_long_runs(threaded: Lab, program: Callable[[str], Path]) -> None:
    _sanitized(threaded, program("threads"), "16", "300", runtimes=("tsan",))
    _sanitized(threaded, program("many"), "P-256", "500", "5", runtimes=("tsan",))
