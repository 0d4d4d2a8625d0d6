"""The protocol steps of the demonstration against the stock openssl command. The golden model is the
engine.
"""

import hashlib
import io
from pathlib import Path

import pytest
from rich.console import Console

from eccelerate.cli import demo, openssl
from eccelerate.cli.build import listing
from eccelerate.cli.demo_tables import cycles_table, figures_notes, figures_table
from eccelerate.cli.failures import CheckError
from eccelerate.cli.steps import Steps
from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine, Reply
from eccelerate.model import ecdsa
from eccelerate.rtlsim.golden_transport import GoldenTransport

P256 = find_curve("P-256")
PLACED = {"lut4": 1500, "ff": 1300, "mult": 11, "bram": 18, "mhz": 150.0, "seed": 1, "device": "ecp5-25f-6"}


class Clocked:
    """The golden model with a cycle count. The last word of responses to `broken` has one wrong bit."""

    def __init__(self, broken: int | None = None) -> None:
        self.inner, self.broken = GoldenTransport(seed=1), broken

    def exchange(self, words: list[int]) -> Reply:
        answer = list(self.inner.exchange(words).words)
        if words[0] & 0xFF == self.broken:
            answer[-1] ^= 1
        return Reply(answer, 300_000)


@pytest.fixture
def files(tmp_path: Path) -> demo.Files:
    found = demo.Files(tmp_path)
    found.message.write_bytes(b"a file to sign")
    return found


def run(files: demo.Files, broken: int | None = None, nonce: int | None = None) -> tuple[dict[str, int], str]:
    stream = io.StringIO()
    steps = Steps(Console(file=stream, width=100), demo.STEPS)
    return demo.run_protocols(Engine(Clocked(broken)), steps, files, P256, nonce), stream.getvalue()


def test_openssl_agrees_with_every_step(files: demo.Files) -> None:
    cycles, text = run(files)
    assert set(cycles) > {"ECDSA signature", "ECDH", "scalar multiplication"}
    assert text.count("ok ") == 6 and "accepted by OpenSSL" in text
    assert openssl.verifies(files.public, files.signature, files.message)
    assert not openssl.verifies(files.public, files.signature, files.changed)
    assert files.secret.read_bytes() == openssl.derive(files.key, files.peer_public)
    assert files.key.stat().st_mode & 0o077 == 0


def test_a_given_nonce_is_used(files: demo.Files) -> None:
    run(files, nonce=0xABCDEF)
    digest = int.from_bytes(hashlib.sha256(files.message.read_bytes()).digest(), "big")
    expected = ecdsa.sign(P256, openssl.private_scalar(files.key), digest, 0xABCDEF)
    assert expected is not None
    assert files.signature.read_bytes() == openssl.der_signature(*expected)


@pytest.mark.parametrize(
    ("op", "text"),
    [(0x09, "another public key"), (0x07, "rejects the signature"), (0x06, "different secrets")],
)
def test_one_wrong_bit_is_found(files: demo.Files, op: int, text: str) -> None:
    with pytest.raises(CheckError, match=text):
        run(files, broken=op)


def test_der_signatures_are_minimal() -> None:
    assert openssl.der_signature(1, 0x80) == bytes.fromhex("3007020101" + "02020080")
    assert openssl.der_signature(0x7F, 0x100) == bytes.fromhex("300702017f02020100")
    with pytest.raises(ValueError, match="short-form"):
        openssl.der_signature(1 << 520, 1 << 520)


def test_openssl_failures_carry_its_message(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="openssl"):
        openssl.public_point(tmp_path / "absent.pem", P256)


def test_tables_fit_100_columns() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=100)
    config = find_config("compact-w32")
    console.print(cycles_table(config, P256, {"ECDH": 300_000}, PLACED))
    console.print(figures_table(config, P256, 300_000, PLACED))
    for text in figures_notes(config, 1):
        console.print(text)
    text = stream.getvalue()
    assert max(map(len, text.splitlines())) <= 100 and "…" not in text
    for wanted in ("2.000", "3,227,993", "29.83", "1,500 LUT4", "seed 1"):
        assert wanted in text


def test_the_demo_has_what_it_needs() -> None:
    assert "verilator" in demo.check_tools()


def test_an_earlier_run_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    (tmp_path / "key.pem").write_text("old")
    demo.Files(tmp_path).clear()
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_a_bundle_is_listed_in_short() -> None:
    files = [Path("a.v"), Path("rtl/x.sv"), Path("doc/page/index.html"), Path("doc/page/js/a.js")]
    assert listing(files) == ["a.v", "doc/page/ (2 files)", "rtl/x.sv"]
