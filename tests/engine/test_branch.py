"""eccel_branch and eccel_branch_lockstep: whether a br jumps, for every condition, in the promised cycle."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.verilated import Patch

PACKAGE = "engine/eccel_engine_pkg.sv"
PHASE, CONTROL, CURVE, UNIT, LEADER = (
    Struct(PACKAGE, f"{name}_t") for name in ("phase", "control", "curve_facts", "unit_facts", "leader")
)
FACTS = Struct(PACKAGE, "facts_t", curve=CURVE.width, unit=UNIT.width)
STEP = Struct(PACKAGE, "step_t", phase=PHASE.width, fetched=24, instr=24, **{"is": CONTROL.width})
Z, C, B, XZ = range(4)
CURVE_FACTS = {4: "key", 5: "montgomery", 6: "am3", 7: "loaded", 14: "permit"}
FLAGS = range(8, 12)
F4, FREE, PERMIT, COMB, FIELD = 12, 13, 14, 15, 15
SINGLE = [Z, C, B, XZ, *CURVE_FACTS, *FLAGS, F4, FREE, FIELD]
LOCKSTEP = [Z, C, B, XZ, *CURVE_FACTS, *FLAGS, COMB]
THREADS = 4
ROUNDS = 40


def instruction(rng: random.Random, condition: int, invert: int) -> int:
    """A br with random other fields."""
    return rng.getrandbits(24) & ~(0x1F << 14) | invert << 18 | condition << 14


def step(rng: random.Random, phase: str, fetched: int, instr: int, form: str, condition: int) -> int:
    """step_i: `fetched` is valid in decode, the rest from operands on; what is not valid is random."""
    later = phase in ("operands", "execute")
    return STEP.pack(
        phase=PHASE.pack(**{phase: 1} if phase else {}),
        hold=rng.getrandbits(1),
        fetched=fetched if phase == "decode" else rng.getrandbits(24),
        instr=instr if later else rng.getrandbits(24),
        on_unit=int(condition in (Z, C)) if later else rng.getrandbits(1),
        count=rng.getrandbits(10),
        **{"is": CONTROL.pack(**{form: 1}) if later else rng.getrandbits(CONTROL.width)},
    )


def settled(facts: int, condition: int, *, lockstep: bool) -> int:
    """The value of a condition that the curve, the job and the unit decide."""
    known = FACTS.unpack(facts)
    curve, unit = CURVE.unpack(known["curve"]), UNIT.unpack(known["unit"])
    if condition in CURVE_FACTS:
        return curve[CURVE_FACTS[condition]]
    if condition in FLAGS or condition == F4:
        return known["flags"] >> condition - FLAGS[0] & 1
    return curve["comb"] if lockstep else unit["free" if condition == FREE else "known"]


def single(patches: Sequence[Patch] = ()) -> None:
    """eccel_branch: every condition and its inverse, with random facts, and instructions that are no br."""
    module = Module("engine", "eccel_branch", (*PACKAGES, "engine/eccel_branch.sv"), patches=patches)
    rng = random.Random(1)
    for condition in SINGLE * ROUNDS:
        invert, form = rng.getrandbits(1), rng.choice(("br", "br", "br", "loop"))
        instr = instruction(rng, condition, invert)
        facts, b, x = rng.getrandbits(FACTS.width), rng.getrandbits(1), rng.choice((0, 1, 8, 15))
        for phase in ("decode", "operands", *["execute"] * rng.choice((1, 5))):
            flag = rng.getrandbits(1)
            module.clock(
                step_i=step(rng, phase, instr, instr, form, condition),
                facts_i=facts, b_i=b, x_i=x, flag_i=flag,
            )  # fmt: skip
            if phase == "execute":
                own = {Z: flag, C: flag, B: b, XZ: int(x == 0)}
                value = own[condition] if condition in own else settled(facts, condition, lockstep=False)
                assert module["jump_o"] == (form == "br" and value != invert)


def lockstep(patches: Sequence[Patch] = ()) -> None:
    """eccel_branch_lockstep: every condition and its inverse, with a random leader, for a br that waits."""
    sources = (*PACKAGES, "engine/eccel_branch_lockstep.sv")
    module = Module("engine", "eccel_branch_lockstep", sources, {"Threads": THREADS}, patches)
    rng = random.Random(2)
    for condition in LOCKSTEP * ROUNDS:
        invert, form, lead = (
            rng.getrandbits(1),
            rng.choice(("br", "br", "br", "loop")),
            rng.randrange(THREADS),
        )
        instr, facts = instruction(rng, condition, invert), rng.getrandbits(FACTS.width)
        before: tuple[int, int, int] | None = None  # flag, x and idle of the cycle before
        waits = rng.choice((0, 4))
        for cycle, phase in enumerate(("decode", "operands", *["execute"] * (3 + waits))):
            flags, xs = ([rng.getrandbits(bits) for _ in range(THREADS)] for bits in (1, 4))
            idle = rng.getrandbits(1)
            module.clock(
                step_i=step(rng, phase, instr, instr, form, condition),
                facts_i=facts, lead_i=lead, x_i=xs, flag_i=flags, idle_i=idle,
            )  # fmt: skip
            leader = LEADER.unpack(module["leader_o"])
            if before is not None:
                assert (leader["x"], leader["idle"]) == before[1:]
            if phase != "decode":
                assert leader["late"] == (form == "br" and cycle in (1, 2))
            if cycle >= 4:
                assert before is not None
                value = before[0] if condition <= XZ else settled(facts, condition, lockstep=True)
                assert leader["jump"] == (form == "br" and value != invert)
            before = flags[lead], xs[lead], idle


def test_a_br_jumps_by_its_condition_two_cycles_after_decode_and_follows_the_flag() -> None:
    single()


def test_in_lock_step_a_br_jumps_by_the_flags_of_the_leader_four_cycles_after_decode() -> None:
    lockstep()


@pytest.mark.parametrize(
    ("claim", "file", "old", "new"),
    [
        (single, "eccel_branch.sv", "jump_o = jump_q[flag_i]", "jump_o = jump_q[0]"),
        (single, "eccel_branch.sv", "fact_q <= facts_i.curve.am3", "fact_q <= facts_i.curve.montgomery"),
        (lockstep, "eccel_branch_lockstep.sv", "flag_i[lead_i]", "flag_i[0]"),
    ],
    ids=["a flag is not looked at", "one fact stands for another", "thread 0 always leads"],
)
def test_a_mutant_jumps_otherwise(
    claim: Callable[[Sequence[Patch]], None], file: str, old: str, new: str
) -> None:
    with pytest.raises(AssertionError):
        claim([(file, old, new)])
