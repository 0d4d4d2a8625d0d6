"""TLS with keys and key agreements of the provider: both versions, many groups, both sides."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eccelerate.external import tls_servers
from eccelerate.external.service import free_port
from eccelerate.external.tls_servers import Endpoint
from tests.provider.lab import Lab, call, skip_without

WEAK = "ALL:@SECLEVEL=0"
ANSWER = "eccelerate"


@contextmanager
def _server(lab: Lab, group: str, version: str, *, stock: bool = False) -> Iterator[Endpoint]:
    key, certificate = lab.path("server.pem"), lab.path("server.crt")
    if not certificate.exists():
        lab.make_certificate("server", group)
    endpoint = Endpoint(free_port(), certificate, key, group, (version,))
    with tls_servers.s_server(endpoint, lab.folder, lab.stock if stock else lab.env):
        yield endpoint


def _client(lab: Lab, endpoint: Endpoint, group: str, version: str, *, stock: bool) -> str:
    flag = f"-tls{version.replace('.', '_')}".replace("_0", "")
    words = ["-connect", f"127.0.0.1:{endpoint.port}", flag, "-groups", group, "-cipher", WEAK, "-ign_eof"]
    trust = ["-CAfile", endpoint.certificate, "-verify_return_error", "-verify_hostname", "localhost"]
    request = b"GET / HTTP/1.0\r\n\r\n"
    return lab.openssl("s_client", *words, *trust, stock=stock, given=request).decode(errors="replace")


@pytest.mark.parametrize(
    ("group", "version"),
    [("P-256", "1.3"), ("P-256", "1.2"), ("secp160r1", "1.2"), ("sect163k1", "1.2")],
)
def test_the_rtl_serves_tls(request: pytest.FixtureRequest, group: str, version: str) -> None:
    lab: Lab = request.getfixturevalue("binary_hardware" if group.startswith("sect") else "hardware")
    with _server(lab, group, version) as endpoint:
        before = lab.counters()
        text = _client(lab, endpoint, group, version, stock=True)
        done = lab.counters() - before
    assert "Verification: OK" in text and f"TLSv{version}" in text
    # One handshake: a signature, the server's key for the agreement, and the agreement.
    assert done.hardware["sign"] == 1 and done.hardware["public"] >= 1 and done.hardware["derive"] >= 1
    assert not any((*done.software.values(), *done.failed.values()))
    with _server(lab, group, version, stock=True) as endpoint:
        before = lab.counters()
        assert "Verification: OK" in _client(lab, endpoint, group, version, stock=False)
        done = lab.counters() - before
    assert done.hardware["verify"] >= 1 and done.hardware["derive"] >= 1 and not any(done.software.values())


GROUPS = [
    "P-256", "P-384", "P-521", "P-224", "P-192", "secp256k1", "secp160k1", "secp160r2", "secp192k1",
    "secp224k1", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1", "sect163r1", "B-163", "K-163",
    "sect193r1", "sect193r2", "B-233", "K-233", "sect239k1", "B-283", "K-283", "B-409", "K-409",
    "B-571", "K-571",
]  # fmt: skip


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_of_tls_works_with_stock_openssl(stub: Lab, group: str) -> None:
    with _server(stub, group, "1.2") as endpoint:
        for stock in (True, False):
            assert "Verification: OK" in _client(stub, endpoint, group, "1.2", stock=stock)
    done = stub.counters()
    assert done.hardware["derive"] >= 3 and not any((*done.software.values(), *done.failed.values()))


@pytest.mark.parametrize("group", ["P-256", "P-384", "P-521", "X25519"])
def test_groups_of_tls_1_3_work_with_stock_openssl(stub: Lab, group: str) -> None:
    stub.make_certificate("server", "P-384")
    with _server(stub, group, "1.3") as endpoint:
        for stock in (True, False):
            assert "Verification: OK" in _client(stub, endpoint, group, "1.3", stock=stock)
    assert stub.counters().hardware["sign"] >= 2


_PYTHON = """
import socket, ssl, sys, threading
certificate, key = sys.argv[1:]
server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
server.load_cert_chain(certificate, key)
client = ssl.create_default_context(cafile=certificate)
listener = socket.create_server(("127.0.0.1", 0))
def serve():
    for _ in range(2):
        with listener.accept()[0] as plain, server.wrap_socket(plain, server_side=True) as stream:
            stream.sendall(stream.recv(100).upper())
thread = threading.Thread(target=serve)
thread.start()
for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
    client.maximum_version = version
    with socket.create_connection(listener.getsockname()) as plain:
        with client.wrap_socket(plain, server_hostname="localhost") as stream:
            stream.sendall(b"hello")
            print(stream.version(), stream.recv(100).decode())
thread.join()
"""


def test_the_ssl_module_of_python_is_client_and_server_on_the_rtl(hardware: Lab) -> None:
    key, certificate = hardware.make_certificate("server", "P-256")
    before = hardware.counters()
    text = call("/usr/bin/python3", "-c", _PYTHON, certificate, key, env=hardware.env).decode()
    assert text.split() == ["TLSv1.2", "HELLO", "TLSv1.3", "HELLO"]
    done = hardware.counters() - before
    assert done.hardware["sign"] == 2 and done.hardware["verify"] >= 2 and not any(done.software.values())


def test_a_bad_signature_ends_the_handshake(stub: Lab) -> None:
    stub.make_certificate("server", "P-256")
    other, _ = stub.make_certificate("other", "P-256")
    swapped = Endpoint(free_port(), stub.path("other.crt"), other, "P-256", ("1.3",))
    with tls_servers.s_server(swapped, stub.folder, stub.env):
        words = ["-connect", f"127.0.0.1:{swapped.port}", "-CAfile", stub.path("server.crt")]
        assert "verify" in stub.refused("s_client", *words, "-verify_return_error")


def _client_hello() -> bytes:
    """The first message of a client, with a key share for P-256."""
    context = ssl.create_default_context()
    context.set_ecdh_curve("prime256v1")
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


def _handshakes(endpoint: Endpoint, count: int) -> int:
    """Clients that are all connected at once; how many of them got an answer."""
    good: list[int] = []

    def one() -> None:
        command = ["curl", "-s", "--cacert", str(endpoint.certificate), f"https://localhost:{endpoint.port}/"]
        resolve = ["--resolve", f"localhost:{endpoint.port}:127.0.0.1", "--max-time", "60"]
        done = subprocess.run(
            [*command, *resolve],
            capture_output=True,
            timeout=90,
            env={"OPENSSL_CONF": "/dev/null", "PATH": "/usr/bin"},
        )
        if ANSWER in done.stdout.decode():
            good.append(1)

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(good)


@pytest.mark.parametrize("kind", ["nginx", "haproxy", "haproxy-async"])
def test_web_servers_do_their_handshakes_on_the_rtl(hardware: Lab, kind: str) -> None:
    skip_without(kind.partition("-")[0])
    key, certificate = hardware.make_certificate("server", "P-256")
    endpoint = Endpoint(free_port(), certificate, key, "P-256")
    if kind == "nginx":
        service = tls_servers.nginx([endpoint], hardware.folder / kind, hardware.env)
    else:
        service = tls_servers.haproxy(
            [endpoint], hardware.folder / kind, hardware.env, is_async=kind != "haproxy"
        )
    with service:
        before = hardware.counters()
        assert _handshakes(endpoint, 6) == 6
        done = hardware.counters() - before
    assert done.hardware["sign"] == 6 and not any((*done.software.values(), *done.failed.values()))
    assert done.paused >= 18 if kind == "haproxy-async" else done.paused == 0


def test_haproxy_waits_for_many_handshakes_at_once(lab: Callable[..., Lab]) -> None:
    skip_without("haproxy")
    slow = lab("soft:delay_us=100000&workers=64", fallback="no")
    key, certificate = slow.make_certificate("server", "P-256")
    endpoint = Endpoint(free_port(), certificate, key, "P-256")
    with tls_servers.haproxy([endpoint], slow.folder / "haproxy", slow.env, is_async=True):
        assert _handshakes(endpoint, 30) == 30
    done = slow.counters()
    assert done.paused >= 90 and done.requests == 0


def test_haproxy_outlives_clients_that_go_away_while_jobs_are_paused(lab: Callable[..., Lab]) -> None:
    skip_without("haproxy")
    slow = lab("soft:delay_us=200000&workers=64", fallback="no")
    key, certificate = slow.make_certificate("server", "P-256")
    endpoint = Endpoint(free_port(), certificate, key, "P-256")
    with tls_servers.haproxy([endpoint], slow.folder / "haproxy", slow.env, is_async=True) as service:
        descriptors = Path(f"/proc/{service.pid}/fd")
        assert _handshakes(endpoint, 2) == 2
        before = len(list(descriptors.iterdir()))
        hello = _client_hello()
        for _ in range(4):
            clients = [socket.create_connection(("127.0.0.1", endpoint.port)) for _ in range(10)]
            for client in clients:
                client.sendall(hello)
            time.sleep(0.3)  # by now the server waits for its first job or its second
            for client in clients:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
        time.sleep(1)
        assert _handshakes(endpoint, 2) == 2
        service.require_running()
        assert len(list(descriptors.iterdir())) <= before + 2
    done = slow.counters()
    assert done.requests == 0 and done.abandoned > 10
