"""The residue check: a program that leaves no secret is accepted, and every way to forget one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.ucode.residue import check_residue
from eccelerate.ucode.source import AsmError
from tests.ucode.helpers import HEADER, assemble_text

DECLARE = (
    HEADER
    + """
.global_reg zero = 3
.global_reg x = 20
.global_reg y = 21
.global_reg d = 22
.public zero
.range zero long
.slot IN = 0
.slot K = 8
.slot DRAW = 11
.slot KEY = 12
.secret DRAW K KEY
.kept KEY ; jobs with the flag KEY use it
.entry BASE_MUL go
.entry 62 length
.entry 63 entropy
"""
)
JOB = """
.routine go
    chk  1
    ld   x, IN
    .secret x
    iadd y, x, zero
    st   K, x
    rnd  DRAW
    ld   y, DRAW
    wipe DRAW
    iaddl y, y, x
    ld   d, KEY
    setc c0, 0
    ldb  K, c0
    csel d, zero, p
    br   KEY, .refused
    wipe K
    wipe IN
    mov  x, zero
    movl y, zero
    mov  d, zero
    done OK, 0
.refused:
    call forget
    wipe IN
    done NO_KEY, 0
.routine length
    wipe 0
    wipe 1
    wipe 2
    wipe 3
    wipe 4
    wipe 5
    wipe 6
    wipe 7
    done BAD_LENGTH, 0
.routine entropy
    call forget
    wipe IN
    wipe DRAW
    done NO_ENTROPY, 0
.routine forget
    wipe K
    movl x, zero
    movl y, zero
    movl d, zero
    ret
"""


def findings(tmp_path: Path, body: str) -> list[str]:
    return [str(finding) for finding in check_residue(assemble_text(tmp_path, DECLARE + body))]


def test_a_program_that_leaves_nothing_is_accepted(tmp_path: Path):
    assert findings(tmp_path, JOB) == []
    assemble_text(tmp_path, DECLARE + JOB, check=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    mov  x, zero\n", "", "register x holds a secret since f0.s:25 of go (`ld   x, IN`)"),
        ("    mov  d, zero\n", "", "register d holds a secret since f0.s:36 of go (`csel d, zero, p`)"),
        ("    movl y, zero\n    mov ", "    mov  y, zero\n    mov ", "the long length of register y holds"),
        ("    movl y, zero\n    mov ", "    sub  y, y, y\n    mov ", "by movl on this path"),
        (
            "    wipe K\n    wipe IN\n",
            "    wipe IN\n",
            "slot K holds a secret since f0.s:28 of go (`st   K, x`)",
        ),
        (
            "    wipe K\n    wipe IN\n",
            "    wipe K\n",
            "slot IN holds a secret since the job began when the job",
        ),
        ("    wipe DRAW\n    iaddl", "    iaddl", "slot DRAW holds a secret"),
        ("    call forget\n    wipe IN\n    done NO_KEY", "    wipe IN\n    done NO_KEY", "ends with NO_KEY"),
        ("    wipe IN\n    done NO_KEY", "    done NO_KEY", "routine go: slot IN holds"),
        ("    call forget\n    wipe IN\n    wipe DRAW", "    wipe IN\n    wipe DRAW", "ends with NO_ENTROPY"),
        ("    wipe IN\n    wipe DRAW", "    wipe IN", "routine entropy: slot DRAW holds"),
        ("    wipe 5\n", "", "routine length: slot 5 holds a secret since the job began"),
        ("    movl d, zero\n    ret", "    ret", "register d holds"),
        (
            ".routine go\n",
            ".routine go\n    done BAD_CURVE, 0\n",
            "slot IN holds a secret since the job began",
        ),
        ("    csel d, zero, p\n", "    csel d, zero, p\n    st   9, d\n", "slot 9 holds"),
    ],
)
def test_what_a_job_forgets_is_refused(tmp_path: Path, old: str, new: str, message: str):
    assert old in JOB
    found = findings(tmp_path, JOB.replace(old, new, 1))
    assert any(message in each for each in found), found
    with pytest.raises(AsmError, match="holds a secret"):
        assemble_text(tmp_path, DECLARE + JOB.replace(old, new, 1), check=True)


def test_a_slot_that_is_not_kept_keeps_no_secret(tmp_path: Path):
    store = JOB.replace("    wipe K\n", "    st   KEY, x\n    wipe K\n", 1)
    assert findings(tmp_path, store) == []
    (tmp_path / "f0.s").unlink()
    program = assemble_text(tmp_path, (DECLARE + store).replace(".kept", "; .kept"))
    assert any("slot KEY holds a secret" in str(each) for each in check_residue(program))


def test_kept_needs_a_reason(tmp_path: Path):
    with pytest.raises(AsmError, match=r"write \.kept slot ; reason"):
        assemble_text(tmp_path, (DECLARE + JOB).replace(" ; jobs with the flag KEY use it", ""))


def test_a_reason_may_stand_for_a_wipe(tmp_path: Path):
    told = JOB.replace("    mov  d, zero\n", "    .declassify d ; a constant of the curve\n", 1)
    assert findings(tmp_path, told) == []


def test_the_operands_that_isa_toml_lists_are_secret(tmp_path: Path):
    body = JOB + ".routine new\n    chk 2\n    done OK, 0\n"
    found = findings(tmp_path, ".entry MUL new\n" + body)
    assert [each.split("routine new: ")[1][:6] for each in found] == ["slot I"]
    assert findings(tmp_path, ".entry ON_CURVE new\n" + body) == []


def test_a_job_that_is_not_listed_declares_its_secrets(tmp_path: Path):
    body = ".entry 0x2a new\n" + JOB + ".routine new\n.reg x\n    chk 2\n    ld x, 1\n{}    done OK, 0\n"
    assert findings(tmp_path, body.format("")) == []
    found = findings(tmp_path, body.format(".secret x\n"))
    assert len(found) == 1 and "holds a secret" in found[0]


def test_everything_is_secret_when_the_zeroise_input_starts(tmp_path: Path):
    body = ".entry ZEROISE_INPUT wipe_some\n" + JOB + ".routine wipe_some\n    wipe 0\n    done ZEROISED, 0\n"
    found = "\n".join(findings(tmp_path, body))
    for place in ("slot 1 ", "slot K ", "register d ", "the long length of register x "):
        assert f"{place}holds a secret since the job began when the job ends with ZEROISED" in found
    assert "register zero" not in found and "slot IN" not in found


def test_the_unit_wipes_the_scalar_of_its_ladder(tmp_path: Path):
    text = """
.global_reg scalar = 47
.slot SCALAR = 0
.entry MUL go
.routine go
    chk  1
    mod  0
    setc c3, NBITS-1
    ld   scalar, SCALAR
    .assume scalar modp ; bits
    steps
    wipe SCALAR
    done OK, 0
"""
    states = (*range(50, 53), *range(56, 64))
    found = "\n".join(str(each) for each in check_residue(assemble_text(tmp_path, text, unit="binary")))
    for register in states:
        assert f"register {register} of GF(2^m) holds a secret" in found
    assert "scalar of GF" not in found
    unused = text.replace("    steps\n", "")
    found = "\n".join(str(each) for each in check_residue(assemble_text(tmp_path, unused, unit="binary")))
    assert "register scalar of GF(2^m) holds a secret" in found


def test_a_table_entry_tells_the_digit_that_selects_it(tmp_path: Path):
    text = """
.slot SCALAR = 8
.entry BASE_MUL go
.routine go
    chk  1
    ld   r20, 0
    st   SCALAR, r20
    rewind
    scan SCALAR
    caught
    take r21
    sub  r20, r20, r20
    sub  r21, r21, r21
    wipe 0
    wipe SCALAR
    done OK, 0
"""
    found = "\n".join(str(each) for each in check_residue(assemble_text(tmp_path, text, unit="turbo")))
    assert "slot 6 holds a secret" in found and "slot 7 holds a secret" in found
    assert "register" not in found
