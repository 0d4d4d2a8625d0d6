"""Cells and tables of the field units are proved against their specification, and mutants are refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate import isa
from eccelerate.configs.config import RTL_DIR
from tests.formal.asserts import holds, mutant

OPCODES = RTL_DIR / "isa" / "gen" / "eccel_compact_isa_pkg.sv"
GF2M = RTL_DIR / "gf2m"
RESIDUE = [
    *sorted((RTL_DIR / "isa" / "gen").glob("eccel_binary_isa_pkg.sv")),
    *(GF2M / f"eccel_gf2m_{name}.sv" for name in ("pkg", "reduce", "residue")),
]
FORMS = [form for form in isa.load().forms.values() if form.is_field]


@pytest.mark.parametrize("width", [1, 5, 16, 64])
def test_adder_gives_the_promised_sum(width: int) -> None:
    assert holds("eccel_add_formal", [RTL_DIR / "prim" / "eccel_add.sv"], [f"-GWidth={width}"])


def test_adder_without_carry_in_is_refuted(tmp_path: Path) -> None:
    broken = mutant(RTL_DIR / "prim" / "eccel_add.sv", tmp_path, "{1'b0, b, c_i}", "{1'b0, b, 1'b0}")
    assert not holds("eccel_add_formal", [broken])


@pytest.mark.parametrize("width", [1, 2, 6, 8])
def test_incrementer_adds_one(width: int) -> None:
    assert holds("eccel_inc_formal", [RTL_DIR / "prim" / "eccel_inc.sv"], [f"-GWidth={width}"])


def test_incrementer_that_loses_a_carry_is_refuted(tmp_path: Path) -> None:
    broken = mutant(RTL_DIR / "prim" / "eccel_inc.sv", tmp_path, "(&d_i[i-1:0])", "d_i[i-1]")
    assert not holds("eccel_inc_formal", [broken])


def test_residue_is_the_remainder_of_a_division() -> None:
    """In a build of three small fields: two of degree 5 and one of degree 6."""
    assert holds("eccel_gf2m_residue_formal", RESIDUE)


def test_residue_of_another_field_is_refuted(tmp_path: Path) -> None:
    broken = mutant(RESIDUE[-1], tmp_path, "select_i[f] ?", "select_i[0] ?")
    assert not holds("eccel_gf2m_residue_formal", [*RESIDUE[:-1], broken])


def test_staging_register_keeps_the_order_of_words() -> None:
    assert holds("eccel_gf2m_stage_formal", [GF2M / "eccel_gf2m_stage.sv"], registers=True)


def test_staging_register_in_the_wrong_order_is_not_proved(tmp_path: Path) -> None:
    broken = mutant(
        GF2M / "eccel_gf2m_stage.sv",
        tmp_path,
        "StageBits'({wdata_i, stage_q} >> WordBits)",
        "StageBits'({stage_q, wdata_i})",
    )
    assert not holds("eccel_gf2m_stage_formal", [broken], registers=True)


def masks() -> list[str]:
    """What each operation does, from the instruction table, as -G parameters of the property."""

    def mask(*names: str) -> int:
        return sum(1 << form.code for form in FORMS if form.mnemonic in names)

    products = mask(*(f.mnemonic for f in FORMS if f.range == "mul"))
    conditional = mask(*(f.mnemonic for f in FORMS if "B" in f.uses)) & ~mask("csel")  # cadd, caddl
    moved = mask("movx")  # has no ra
    rows = products | mask("half")  # of Montgomery products: no streams x and y
    streams_y = mask(*(f.mnemonic for f in FORMS if "rb" in f.reads)) & ~rows & ~mask("csel") & ~moved
    found = {
        "Product": products,
        "Long": mask(*(f.mnemonic for f in FORMS if f.long)),
        "Carry": mask(*(f.mnemonic for f in FORMS if "C" in f.sets)),
        "Half": mask("half"),
        "Subtract": mask("sub", "isub"),
        "XIsRb": moved,
        "XIsRbSel": moved | mask("csel"),
        "UsesY": streams_y & ~conditional,
        "UsesYSel": streams_y,
        "Reduced": rows | mask("add"),
        "Borrow": mask("sub"),
    }
    return [f"-G{name}=16'h{value:x}" for name, value in found.items()]


def test_operation_table_is_that_of_the_instruction_set() -> None:
    assert holds("eccel_gfp_decode_formal", [OPCODES, RTL_DIR / "gfp" / "eccel_gfp_pkg.sv"], masks())


def test_operation_table_that_ignores_the_select_bit_is_refuted(tmp_path: Path) -> None:
    package = RTL_DIR / "gfp" / "eccel_gfp_pkg.sv"
    broken = mutant(package, tmp_path, "op.y_en      = sel;", "op.y_en      = 1'b1;")
    assert not holds("eccel_gfp_decode_formal", [OPCODES, broken], masks())
