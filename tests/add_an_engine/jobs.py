"""Runs jobs of the toy engine on the RTL and on the simulator, which must agree in results, statuses and
cycles.

python tests/add_an_engine/jobs.py CURVE_FILE, in a copy of the repository that has the toy engine.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.rtlsim.rtl import RtlTransport

Arithmetic = Callable[[int, int, int], int]
MODULAR: dict[Op, Arithmetic] = {
    Op.MOD_MUL: lambda a, b, m: a * b % m,
    Op.MOD_ADD: lambda a, b, m: (a + b) % m,
    Op.MOD_SUB: lambda a, b, m: (a - b) % m,
}
P, N = 1, 6
"""Operands of CURVE_LOAD."""
WORDS = 6


class Both:
    """The toy engine on the RTL and on the simulator."""

    def __init__(self) -> None:
        config = find_config("toy")
        self.engines = [Engine(RtlTransport(config)), Engine(IssTransport.of(config))]

    def submit(
        self, op: Op, operands: tuple[int, ...] = (), flags: int = 0
    ) -> tuple[int, tuple[int, ...], int | None]:
        """Status, results and cycles of a job. RTL and simulator must agree on them."""
        rtl, simulated = (
            engine.submit(op, operands, flags, curve_id=1, width=WORDS) for engine in self.engines
        )
        assert rtl == simulated, f"the RTL answers {rtl}, the simulator {simulated}"
        return rtl.status, rtl.values, rtl.cycles


def refuse_moduli(both: Both, curve: Curve) -> None:
    """Moduli that are not odd, not larger than 1, or longer than 32 bits are refused."""
    good = curve_load_operands(curve)
    for place in (P, N):
        for bad in (0, 1, good[place] - 1, (1 << 32) + 1, (1 << 191) + 1):
            operands = (*good[:place], bad, *good[place + 1 :])
            assert both.submit(Op.CURVE_LOAD, operands)[0] == Status.BAD_MODULUS, f"operand {place} = {bad}"


def compute(both: Both, op: Op, modulus: int, flag: int) -> None:
    """Corner cases and random operands give the right result, all in the same number of cycles."""
    rng, corners = random.Random(int(op)), (0, 1, modulus - 1)
    pairs = [(a, b) for a in corners for b in corners]
    pairs += [(rng.randrange(modulus), rng.randrange(modulus)) for _ in range(20)]
    answers = [both.submit(op, pair, flag) for pair in pairs]
    assert [values for _, values, _ in answers] == [(MODULAR[op](a, b, modulus),) for a, b in pairs]
    assert {status for status, _, _ in answers} == {Status.OK}
    assert len({cycles for _, _, cycles in answers}) == 1


def refuse_operands(both: Both, op: Op, modulus: int, flag: int) -> None:
    """Operands that are not below the modulus are refused, and so is any number of them but two."""
    for bad in (modulus, (1 << 32) - 1, 1 << 32, 1 << 191):
        assert both.submit(op, (bad, 0), flag)[0] == Status.COORD_RANGE
        assert both.submit(op, (0, bad), flag)[0] == Status.COORD_RANGE
    assert both.submit(op, (1,), flag)[0] == Status.BAD_LENGTH


def main(curve: Curve) -> None:
    """Run all checks, with the moduli of a curve."""
    both = Both()
    refuse_moduli(both, curve)
    assert both.submit(Op.CURVE_LOAD, curve_load_operands(curve))[0] == Status.OK
    for op in MODULAR:
        for modulus, flag in ((curve.p, 0), (curve.n, Flag.MOD_N)):
            compute(both, op, modulus, flag)
            refuse_operands(both, op, modulus, flag)
    assert both.submit(Op.MOD_INV, (1,))[0] == Status.BAD_OP
    assert both.submit(Op.ZEROISE)[0] == Status.OK
    compute(both, Op.MOD_MUL, curve.p, 0)  # the curve is still loaded


if __name__ == "__main__":
    main(find_curve(sys.argv[1]))
