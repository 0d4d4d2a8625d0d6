"""Blinding, the second computation (CHECK) and what the programs do when they find a fault, on the simulator
and on the RTL.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Response, decode_response
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model import ecdsa, point
from eccelerate.model.comb import Comb
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.program import Program
from tests.ecp_turbo.lockstep import Group, program_for
from tests.sampled import sampled

MEASURES = [0, Flag.BLIND, Flag.CHECK, Flag.BLIND | Flag.CHECK]
KEY, KEY_MASK, KEY_CHECK = 12, 9, 15
"""Slots of the key, ucode/turbo/registers.s."""


def submit(group: Group, op: Op, jobs: Sequence[Sequence[int]], flags: int = 0) -> list[Response]:
    packets = [group.packet(op, operands, tag, int(flags)) for tag, operands in enumerate(jobs)]
    return [decode_response(words, group.curve.element_words) for words in group.iss.submit_group(packets)]


def scalars(group: Group) -> list[int]:
    """As many as there are threads, with exceptional ones first."""
    n = group.curve.n
    return [0, n - 1, 1, group.rng.randrange(n), group.rng.randrange(n)][-group.threads :]


def check_measures(group: Group, flags: int) -> None:
    """All jobs with secrets, with these flags, also with the key of the slot."""
    curve, rng = group.curve, group.rng
    some, points = scalars(group), [group.point() for _ in range(group.threads)]
    top = (1 << curve.n.bit_length()) - 1
    group.expect(Op.MUL, [(k, *p) for k, p in zip(some, points, strict=True)], flags)
    group.expect(Op.MUL, [(top, *points[0])], flags)
    assert group.expect(Op.MUL, [(5, 0, 0)], flags) == [Status.INFINITY]
    group.expect(Op.BASE_MUL, [(k,) for k in some], flags)
    group.expect(Op.ECDH, [(*p, k) for k, p in zip(some, points, strict=True)], flags)
    assert group.expect(Op.ECDH, [(0, 0, 5)], flags) == [Status.NOT_ON_CURVE]
    hashes = [rng.randrange(curve.n) for _ in some]
    group.expect(Op.ECDSA_SIGN, [(e, k, 7) for e, k in zip(hashes, some, strict=True)], flags)
    group.expect(Op.ECDSA_SIGN, [(e, 7, k) for e, k in zip(hashes, some, strict=True)], flags)
    assert group.expect(Op.KEYGEN, [(rng.randrange(1, curve.n),)], flags) == [Status.OK]
    group.expect(Op.ECDH, points, flags | Flag.KEY)
    for loaded in (0, Flag.BLIND):
        key = rng.randrange(1, curve.n)
        group.expect(Op.KEY_LOAD, [(key,)], loaded | Flag.HOST_NONCE)
        assert {state.slots[KEY_MASK] == 0 for state in group.iss.states} == {not loaded}
        for _ in range(2):
            signatures = submit(group, Op.ECDSA_SIGN, [(e,) for e in hashes], flags | Flag.KEY | Flag.RANDOM)
            verify(curve, key, hashes, signatures)
            group.expect(Op.ECDH, points, flags | Flag.KEY)
        group.expect(Op.ECDSA_SIGN, [(e, 7) for e in hashes], flags | Flag.KEY)
        group.expect(Op.ECDSA_SIGN, [(hashes[0], 8)], flags | Flag.KEY)  # an incomplete group


def verify(curve: Curve, key: int, hashes: Sequence[int], signatures: Sequence[Response]) -> None:
    public = point.base_mul(curve, key)
    assert public is not None
    for e, signature in zip(hashes, signatures, strict=True):
        assert signature.status == Status.OK
        assert ecdsa.verify(curve, e, *signature.results, public)


@pytest.mark.parametrize("flags", MEASURES)
@sampled("threads", [4, 1], now=1)
def test_results_are_the_same_with_every_measure(threads: int, flags: int) -> None:
    check_measures(Group(find_curve("P-256"), threads), flags)


@sampled("name", ["P-224", "P-384", "P-521", "secp256k1"], now=2)
def test_results_on_other_curves_with_all_measures(name: str) -> None:
    check_measures(Group(find_curve(name)), Flag.BLIND | Flag.CHECK)


def test_without_the_base_points_table() -> None:
    group = Group(find_curve("P-256"), table=False)
    group.expect(Op.BASE_MUL, [(k,) for k in scalars(group)], Flag.BLIND | Flag.CHECK)


def test_the_time_is_the_same_for_all_scalars_and_keys() -> None:
    group = Group(find_curve("P-256"), 1, table=False)
    for flags in MEASURES:
        cycles = set()
        for k in (1, 2, group.curve.n - 1, group.rng.randrange(1, group.curve.n)):
            group.expect(Op.KEY_LOAD, [(k,)], flags & Flag.BLIND)
            submit(group, Op.ECDSA_SIGN, [(k,)], flags | Flag.KEY | Flag.RANDOM)
            cycles.add(group.iss.cycles)
        assert len(cycles) == 1 and None not in cycles


def test_a_use_of_the_key_with_blind_draws_new_shares() -> None:
    """The shares change, and their sum does not."""
    group = Group(find_curve("P-256"))
    key, n = group.rng.randrange(1, group.curve.n), group.curve.n
    group.expect(Op.KEY_LOAD, [(key,)], Flag.BLIND)
    seen = set()
    for _ in range(3):
        submit(group, Op.ECDSA_SIGN, [(5,)] * 4, Flag.KEY | Flag.RANDOM | Flag.BLIND)
        for state in group.iss.states:
            slots = state.slots
            assert (slots[KEY] + slots[KEY_MASK]) % n == key
            assert slots[KEY_CHECK] == (slots[KEY] + (slots[KEY_MASK] << 256)) % n
            seen.add(slots[KEY])
    assert len(seen) == 12


@dataclass(frozen=True)
class Mutant:
    """A change of the program that makes it compute wrongly, and a job that notices."""

    name: str
    file: str
    old: str
    new: str
    op: Op
    flags: int = 0


POINT_OFF = ("to_affine.s", "    mul  jy, jy, sy\n", "    mul  jy, jy, sx\n")
MUTANTS = [
    Mutant("point off the curve", *POINT_OFF, Op.MUL),
    Mutant("base point off the curve", *POINT_OFF, Op.BASE_MUL),
    Mutant("shared secret off the curve", *POINT_OFF, Op.ECDH),
    Mutant("public key off the curve", *POINT_OFF, Op.KEYGEN),
    Mutant("nonce's point off the curve", *POINT_OFF, Op.ECDSA_SIGN),
    Mutant("other recoding", "recode.s", "    st   SCALAR, sx\n", "    st   SCALAR, t\n", Op.BASE_MUL),
    Mutant(
        "other s",
        "ecdsa_sign.s",
        "    mov  jy, k\n",
        "    iadd jy, k, one\n",
        Op.ECDSA_SIGN,
    ),
    Mutant("other r", "ecdsa_sign.s", "    mov  jx, k\n", "    iadd jx, k, one\n", Op.ECDSA_SIGN, Flag.CHECK),
    Mutant(
        "x of r",
        "ecdsa_sign.s",
        "    mov  k, base\n    call residue",
        "    iadd k, base, one\n    call residue",
        Op.ECDSA_SIGN,
        Flag.CHECK,
    ),
    Mutant(
        "other factor of s",
        "ecdsa_sign.s",
        "    mov  sx, rz\n    call mont\n    call times_one",
        "    mov  sx, jx\n    call mont\n    call times_one",
        Op.ECDSA_SIGN,
    ),
    Mutant(
        "another nonce in s",
        "ecdsa_sign.s",
        "    call masked_nonce\n    call invert",
        "    iadd base, base, one\n    call invert",
        Op.ECDSA_SIGN,
    ),
    Mutant(
        "other shares",
        "shares.s",
        "    st   K2, py\n    ld   py, PY",
        "    st   K2, k\n    ld   py, PY",
        Op.MUL,
        MEASURES[3],
    ),
    Mutant("other second x", "multiple.s", "    mul  t, sx, h\n", "    mul  t, sx, jz\n", Op.MUL, Flag.CHECK),
    Mutant(
        "other second x",
        "multiple.s",
        "    mul  t, sx, h\n",
        "    mul  t, sx, jz\n",
        Op.ECDSA_SIGN,
        Flag.CHECK,
    ),
    Mutant("other second y", "multiple.s", "    mul  t, sy, h\n", "    mul  t, sx, h\n", Op.ECDH, Flag.CHECK),
    Mutant(
        "other result", "points.s", "    st   1, jy\n    call", "    st   1, jx\n    call", Op.MUL, Flag.CHECK
    ),
    Mutant(
        "other signature",
        "ecdsa_sign.s",
        "    st   1, jy\n    call",
        "    st   1, jx\n    call",
        Op.ECDSA_SIGN,
        Flag.CHECK,
    ),
    Mutant(
        "other scalar",
        "shares.s",
        "    st   K1, k\n    ret\n.two:\n",
        "    st   K1, one\n    ret\n.two:\n",
        Op.BASE_MUL,
        Flag.CHECK,
    ),
]


def mutated(folder: Path, mutant: Mutant, program: str) -> Program:
    copy = folder / "ucode"
    shutil.copytree(ROOT / "ucode", copy)
    path = copy / "turbo" / mutant.file
    text = path.read_text()
    assert mutant.old in text
    path.write_text(text.replace(mutant.old, mutant.new))
    return assemble(copy / f"{program}.toml", check=False)


def operands(group: Group, op: Op) -> tuple[int, ...]:
    k, p = group.rng.randrange(1, group.curve.n), group.point()
    return {Op.MUL: (k, *p), Op.ECDH: (*p, k), Op.ECDSA_SIGN: (k, k, k)}.get(op, (k,))


def expect_fault(group: Group, op: Op, jobs: Sequence[Sequence[int]], flags: int = 0) -> None:
    """FAULT with no results; afterwards key and curve are lost."""
    answers = submit(group, op, jobs, flags)
    assert {(answer.status, answer.results) for answer in answers} == {(Status.FAULT, ())}
    for state in group.iss.states:
        assert not any([*state.slots[8:10], state.slots[KEY], state.slots[KEY_CHECK]])
        assert not state.key_valid and not state.loaded
    assert submit(group, Op.BASE_MUL, [(5,)])[0].status == Status.BAD_CURVE


@sampled("threads", [4, 1], now=1)
@sampled("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name} {mutant.op.name}", now=9)
def test_a_wrong_computation_ends_with_fault(mutant: Mutant, threads: int, tmp_path: Path) -> None:
    curve = find_curve("P-256")
    group = Group(curve, threads)
    words = mutated(tmp_path, mutant, program_for(curve, threads)).words
    comb = Comb(curve)
    group.iss = TurboSimulator(words, curve.p, threads, entropy=group._entropy, comb=comb)
    group.load(curve)
    expect_fault(group, mutant.op, [operands(group, mutant.op)], mutant.flags)


NEW_SHARES = {
    "share": "    st   KEY, px\n    st   K1, px\n    call times",
    "share of the scalar": "    st   K1, px\n    call times",
    "mask": "    st   KEY_MASK, py\n    st   K2, py\n    st   KEY_CHECK, base",
    "mask of the scalar": "    st   K2, py\n    st   KEY_CHECK, base",
    "check word": "    st   KEY_CHECK, base        ; + x - R x\n",
    "sum": "    add_n_select px, px, k\n",
    "difference": "    sub_n_select py, py, k\n",
}
"""What is left out where a key gets new shares: the first line of each."""


def expect_no_signature(mutant: Mutant, folder: Path) -> None:
    """With a key of the slot, drawn nonces and BLIND."""
    curve = find_curve("P-256")
    group = Group(curve, 1)
    words = mutated(folder, mutant, program_for(curve, 1)).words
    group.iss = TurboSimulator(words, curve.p, 1, entropy=group._entropy, comb=Comb(curve))
    group.load(curve)
    assert group.expect(Op.KEY_LOAD, [(group.rng.randrange(1, curve.n),)], Flag.BLIND) == [Status.OK]
    expect_fault(group, Op.ECDSA_SIGN, [(5,)], Flag.KEY | Flag.RANDOM | Flag.BLIND)


@pytest.mark.parametrize("name", NEW_SHARES)
def test_a_key_with_wrong_new_shares_signs_nothing(name: str, tmp_path: Path) -> None:
    _, rest = NEW_SHARES[name].split("\n", 1)
    expect_no_signature(Mutant(name, "shares.s", NEW_SHARES[name], rest, Op.ECDSA_SIGN), tmp_path)


def test_a_hash_that_changes_during_a_signature_is_noticed(tmp_path: Path) -> None:
    combine = "    ld   k, 0\ncombine_with"
    other = combine.replace("ld   k, 0", "mov  k, one")
    expect_no_signature(Mutant("hash", "ecdsa_sign.s", combine, other, Op.ECDSA_SIGN), tmp_path)


@sampled("register", [*range(14), 14], now=5)
def test_a_changed_constant_gives_no_result(register: int) -> None:
    """FAULT, unless a check of an operand notices it first."""
    group = Group(find_curve("P-256"))
    for data in group.iss.data:
        data.registers[register] ^= 1 << 77
    answers = submit(group, Op.ECDSA_SIGN, [operands(group, Op.ECDSA_SIGN)])
    assert answers[0].results == ()
    assert answers[0].status in (Status.FAULT, Status.SCALAR_RANGE, Status.RETRY)


@pytest.mark.parametrize("slot", [KEY, KEY_MASK, KEY_CHECK])
@pytest.mark.parametrize("op", [Op.ECDH, Op.ECDSA_SIGN])
def test_a_changed_key_ends_with_fault(op: Op, slot: int) -> None:
    group = Group(find_curve("P-256"))
    group.expect(Op.KEY_LOAD, [(group.rng.randrange(1, group.curve.n),)], Flag.BLIND)
    group.iss.states[1].slots[slot] ^= 1 << 77
    jobs = [group.point() if op == Op.ECDH else (5,) for _ in range(4)]
    expect_fault(group, op, jobs, Flag.KEY | (Flag.RANDOM if op == Op.ECDSA_SIGN else 0))


def test_a_thread_without_a_job_does_not_matter() -> None:
    """Its key may be wrong: nobody uses it."""
    group = Group(find_curve("P-256"))
    group.expect(Op.KEY_LOAD, [(9,)])
    group.iss.states[3].slots[KEY] ^= 1
    group.expect(Op.ECDH, [group.point() for _ in range(3)], Flag.KEY)


def test_a_fault_of_one_thread_ends_all_jobs_of_the_group() -> None:
    """A job that has failed before keeps its own status."""
    group = Group(find_curve("P-256"))
    group.iss.data[2].registers[12] ^= 1
    p = group.point()
    answers = submit(group, Op.MUL, [(3, *p), (3, p[0], p[1] ^ 1), (3, *p), (3, *p)])
    fault = Status.FAULT
    assert [answer.status for answer in answers] == [fault, Status.NOT_ON_CURVE, fault, fault]
    assert not any(answer.results for answer in answers)


@pytest.mark.parametrize("name", ["turbo-p256-t1", "turbo-p256"])
def test_the_rtl_ends_with_fault_as_the_simulator(name: str, tmp_path: Path) -> None:
    """With a single job also where a group has room for four."""
    config, curve = find_config(name), find_curve("P-256")
    assert config.single is not None
    program = mutated(tmp_path, MUTANTS[0], config.single.program)
    image = tmp_path / "program.hex"
    program.write_hex(image, config.single.ucode_depth)
    group = Group(curve, config.single.threads)
    with RtlTransport(config, program=image) as rtl:
        threads, comb = config.single.threads, Comb(curve)
        iss = TurboSimulator(program.words, curve.p, threads, entropy=group._entropy, comb=comb)
        engines = Engine(rtl), Engine(IssTransport(iss))
        for engine in engines:
            engine.load_curve(curve)
            engine.submit(Op.KEY_LOAD, (5,)).check()
        job = operands(group, Op.MUL)
        answers = [engine.submit(Op.MUL, job) for engine in engines]
        assert [answer.status for answer in answers] == [Status.FAULT] * 2
        for engine in engines:
            assert engine.submit(Op.BASE_MUL, (5,)).status == Status.BAD_CURVE
            engine.load_curve(curve)
            assert engine.submit(Op.ECDH, group.point(), Flag.KEY).status == Status.NO_KEY
