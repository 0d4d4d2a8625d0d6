"""TLS servers that people use, on ports of the loopback interface: nginx, HAProxy and `openssl s_server`.

All of them need no privileges. Their files are in a folder of the caller. Session tickets and caches are off,
so that each connection is a full handshake.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.external.service import Service, answers

BODY = "eccelerate"
"""What the servers answer to each request."""
WEAK = "ALL:@SECLEVEL=0"
"""Ciphers with the security level that small and binary curves need."""
VERSIONS = ("1.2", "1.3")


@dataclass(frozen=True)
class Endpoint:
    """A port with its certificate.

    group: the curve for key agreement, as OpenSSL calls it; versions: of TLS; key and certificate: PEM files.
    """

    port: int
    certificate: Path
    key: Path
    group: str
    versions: tuple[str, ...] = VERSIONS


Environment = Mapping[str, str]


def nginx(endpoints: Sequence[Endpoint], folder: Path, env: Environment) -> Service:
    """nginx with one worker process, in which each handshake blocks all others."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "nginx.conf"
    config.write_text(nginx_config(endpoints, folder))
    command: list[str | Path] = ["nginx", "-c", config, "-p", folder, "-e", "stderr"]
    return _server(command, folder / "nginx.log", endpoints, env)


def haproxy(endpoints: Sequence[Endpoint], folder: Path, env: Environment, *, is_async: bool) -> Service:
    """HAProxy with one thread. Asynchronous: it goes on with other connections while a handshake waits."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "haproxy.cfg"
    config.write_text(haproxy_config(endpoints, folder, is_async=is_async))
    return _server(["haproxy", "-db", "-f", config], folder / "haproxy.log", endpoints, env)


def s_server(endpoint: Endpoint, folder: Path, env: Environment) -> Service:
    """The server of the `openssl` command. Its mode for pages sleeps for a second whenever an asynchronous
    job waits, so it is started without -async.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [
        "openssl", "s_server", "-accept", f"127.0.0.1:{endpoint.port}", "-www", "-quiet",
        "-cert", endpoint.certificate, "-key", endpoint.key, "-groups", endpoint.group, "-cipher", WEAK,
        "-no_ticket", "-no_cache",
        "-min_protocol", f"TLSv{endpoint.versions[0]}", "-max_protocol", f"TLSv{endpoint.versions[-1]}",
    ]  # fmt: skip
    return _server(command, folder / f"s_server-{endpoint.port}.log", [endpoint], env)


def _server(
    command: Sequence[str | Path], log: Path, endpoints: Sequence[Endpoint], env: Environment
) -> Service:
    ports = [endpoint.port for endpoint in endpoints]
    return Service(command, log, lambda: all(map(answers, ports)), env)


def nginx_config(endpoints: Sequence[Endpoint], folder: Path) -> str:
    """The configuration file of nginx."""
    servers = "".join(
        f"""
    server {{
        listen 127.0.0.1:{endpoint.port} ssl;
        ssl_certificate {endpoint.certificate};
        ssl_certificate_key {endpoint.key};
        ssl_protocols {" ".join(f"TLSv{version}" for version in endpoint.versions)};
        ssl_ecdh_curve {endpoint.group};
        location / {{ return 200 "{BODY}\\n"; }}
    }}"""
        for endpoint in endpoints
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"\n    {kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""  # a worker without rights cannot open the socket
    return f"""daemon off;
worker_processes 1;
{user}pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;{folders}
    ssl_ciphers {WEAK};
    ssl_session_cache off;
    ssl_session_tickets off;{servers}
}}
"""


def haproxy_config(endpoints: Sequence[Endpoint], folder: Path, *, is_async: bool) -> str:
    """The configuration file of HAProxy; writes the certificates with their keys, as it wants them."""
    binds = []
    for endpoint in endpoints:
        both = folder / f"haproxy-{endpoint.port}.pem"
        both.touch(mode=0o600)
        both.write_text(endpoint.certificate.read_text() + endpoint.key.read_text())
        binds.append(
            f"    bind 127.0.0.1:{endpoint.port} ssl crt {both} curves {endpoint.group} ciphers {WEAK}"
            f" ssl-min-ver TLSv{endpoint.versions[0]} ssl-max-ver TLSv{endpoint.versions[-1]} no-tls-tickets"
        )
    mode = "    ssl-mode-async\n" if is_async else ""
    return (
        f"global\n{mode}    nbthread 1\n    maxconn 4000\n    tune.ssl.cachesize 0\n"
        "    tune.ssl.default-dh-param 2048\n"
        "defaults\n    mode http\n    timeout connect 60s\n    timeout client 60s\n    timeout server 60s\n"
        "frontend tls\n" + "\n".join(binds) + "\n"
        f'    http-request return status 200 content-type text/plain string "{BODY}"\n'
    )
