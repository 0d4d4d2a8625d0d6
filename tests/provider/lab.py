"""What the tests of the provider share: programs to run, configurations of OpenSSL, counters.

A *lab* is a folder with an openssl.cnf that loads the provider with one kind of device. The device is either
the RTL model behind a server (`engine`), or the stub in programs/device_stub.c, which computes in software
and proves nothing about an engine.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from eccelerate import external
from eccelerate.configs.config import find_config
from eccelerate.external import openssl_provider
from eccelerate.external.c_software import build_software
from eccelerate.external.openssl_provider import ProviderCounters
from eccelerate.external.service import Service
from eccelerate.rtlsim.model_folder import write_model

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).with_name("programs")
SECONDS = 120
STRICT = {"fallback": "no"}
SLOW = {"timeout-ms": 100_000, "connect-ms": 30_000}
"""For the RTL model on a machine that has other work."""
SUBJECT = "/CN=localhost"


def skip_without(*programs: str) -> None:
    """Skip the test if a web server is not installed. `make test` installs them where it can."""
    if missing := [name for name in programs if not external.is_installed(name)]:
        pytest.skip(f"not installed: {', '.join(missing)} (scripts/test_packages does it)")


def call(*command: str | Path, env: Mapping[str, str] | None = None, given: bytes | None = None) -> bytes:
    """The output of a command that has to succeed."""
    done = subprocess.run(
        [str(word) for word in command], env=env, input=given, capture_output=True, timeout=SECONDS
    )
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stderr.decode(errors='replace')}"
    return done.stdout


def build_program(name: str, folder: Path, *flags: str) -> Path:
    """Compile programs/NAME.c."""
    out = folder / name
    warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-g"]
    call("gcc", *warnings, *flags, PROGRAMS / f"{name}.c", "-o", out, "-lssl", "-lcrypto", "-pthread")
    return out


def build_stub(folder: Path, sanitize: str = "") -> Path:
    """The provider with the stub in place of libeccel."""
    objects = sorted((build_software("provider-objects", sanitize=sanitize) / "provider").glob("*.o"))
    stubs, module = [], folder / "eccel-stub.so"
    flags = [f"-fsanitize={sanitize}"] if sanitize else []
    common = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-g", "-fPIC", "-fvisibility=hidden"]
    for name in ("device_stub", "device_stub_jobs"):
        stubs.append(folder / f"{name}.o")
        call(
            "gcc", *common, *flags, f"-I{ROOT / 'sw/include'}", "-c", PROGRAMS / f"{name}.c", "-o", stubs[-1]
        )
    links = ["-shared", "-Wl,-z,defs", "-Wl,-z,nodelete"] if not sanitize else ["-shared", "-Wl,-z,nodelete"]
    call("gcc", *links, *flags, *objects, *stubs, "-o", module, "-pthread", "-lcrypto")
    return module


@dataclass
class Lab:
    """A configuration of OpenSSL, and what was counted under it."""

    folder: Path
    module: Path
    devices: str
    settings: Mapping[str, str | int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {"counters": str(self.folder / "counters"), **self.settings}
        if self.devices:
            settings["devices"] = self.devices
        self.conf.write_text(openssl_provider.configuration(self.module, settings))

    @property
    def conf(self) -> Path:
        """The configuration file."""
        return self.folder / "openssl.cnf"

    @property
    def env(self) -> dict[str, str]:
        """The environment of a program that uses the provider."""
        return {**os.environ, "OPENSSL_CONF": str(self.conf)}

    @property
    def stock(self) -> dict[str, str]:
        """The environment of a program that does not."""
        return {**os.environ, "OPENSSL_CONF": "/dev/null"}

    def path(self, name: str) -> Path:
        """A file in the folder."""
        return self.folder / name

    def counters(self) -> ProviderCounters:
        """What has been counted so far."""
        return openssl_provider.read_counters(self.path("counters"))

    def openssl(self, *words: str | Path, stock: bool = False, given: bytes | None = None) -> bytes:
        """The output of the openssl command, which has to succeed."""
        return call("openssl", *words, env=self.stock if stock else self.env, given=given)

    def refused(self, *words: str | Path, stock: bool = False) -> str:
        """The error messages of an openssl command that has to fail."""
        env = self.stock if stock else self.env
        command = ["openssl", *map(str, words)]
        done = subprocess.run(command, env=env, capture_output=True, timeout=SECONDS)
        assert done.returncode not in (0, -11, -6), f"{words}: {done.returncode} {done.stdout!r}"
        return done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")

    def run_json(self, program: Path, *words: str | Path) -> dict[str, Any]:
        """What a program prints as JSON."""
        return dict(json.loads(call(program, *words, env=self.env)))

    def make_key(self, name: str, group: str, *, stock: bool = False) -> Path:
        """A new private key NAME.pem, and its public key NAME.pub."""
        key, public = self.path(f"{name}.pem"), self.path(f"{name}.pub")
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"group:{group}", "-out", key, stock=stock)
        self.openssl("pkey", "-in", key, "-pubout", "-out", public, stock=stock)
        return key

    def make_certificate(self, name: str, group: str, *, stock: bool = False) -> tuple[Path, Path]:
        """A new key with a certificate that it signed itself, for localhost."""
        key, certificate = self.make_key(name, group, stock=stock), self.path(f"{name}.crt")
        names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        plain = self.path("request.cnf")  # without a provider: `req -config` would load it
        plain.write_text(
            "[req]\ndistinguished_name = name\nx509_extensions = extensions\n[name]\n[extensions]\n"
        )
        extra = [
            "-config",
            plain,
            "-addext",
            names,
            "-addext",
            "basicConstraints=critical,CA:true",
            "-days",
            "3",
        ]
        self.openssl(
            "req", "-x509", "-new", "-key", key, "-subj", SUBJECT, *extra, "-out", certificate, stock=stock
        )
        return key, certificate


@contextlib.contextmanager
def serve(config: str, folder: Path) -> Iterator[str]:
    """The RTL model of a configuration behind a server; the URI of its socket."""
    program = build_software("serve") / "eccel-serve"
    model, socket = folder / f"model-{config}", folder / f"{config}.sock"
    write_model(find_config(config), model)
    command = [program, "--listen", f"unix:{socket}", "--device", f"model:{model}"]
    with Service(command, folder / f"{config}.log", socket.exists):
        yield f"unix:{socket}"
