"""The checker on programs for an engine with two field units: the registers and instructions of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.ucode.check import check
from tests.ucode.helpers import assemble_text

DECLARE = """
.global_reg n = 1
.global_reg a = 9
.global_reg scalar = 47
.global_reg x = 48
.global_reg c = 49
.global_reg t1 = 50
.global_reg t2 = 51
.global_reg t3 = 52
.global_reg xs = 56
.global_reg zs = 57
.global_reg xd = 58
.global_reg zd = 59
.public a n x c
.range n int
.range a modp
.range c modp
.slot K = 8
.entry MUL go
.reg u, v, w
go:
"""


def findings(tmp_path: Path, body: str) -> str:
    program = assemble_text(tmp_path, f"{DECLARE}{body}\n    done OK, 0\n", unit="binary")
    return "\n".join(str(f) for f in check(program))


LOAD_X = """
    mod  p
    ld   x, 1
    br   C, .range
    .assume x modp ; C is 0
"""
LADDER_STATE = """
    mod  p
    mov  x, a
    mov  t2, a
    mov  xs, a
    mov  zs, a
    mov  xd, a
    mov  zd, a
    setc c3, NBITS-1
    ld   scalar, 1
    .assume scalar modp ; bits
"""
RANGE = """
    done OK, 0
.range:
    done COORD_RANGE, 0
"""
LADDER = """
    mul  t2, x, x
    mov  xs, x
    mov  zs, x
    mov  xd, x
    add  zd, x, x
    setc c0, NBITS-1
    setp 0
.bit:
    ldbx K, c0
    step
    loop c0, .bit
    mul  u, xs, zd
"""


def test_ladder_is_accepted(tmp_path: Path):
    assert findings(tmp_path, LOAD_X + LADDER + RANGE) == ""


@pytest.mark.parametrize("name", ["xs", "zs", "xd", "zd", "t2"])
def test_step_needs_its_registers(tmp_path: Path, name: str):
    body = "\n".join(line for line in LADDER.splitlines() if f" {name}, x" not in line)
    assert f"{name} holds nothing in the unit of mod p" in findings(tmp_path, LOAD_X + body + RANGE)


def test_ladder_keeps_the_secret(tmp_path: Path):
    text = findings(tmp_path, LOAD_X + LADDER + "    br Z, .range" + RANGE)
    assert "branch on Z, which is secret" in text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("mod p\n sqr u, n", "n holds nothing in the unit of mod p"),
        ("mod n\n mov u, a", "a holds nothing in the unit of mod n"),
        ("mod n\n st 1, a", "a holds nothing in the unit of mod n"),
        ("mod p\n sub u, a, a", "sub is no instruction of the unit of mod p"),
        ("mod n\n iadd u, n, n\n mula u, n, n", "mula is no instruction of the unit of mod n"),
        ("ld u, 1", "no modulus is selected"),
        ("mod p\n ld u, 1\n mul u, u, a", "u is a plain integer, mul needs modp"),
        ("mod p\n mul u, a, a\n mod n\n iadd v, u, n", "u holds nothing in the unit of mod n"),
        ("mod n\n isub u, n, n\n mod p\n br Z, go", "branch on Z, which is secret or not set"),
        ("mod p\n mul u, a, a\n br C, go", "C is not defined here"),
        ("mod n\n ld u, 1\n br C, go", "C is not defined here"),
        (f"{LADDER_STATE} begin_steps\n st 1, xs", "st would not wait for what begin_steps"),
        (f"{LADDER_STATE} begin_steps\n done OK, 0", "done would not wait for what begin_steps"),
        (f"{LADDER_STATE} begin_steps\n mod n\n begin_recip", "begin_recip is no instruction of the unit"),
    ],
)
def test_values_and_instructions_of_the_other_unit_are_refused(tmp_path: Path, body: str, message: str):
    assert message in findings(tmp_path, body)


def test_steps_may_go_on_beside_integers(tmp_path: Path):
    body = f"{LADDER_STATE} begin_steps\n mod n\n iadd u, n, n\n st 1, u\n mod p\n mul u, xs, zd\n st 1, u"
    assert findings(tmp_path, body) == ""


def test_each_unit_reads_its_own(tmp_path: Path):
    assert findings(tmp_path, "mod n\n iadd u, n, n\n mod p\n mul u, a, a\n mula u, a, a\n add v, u, a") == ""


def test_sum_of_an_element_with_itself_is_zero(tmp_path: Path):
    assert findings(tmp_path, "mod p\n ld u, K\n add u, u, u\n br Z, .out\n.out:") == ""


def test_constants_are_there_when_the_curve_is_loaded(tmp_path: Path):
    body = "mod p\n ld c, 1\n br C, .out\n .assume c modp ; C is 0\n loaded 1\n.out:"
    text = f"{DECLARE}{body}\n    done BAD_MODULUS, 0\n".replace("MUL go", "CURVE_LOAD go")
    found = "\n".join(str(f) for f in check(assemble_text(tmp_path, text, unit="binary")))
    assert "register n must keep its .range int" in found
    assert "register a must keep its .range modp" in found
    assert "register c" not in found
