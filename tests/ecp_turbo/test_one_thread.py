"""The low-latency program (turbo_t1): every job of the engine, edge scalars, cycles of simulator and RTL."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from eccelerate.configs.config import ROOT, Config, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.model.solinas import FORMS
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.ucode.asm import assemble
from tests.ecp_turbo.lockstep import Group
from tests.sampled import sampled

CONFIG = find_config("turbo-p256-t1")
KARATSUBA = replace(CONFIG, parameters=(*CONFIG.parameters, ("Karatsuba", 1)))
TABLE = {Op.CURVE_LOAD, Op.BASE_MUL, Op.DOUBLE_MUL, Op.ECDSA_SIGN, Op.ECDSA_VERIFY, Op.SELF_TEST, Op.ZEROISE}
"""Jobs that read the base point's table, or wait for it."""
TARGET = 90_000
"""Cycles of k P on P-256."""


def _points(curve: Curve, count: int) -> list[tuple[int, int]]:
    rng = random.Random(curve.name)
    found = [point.base_mul(curve, rng.randrange(1, curve.n)) for _ in range(count)]
    return [p for p in found if p is not None]


def test_it_has_the_jobs_of_the_program_for_four_threads() -> None:
    one, four = (assemble(ROOT / "ucode" / f"{name}.toml") for name in ("turbo_t1", "turbo"))
    assert one.entries.keys() == four.entries.keys()


@sampled("name", FORMS, now=2)
def test_scalars_where_a_formula_could_fail(name: str) -> None:
    """Small multiples of 2 on both sides of n end in a doubling; 0 and n end in infinity."""
    group = Group(find_curve(name), threads=1)
    n = group.curve.n
    top = (1 << n.bit_length()) - 1
    few = range(34) if name == "P-256" else (0, 1, 2, 14, 30)
    scalars = [*few, *(n - i for i in few), n + 1, n // 2, top, group.rng.randrange(n)]
    p = _points(group.curve, 1)[0]
    cycles = set()
    for k in (k for k in scalars if k <= top):
        group.expect(Op.MUL, [(k, *p)])
        cycles.add(group.iss.cycles)
    assert len(cycles) == 1
    group.expect(Op.BASE_MUL, [(n - 2,)])


def _jobs(curve: Curve) -> list[tuple[Op, tuple[int, ...], int]]:
    """Valid and refused jobs. The key is loaded first."""
    (x, y), (u, v) = _points(curve, 2)
    n = curve.n
    return [
        (Op.KEY_LOAD, (n // 3,), 0),
        (Op.MUL, (n // 7, x, y), 0),
        (Op.MUL, (2, x, y), 0),
        (Op.MUL, (n, x, y), 0),
        (Op.MUL, (5, 0, 0), 0),
        (Op.MUL, (5, x, y ^ 1), 0),
        (Op.BASE_MUL, (n // 5,), 0),
        (Op.ECDH, (x, y, n // 11), 0),
        (Op.ECDH, (u, v), int(Flag.KEY)),
        (Op.ON_CURVE, (u, v), 0),
        (Op.ON_CURVE, (v, u), 0),
        (Op.POINT_ADD, (x, y, u, v), 0),
        (Op.POINT_ADD, (x, y, x, y), 0),
        (Op.MOD_MUL, (x, y), 0),
        (Op.MOD_INV, (u,), 0),
        (Op.DOUBLE_MUL, (3, n // 5, x, y), 0),
        (Op.ECDSA_SIGN, (n // 9, n // 3, n // 13), 0),
        (Op.ECDSA_VERIFY, (n // 9, n // 3, n // 13, x, y), 0),
        (Op.SELF_TEST, (), 0),
    ]


@pytest.mark.parametrize("name", ["P-256", "secp256k1"])
def test_jobs_against_the_model(name: str) -> None:
    group = Group(find_curve(name), threads=1)
    for op, operands, flags in _jobs(group.curve):
        group.expect(op, [operands], flags)


@pytest.mark.parametrize("config", [CONFIG, KARATSUBA], ids=["comba", "karatsuba"])
def test_simulator_and_rtl_take_the_same_cycles(config: Config) -> None:
    curve = find_curve("P-256")
    rtl, iss = RtlTransport(config), IssTransport.of(config)
    jobs = [(Op.CURVE_LOAD, curve_load_operands(curve), 0), *_jobs(curve), (Op.ZEROISE, (), 0)]
    for op, operands, flags in jobs:
        words = Request(int(op), 3, 1, flags, curve.element_words, tuple(operands)).words()
        seen, told = rtl.exchange(words), iss.exchange(words)
        assert seen.words == told.words
        # The simulator does not count the cycles of jobs that read the base point's table.
        assert told.cycles == (None if op in TABLE else seen.cycles), (op.name, operands)
        status = decode_response(seen.words, curve.element_words).status
        if config is CONFIG and op == Op.MUL and status == Status.OK:
            assert seen.cycles is not None
            assert seen.cycles <= TARGET
