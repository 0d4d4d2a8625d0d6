"""Builds the C software of `sw/`: library, provider, server, load generator."""

from __future__ import annotations

import os
from pathlib import Path

from eccelerate.external.command import CommandError, run

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
LAST_LINES = 20


def software_folder(sanitize: str = "") -> Path:
    """Where `make -C sw` writes; `sanitize` as for gcc -fsanitize."""
    return Path(os.environ.get("ECCEL_BUILD", ROOT / "build")) / (f"sw-{sanitize}" if sanitize else "sw")


def build_software(*targets: str, jobs: int = 2, sanitize: str = "") -> Path:
    """Build targets of `sw/Makefile`; returns the folder with what was built. Safe to call from several
    processes at once, because the Makefile has a lock.

    Raises CommandError with the compiler's last lines, MissingError if there is no `make`.
    """
    options = [f"SANITIZE={sanitize}"] if sanitize else []
    done = run(["make", "-s", "-C", str(ROOT / "sw"), f"-j{jobs}", *options, *targets], timeout=SECONDS)
    if done.code and "openssl/" in done.errors and "No such file" in done.errors:
        raise CommandError(
            f"{', '.join(targets)}: the headers of OpenSSL 3 are missing: apt install libssl-dev"
        )
    if done.code:
        last = "\n".join((done.text + done.errors).strip().splitlines()[-LAST_LINES:])
        raise CommandError(f"make -C sw {' '.join(targets)} failed:\n{last}")
    return software_folder(sanitize)
