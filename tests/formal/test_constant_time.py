"""Sequencers, field unit and mover are proved constant-time for all programs and data, and mutants are
refuted.

The proof relies on two facts: the assembler refuses programs whose branches or X depend on a secret
(tests/ucode/test_check.py), and `par` reads the operands of CURVE_LOAD.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.config import RTL_DIR, find_config, rtl_files
from tests.formal.selfcomp import Claim, Public, Verdict, prove
from tests.sampled import sampled
from tests.verilated import Patch, patched

STATE = "u_core.u_state.state_q"


def in_state(*names: str) -> str:
    """SMT term: the sequencer is in one of these states of its enum."""
    text = (RTL_DIR / "engine" / "eccel_useq_state.sv").read_text()
    codes = {n: (int(w), int(v, 16)) for n, w, v in re.findall(r"(\w+) *= (\d+)'h(\w+)", text)}
    return f"(or {' '.join(f'(= {{{STATE}}} (_ bv{codes[n][1]} {codes[n][0]}))' for n in names)})"


def decoded(name: str) -> str:
    """SMT term: the decoder's output for the instruction, a field of control_t."""
    text = (RTL_DIR / "engine" / "eccel_engine_pkg.sv").read_text().split("} control_t;")[0]
    fields = re.findall(r"logic (\w+);", text)[::-1]
    bit = fields.index(name)
    return f"(= ((_ extract {bit} {bit}) {{u_core.is}}) #b1)"


# These are public: the condition of a br, and what ldx, ldd (mode 3 of ldb) and par read.
SEQUENCER = Claim(
    top="eccel_useq",
    secret_inputs=frozenset({"mb_rdata_i", "fu_zero_i", "fu_carry_i"}),
    secret_outputs=frozenset({"fu_sel_o"}),
    public=(
        Public(decoded("br"), "u_branch.jump_o"),
        Public("{u_flags.took_nibble_q}", "u_flags.nibble"),
        Public("{u_flags.took_digit_q}", "u_flags.bit_read"),
        Public("(distinct {u_core.u_curve.par_q} #b00)", "mb_rdata_i"),
    ),
    must_hold=frozenset({"u_core.u_pc.pc_q", STATE, "u_flags.x_q", "u_core.u_pc.sp_q"}),
    invariants=(
        f"(=> {in_state('Read0', 'Read1', 'Read2', 'Read3', 'Read4', 'Read5')} {decoded('bits')})",
        f"(=> (and {in_state('Execute')} (not {decoded('br')})) (= {{u_branch.jump_q}} #b00))",
    ),
)
# As for one thread; also X is public where it addresses a register. par reads the mailbox of thread 0.
# faulty_o is an outcome, and reaches the sequencer as the condition of a br only.
LOCKSTEP_SEQUENCER = Claim(
    top="eccel_lockstep_useq",
    secret_inputs=SEQUENCER.secret_inputs,
    secret_outputs=frozenset({"fu_sel_o", "outcome_o", "comb_bit_o", "faulty_o"}),
    public=(
        Public(decoded("br"), "u_core.jump"),
        Public("{u_core.is_indexed}", "u_branch.x_q"),
        Public("(distinct {u_core.u_curve.par_q} #b00)", "u_core.mb_rdata_i"),
    ),
    must_hold=frozenset({"u_core.u_pc.pc_q", STATE, "u_core.u_pc.sp_q"}),
    invariants=SEQUENCER.invariants,
)
# csel selects by the address of x (eccel_gfp_pkg). Only the register: the digit's number is public.
FIELD_UNIT = Claim(
    top="eccel_gfp_cios",
    secret_inputs=frozenset({"sel_i", "port_wdata_i"}),
    secret_outputs=frozenset({"zero_o", "carry_o", "port_rdata_o"}),
    secret_control=frozenset({"u_file.u_regs_a.formal_raddr"}),
    must_hold=frozenset(f"u_schedule.{name}_q" for name in ("slot", "dig", "row", "active")),
)
MOVER = Claim(
    top="eccel_mover",
    secret_inputs=frozenset({"mb_rdata_i", "rf_rdata_i", "ent_data_i"}),
    secret_outputs=frozenset({"mb_wdata_o", "rf_wdata_o"}),
)


# There is a divider for each kind of fields: three named ones, and any polynomial.
DIVISIONS = {"named": "26'h144", "generic": "26'h2000000"}


def check(
    claim: Claim,
    folder: Path,
    parameters: tuple[str, ...] = (),
    patch: Patch | None = None,
    config: str = "compact-w32",
) -> Verdict:
    """Prove a claim about the RTL, or about a mutant: (file, text, replacement)."""
    files = rtl_files(find_config(config))
    texts = {str(p.relative_to(RTL_DIR)): p.read_text() for p in files}
    return prove(claim, patched(texts, [patch] if patch else []), folder, parameters)


def check_division(kind: str, folder: Path, patch: Patch | None = None) -> Verdict:
    """Prove the claim about division in one kind of fields, or about a mutant."""
    control = ("left_q", "done_q")
    claim = Claim(
        top="eccel_gf2m_division",
        secret_inputs=frozenset({"x_i"}),
        secret_outputs=frozenset({"quotient_o", "none_o"}),
        must_hold=frozenset({"wait_q", *(f"gen_{kind}.u_divider.u_step.{name}" for name in control)}),
    )
    return check(claim, folder, (f"-GFields={DIVISIONS[kind]}",), patch, "binary-generic-d64-div")


@pytest.mark.parametrize("kind", DIVISIONS)
def test_division_is_constant_time(kind: str, tmp_path: Path) -> None:
    verdict = check_division(kind, tmp_path)
    assert verdict.leaks == []
    assert {f"gen_{kind}.u_divider.{name}" for name in ("g_q", "v_q", "u_step.minus_q")} <= verdict.secret


@sampled("kind", DIVISIONS, now=1)
@sampled(
    "patch",
    [
        ("gf2m/eccel_gf2m_divstep.sv", "left_q != '0;", "left_q != '0 && !swap_o;"),
        ("gf2m/eccel_gf2m_division.sv", "ready_q <= done_o;", "ready_q <= done_o || none_o && busy_q;"),
    ],
    ids=["shorter by its data", "shorter after a zero"],
    now=1,
)
def test_leaking_division_is_refuted(kind: str, patch: Patch, tmp_path: Path) -> None:
    assert check_division(kind, tmp_path, patch).leaks


def test_sequencer_is_constant_time(tmp_path: Path) -> None:
    verdict = check(SEQUENCER, tmp_path)
    assert verdict.leaks == []
    # There were secrets that could have leaked.
    assert {"u_flags.b_q", "u_flags.p_q"} <= verdict.secret


def check_lockstep(folder: Path, patch: Patch | None = None) -> Verdict:
    """Prove the claim about the sequencer of two threads, or about a mutant."""
    return check(LOCKSTEP_SEQUENCER, folder, ("-GThreads=2",), patch, "turbo-p256-t1")


def test_sequencer_in_lock_step_is_constant_time(tmp_path: Path) -> None:
    verdict = check_lockstep(tmp_path)
    assert verdict.leaks == []
    secret = {f"gen_thread[{t}].u_flags.{name}" for t in range(2) for name in ("b_q", "p_q", "x_q")}
    assert secret <= verdict.secret


@sampled(
    ("old", "new"),
    [
        ("mb_word_o = count_q[9:5];", "mb_word_o = count_q[9:5] ^ 5'(fu_sel_o);"),
        ("stop: wiped_o", "stop: wiped_o && comb_bit_o[0]"),
    ],
    ids=["an address by B", "a table that stops by a scalar's bit"],
    now=1,
)
def test_leaking_sequencer_in_lock_step_is_refuted(old: str, new: str, tmp_path: Path) -> None:
    assert check_lockstep(tmp_path, ("engine/eccel_lockstep_useq.sv", old, new)).leaks


@sampled("digit_bits", [16, 32, 64], now=1)
def test_field_unit_is_constant_time(digit_bits: int, tmp_path: Path) -> None:
    verdict = check(FIELD_UNIT, tmp_path, (f"-GDigitBits={digit_bits}",))
    assert verdict.leaks == []
    assert {"u_final_pass.zero_q", "u_final_pass.carry_q"} <= verdict.secret


@pytest.mark.parametrize(
    ("top", "digit_bits"),
    [
        *(("eccel_mover", digits) for digits in (16, 32, 64)),
        *(("eccel_stream_mover", digits) for digits in (32, 64)),
    ],
)
def test_mover_is_constant_time(top: str, digit_bits: int, tmp_path: Path) -> None:
    assert check(replace(MOVER, top=top), tmp_path, (f"-GDigitBits={digit_bits}",)).leaks == []


@sampled(
    ("file", "old", "new"),
    [
        ("eccel_useq_core.sv", "is.loop && count != 0;", "is.loop && count != 0 && !mb_rdata_i[0];"),
        ("eccel_useq.sv", "leader.late = 1'b0;", "leader.late = step.is.setb && fu_sel_o;"),
        ("eccel_useq_core.sv", "rd: instr[F_RD_LSB+:6],", "rd: instr[F_RD_LSB+:6] ^ 6'(mb_rdata_i[0]),"),
    ],
    ids=["a loop that ends at the first one bit", "a longer setb after a one bit", "swap by address"],
    now=1,
)
def test_leaking_sequencer_is_refuted(file: str, old: str, new: str, tmp_path: Path) -> None:
    assert check(SEQUENCER, tmp_path, patch=(f"engine/{file}", old, new)).leaks


@sampled(
    "patch",
    [
        ("gfp/eccel_gfp_final_pass.sv", "assign last = ", "assign last = zero_q || "),
        ("gfp/eccel_gfp_cios.sv", ".clear_i    (clear)", ".clear_i    (clear && !zero_o)"),
    ],
    ids=["a shorter result after a zero", "no acceptance after a zero"],
    now=1,
)
def test_leaking_field_unit_is_refuted(patch: Patch, tmp_path: Path) -> None:
    assert check(FIELD_UNIT, tmp_path, patch=patch).leaks
