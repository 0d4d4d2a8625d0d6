"""The ISA table: fields do not overlap, encode and decode are inverse, and generated files are up to date."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from eccelerate import isa
from eccelerate.ucode import isa_files
from eccelerate.ucode.disasm import disassemble, disassemble_word
from tests.ucode.helpers import ISA, assemble_text

TABLES = [isa.load(unit) for unit in isa.UNITS]
FORMS = [pytest.param(t, f, id=f"{t.unit}-{f.mnemonic}") for t in TABLES for f in t.forms.values()]
ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.s"))


@pytest.mark.parametrize(("table", "form"), FORMS)
def test_fields_of_a_form_do_not_overlap(table: isa.Isa, form: isa.Form):
    taken = 0
    for name in ("op", *form.fields):
        o = table.operands[name]
        mask = ((1 << o.width) - 1) << o.low
        assert not taken & mask, name
        taken |= mask
    assert taken < 1 << table.machine["word_bits"]


@pytest.mark.parametrize(("table", "form"), FORMS)
def test_encode_and_decode_are_inverse(table: isa.Isa, form: isa.Form):
    rng = random.Random(form.mnemonic)
    for _ in range(50):
        fields = dict(form.fixed)
        for name in form.fields:
            o = table.operands[name]
            low = -(1 << o.width - 1) if o.signed else 0
            fields.setdefault(name, rng.randrange(low, low + (1 << o.width)))
        assert table.decode(table.encode(form.mnemonic, **fields)) == (form, fields)


def test_words_are_those_worked_out_by_hand_from_the_manual():
    assert ISA.encode("mul", rd=1, ra=2, rb=3) == 0b00000_0_000001_000010_000011
    assert ISA.encode("br", cond=1, invert=1, target=0x123) == 0b10001_1_0001_000_00100100011
    assert ISA.encode("setc", counter=2, base=2, imm=-1) == 0b10100_10_01_0000_11111111111
    assert ISA.encode("ldbx", counter=1, slot=9) == 0b10110_01_01_00000000000_1001
    assert ISA.encode("done", status=0x1C, n=2) == 0b11110_00011100_0000000_0010
    assert ISA.encode("loaded", arg=1) == 0b11111_011_000000000000_0001


def test_misfits_are_refused():
    for mnemonic, fields in (("chk", {"n": 16}), ("setc", {"counter": 0, "imm": 1024}), ("ret", {"slot": 1})):
        with pytest.raises(isa.IsaError):
            ISA.encode(mnemonic, **fields)
    with pytest.raises(isa.IsaError, match="illegal"):
        ISA.decode(15 << 19)


@pytest.mark.parametrize("name", isa_files.outputs())
def test_generated_file_is_up_to_date(name: str):
    text = (ROOT / name).read_text()
    assert text == isa_files.outputs()[name], f"run: {isa_files.COMMAND}"
    assert isa_files.COMMAND in text.splitlines()[0]


def test_package_defines_no_name_twice():
    lines = isa_files.package(TABLES).splitlines()
    names = [line.split("=")[0].split()[-1] for line in lines if "localparam" in line]
    assert len(names) == len(set(names))


def test_indexed_operations_have_the_same_code_in_every_unit():
    """The sequencer decodes them without knowing the field unit."""
    codes = [{f.mnemonic: f.code for f in t.forms.values() if f.indexed} for t in TABLES]
    assert codes[0] and codes == [codes[0]] * len(codes)


def test_manual_names_every_form():
    text = isa_files.manual(TABLES)
    assert [m for t in TABLES for m in t.forms if f"| `{m}" not in text and m != "setb"] == []


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda p: p.stem)
def test_disassembly_assembles_to_the_same_image(source: Path, tmp_path: Path):
    words = assemble_text(tmp_path, source.read_text()).words
    again = assemble_text(tmp_path, disassemble(words))
    assert again.words == words


def test_disassembly_of_single_words():
    cases = {
        "br !C, L_123": ISA.encode("br", cond=1, invert=1, target=0x123),
        "setc c1, NBITS-4": ISA.encode("setc", counter=1, base=4, imm=-4),
        "setb B&Z": ISA.encode("setb", src=12),
        "setp 1": ISA.encode("setb", src=15),
        "done RETRY, 0": ISA.encode("done", status=0x1C, n=0),
        "movx r5, r16": ISA.encode("movx", rd=5, rb=16),
    }
    assert {disassemble_word(w): w for w in cases.values()} == cases


def test_units_have_instructions_of_their_own():
    compact, turbo, binary = TABLES
    assert "step" in binary.forms and not {"step", "sqr", "mula"} & compact.forms.keys()
    assert "half" in compact.forms and "half" not in turbo.forms
    word = turbo.encode("setb", src=13, match=5)
    assert disassemble_word(word, unit="turbo") == "setb X==5"
    with pytest.raises(isa.IsaError, match="does not exist"):
        disassemble_word(word)
    with pytest.raises(isa.IsaError, match="no field unit"):
        isa.load("carry-save")
