"""Counts complete TLS handshakes with a server, from many clients at once.

The clients are threads with Python's `ssl`, which is software. They check the certificate of the server.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

NAME = "localhost"
"""The name that the server's certificate has to carry."""
PATIENCE = 60.0
"""Seconds that one handshake may take."""


@dataclass
class Handshakes:
    """What the clients did: complete handshakes, failed ones, the time from the first to the end, and the
    first error.
    """

    done: int = 0
    failed: int = 0
    seconds: float = 0.0
    message: str = ""
    by_version: dict[str, int] = field(default_factory=dict)

    @property
    def per_second(self) -> float:
        """Complete handshakes a second."""
        return self.done / self.seconds if self.seconds else 0.0


def client_context(certificate: Path, version: str, group: str) -> ssl.SSLContext:
    """A client that trusts `certificate` only. version: "1.2" or "1.3"; group: the curve for key agreement,
    as OpenSSL calls it.
    """
    context = ssl.create_default_context(cafile=str(certificate))
    wanted = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}[version]
    context.minimum_version = context.maximum_version = wanted
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.set_ecdh_curve(group)
    return context


def count_handshakes(
    port: int, context: ssl.SSLContext, *, clients: int, seconds: float, number: int = 0
) -> Handshakes:
    """Let `clients` threads shake hands with 127.0.0.1:`port`, one connection after the other.

    They start connections for `seconds`, or `number` in all if it is above 0. Rates count what ended in this
    time; what was under way at its end is waited for, and counted only if `number` is given.
    """
    total = Handshakes()
    lock = threading.Lock()
    began = time.monotonic()
    end = began + seconds
    left = [number]

    def may_start() -> bool:
        with lock:
            left[0] -= 1
            return time.monotonic() < end and (not number or left[0] >= 0)

    def run() -> None:
        while may_start():
            try:
                version = shake_hands(port, context)
            except OSError as error:  # an ssl.SSLError is one
                with lock:
                    total.failed += 1
                    total.message = total.message or f"{type(error).__name__}: {error}"
                    if total.failed >= clients:
                        return
                continue
            with lock:
                if number or time.monotonic() <= end:
                    total.done += 1
                    total.by_version[version] = total.by_version.get(version, 0) + 1
                    total.seconds = time.monotonic() - began

    threads = [threading.Thread(target=run, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 2 * PATIENCE)
    if not number:
        total.seconds = seconds
    return total


def shake_hands(port: int, context: ssl.SSLContext) -> str:
    """One full handshake; the connection is closed after it. Returns the version of TLS. Raises OSError."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=NAME) as connection,
    ):
        return connection.version() or ""
