"""The port of the unit for GF(2^m) is constant-time, and loses or repeats no instruction. Mutants are
refuted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT, RTL_DIR, find_config, rtl_files
from tests.formal.asserts import holds, mutant
from tests.formal.selfcomp import Claim, Verdict, prove
from tests.verilated import Patch, patched

# Builds with one field of 163 bits, with three fields, and with any polynomial up to 255 bits.
FIELDS = ("26'h4", "26'h144", "26'h2000000")
PORT = Claim(
    top="eccel_gf2m_port",
    secret_inputs=frozenset({"take_i", "word_i"}),
    secret_outputs=frozenset({"take_o", "carry_o", "wdata_o"}),
    must_hold=frozenset({"full_q", "loading_q", "operation_q", "u_stream.number_q", "u_stream.running_q"}),
)
SECRETS = {"take_q", "word_q", "u_stream.bit_q", "u_stream.next_q", "u_stream.before_q"}
BINARY = RTL_DIR / "engines" / "binary"
SOURCES = (
    ROOT / "formal" / "stubs.sv",
    RTL_DIR / "isa" / "gen" / "eccel_isa_pkg.sv",
    RTL_DIR / "isa" / "gen" / "eccel_binary_isa_pkg.sv",
    RTL_DIR / "gf2m" / "eccel_gf2m_pkg.sv",
    BINARY / "eccel_gf2m_invert.sv",
    BINARY / "eccel_scalar_stream.sv",
    BINARY / "eccel_gf2m_port.sv",
)


def check(folder: Path, fields: str = FIELDS[0], divider: int = 0, patch: Patch | None = None) -> Verdict:
    """Prove the claim about the RTL, or about a mutant."""
    files = rtl_files(find_config("binary-163-d64"))
    texts = {str(p.relative_to(RTL_DIR)): p.read_text() for p in files}
    parameters = (f"-GFields={fields}", f"-GDivider=1'b{divider}")
    return prove(PORT, patched(texts, [patch] if patch else []), folder, parameters)


@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("divider", [0, 1])
def test_port_is_constant_time(fields: str, divider: int, tmp_path: Path) -> None:
    """Bits of a scalar, words that move, and the bit of an instruction have no influence."""
    verdict = check(tmp_path, fields, divider)
    assert verdict.leaks == []
    assert verdict.secret >= SECRETS


@pytest.mark.parametrize(
    "patch",
    [
        (
            "engines/binary/eccel_gf2m_port.sv",
            "operation.plain = rd_i;",
            "operation.plain = rd_i ^ 6'(take_i);",
        ),
        (
            "engines/binary/eccel_gf2m_port.sv",
            "if (complete_q) loading_q",
            "if (complete_q || carry_o) loading_q",
        ),
        ("engines/binary/eccel_scalar_stream.sv", "wait_q  <= '1;\n", "wait_q  <= {3{!next_q}};\n"),
        ("engines/binary/eccel_scalar_stream.sv", "number_q == '0)", "number_q == '0 || bit_q)"),
    ],
    ids=[
        "swap by address",
        "shorter load of a large number",
        "later bit after a zero",
        "end at the first one",
    ],
)
def test_leaking_port_is_refuted(patch: Patch, tmp_path: Path) -> None:
    assert check(tmp_path, patch=patch).leaks


@pytest.mark.parametrize("count", [0, 1, 162])
def test_every_instruction_is_done_once(count: int) -> None:
    """This includes a `steps` of so many steps and one."""
    assert holds("eccel_gf2m_port_formal", SOURCES, [f"-GCount={count}"], registers=True)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("eccel_gf2m_port.sv", "ready_o = !full_q", "ready_o = !full_q || ready_i"),
        ("eccel_gf2m_port.sv", "invert_last : ready_i)", "invert_last : ready_i && !take_q)"),
        ("eccel_gf2m_port.sv", "    if (!full_q) begin\n      operation_q", "    begin\n      operation_q"),
        ("eccel_scalar_stream.sv", "number_q == '0", "number_q == 10'd1"),
    ],
    ids=["taken while another waits", "done twice", "overwritten while it waits", "a step too few"],
)
def test_port_that_loses_or_repeats_is_not_proved(file: str, old: str, new: str, tmp_path: Path) -> None:
    broken = mutant(BINARY / file, tmp_path, old, new)
    sources = [broken if path.name == file else path for path in SOURCES]
    assert not holds("eccel_gf2m_port_formal", sources, registers=True)
