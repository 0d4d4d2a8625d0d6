"""Runs `eccel-load`, which measures operations through OpenSSL's EVP."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from eccelerate import external
from eccelerate.external.c_software import software_folder

OPERATIONS = ("ecdh", "sign", "verify")
"""Operations of `eccel-load` with a rate of their own. `digest-sign` is `sign` with SHA-256 of a message."""


class LoadError(RuntimeError):
    """The load generator failed, or some result was wrong."""


def clean_environment(**added: str) -> dict[str, str]:
    """This process's environment without the variables that configure OpenSSL, and with `added`."""
    names = {"OPENSSL_CONF", "OPENSSL_MODULES", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    return {key: value for key, value in os.environ.items() if key not in names} | added


@dataclass(frozen=True)
class Load:
    """What `eccel-load` measured. Times of one operation are in microseconds; `watched_us` is the CPU time of
    the process that was watched, and `watched_main_us` that of its first thread.
    """

    operation: str
    curve: str
    provider: str
    operations: int
    seconds: float
    per_second: float
    user_us: float
    system_us: float
    latency_us: dict[str, float]
    pauses: int
    errors: int
    checked: int
    wrong: int
    stuck: int
    message: str
    watched_us: float = 0.0
    watched_main_us: float = 0.0

    @property
    def cpu_us(self) -> float:
        """CPU time of the program itself."""
        return self.user_us + self.system_us

    @classmethod
    def of(cls, record: dict[str, Any]) -> Load:
        """From the object that the program printed."""
        return cls(**{each.name: record[each.name] for each in fields(cls) if each.name in record})


@dataclass(frozen=True)
class LoadPlan:
    """One measurement. group: the curve, as OpenSSL calls it; jobs: asynchronous ones in flight; threads:
    above 0: so many waiting threads in their place; seconds: its length; count: above 0: so many operations,
    for at most `seconds`; properties: property query; watch: another process whose CPU time counts; checked:
    whether results are compared with those of the default provider; cpu: the only processor, -1: any.
    """

    operation: str
    group: str
    jobs: int = 1
    threads: int = 0
    seconds: float = 1.0
    warmup: float = 0.3
    count: int = 0
    properties: str = ""
    watch: int = 0
    checked: bool = True
    cpu: int = -1

    def words(self) -> list[str]:
        """The arguments of the program."""
        words = ["--threads", str(self.threads)] if self.threads else ["--jobs", str(self.jobs)]
        words += ["--seconds", str(self.seconds), "--warmup", str(self.warmup)]
        words += ["--count", str(self.count)] if self.count else []
        words += ["--watch", str(self.watch)] if self.watch else []
        words += ["--cpu", str(self.cpu)] if self.cpu >= 0 else []
        words += [] if self.checked else ["--unchecked"]
        return [*words, "--properties", self.properties, self.operation, self.group]


def run_load(plan: LoadPlan, conf: Path | None = None, *, program: Path | None = None) -> Load:
    """Run one measurement. conf: configuration of OpenSSL that loads our provider, none: stock OpenSSL.
    Raises LoadError if an operation failed, a result was wrong, or another provider did the work.
    """
    program = program or software_folder() / "eccel-load"
    env = clean_environment(**({"OPENSSL_CONF": str(conf)} if conf else {}))
    limit = plan.warmup + plan.seconds + 90
    done = external.run([program, *plan.words()], timeout=limit, env=env)
    try:
        load = Load.of(json.loads(done.text))
    except ValueError as error:
        raise LoadError(f"eccel-load ended with code {done.code}: {done.errors.strip()}") from error
    if done.code:
        raise LoadError(
            f"{plan.operation} on {plan.group}: {load.errors} errors, {load.wrong} wrong results,"
            f" {load.stuck} jobs without an end: {load.message}"
        )
    if load.provider != (wanted := "eccel" if conf else "default"):
        raise LoadError(
            f"{plan.operation} on {plan.group} went to the provider {load.provider}, not {wanted}"
        )
    return load
