"""OpenSSL's rates are read from the output of its command, and kept for pages only."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.curves import find_curve
from eccelerate.explore import software
from eccelerate.explore.software import SoftwareStore, measured, origin, software_here, software_of, speed
from eccelerate.model.jobs import Op

P256, B163 = find_curve("P-256"), find_curve("B-163")
SHOWN = {
    "ecdhp256": "noise\n+F5:3:256:20161.76:0.00005\n",
    "ecdsap256": "+F4:3:256:46631.5:15882.4\n",
    "ecdhb163": "+F5:11:163:7003.3:0.000143\n",
    "ecdsab163": "+F4:11:163:6500.0:3241.4\n",
}


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine with OpenSSL 9.9. The list gets the words of every `openssl speed`."""
    asked: list[str] = []

    def run(words: list[str], **_: object) -> external.Outcome:
        if words[1] == "version":
            return external.Outcome(0, b"OpenSSL 9.9 1 Jan 2030 (Library: OpenSSL 9.9)\n")
        asked.extend(words)
        return external.Outcome(0, "".join(SHOWN.get(word, "") for word in words).encode())

    monkeypatch.setattr(software.external, "is_installed", lambda name: True)
    monkeypatch.setattr(software.external, "run", run)
    monkeypatch.setattr(software, "host", lambda: "Some Processor")
    return asked


def test_rates_are_read(command: list[str]) -> None:
    assert speed(Op.MUL, P256) == speed(Op.ECDH, P256) == 20162
    assert "ecdsap256" not in command
    assert (speed(Op.ECDSA_SIGN, P256), speed(Op.ECDSA_VERIFY, P256)) == (46632, 15882)
    assert measured(B163) == {"scalar_mul": 7003, "ecdh": 7003, "ecdsa_sign": 6500, "ecdsa_verify": 3241}
    assert speed(Op.BASE_MUL, P256) is None
    assert measured(find_curve("secp256k1")) == {}


def test_what_pages_show_is_measured_once(command: list[str], tmp_path: Path) -> None:
    store = SoftwareStore(tmp_path / "software.jsonl")
    store.put({"curve": "B-233", "version": "OpenSSL 1.0", "host": "Another", "rates": {"ecdh": 1}})
    record = software_of(B163, store)
    assert record is not None and record["rates"]["ecdh"] == 7003
    assert origin(record) == "OpenSSL 9.9, one core of Some Processor"
    command.clear()
    assert software_of(B163, store) == record and not command
    assert software_of(find_curve("B-233"), store) == store.latest(curve="B-233") and not command
    assert software_of(find_curve("secp256k1"), store) is None
    here = software_here(B163)
    assert here is not None and here["rates"] == record["rates"] and len(store.query(curve="B-163")) == 1


def test_a_machine_without_openssl_has_no_rates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(software.external, "is_installed", lambda name: False)
    assert software_of(B163, SoftwareStore(tmp_path / "software.jsonl")) is None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl command here")
def test_the_command_here_measures_what_is_asked() -> None:
    rates = measured(B163)
    assert set(rates) == set(software.JOBS.values()) and min(rates.values()) > 0
    assert (software.version() or "").startswith("OpenSSL ") and software.host()
