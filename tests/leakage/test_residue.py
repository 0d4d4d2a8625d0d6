"""No job leaves a secret in a register or memory of the engine, however it ends.

The first test searches the RTL model after every job. The others change the microcode back to what forgets
secrets, and see the search find them.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.rtl import RtlTransport
from tests.engine.test_cofactor import torsion_of
from tests.leakage.residue import image
from tests.leakage.residue_jobs import Case, Search, cases, cofactor_cases, x_ladder_cases
from tests.sampled import sampled

ENGINES = [("compact-w32", "P-192"), ("binary-163-d64", "B-163"), ("turbo-p256", "P-256")]
HEDGED = ("compact-w32-hedged", "P-192")
TRAPS = [
    ("shared/traps.s", "    call wipe_operands\n", ""),
    ("shared/traps.s", "    call refuse\n", ""),
    ("shared/wipe_operands.s", "bad_op\n    call wipe_operands\n", "bad_op\n"),
]
FORGETS = {
    "compact-w32": [
        ("shared/key_load.s", "    isub sx, zero, zero\n", ""),
        ("compact/return_multiple.s", "    call forget_job\n", ""),
        ("compact/keys.s", "    call forget_job\n", ""),
        ("compact/load_point.s", "    call refuse\n", ""),
        ("compact/load_scalar.s", "    call refuse\n", ""),
        ("shared/ecdsa_sign.s", "    isub sx, zero, zero\n", ""),
        ("shared/ecdsa_sign.s", "    call forget_job\n", ""),
        *TRAPS,
    ],
    "binary-163-d64": [
        ("shared/key_load.s", "    isub sx, zero, zero\n", ""),
        ("binary/keys.s", "    isub share, zero, zero\n", ""),
        ("binary/refusals.s", "    call refuse\n", ""),
        ("binary/ecdsa_sign.s", "    wipe NONCE\n", ""),
        *TRAPS,
    ],
    "turbo-p256": [
        ("turbo/key_load.s", "    call sum_and_forget\n", ""),
        ("turbo/key_load.s", "    call refuse\n", ""),
        ("turbo/forget.s", "    wipe SCALAR\n", ""),
        ("turbo/keys.s", "    call wipe_operands\n", ""),
        *TRAPS,
    ],
}
FOUND = {
    "compact-w32": {
        "mul", "ecdh", "ecdh, key slot", "key_load", "ecdsa_sign",
        "mul, point off the curve", "mul, coordinate too large", "ecdh, point off the curve",
        "ecdh, key too large", "ecdsa_sign, key too large", "ecdsa_sign, nonce too large",
        "mul, half a packet", "mul, an operand more", "nine operands", "no such operation",
        "ecdsa_sign, no entropy", "mul, no entropy", "ecdsa_sign, entropy failed", "mul, entropy failed",
    },
    "binary-163-d64": {
        "key_load", "keygen", "ecdsa_sign", "mul, point off the curve", "ecdh, key too large",
        "ecdsa_sign, key too large", "ecdsa_sign, nonce too large", "mul, half a packet",
        "no such operation", "ecdsa_sign, no entropy", "mul, no entropy",
    },
    "turbo-p256": {
        "key_load", "key_load, too large", "mul", "ecdh", "ecdsa_sign, no key",
        "mul, half a packet", "no such operation", "ecdsa_sign, no entropy",
    },
}  # fmt: skip
"""Jobs in which the search finds what these changes leave."""


def all_cases(name: str, curve: str) -> list[Case]:
    config = find_config(name)
    return list(cases(find_curve(curve), random.Random(name), turbo=config.engine == "ecp_turbo"))


@sampled(("name", "curve"), [*ENGINES, HEDGED], now=3)
def test_no_job_leaves_a_secret(name: str, curve: str):
    config = find_config(name)
    with RtlTransport(config) as transport:
        search = Search(config, find_curve(curve), transport)
        left = {case.name: search.after(case) for case in all_cases(name, curve)}
    assert not {case: places for case, places in left.items() if places}
    assert len(left) > 30


@pytest.mark.parametrize(("name", "curve_name"), [("compact-w32", "wei25519"), ("binary-163-d64", "K-163")])
def test_no_agreement_with_a_cofactor_leaves_a_secret(name: str, curve_name: str):
    config, curve = find_config(name), find_curve(curve_name)
    torsion = torsion_of(curve, curve.h)
    assert torsion is not None
    with RtlTransport(config) as transport:
        search = Search(config, curve, transport)
        jobs = cofactor_cases(curve, torsion, random.Random(name))
        left = {case.name: search.after(case) for case in jobs}
    assert not {case: places for case, places in left.items() if places}
    assert len(left) == 8


def test_no_x_ladder_leaves_a_secret():
    config, curve = find_config("compact-w32"), find_curve("Curve25519")
    with RtlTransport(config) as transport:
        search = Search(config, curve, transport)
        left = {case.name: search.after(case) for case in x_ladder_cases(curve, random.Random(1))}
    assert not {case: places for case, places in left.items() if places}


@pytest.mark.parametrize(("name", "curve"), ENGINES)
def test_the_search_finds_what_the_microcode_forgets(name: str, curve: str, tmp_path: Path):
    config = find_config(name)
    program = image(tmp_path, config.program, FORGETS[name])
    wanted = [case for case in all_cases(name, curve) if case.name in FOUND[name]]
    assert len(wanted) == len(FOUND[name])
    with RtlTransport(config, program=program) as transport:
        search = Search(config, find_curve(curve), transport)
        missed = [case.name for case in wanted if not search.after(case)]
    assert not missed


@pytest.mark.parametrize(("name", "curve"), ENGINES)
def test_the_search_finds_a_key_in_its_slot(name: str, curve: str):
    config = find_config(name)
    case = next(each for each in all_cases(name, curve) if each.name == "key_load")
    with RtlTransport(config) as transport:
        search = Search(config, find_curve(curve), transport)
        assert search.after(case) == []
        assert search.after(case, key=True)
