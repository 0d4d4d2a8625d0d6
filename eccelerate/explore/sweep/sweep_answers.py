"""Checks that an engine computes what it should, before its cycles are taken: a sweep makes engines that no
test has seen.
"""

from __future__ import annotations

from eccelerate.configs.config import Config
from eccelerate.curves import Curve
from eccelerate.explore.cycle_records import SEED
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.probes import probes_of


class WrongAnswerError(RuntimeError):
    """The RTL of a design gives another answer than the golden model."""


def require_right_answers(config: Config, curve: Curve) -> int:
    """Run jobs on the RTL and on the golden model: those without flags whose cycles are measured. Returns
    their number. Raises WrongAnswerError, BuildError, JobError.
    """
    rtl, golden = (open_engine(config, backend) for backend in ("rtl", "golden"))
    for engine in (rtl, golden):
        engine.load_curve(curve).check()
    jobs = [probe for probe in probes_of(config.single or config, curve, SEED) if not probe.flags]
    for job in jobs:
        got, wanted = (engine.submit(job.op, job.operands).check() for engine in (rtl, golden))
        if got.values != wanted.values:
            raise WrongAnswerError(
                f"{config.name}: {job.name} on {curve.name} gives a wrong answer on the RTL"
            )
    return len(jobs)
