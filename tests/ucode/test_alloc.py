"""Register allocation: liveness, calls, blocks, limits. Random programs keep their meaning."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from eccelerate.ucode.program import Program
from eccelerate.ucode.source import AsmError
from tests.ucode.helpers import assemble_text, packet, ready


def registers(program: Program, unit: str) -> dict[str, int]:
    return program.allocation[unit]


def test_dead_temporaries_share_a_register(tmp_path: Path):
    text = ".routine f\n.reg a, b, c\n mov a, r1\n mov b, a\n mov c, b\n mov r2, c\n ret\n"
    assert len(set(registers(assemble_text(tmp_path, text), "f").values())) == 1


def test_live_temporaries_do_not_share(tmp_path: Path):
    text = ".routine f\n.reg a, b, c\n mov a, r1\n mov b, r1\n iadd c, a, b\n iadd r2, c, a\n ret\n"
    regs = registers(assemble_text(tmp_path, text), "f")
    assert regs["a"] not in (regs["b"], regs["c"])


def test_value_used_in_a_loop_lives_over_the_back_edge(tmp_path: Path):
    text = ".routine f\n.reg kept, t\n mov kept, r1\n"
    text += ".l: iadd r2, r2, kept\n mov t, r3\n mov r3, t\n loop c0, .l\n ret\n"
    regs = registers(assemble_text(tmp_path, text), "f")
    assert regs["kept"] != regs["t"]


def test_value_live_across_a_call_avoids_everything_below(tmp_path: Path):
    text = (
        ".routine f\n.reg a, b\n mov a, r1\n call g\n mov b, a\n mov r2, b\n ret\n"
        ".routine g\n.reg x\n mov x, r1\n call h\n mov r3, x\n ret\n"
        ".routine h\n.reg y\n mov y, r1\n mov r3, y\n jmp k\n"
        ".routine k\n.reg z, w\n mov z, r3\n mov w, r3\n iadd r3, z, w\n ret\n"
    )
    program = assemble_text(tmp_path, text)
    below = program.clobbers["g"]
    used = {
        registers(program, "g")["x"],
        *registers(program, "h").values(),
        *registers(program, "k").values(),
    }
    assert below == used
    assert registers(program, "f")["a"] not in below
    assert registers(program, "g")["x"] not in program.clobbers["h"]


def test_block_is_aligned_and_its_members_stay_apart(tmp_path: Path):
    fill = "".join(f" mov tab+{i}, r1\n" for i in range(16))
    text = f".routine f\n.reg t\n.block tab, 16, align 16\n mov t, r1\n{fill}"
    text += " mulx r2, t, tab\n mov r2, t\n ret\n"
    regs = registers(assemble_text(tmp_path, text), "f")
    base = regs["tab+0"]
    assert base % 16 == 0 and [regs[f"tab+{i}"] for i in range(16)] == list(range(base, base + 16))
    assert regs["t"] not in range(base, base + 16)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".routine f\n.reg a\n mov r1, a\n ret\n", "a may be read before it is written"),
        (".routine f\n.reg a\n br Z, .s\n mov a, r1\n.s: mov r1, a\n ret\n", "a may be read before"),
        (
            ".routine f\n.reg a\n mov a, r1\n jmp g\n.routine g\n ret\n.routine h\n jmp f2\n",
            "label f2 does not",
        ),
        (".routine f\n call f\n ret\n", "a call inside routine f"),
        (".routine f\n call g\n ret\n.routine g\n call f\n ret\n", "in a circle: f -> g -> f"),
        (
            ".routine f\n.reg a\n mov a, r1\nmid: mov r2, a\n ret\n.routine g\n jmp mid\n",
            "a may be read before it is written in routine f",
        ),
    ],
)
def test_unsound_programs_are_refused(tmp_path: Path, text: str, message: str):
    with pytest.raises(AsmError, match=message):
        assemble_text(tmp_path, text)


def test_register_limit(tmp_path: Path):
    text = ".global_reg g = 0\n.routine f\n.reg a, b, c\n"
    text += " mov a, g\n mov b, g\n iadd c, a, b\n iadd g, c, a\n ret\n"
    assert assemble_text(tmp_path, text, limit=3).max_register == 2
    with pytest.raises(AsmError, match="no register for"):
        assemble_text(tmp_path, text, limit=2)


def random_program(rng: random.Random) -> tuple[str, list[str]]:
    """A source with a marker where temporaries are declared, and their names. It has only integer operations,
    so that the result depends only on the registers of the temporaries.
    """
    globals_ = [f"g{i}" for i in range(4)]
    names: list[str] = []
    text = "".join(f".global_reg {g} = {i}\n" for i, g in enumerate(globals_)) + ".entry MUL r0_\n"
    for routine in range(3):
        temps = [f"t{routine}_{i}" for i in range(6)]
        names += temps
        known = list(globals_)
        text += f".routine r{routine}_\n"

        def op(known: list[str] = known, temps: list[str] = temps) -> str:
            a, b = rng.choice(known), rng.choice(known)
            rd = rng.choice(temps + globals_[:2])
            if rd not in known:
                known.append(rd)
            return f"    {rng.choice(['iadd', 'isub', 'cadd', 'csel'])} {rd}, {a}, {b}\n"

        for block in range(4):
            text += "".join(op() for _ in range(rng.randrange(1, 6)))
            kind = rng.randrange(4)
            if kind == 0:
                inner = list(known)
                text += f"    setc c{routine}, {rng.randrange(3)}\n.l{block}:\n"
                text += (
                    "".join(op(inner) for _ in range(rng.randrange(1, 5)))
                    + f"    loop c{routine}, .l{block}\n"
                )
                known[:] = inner
            elif kind == 1:
                inner = list(known)
                text += f"    br {rng.choice(['B', 'Z', '!C'])}, .s{block}\n"
                text += "".join(op(inner) for _ in range(rng.randrange(1, 4))) + f".s{block}:\n"
            elif kind == 2 and routine < 2:
                text += f"    call r{rng.randrange(routine + 1, 3)}_\n"
            else:
                text += "    setb Z\n" if rng.random() < 0.5 else "    setb !C\n"
        for temp in sorted(set(known) - set(globals_)):
            text += f"    iadd g{rng.randrange(2)}, g{rng.randrange(4)}, {temp}\n"
        text += "    done OK, 0\n" if routine == 0 else "    ret\n"
    return text, names


@pytest.mark.parametrize("seed", range(60))
def test_random_program_means_the_same_with_every_temporary_apart(tmp_path: Path, seed: int):
    """Compares the allocation with one fixed register for each temporary."""
    rng = random.Random(seed)
    text, names = random_program(rng)
    auto = f".reg {', '.join(names)}\n"
    apart = "".join(f".reg {name} = {20 + i}\n" for i, name in enumerate(names))
    outcomes = []
    for declare in (auto, apart):
        program = assemble_text(tmp_path, declare + text)
        iss = ready(program, 32)
        for i in range(4):
            iss.write_register(i, 0x123456789ABCDEF << (37 * i) | i)
        iss.submit(packet("MUL"))
        outcomes.append([iss.read_register(i) for i in range(4)])
    assert outcomes[0] == outcomes[1]


def test_clobbered_globals_that_are_not_named_serve_temporaries(tmp_path: Path):
    text = (
        ".global_reg g = 0\n.global_reg h = 1\n.routine f\n.in r2\n.clobber g h\n.reg a, b\n"
        " mov a, r2\n call k\n mov b, a\n mov h, b\n ret\n"
        ".routine k\n mov g, r2\n ret\n"
    )
    program = assemble_text(tmp_path, text.replace(".in r2\n", ""))
    regs = registers(program, "f")
    # g is clobbered, but may hold no value that is live across the call. h is named.
    assert regs["b"] == 0
    assert regs["a"] > 2


def test_both_registers_of_a_pair_are_overwritten(tmp_path: Path):
    """Neither register may hold a value that is needed after the instruction, even if one of the pair is
    never read.
    """
    text = (
        ".routine f\n.reg a, b, c\n.block w, 2, align 2\n mov a, r1\n mov b, r2\n mov c, r3\n"
        " mulw w, b, c\n iadd r4, w, a\n ret\n"
    )
    program = assemble_text(tmp_path, text, unit="turbo", limit=9)
    regs = registers(program, "f")
    assert regs["w+0"] % 2 == 0 and regs["w+1"] == regs["w+0"] + 1
    assert regs["a"] not in (regs["w+0"], regs["w+1"])
    assert {regs["w+0"], regs["w+1"]} <= program.clobbers["f"]
    with pytest.raises(AsmError, match="no register for"):
        assemble_text(tmp_path, text, unit="turbo", limit=7)
