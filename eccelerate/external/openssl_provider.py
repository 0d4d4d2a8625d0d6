"""The OpenSSL provider as a file: builds it, writes the configuration that loads it, reads its counters.

The settings are explained in sw/provider/config.h and docs/openssl.md, the counters in
sw/provider/counters.h.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eccelerate.external.c_software import build_software

OPERATIONS = ("sign", "verify", "derive", "public", "keygen")
"""In the order of the counters: signature, verification, ECDH, public key of a private one, key in a slot."""
_MAGIC = 0x0031726574436345
_GAUGES = ("device_errors", "paused", "abandoned", "requests")
_LAYOUT = struct.Struct(f"<Q{3 * len(OPERATIONS) + len(_GAUGES)}q")


def build(*, jobs: int = 2, sanitize: str = "") -> Path:
    """Build the provider and return its file. `sanitize`: for example "address,undefined".

    Raises CommandError with the compiler's message, MissingError if there is no `make`.
    """
    return build_software("provider", jobs=jobs, sanitize=sanitize) / "provider" / "eccel.so"


def configuration(module: Path, settings: Mapping[str, str | int]) -> str:
    """The text of an openssl.cnf that loads the provider beside OpenSSL's own and prefers it.

    settings: names and values of the provider's section. Raises ValueError if one does not fit on a line.
    """
    for name, value in settings.items():
        if "\n" in f"{name}{value}":
            raise ValueError(f"{name}: a setting is one line")
    lines = "".join(f"{name} = {_quoted(str(value))}\n" for name, value in settings.items())
    return f"""openssl_conf = openssl_init

[openssl_init]
providers = providers
alg_section = algorithms

[algorithms]
default_properties = ?provider=eccel

[providers]
default = provider_default
eccel = provider_eccel

[provider_default]
activate = 1

[provider_eccel]
module = {_quoted(str(module))}
activate = 1
{lines}
[req]
distinguished_name = name
x509_extensions = extensions

[name]

[extensions]
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
basicConstraints = critical, CA:true
"""


def _quoted(value: str) -> str:
    """A value for OpenSSL's configuration files, in which $, # and backslashes have a meaning."""
    return "".join(f"\\{sign}" if sign in "\\$#\"'" else sign for sign in value)


@dataclass(frozen=True)
class ProviderCounters:
    """What the provider has done, by operation, over all processes of the user.

    hardware, software: operations that ended there; failed: errors that a program saw. device_errors: jobs
    that no device did; paused: jobs that waited in a paused ASYNC_JOB; abandoned: those of them that nobody
    asked for any more; requests: asynchronous requests that exist now.
    """

    hardware: Mapping[str, int]
    software: Mapping[str, int]
    failed: Mapping[str, int]
    device_errors: int
    paused: int
    abandoned: int
    requests: int

    def __sub__(self, before: ProviderCounters) -> ProviderCounters:
        """What has been added since `before`. `requests` stays what it is now."""

        def added(after: Mapping[str, int], old: Mapping[str, int]) -> Mapping[str, int]:
            return {name: after[name] - old[name] for name in OPERATIONS}

        return ProviderCounters(
            added(self.hardware, before.hardware),
            added(self.software, before.software),
            added(self.failed, before.failed),
            self.device_errors - before.device_errors,
            self.paused - before.paused,
            self.abandoned - before.abandoned,
            self.requests,
        )


def counters_file() -> Path:
    """Where the provider keeps its counters if its settings do not say otherwise."""
    return Path(f"/dev/shm/eccel-provider-{os.geteuid()}")


def read_counters(path: Path | None = None) -> ProviderCounters:
    """The counters in a file; all are 0 if there is none. Raises ValueError if it holds something else."""
    file = path or counters_file()
    data = file.read_bytes() if file.exists() else b""
    if not data:
        values = [0] * (3 * len(OPERATIONS) + len(_GAUGES))
    elif len(data) < _LAYOUT.size or _LAYOUT.unpack_from(data)[0] != _MAGIC:
        raise ValueError(f"{file} does not hold counters of the provider: remove it")
    else:
        values = list(_LAYOUT.unpack_from(data)[1:])
    count = len(OPERATIONS)
    hardware, software, failed = (
        dict(zip(OPERATIONS, values[i * count : (i + 1) * count], strict=True)) for i in range(3)
    )
    return ProviderCounters(hardware, software, failed, *values[3 * count :])
