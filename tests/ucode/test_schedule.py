"""The scheduler: every order that it chooses computes the same, and none is slower than the written one."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from eccelerate.configs.config import ROOT
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.timing.turbo_cycles import TurboTiming
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.orders import orders_file, search_orders, text
from eccelerate.ucode.schedule import Found, Scheduler, make_scheduler
from eccelerate.ucode.source import AsmError
from tests.ucode.helpers import assemble_text, packet

FORM = FORMS["P-256"]
NAMES = [f"g{i}" for i in range(8)] + [f"t{i}" for i in range(6)]
OPERATIONS = (
    *("mul", "mul", "mul", "add", "sub", "iadd", "isub", "csel", "cadd", "addsub", "mov", "canon", "mulx"),
    *("movx", "table", "caddc", "mulw", "setb", "ldw"),
)
HEADER = "\n".join(
    [
        *(f".global_reg g{i} = {20 + i}" for i in range(8)),
        ".global_block pt, 16, align 16 = 48",
        ".slot SCALAR = 8",
        ".public SCALAR",
        ".entry ON_CURVE job",
        ".routine job",
        f".reg {', '.join(f't{i}' for i in range(6))}",
        ".block pair, 2, align 2",
    ]
)


def _scheduler(evaluations: int = 0, threads: int = 1) -> Scheduler:
    return Scheduler(TurboTiming(Solinas(FORM), threads), evaluations=evaluations)


def _random_program(rng: random.Random, length: int) -> str:
    """A block in which registers and flags are written and read in all ways."""
    lines = [HEADER, "    setc c0, 6"]
    lines += [f"    mov t{i}, g{i}" for i in range(6)]
    lines += ["    mov pair, g0", "    mov pair+1, g1", "    setb 0", "    iadd t0, g0, g1"]
    for _ in range(length):
        a, b, d = (rng.choice(NAMES) for _ in range(3))
        name = rng.choice(OPERATIONS)
        match name:
            case "mulx":
                lines.append(f"    mulx {d}, {a}, pt")
            case "movx":
                lines.append(f"    movx {d}, pt")
            case "table":
                lines.append(f"    add pt+{rng.randrange(16)}, {a}, {b}")
            case "mov" | "canon":
                lines.append(f"    {name} {d}, {a}")
            case "caddc":  # it needs the result that set C
                lines += [f"    isub {d}, {a}, {b}", f"    caddc {d}, {d}, {a}"]
            case "mulw":
                lines += [f"    mulw pair, {a}, {b}", f"    add {d}, pair+1, pair"]
            case "setb":
                lines.append(f"    setb {rng.choice(('0', '1', 'X==1', 'X==3', 'P', '!B'))}")
            case "ldw":
                lines += ["    ldw SCALAR, c0", f"    setc c0, {rng.randrange(99)}"]
            case _:
                lines.append(f"    {name} {d}, {a}, {b}")
    lines += ["    isub t0, t0, t1", "    csel g0, g0, t0", "    add g1, g1, t2", "    add g2, g2, t3"]
    lines += [
        "    st 0, g0",
        "    setb Z",
        "    csel g3, t4, t5",
        "    st 1, g3",
        "    .declassify g0 ; test",
    ]
    return "\n".join([*lines, "    done OK, 2", ""])


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("seed", range(12))
def test_any_order_computes_the_same(tmp_path: Path, seed: int, threads: int) -> None:
    source = _random_program(random.Random(seed), 60)
    written = assemble_text(tmp_path, source, unit="turbo")
    ordered = assemble_text(tmp_path, source, unit="turbo", scheduler=_scheduler(100, threads))
    assert [i.loc.line for i in written.instrs.values()] != [i.loc.line for i in ordered.instrs.values()]
    results = []
    for program in (written, ordered):
        rng = random.Random(seed)
        iss = TurboSimulator(program.words, FORM.p, threads)
        machine, data = iss.states[0], iss.data[0]
        machine.slots[8] = rng.getrandbits(256)
        data.registers[20:28] = [rng.randrange(FORM.p) for _ in range(8)]
        data.registers[48:64] = [rng.randrange(FORM.p) for _ in range(16)]
        for other, registers in zip(iss.states, iss.data, strict=True):
            other.loaded, other.curve_id, other.curve_width = 1, 1, 8
            other.slots[8] = machine.slots[8]
            registers.registers[:] = data.registers
        answer = iss.submit(packet("MUL", width=8))
        flags = machine.f[:2] + machine.f[3:]
        results.append((answer, data.registers[20:28], data.registers[48:64], flags, iss.cycles))
    assert results[0][:-1] == results[1][:-1]
    # The code before the block and the final registers may cost a few clocks that the search does not see.
    assert results[1][-1] <= 1.1 * results[0][-1]


def test_a_routine_with_too_few_registers_keeps_its_order(tmp_path: Path) -> None:
    """Eight chains could run in parallel, but there are registers only for one."""
    body = "\n".join(f"    mul t, g{i}, g{i}\n    mul t, t, t\n    mul g{i}, t, t" for i in range(8))
    registers = "\n".join(f".global_reg g{i} = {i}" for i in range(8))
    source = f"{registers}\n.entry ON_CURVE job\n.routine job\n.reg t\n{body}\n    done OK, 0\n"
    wide = assemble_text(tmp_path, source, unit="turbo", scheduler=_scheduler())
    tight = assemble_text(tmp_path, source, unit="turbo", limit=9, scheduler=_scheduler())
    assert len(set(wide.allocation["job"].values())) > 1
    assert [i.fields["rd"] for _, i in sorted(tight.instrs.items()) if i.form.is_field][:6] == [
        8,
        8,
        0,
        8,
        8,
        1,
    ]


@pytest.mark.parametrize(
    ("name", "clocks"),
    [
        ("turbo", 2_880),
        ("turbo_p224", 2_570),
        ("turbo_t1", 1_120),
        ("turbo_p224_t1", 960),
        ("turbo_generic", 8_850),
    ],
)
def test_the_stored_orders_are_those_of_the_program(name: str, clocks: int) -> None:
    manifest = ROOT / "ucode" / f"{name}.toml"
    stored = tomllib.loads((ROOT / "ucode" / f"{name}.orders.toml").read_text())
    scheduler = make_scheduler(manifest)
    assert scheduler is not None
    assemble(manifest, scheduler=scheduler)
    window = [found for found in scheduler.found.values() if found.place.startswith("scalar_mul")]
    assert any(stored.get(digest, {}).get("clocks") == f.clocks for digest, f in scheduler.found.items())
    assert max(window, key=lambda f: len(f.order)).clocks < clocks


def test_a_stored_order_is_used_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    products = "\n".join(f"    mul g{i}, g{i}, t0" for i in range(8))
    (tmp_path / "f.s").write_text(f"{HEADER}\n    mov t0, g1\n{products}\n    done OK, 0\n")
    manifest, orders = tmp_path / "m.toml", tmp_path / "o.toml"
    schedule = 'schedule = { prime = "P-256", orders = "o.toml" }'
    manifest.write_text(f'name = "m"\nunit = "turbo"\nfiles = ["f.s"]\n{schedule}\n')

    def lines() -> list[int]:
        found = sorted(assemble(manifest).instrs.items())
        return [instr.loc.line for _, instr in found if instr.form.is_field]

    short = lines()
    first = min(short)
    assert orders_file(manifest) == orders
    orders.write_text(text(search_orders(manifest, 10), manifest))
    ((digest, found),) = tomllib.loads(orders.read_text()).items()
    assert lines() == [first + i for i in found["order"]]
    other = (0, *range(8, 0, -1))
    orders.write_text(text({digest: Found("here", 1, other, True)}, manifest))
    assert lines() == [first + i for i in other]
    orders.write_text(text({digest: Found("here", 1, other[::-1], True)}, manifest))
    assert lines() == short


def test_a_manifest_names_a_prime(tmp_path: Path) -> None:
    manifest = tmp_path / "m.toml"
    manifest.write_text('name = "m"\nunit = "turbo"\nfiles = []\nschedule = { prime = "P-999" }\n')
    with pytest.raises(AsmError, match="prime: P-192"):
        assemble(manifest)
