"""Wycheproof through the provider: signatures in DER, and key agreement with good and bad public keys."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from eccelerate.vectors.files import packaged_files
from tests.provider.lab import Lab, call

GROUPS = {"secp192r1": "prime192v1", "secp256r1": "prime256v1"}


@dataclass(frozen=True)
class Vector:
    """A line for programs/vectors.c, and what it may print."""

    name: str
    line: str
    allowed: tuple[str, ...]


def _hex(text: str) -> str:
    return text or "-"


def _signatures(document: dict[str, Any], file: str) -> Iterator[Vector]:
    for group in document["testGroups"]:
        key = group["key"] if "key" in group else group["publicKey"]
        digest = group["sha"].replace("SHA-", "SHA")
        curve = GROUPS.get(key["curve"], key["curve"])
        for test in group["tests"]:
            line = f"verify {curve} {key['uncompressed']} {digest} {_hex(test['msg'])} {_hex(test['sig'])}"
            allowed = {"valid": ("valid",), "invalid": ("invalid",), "acceptable": ("valid", "invalid")}
            yield Vector(f"{file}:{test['tcId']}", line, allowed[test["result"]])


def _agreements(document: dict[str, Any], file: str) -> Iterator[Vector]:
    """OpenSSL's decoder corrects explicit parameters without a cofactor: they may give the secret."""
    for group in document["testGroups"]:
        curve = GROUPS.get(group["curve"], group["curve"])
        points = group["type"] == "EcdhEcpointTest"
        for test in group["tests"]:
            private = test["private"] if len(test["private"]) % 2 == 0 else "0" + test["private"]
            public = _hex(test["public"])
            line = (
                f"derive {curve} {public} {private}" if points else f"derive-der {public} {curve} {private}"
            )
            result = test["result"]
            allowed = [test["shared"]] if result != "invalid" or "UnnamedCurve" in test["flags"] else []
            if result != "valid":
                allowed.append("error")
            yield Vector(f"{file}:{test['tcId']}", line, tuple(allowed))


def _vectors() -> list[Vector]:
    found: list[Vector] = []
    for path in packaged_files("wycheproof"):
        document = json.loads(path.read_text())
        kinds = {group["type"] for group in document["testGroups"]}
        if kinds == {"EcdsaVerify"}:
            found += _signatures(document, path.stem)
        elif kinds <= {"EcdhEcpointTest", "EcdhTest"}:
            found += _agreements(document, path.stem)
    return found


def _wrong(lab: Lab, program: Path, vectors: list[Vector]) -> list[str]:
    given = "".join(f"{vector.line}\n" for vector in vectors)
    answers = call(program, env=lab.env, given=given.encode()).decode().split()
    assert len(answers) == len(vectors)
    return [
        f"{vector.name}: {answer}, not {vector.allowed}"
        for vector, answer in zip(vectors, answers, strict=True)
        if answer not in vector.allowed
    ]


def test_all_vectors_through_the_provider(stub: Lab, program: Callable[[str], Path]) -> None:
    vectors = _vectors()
    assert len(vectors) > 15000
    assert _wrong(stub, program("vectors"), vectors) == []
    done = stub.counters()
    assert done.hardware["verify"] > 5000 and done.hardware["derive"] > 1500
    assert not any(done.software.values())


def test_vectors_through_the_rtl(hardware: Lab, program: Callable[[str], Path]) -> None:
    chosen = [v for v in _vectors() if "secp192r1" in v.name or "secp224r1" in v.name or "256r1" in v.name]
    sample = random.Random(1).sample(chosen, 60)
    assert _wrong(hardware, program("vectors"), sample) == []
    done = hardware.counters()
    assert done.hardware["verify"] + done.hardware["derive"] > 30 and not any(done.software.values())


@pytest.mark.soak
@pytest.mark.timeout(14000)
def test_more_vectors_through_the_rtl(hardware: Lab, program: Callable[[str], Path]) -> None:
    vectors = random.Random(2).sample(_vectors(), 2000)
    for start in range(0, len(vectors), 40):
        assert _wrong(hardware, program("vectors"), vectors[start : start + 40]) == []
    assert not any(hardware.counters().software.values())


def test_a_wrong_answer_would_be_noticed(stub: Lab, program: Callable[[str], Path]) -> None:
    vector = next(v for v in _vectors() if v.allowed == ("valid",))
    assert len(_wrong(stub, program("vectors"), [Vector("changed", vector.line, ("invalid",))])) == 1
