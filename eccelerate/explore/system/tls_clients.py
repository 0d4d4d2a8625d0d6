"""Stock TLS clients: `openssl s_client` and `curl`, in software. Each call is one full handshake."""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate import external
from eccelerate.explore.handshakes import NAME
from eccelerate.explore.system.eccel_load import LoadError, clean_environment
from eccelerate.external.tls_servers import BODY, WEAK, Endpoint

SECONDS = 120
"""Limit of one connection: a model may have several jobs to do first."""


@dataclass(frozen=True)
class Visit:
    """One connection: the client, the version of TLS, and what the client says about the key agreement."""

    client: str
    version: str
    agreement: str = ""


def s_client(endpoint: Endpoint, version: str) -> Visit:
    """Connect with `openssl s_client`, which checks the certificate. Raises LoadError, CommandError."""
    words = [
        "openssl", "s_client", "-connect", f"127.0.0.1:{endpoint.port}", "-brief",
        "-CAfile", str(endpoint.certificate), "-verify_return_error", "-verify_hostname", NAME,
        f"-tls{version.replace('.', '_')}", "-groups", endpoint.group, "-cipher", WEAK,
    ]  # fmt: skip
    done = external.run(words, timeout=SECONDS, env=clean_environment(), given="")
    lines = dict(line.split(": ", 1) for line in done.errors.splitlines() if ": " in line)
    if done.code or lines.get("Verification") != "OK":
        raise LoadError(f"s_client on {endpoint.group}, TLS {version}: {_reason(done.errors)}")
    if lines.get("Protocol version") != f"TLSv{version}":
        raise LoadError(f"s_client on {endpoint.group}: {lines.get('Protocol version')}, not TLS {version}")
    return Visit("s_client", version, lines.get("Server Temp Key", ""))


def curl(endpoint: Endpoint, version: str) -> Visit:
    """Fetch a page with `curl`, which checks the certificate. Raises LoadError, CommandError."""
    words = [
        "curl", "--silent", "--show-error", "--fail", "--cacert", str(endpoint.certificate),
        "--resolve", f"{NAME}:{endpoint.port}:127.0.0.1", "--tls-max", version, f"--tlsv{version}",
        "--ciphers", WEAK, "--curves", endpoint.group, "--noproxy", "*",
        f"https://{NAME}:{endpoint.port}/",
    ]  # fmt: skip
    done = external.run(words, timeout=SECONDS, env=clean_environment())
    if done.code:
        raise LoadError(f"curl on {endpoint.group}, TLS {version}: {_reason(done.errors)}")
    if BODY not in done.text and "s_server" not in done.text:
        raise LoadError(f"curl on {endpoint.group}: the page is not the server's: {done.text[:80]!r}")
    return Visit("curl", version)


def _reason(text: str) -> str:
    """The lines of a message that name an error, or the last line."""
    lines = text.strip().splitlines()
    named = [line for line in lines if "error" in line.lower() or "alert" in line.lower()]
    return "; ".join(named[:3] or lines[-1:] or ["no message"])
