"""The checker: for each rule an accepted program, and mutants that must be refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.ucode.check import check
from eccelerate.ucode.source import AsmError
from tests.ucode.helpers import HEADER, assemble_text

DECLARE = (
    HEADER
    + """
.global_reg one = 4
.global_reg acc = 5
.global_reg yn = 6
.global_reg param = 7
.global_block tab, 4, align 4 = 8
.public one, yn
.range one modp
.range yn modn
.slot IN = 0
.slot K = 8
.slot PUB = 9
.public PUB
.entry MUL go
.reg x, y, z
go:
"""
)


def findings(tmp_path: Path, body: str) -> str:
    return "\n".join(str(f) for f in check(assemble_text(tmp_path, DECLARE + body + "\n")))


LADDER = """
    chk 1
    .secret IN
    ld x, IN
    st K, x
    wipe IN
    mod p
    mov x, one
    mov y, one
    setc c0, NBITS-1
.bit:
    ldbx K, c0
    csel z, x, y
    csel y, y, x
    mul x, z, z
    mul y, y, z
    loop c0, .bit
    setp 0
    st IN, x
    .declassify IN ; the result is public
    wipe K
    done OK, 1
"""


def test_ladder_is_accepted(tmp_path: Path):
    assert findings(tmp_path, LADDER) == ""
    wipes = "".join(f"    sub {name}, {name}, {name}\n" for name in "xyz")
    assemble_text(tmp_path, DECLARE + LADDER.replace("    done", f"{wipes}    done"), check=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    csel z, x, y\n",
            "    mov z, x\n    br B, .skip\n    mov z, y\n.skip:\n",
            "branch on B, which is secret",
        ),
        ("    loop", "    ldx K, c0\n    loop", "X would be read from the secret slot K"),
        ("    loop", "    isub z, x, y\n    br Z, .bit\n    loop", "branch on Z"),
        ("    loop", "    isub z, x, y\n    setb C\n    br B, .bit\n    loop", "branch on B"),
        (
            "    loop",
            "    ldb K, c0\n    csel one, x, y\n    loop",
            "a secret is written to the .public register one",
        ),
        ("    wipe K", "    st PUB, x\n    wipe K", "a secret is written to the .public slot PUB"),
        ("    wipe IN", "    wipe 1", "slot IN is already"),
        ("    .declassify IN ; the result is public\n", "", "slot IN still holds a secret when the job ends"),
        ("    mul x, z, z", "    call sq", "branch on Z"),
        ("    setp 0", "    call deep1", "calls nest deeper than 4"),
        ("    mod p\n", "", "no modulus is selected"),
        ("    mod p\n", "    mod n\n", "is modp, mul needs modn"),
        ("    mul y, y, z", "    mul y, yn, z", "register yn is modn, mul needs modp"),
        ("    mov y, one", "    iadd y, one, one", "is a plain integer, add needs modp"),
        ("    setp 0", "    setb C", "C is not defined here"),
        ("    setp 0", "    iaddl z, x, x", "iaddl reads the long length of x"),
        ("    setp 0", "    movx z, tab", "register addressed by X"),
        ("    setp 0", "    iadd one, one, one", "register one must keep its .range modp"),
        ("    done OK, 1", "    ret", "ret without a call"),
    ],
)
def test_mutant_is_refused(tmp_path: Path, old: str, new: str, message: str):
    assert old in LADDER
    body = LADDER.replace(old, new, 1)
    if "add needs" in message:
        body = body.replace("    mul y, y, z\n", "    add y, y, z\n")
    if "already" in message:
        # The accepted program overwrites and declassifies IN later, so the mutant leaves out both.
        body = body.replace("    st IN, x\n    .declassify IN ; the result is public\n", "")
        message = "slot IN still holds a secret when the job ends"
    body += (
        ".routine sq\n isub acc, acc, acc\n mul acc, acc, acc\n isub acc, acc, param\n br Z, .o\n.o: ret\n"
    )
    body += (
        "".join(f".routine deep{i}\n call deep{i + 1}\n ret\n" for i in range(1, 5))
        + ".routine deep5\n ret\n"
    )
    assert message in findings(tmp_path, body)
    with pytest.raises(AsmError, match=r"f0\.s:\d+"):
        assemble_text(tmp_path, DECLARE + body, check=True)


@pytest.mark.parametrize("depth", [4, 5])
def test_calls_of_a_trap_nest_as_deep_as_those_of_a_job(tmp_path: Path, depth: int):
    """The trap may start at any depth of calls, and does not return to them."""
    chain = "".join(f".routine deep{i}\n call deep{i + 1}\n ret\n" for i in range(1, depth))
    source = f"""
.entry 63 starved
.routine starved
    call deep1
    done NO_ENTROPY, 0
{chain}.routine deep{depth}
    ret
"""
    assert ("calls nest deeper than 4" in findings(tmp_path, LADDER + source)) == (depth > 4)


def test_shared_routine_is_judged_for_each_use(tmp_path: Path):
    """It is called with p-values under p and n-values under n, and with secret and public operands."""
    body = """
    mod p
    mov acc, one
    call square
    mov x, acc
    mod n
    mov acc, yn
    call square
    .declassify acc ; test
    isub x, acc, acc
    br !Z, .end
    st K, acc
    done OK, 0
.end:
    done BAD_OP, 0
.routine square
.out acc
    mul acc, acc, acc
    ret
"""
    assert findings(tmp_path, body) == ""
    wrong = body.replace("mov acc, yn", "mov acc, one")
    assert "is modp, mul needs modn" in findings(tmp_path, wrong)


def test_directive_holds_only_on_its_path(tmp_path: Path):
    body = """
    mod p
    ld x, IN
    isub y, x, p
    br !C, .bad
    .assume x modp ; x < p was tested
    add y, x, x
    done OK, 0
.bad:
    {use}
    done COORD_RANGE, 0
"""
    assert findings(tmp_path, body.format(use="mul y, x, one")) == ""
    assert "x is a plain integer" in findings(tmp_path, body.format(use="add y, x, x"))


def test_join_keeps_what_both_paths_know(tmp_path: Path):
    body = """
    mod p
    ld x, IN
    br FKEY, .other
    mov x, one
.other:
    {use}
    done OK, 0
"""
    assert findings(tmp_path, body.format(use="mul y, x, one")) == ""
    assert "x is a plain integer" in findings(tmp_path, body.format(use="sub y, x, one"))


def test_product_takes_one_plain_integer(tmp_path: Path):
    body = "    mod p\n    ld x, IN\n    mul y, x, {b}\n    add y, y, y\n    done OK, 0\n"
    assert findings(tmp_path, body.format(b="one")) == ""
    assert "needs modp" in findings(tmp_path, body.format(b="x"))


def test_indexed_operand_needs_every_register_it_can_reach(tmp_path: Path):
    fill = "".join(f"    mov tab+{i}, one\n" for i in range(4))
    body = "    mod p\n" + fill + "    setx 2\n    ld x, IN\n    mulx y, x, tab\n    done OK, 0\n"
    assert findings(tmp_path, body) == ""
    assert "needs modp" in findings(tmp_path, body.replace("tab+3, one", "tab+2, one"))


def test_curve_load_establishes_declared_ranges(tmp_path: Path):
    body = """
    done OK, 0
.entry CURVE_LOAD load
load:
    ld one, IN
    isub z, one, p
    br !C, .bad
    {assume}
    ld yn, 1
    .assume yn modn ; test
    loaded 1
    done OK, 0
.bad:
    done BAD_MODULUS, 0
"""
    assert findings(tmp_path, body.format(assume=".assume one modp ; tested")) == ""
    assert "register one must keep its .range modp" in findings(tmp_path, body.format(assume=""))


def test_zeroise_handler_must_wipe_operands(tmp_path: Path):
    wipes = "".join(f"    wipe {i}\n" for i in range(8))
    body = "    done OK, 0\n.entry ZEROISE_INPUT zero\nzero:\n" + wipes + "    done ZEROISED, 0\n"
    assert findings(tmp_path, body) == ""
    found = findings(tmp_path, body.replace("    wipe 5\n", ""))
    assert "slot 5 still holds a secret" in found and "job ZEROISE_INPUT" in found


def test_difference_of_equals_is_public_zero(tmp_path: Path):
    body = "    mod n\n    sub x, acc, acc\n    br !Z, .e\n"
    body += "    add x, x, yn\n    done OK, 0\n.e: done BAD_OP, 0\n"
    assert findings(tmp_path, body) == ""


@pytest.mark.parametrize("half", [0, 1])
def test_both_registers_of_a_pair_take_the_secret(tmp_path: Path, half: int):
    body = """
.block w, 2, align 2
.global_reg open = 6
.public open
.slot K = 9
.entry ON_CURVE f
.routine f
.reg t
    ld   t, {slot}
    mulw w, t, t
    mov  open, w+{half}
    done OK, 0
"""
    assemble_text(tmp_path, body.format(slot=0, half=half), unit="turbo", check=True)
    with pytest.raises(AsmError, match="register open"):
        assemble_text(tmp_path, body.format(slot="K", half=half), unit="turbo", check=True)


@pytest.mark.parametrize("slot", ["0", "K"])
def test_carry_of_a_turbo_program_outlives_a_copy(tmp_path: Path, slot: str):
    """Only integer sums set C. After other operations it is still defined, and as secret as before."""
    body = f"""
.slot K = 9
.entry ON_CURVE f
.routine f
.uniform ; a test
.reg t, u
    ld   t, {slot}
    ld   u, 1
    isub t, t, u
    mov  u, u
    br   C, other
    done OK, 0
other:
    done INFINITY, 0
"""
    if slot == "0":
        assemble_text(tmp_path, body, unit="turbo", check=True)
        return
    with pytest.raises(AsmError, match="branch on C"):
        assemble_text(tmp_path, body, unit="turbo", check=True)
