"""Base-point multiplication by the comb on the simulator, and the decision to use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.curves import Curve, find_curve
from eccelerate.machine.thread_state import ProgramError
from eccelerate.machine.turbo_simulator import TurboSimulator
from eccelerate.model import point
from eccelerate.model.comb import Comb
from eccelerate.model.jobs import Op
from eccelerate.model.solinas import FORMS
from tests.ecp_turbo.lockstep import Group
from tests.ucode.helpers import assemble_text, packet

NAMES = list(FORMS)
TABLE_DIGITS = {"P-192": 32, "P-224": 40, "P-256": 44, "P-384": 64, "P-521": 88, "secp256k1": 44}


@pytest.mark.parametrize("name", NAMES)
def test_scalars_where_an_addition_could_fail(name: str) -> None:
    group = Group(find_curve(name))
    n = group.curve.n
    special = [k for c in Comb(group.curve).coincidences() for k in c.scalars or ()]
    scalars = [1, 2, 3, n - 1, n - 2, n, n + 1, n // 2, *special, *(-k % n for k in special)]
    scalars += [group.rng.randrange(n) for _ in range(-len(scalars) % 4 + 8)]
    for i in range(0, len(scalars), 4):
        group.expect(Op.BASE_MUL, [(k,) for k in scalars[i : i + 4]])
        assert group.iss.executed("scan") == TABLE_DIGITS[name]


def other_curves(curve: Curve) -> list[Curve]:
    """Another base point, and the isomorphic curve with 2^4 a and 2^6 b and the base point's image on it."""
    doubled = point.add(curve, curve.generator, curve.generator)
    assert doubled is not None
    gx, gy = curve.gx * 4 % curve.p, curve.gy * 8 % curve.p
    isomorphic = replace(curve, a=curve.a * 16 % curve.p, b=curve.b * 64 % curve.p, gx=gx, gy=gy)
    return [replace(curve, gx=doubled[0], gy=doubled[1]), isomorphic]


@pytest.mark.parametrize("name", ["P-256", "secp256k1"])
def test_other_curves_do_without_the_table(name: str) -> None:
    for curve in other_curves(find_curve(name)):
        group = Group(find_curve(name))
        group.load(curve)
        group.expect(Op.BASE_MUL, [(k,) for k in (0, 1, 5, curve.n - 1)])
        assert not group.iss.executed("scan")
        group.load(find_curve(name))
        group.expect(Op.BASE_MUL, [(7,)])
        assert group.iss.executed("scan")


def test_engine_without_table() -> None:
    group = Group(find_curve("P-256"), table=False)
    group.expect(Op.BASE_MUL, [(k,) for k in (0, 1, 5, group.curve.n - 1)])
    assert not group.iss.executed("scan")


@pytest.mark.parametrize(
    "code",
    [
        "take r3",
        "scan 0\n take r3",
        "scan 0\n caught\n take r3\n take r3\n take r3",
        "scan 0\n ldx 0, c0",
        "scan 0\n caught\n take r3\n ldx 0, c0",
        "rewind\n setc c1, 44\n.l: scan 0\n caught\n loop c1, .l",
    ],
)
def test_simulator_refuses_programs_that_would_race(code: str, tmp_path: Path) -> None:
    text = ".entry CURVE_LOAD f\nf: par\n loaded 1\n done OK, 0\n"
    text += f".entry MUL g\ng: setc c0, 0\n {code}\n done OK, 0\n"
    curve = find_curve("P-256")
    words = assemble_text(tmp_path, text, unit="turbo").words
    iss = TurboSimulator(words, curve.p, 2, comb=Comb(curve))
    iss.submit(packet("CURVE_LOAD", 0, width=8))
    with pytest.raises(ProgramError):
        iss.submit(packet("MUL", 0, width=8))
