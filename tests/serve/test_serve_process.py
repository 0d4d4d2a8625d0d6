"""The server as a process: sockets, locks, files, systemd, wrong usage."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.server_link import ServerLink
from tests.serve.serve_running import SANITIZE, Server, program, refused, serving, wait_for

ROOT = Path(__file__).resolve().parents[2]
NULL = ("--latency-ms", "0", "--prepare", "0")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_socket_is_for_its_user_only(tmp_path: Path) -> None:
    with serving(*NULL, uri=f"unix:{tmp_path}/s"):
        mode = (tmp_path / "s").stat().st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600


def test_a_second_server_is_refused_and_does_not_disturb_the_first(tmp_path: Path) -> None:
    uri = f"unix:{tmp_path}/s"
    with serving(*NULL, uri=uri) as first:
        code, message = refused("--listen", uri, *NULL)
        assert code == 1 and "another server listens there" in message
        assert first.engine("P-256").base_mul(3).ok
        assert (tmp_path / "s").exists()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    for name in ("s", "s.new"):
        (tmp_path / name).write_text("precious")
        code, message = refused("--listen", f"unix:{tmp_path}/s", *NULL)
        assert code == 1 and f"{name}: exists and is not a socket" in message
        assert (tmp_path / name).read_text() == "precious"
        (tmp_path / name).unlink()


def test_a_socket_that_a_dead_server_has_left_is_replaced(tmp_path: Path) -> None:
    for name in ("s", "s.new"):
        left = socket.socket(socket.AF_UNIX)
        left.bind(f"{tmp_path}/{name}")
        left.close()
    with serving(*NULL, uri=f"unix:{tmp_path}/s") as server:
        assert server.link().status().is_server


SLOW_LISTEN = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int listen(int fd, int backlog)
{
    int (*next)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "listen");
    usleep(300000);
    return next(fd, backlog);
}
"""


@pytest.mark.skipif(bool(SANITIZE), reason="a sanitizer does not let another library stand before its own")
def test_the_socket_appears_when_it_can_be_connected_to(tmp_path: Path) -> None:
    """Whoever waits for the file is not refused, however long the server takes from bind() to listen()."""
    (tmp_path / "slow.c").write_text(SLOW_LISTEN)
    library = tmp_path / "slow.so"
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "slow.c", "-o", library], check=True)
    path = tmp_path / "s"
    process = subprocess.Popen(
        [program(), "--listen", f"unix:{path}", *NULL], env={**os.environ, "LD_PRELOAD": str(library)}
    )
    try:
        wait_for(path.exists)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
        assert {entry.name for entry in tmp_path.glob("s*")} == {"s", "s.lock", "slow.c", "slow.so"}
    finally:
        process.terminate()
        process.wait()
    assert not path.exists()


def test_tcp_and_unix_at_the_same_time(tmp_path: Path) -> None:
    port = free_port()
    with serving(*NULL, "--listen", f"tcp:127.0.0.1:{port}") as server:
        with ServerLink(f"tcp:127.0.0.1:{port}") as link:
            assert link.status().is_paced
            assert server.link().status().is_server
            assert link.counters()["connections"] == 2
        code, message = refused("--listen", f"tcp:127.0.0.1:{port}", *NULL)
        assert code == 1 and "Address already in use" in message


def test_a_peer_that_vanishes_is_noticed() -> None:
    """The kernel has a keepalive timer of at most 30 s on the server's side of a TCP connection."""
    port = free_port()
    with (
        serving(*NULL, "--listen", f"tcp:127.0.0.1:{port}"),
        ServerLink(f"tcp:127.0.0.1:{port}") as link,
    ):
        assert link.status().is_server

        def timers() -> list[tuple[int, int]]:
            rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            mine = [row for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"]
            return [(int(row[5].split(":")[0], 16), int(row[5].split(":")[1], 16)) for row in mine]

        wait_for(lambda: any(kind == 2 and 0 < ticks <= 3000 for kind, ticks in timers()))


def test_other_machines_are_kept_out_unless_asked_for() -> None:
    port = free_port()
    code, message = refused("--listen", f"tcp:0.0.0.0:{port}", *NULL)
    assert code == 1 and "--anywhere" in message
    with (
        serving(*NULL, "--listen", f"tcp:0.0.0.0:{port}", "--anywhere"),
        ServerLink(f"tcp:127.0.0.1:{port}") as link,
    ):
        assert link.status().is_server


def test_the_pid_file_is_there_while_the_server_is(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    with serving(*NULL, "--pid-file", str(path)) as server:
        assert int(path.read_text()) == server.pid
        assert server.stop(signal.SIGINT) == 0
    assert not path.exists()


@contextlib.contextmanager
def activated(path: Path, notify: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that is started as systemd does: its socket is descriptor 3."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(8)
    code = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid());"
    code += " os.environ['LISTEN_FDS'] = '1'; os.execv(sys.argv[2], sys.argv[2:])"
    command = [sys.executable, "-c", code, str(listener.fileno()), str(program()), *NULL]
    process = subprocess.Popen(
        command, pass_fds=[listener.fileno()], env={**os.environ, "NOTIFY_SOCKET": str(notify)}
    )
    listener.close()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_systemd_passes_a_socket_and_is_told_the_state(tmp_path: Path) -> None:
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(str(tmp_path / "notify"))
    notify.settimeout(20)
    with activated(tmp_path / "s", tmp_path / "notify") as process:
        assert notify.recv(100) == b"READY=1\n"
        with ServerLink(f"unix:{tmp_path}/s") as link:
            assert link.status().is_server
            process.terminate()
            assert notify.recv(100) == b"STOPPING=1\n"
        assert process.wait(10) == 0
    assert (tmp_path / "s").exists()  # it is systemd's
    notify.close()


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ((), 2, "no device"),
        (("--latency-ms", "x"), 2, "milliseconds"),
        (("--latency-ms", "-1"), 2, "milliseconds"),
        (("--latency-ms", "0", "--paced", "x"), 2, "exclude each other"),
        (("--latency-ms", "0", "--queue", "0"), 2, "range"),
        (("--latency-ms", "0", "--queue", "-5"), 2, "range"),
        (("--latency-ms", "0", "--log-level", "loud"), 2, "error, warning, info, debug"),
        (("--latency-ms", "0", "more"), 2, "not an option"),
        (("--wrong",), 2, "unrecognized option"),
        (("--latency-ms", "0"), 1, "nothing to listen on"),
        (("--latency-ms", "0", "--listen", "udp:1"), 1, "unix:PATH or tcp:HOST:PORT"),
        (("--latency-ms", "0", "--listen", "tcp:1"), 1, "tcp:HOST:PORT"),
        (("--latency-ms", "0", "--listen", "unix:" + "x" * 200), 1, "1 to 103 characters"),
        (("--latency-ms", "0", "--listen", "unix:/nowhere/at/all"), 1, "No such file"),
        (("--paced", "/nowhere"), 1, "nothing to listen on"),
    ],
)
def test_wrong_usage_is_named(arguments: tuple[str, ...], code: int, reason: str) -> None:
    found, message = refused(*arguments)
    assert found == code and reason in message


def test_devices_that_cannot_be_reached_are_named(tmp_path: Path) -> None:
    for device in ("model:/nowhere", "unix:/nowhere", "wrong:thing"):
        code, message = refused("--listen", f"unix:{tmp_path}/s", "--device", device)
        assert code == 1 and "no_device" in message and device.partition(":")[2] in message
        assert not (tmp_path / "s").exists()


def test_a_server_may_be_the_device_of_another_one() -> None:
    curve = find_curve("P-256")
    with serving(*NULL) as inner, serving("--device", inner.uri) as outer:
        engine = outer.engine(curve)
        assert engine.base_mul(3).point == inner.engine(curve).base_mul(3).point
        assert outer.link().status().is_paced  # it does not hide where results come from
        inner.stop(signal.SIGKILL)
        end = time.monotonic() + 10
        while engine.submit(2, (5,)).status == 0:
            assert time.monotonic() < end
        assert engine.submit(2, (5,)).status == 0x1D
        assert outer.counters()["in_service"] == 0


def test_a_device_that_comes_back_is_used_again(tmp_path: Path) -> None:
    uri = f"unix:{tmp_path}/s"
    with contextlib.ExitStack() as stack:
        inner: Server = stack.enter_context(serving(*NULL, uri=uri))
        outer = stack.enter_context(serving("--device", uri, "--retry-ms", "100"))
        engine = outer.engine("P-256")
        assert engine.base_mul(3).ok
        inner.stop(signal.SIGKILL)
        wait_for(lambda: engine.submit(2, (5,)).status == 0x1D)
        stack.enter_context(serving(*NULL, uri=uri))
        wait_for(lambda: engine.submit(2, (5,)).status == 0)


def test_log_lines_are_text_or_json(tmp_path: Path) -> None:
    command = [str(program()), "--listen", f"unix:{tmp_path}/a", "--name", 'a "b"\n', *NULL]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    wait_for(lambda: (tmp_path / "a").exists())
    time.sleep(0.1)
    process.terminate()
    text = process.communicate(timeout=10)[1].decode()
    assert ' info ready name="a \\"b\\"\\u000a (paced)"' in text
    assert all(line.split()[1] in ("info", "warning") for line in text.splitlines())


def test_the_installed_server_finds_its_library(tmp_path: Path) -> None:
    make = ["make", "-C", str(ROOT / "sw"), "--no-print-directory", "PREFIX=/usr", f"DESTDIR={tmp_path}"]
    subprocess.run([*make, "install"], check=True, capture_output=True, timeout=600)
    installed = tmp_path / "usr" / "bin" / "eccel-serve"
    done = subprocess.run([str(installed), "--help"], check=True, capture_output=True, timeout=30)
    manual = (tmp_path / "usr/share/man/man8/eccel-serve.8").read_text()
    options = re.findall(r"^  --([a-z-]+)", done.stdout.decode(), re.MULTILINE)
    assert len(options) > 15
    assert [option for option in options if f"Fl -{option}" not in manual] == []
    subprocess.run([*make, "uninstall"], check=True, capture_output=True, timeout=60)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
