"""Handshakes a second of HAProxy with one thread: asynchronous against synchronous, on a device of 100 ms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from eccelerate import external
from eccelerate.explore.figures import Record
from eccelerate.explore.handshakes import client_context, count_handshakes
from eccelerate.explore.system.eccel_load import LoadError, clean_environment
from eccelerate.explore.system.engine_server import latency_server
from eccelerate.explore.system.openssl_conf import OpensslConf
from eccelerate.explore.system.tls_key import make_tls_key
from eccelerate.external.service import free_port
from eccelerate.external.tls_servers import Endpoint, haproxy

LATENCY_MS = 100.0
CLIENTS = 64
GROUP = "prime256v1"


def measure_async_gain(module: Path, folder: Path, seconds: float, tell: Callable[[str], None]) -> Record:
    """The gain, and handshakes a second of both modes. `async_gain` is None if HAProxy is not installed.

    A full handshake of TLS 1.3 has three jobs on the device. It does any number of jobs at once, each in
    LATENCY_MS, in software. Raises LoadError, CommandError.
    """
    if not external.is_installed("haproxy"):
        return {"async_gain": None, "async_note": "HAProxy is not installed: apt-get install haproxy"}
    rates = {}
    with latency_server(LATENCY_MS, folder / "slow") as server:
        conf = OpensslConf(module, server.uri, {"fallback": "no", "counters": "none"})
        path = conf.write(folder / "slow.cnf")
        key = make_tls_key(GROUP, folder / "slow-key", path)
        env = clean_environment(OPENSSL_CONF=str(path))
        for name, is_async in (("synchronous", False), ("asynchronous", True)):
            tell(f"HAProxy, one thread, {name}, {CLIENTS} clients, device of {LATENCY_MS:.0f} ms")
            end = Endpoint(free_port(), key.certificate, key.key, GROUP)
            before = server.counters()
            with haproxy([end], folder / f"haproxy-{name}", env, is_async=is_async):
                context = client_context(key.certificate, "1.3", GROUP)
                found = count_handshakes(end.port, context, clients=CLIENTS, seconds=seconds)
            signatures = server.counters()["ecdsa_sign"] - before["ecdsa_sign"]
            if found.failed or not found.done:
                raise LoadError(f"HAProxy, {name}: {found.failed} handshakes failed: {found.message}")
            if signatures < found.done:
                raise LoadError(
                    f"HAProxy, {name}: {signatures} signatures on the device, {found.done} needed"
                )
            rates[name] = round(found.per_second, 2)
    gain = round(rates["asynchronous"] / rates["synchronous"], 2)
    return {"async_gain": gain, "handshakes": rates, "clients": CLIENTS, "latency_ms": LATENCY_MS}
