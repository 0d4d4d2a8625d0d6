"""The assembler's output, and its errors: each mistake gets one that names the line and what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.manifest import read_manifest
from eccelerate.ucode.program import checked
from eccelerate.ucode.source import AsmError
from tests.sampled import sampled
from tests.ucode.helpers import ISA, assemble_text

ROOT = Path(__file__).resolve().parents[2]
MANIFESTS = sorted(p for p in (ROOT / "ucode").glob("*.toml") if "\nfiles = " in p.read_text())

GOOD = """
.global_reg a = 4
.slot K = 12
.entry MUL go
.entry 0x2f other
go: wipe K
.l: jmp .l
other:
    wipe 3
.l: jmp .l
"""


def test_image_has_jump_table_code_and_fill(tmp_path: Path):
    program = assemble_text(tmp_path, GOOD)
    fill = ISA.encode("done", status=ISA.status["BAD_OP"], n=0)
    words = program.words
    assert len(words) == 2048
    assert words[1] == ISA.encode("jmp", target=64) and words[47] == ISA.encode("jmp", target=66)
    assert [a for a in range(2048) if words[a] != fill] == [1, 47, *range(48, 60, 2), *range(60, 68)]
    malformed = ISA.encode("done", status=ISA.status["BAD_LENGTH"], n=0)
    assert {words[a] for a in range(48, 64, 2)} == {malformed}
    traps = ("ENTROPY_FAILED", "BAD_LENGTH", "NO_ENTROPY")
    assert words[61:64] == [ISA.encode("done", status=ISA.status[name], n=0) for name in traps]
    assert words[64:68] == [
        ISA.encode("wipe", slot=12),
        ISA.encode("jmp", target=65),
        ISA.encode("wipe", slot=3),
        ISA.encode("jmp", target=67),
    ]
    assert program.labels == {"go": 64, "go.l": 65, "other": 66, "other.l": 67}


def test_manifest_and_output_files(tmp_path: Path):
    (tmp_path / "good.s").write_text(GOOD)
    manifest = tmp_path / "m.toml"
    manifest.write_text('name = "good"\nfiles = ["good.s"]\n')
    out = tmp_path / "good.hex"
    listing, symbols = tmp_path / "good.lst", tmp_path / "good.json"
    more = ["--listing", str(listing), "--symbols", str(symbols)]
    result = CliRunner().invoke(app, ["assemble", str(manifest), "-o", str(out), *more])
    assert result.exit_code == 0 and "good: 68 of 2048 words" in result.stdout
    lines = out.read_text().splitlines()
    assert lines[0].startswith("//") and [int(x, 16) for x in lines[1:]] == [
        checked(word, at) for at, word in enumerate(assemble(manifest).words)
    ]
    assert "040  f8000c  good.s:6    go: wipe K" in listing.read_text()
    assert json.loads(symbols.read_text())["other"] == 66


def test_command_reports_errors(tmp_path: Path):
    (tmp_path / "bad.s").write_text(".entry MUL go\ngo: frob\n ret\n")
    (tmp_path / "m.toml").write_text('name = "bad"\nfiles = ["bad.s"]\n')
    result = CliRunner().invoke(app, ["assemble", str(tmp_path / "m.toml"), "-o", str(tmp_path / "x.hex")])
    assert result.exit_code == 1 and "bad.s:2: unknown instruction frob" in result.stderr
    assert not (tmp_path / "x.hex").exists()


def test_manifest_mistakes(tmp_path: Path):
    (tmp_path / "m.toml").write_text('name = "x"\nfiles = ["none.s"]\n')
    with pytest.raises(AsmError, match=r"none\.s does not exist"):
        assemble(tmp_path / "m.toml")
    (tmp_path / "m.toml").write_text('name = "x"\nfile = ["none.s"]\n')
    with pytest.raises(AsmError, match="a manifest has name, files"):
        assemble(tmp_path / "m.toml")


def test_a_manifest_like_another(tmp_path: Path):
    (tmp_path / "a.s").write_text(".entry ON_CURVE f\n.routine f\n jmp g\n")
    for name, slot in (("b", 1), ("c", 2)):
        (tmp_path / f"{name}.s").write_text(f".routine g\n wipe {slot}\n jmp h\n.routine h\n done OK, 0\n")
    (tmp_path / "d.s").write_text(".routine h\n done BAD_OP, 0\n")
    (tmp_path / "e.s").write_text(".routine g\n wipe 3\n jmp h\n")
    base, like = tmp_path / "base.toml", tmp_path / "like.toml"
    base.write_text('name = "base"\nfiles = ["a.s", "b.s"]\n')
    like.write_text('name = "x"\nlike = "base.toml"\ninstead = { "b.s" = ["c.s"] }\n')
    assert assemble(like).instrs[65].word == ISA.encode("wipe", slot=2)
    like.write_text('name = "x"\nlike = "base.toml"\ninstead = { "b.s" = ["e.s", "d.s"] }\n')
    assert assemble(like).words[65:67] == [ISA.encode("wipe", slot=3), ISA.encode("jmp", target=67)]
    like.write_text('name = "x"\nlike = "base.toml"\ninstead = { "z.s" = ["c.s"] }\n')
    with pytest.raises(AsmError, match=r"base\.toml has no z\.s"):
        assemble(like)
    like.write_text('name = "x"\nlike = "base.toml"\nfiles = []\n')
    with pytest.raises(AsmError, match=r"optionally instead, schedule: see \['files'\]"):
        assemble(like)
    base.write_text('name = "base"\nunit = "turbo"\nfiles = ["a.s", "b.s"]\nschedule = { prime = "P-256" }\n')
    like.write_text('name = "x"\nlike = "base.toml"\ninstead = { "b.s" = ["c.s"] }\n')
    with pytest.raises(AsmError, match="has a schedule: add one"):
        assemble(like)
    like.write_text('name = "x"\nlike = "base.toml"\nschedule = { prime = "P-224" }\n')
    read = read_manifest(like)
    assert read == {"name": "x", "unit": "turbo", "files": ["a.s", "b.s"], "schedule": {"prime": "P-224"}}
    base.write_text('name = "base"\nfiles = ["a.s", "b.s"]\n')
    with pytest.raises(AsmError, match="has no schedule: remove it"):
        assemble(like)


def test_declarations_serve_all_files_whatever_the_order(tmp_path: Path):
    use = ".routine f\n mov a, tab+N\n jmp g\n"
    declare = ".global_reg a = 4\n.global_block tab, 4, align 4 = 8\n.const N = 1+2\n.routine g\n ret\n"
    with pytest.raises(AsmError, match="N is not a constant"):
        assemble_text(tmp_path, ".routine f\n mov r1, r2\n setc c0, N\n ret\n")
    program = assemble_text(tmp_path, use, declare)
    assert program.instrs[64].word == ISA.encode("mov", rd=4, ra=11)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" frob a\n ret", "unknown instruction frob"),
        (" mul r1, r2\n ret", "mul takes 3 operands: rd, ra, rb"),
        (" mov x, r2\n ret", "register x is not declared"),
        (" mov r64, r2\n ret", "register r64 is not declared"),
        (" jmp nowhere", "label nowhere does not exist"),
        ("a: ret\na: ret", "label a is defined twice"),
        (" br Q, x\nx: ret", "unknown condition Q"),
        (" setb C|B\n ret", "unknown source"),
        (" loop c4, x\nx: ret", "c4 is no counter"),
        (" setc c0, 5000\n ret", "imm = 5000 does not fit"),
        (" setc c0, PBITS-M\n ret", "M is not a constant"),
        (" wipe K\n ret", "slot K is not declared"),
        (" wipe 16\n ret", "slot 16 does not exist"),
        (" done FINE, 0", "unknown status FINE"),
        (" done BAD_OP, 1", "only OK and INFINITY carry results"),
        (" done OK, 3", "at most 2 results"),
        (" mov r1, r2", "must end in jmp, ret or done"),
        (".routine a\n mov r1, r2\n.routine b\n ret", "routine a must end in"),
        (".reg a\n.reg a\n ret", "a is declared twice"),
        (".global_reg a = 64\n ret", "register 64 does not exist"),
        (".global_reg a = 4\n.reg b = 4\n mov b, a\n ret", "b = 4 is a global register"),
        (".entry FROB x\nx: ret", "unknown operation FROB"),
        (".entry MUL x\n.entry 1 x\nx: ret", "operation code 1 has two entries"),
        (".entry MUL\nx: ret", "write .entry OPERATION label"),
        (".block t, 4, align 3\n ret", "align must be a power of 2"),
        (".block t, 4, align 4\n mov t, r1\n mov t+4, r1\n ret", "t has 4 registers"),
        (".block t, 9, align 8\n movx r1, t\n ret", "align 16 or more"),
        (".reg t\n mov t, r1\n movx r1, t\n ret", "must be a register of a block"),
        (" mov r1, r2\n.declassify r1\n ret", "needs its reason"),
        (" mov r1, r2\n.assume r1 ; small\n ret", "write .assume name"),
        (" mov r1, r2\n.declassify q ; because\n ret", "q is no register, slot or flag"),
        (" ret\n.declassify C ; because\n", "this line is never reached"),
        (" mov r1, r2\n.public r1\n ret", "write .declassify with a reason"),
        (".secret q\n ret", "q is neither a global register nor a slot"),
        (".global_reg a = 4\n.range a small\n ret", "write .range name"),
        (".frob\n ret", "unknown directive .frob"),
        (".routine f\n.out a\n ret", "a in the contract of f is not a global register"),
        (".global_reg a = 4\n.global_reg b = 5\n.routine f\n.out a\n mov b, a\n ret", "f writes register b"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str):
    with pytest.raises(AsmError, match=message.replace("|", "[|]")) as error:
        assemble_text(tmp_path, text + "\n")
    assert "f0.s:" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".reg t\n mulw t, r1, r2\n ret", "t must be a register of a block"),
        (".block t, 4, align 2\n mulw t+1, r1, r2\n ret", "an even register of block t and the next one"),
        (".block t, 3, align 2\n mulw t+2, r1, r2\n ret", "an even register of block t and the next one"),
        (".block t, 2\n mulw t, r1, r2\n ret", "an even register of block t and the next one"),
        (" mulw r3, r1, r2\n ret", "r3 must be a register of a block"),
        (".global_block g, 2, align 2 = 4\n.routine f\n.out -\n mulw g, r1, r1\n ret", "f writes"),
    ],
)
def test_mistakes_with_pairs_are_named(tmp_path: Path, text: str, message: str):
    with pytest.raises(AsmError, match=message):
        assemble_text(tmp_path, text + "\n", unit="turbo")


def test_program_that_is_too_long(tmp_path: Path):
    with pytest.raises(AsmError, match="1985 instructions, 1984 fit"):
        assemble_text(tmp_path, " wipe 1\n" * 1984 + " ret\n")


def test_macro_stands_for_its_lines(tmp_path: Path):
    macro = """
.macro twice rd, ra
    add  rd, ra, ra             ; comments are dropped
    add  rd, rd, tmp
.endmacro
"""
    start = ".entry MUL f\n.routine f\n.reg tmp, x\n ld tmp, 0\n"
    used = assemble_text(tmp_path, macro, start + " twice x, tmp\n done OK, 0\n")
    plain = start + " add x, tmp, tmp\n add x, x, tmp\n done OK, 0\n"
    assert used.words == assemble_text(tmp_path, plain).words


def test_macro_may_take_the_name_of_an_instruction_and_have_temporaries(tmp_path: Path):
    """Each use declares them again. A name that the routine itself declares stays declared once."""
    macro = ".macro add rd, ra, rb\n.reg low\n iadd low, ra, rb\n mov rd, low\n.endmacro\n"
    start = ".entry MUL f\n.routine f\n.reg x\n ld x, 0\n"
    used = assemble_text(tmp_path, macro, start + " add x, x, x\n add x, x, x\n done OK, 0\n")
    plain = start.replace(".reg x", ".reg x, low") + 2 * " iadd low, x, x\n mov x, low\n" + " done OK, 0\n"
    assert used.words == assemble_text(tmp_path, plain).words
    with pytest.raises(AsmError, match="low is declared twice"):
        assemble_text(tmp_path, macro, start + " add x, x, x\n.reg low\n done OK, 0\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".macro m a\n mov a, a\n", "no .endmacro"),
        (".endmacro\n", "without .macro"),
        (".macro m a\n.macro k b\n.endmacro\n", "no macro inside another"),
        (".macro m a\n mov a, a\n.endmacro\n.routine f\n m r1, r2\n ret\n", "m takes 1 operands: a"),
        (".macro m a\n.endmacro\n.macro m b\n.endmacro\n", "a new name"),
        (".uniform ; all alike\n", "after .routine"),
    ],
)
def test_wrong_macros_are_refused(tmp_path: Path, text: str, message: str):
    with pytest.raises(AsmError, match=message):
        assemble_text(tmp_path, text)


@sampled("manifest", MANIFESTS, ids=lambda p: p.stem, now=2)
def test_an_image_is_the_same_in_every_run(manifest: Path):
    """Sets of names have another order in every process."""
    code = "import sys; from eccelerate.ucode.asm import assemble; print(assemble(sys.argv[1]).words)"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(manifest)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2", "3")
    ]
    images = {run.communicate()[0] for run in runs}
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert len(images) == 1
