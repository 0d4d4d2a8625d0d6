"""The turbo microcode on the lock-step simulator: edge scalars, bad input, different work in every thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.curves import find_curve
from eccelerate.driver.packet import Request, decode_response
from eccelerate.machine.thread_state import ProgramError
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.model.solinas import FORMS
from eccelerate.ucode.source import AsmError
from tests.ecp_turbo.lockstep import CURVE_ID, Group, program
from tests.sampled import sampled
from tests.ucode.helpers import assemble_text

NAMES = list(FORMS)
CONSTANTS = 15  # registers of the curve's constants and of their sum; the registers above are of jobs
CURVE_SLOTS = (10, 11, 13, 14)  # p - 2 and n - 2 as steps, which are constants of the curve


def _point(group: Group) -> tuple[int, int]:
    p = point.base_mul(group.curve, group.rng.randrange(1, group.curve.n))
    assert p is not None
    return p


@sampled("name", NAMES, now=3)
def test_scalars_where_a_formula_could_fail(name: str) -> None:
    """Small multiples of 2 on both sides of n end in a doubling; 0 and n end in infinity."""
    group = Group(find_curve(name))
    n = group.curve.n
    top = (1 << n.bit_length()) - 1
    scalars = [*range(34), *(n - i for i in range(34)), n + 1, n // 2, n // 2 + 1, top, top - 1]
    scalars = [k for k in scalars if k <= top]
    scalars += [group.rng.randrange(n) for _ in range(-len(scalars) % 4 + 8)]
    for i in range(0, len(scalars), 4):
        group.expect(Op.MUL, [(k, *_point(group)) for k in scalars[i : i + 4]])
        group.expect(Op.BASE_MUL, [(k,) for k in scalars[i : i + 4]])


@pytest.mark.parametrize("name", NAMES)
def test_errors_of_one_thread_are_its_own(name: str) -> None:
    group = Group(find_curve(name))
    curve, p = group.curve, _point(group)
    jobs = [
        (5, p[0], p[1] ^ 1),
        (1 << curve.n.bit_length(), *p),
        (7, 0, 0),
        (9, *p),
        (11, curve.p, p[1]),
        (0, *p),
        (13, p[0], curve.p),
        (curve.n, 0, 0),
    ]
    jobs = [job for job in jobs if max(job) < 1 << 32 * curve.element_words]
    for i in range(0, len(jobs), 4):
        group.expect(Op.MUL, jobs[i : i + 4])
    group.expect(Op.ON_CURVE, [p, (p[0], p[1] ^ 1), (0, 0), (curve.p - 1, 1)])


def test_shared_secrets_and_the_key_slot() -> None:
    group = Group(find_curve("P-384"))
    n, p = group.curve.n, _point(group)
    assert group.expect(Op.ECDH, [p], Flag.KEY) == [Status.NO_KEY]
    keys = [1, n - 1, group.rng.randrange(n), 0, n, (1 << 384) - 1, 2, 5]
    for i in range(0, len(keys), 4):
        group.expect(Op.ECDH, [(*p, d) for d in keys[i : i + 4]])
    for key in (0, group.rng.randrange(1, n), n, n - 2):
        group.expect(Op.KEY_LOAD, [(key,)])
        group.expect(Op.ECDH, [_point(group), p, (p[0], p[1] ^ 1), (0, 0)], Flag.KEY)
    group.expect(Op.ZEROISE, [()])
    assert group.expect(Op.ECDH, [p], Flag.KEY) == [Status.NO_KEY]


@pytest.mark.parametrize("change", [-1, 1])
def test_elements_of_another_width_are_refused(change: int) -> None:
    """The job port accepts only the words of its prime, also for a job that would load another curve."""
    group = Group(find_curve("P-256"))
    curve = group.curve
    for op, operands in ((Op.CURVE_LOAD, curve_load_operands(curve)), (Op.BASE_MUL, (5,))):
        short = tuple(value & 0xFFFF for value in operands)
        words = Request(op, CURVE_ID, 1, 0, curve.element_words + change, short).words()
        assert decode_response(group.iss.submit(words), 8).status == Status.BAD_LENGTH
    group.expect(Op.BASE_MUL, [(5,)])


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_any_number_of_threads_and_incomplete_groups(threads: int) -> None:
    group = Group(find_curve("P-256"), threads)
    for jobs in {1, threads}:
        group.expect(Op.MUL, [(group.rng.randrange(group.curve.n), *_point(group)) for _ in range(jobs)])


def test_residues_with_two_representatives() -> None:
    """For a small x, x and x + p are both below 2^n, and the simulator holds the larger one."""
    group = Group(find_curve("secp256k1"))
    curve = group.curve
    points = []
    x = 0
    while len(points) < 4:
        x += 1
        p = point.lift_x(curve, x)
        if p is not None:
            points.append(p)
    group.expect(Op.MUL, [(3 + i, *p) for i, p in enumerate(points)])
    group.expect(Op.ON_CURVE, points)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({1: 2}, Status.BAD_MODULUS),  # another prime
        ({6: -1}, Status.BAD_MODULUS),  # n even
        ({7: 2}, Status.BAD_MODULUS),  # N is not n
        ({2: 1}, Status.BAD_MODULUS),  # a = -3 is claimed
        ({3: 1}, Status.NOT_ON_CURVE),
        ({5: 1}, Status.NOT_ON_CURVE),
    ],
)
def test_curves_the_engine_refuses(change: dict[int, int], status: Status) -> None:
    curve = find_curve("P-256")
    group = Group(curve)
    operands = list(curve_load_operands(curve))
    for index, difference in change.items():
        operands[index] += difference
    if 6 in change:
        operands[7] += change[6]
    words = group.packet(Op.CURVE_LOAD, operands)
    assert decode_response(group.iss.submit(words), curve.element_words).status == status
    words = group.packet(Op.MUL, (1, *curve.generator))
    assert decode_response(group.iss.submit(words), curve.element_words).status == Status.BAD_CURVE


def test_other_prime_is_refused() -> None:
    other = find_curve("brainpoolP256r1")
    iss = TurboSimulator(program(), find_curve("P-256").p, 4)
    request = Request(Op.CURVE_LOAD, CURVE_ID, 0, 0, 8, curve_load_operands(other))
    assert decode_response(iss.submit(request.words()), 8).status == Status.BAD_MODULUS


def test_zeroise_wipes_every_thread() -> None:
    group = Group(find_curve("P-256"))
    group.expect(Op.MUL, [(group.rng.randrange(group.curve.n), *_point(group)) for _ in range(4)])
    group.expect(Op.ZEROISE, [()])
    for machine, data in zip(group.iss.states, group.iss.data, strict=True):
        assert not any(value for slot, value in enumerate(machine.slots) if slot not in CURVE_SLOTS)
        assert not any(data.registers[CONSTANTS:])
    group.expect(Op.BASE_MUL, [(5,)])


def test_threads_that_part_are_refused(tmp_path: Path) -> None:
    """The engine cannot follow threads on different paths: the checker refuses them, and the simulator
    stops.
    """
    source = """
.entry MUL start
.routine start
.reg t
    ld   t, 0
    iadd t, t, t
    br   Z, other
    done OK, 0
other:
    done INFINITY, 0
"""
    with pytest.raises(AsmError, match=r"mark the routine \.uniform"):
        assemble_text(tmp_path, source, unit="turbo", check=True)
    words = assemble_text(tmp_path, source, unit="turbo").words
    iss = TurboSimulator(words, find_curve("P-256").p, 2)
    for machine in iss.states:
        machine.loaded, machine.curve_id, machine.curve_width = 1, CURVE_ID, 8
    packets = [Request(Op.MUL, CURVE_ID, 0, 0, 8, (k,)).words() for k in (0, 1)]
    with pytest.raises(ProgramError, match="different ways"):
        iss.submit_group(packets)
