"""Published vectors of binary curves: a sample of every label of each curve that the build has."""

import pytest

from eccelerate.curves import find_curve
from eccelerate.sim.backend import open_engine
from eccelerate.sim.config import find_config
from eccelerate.vectors import Case, Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.sample import curve_of

CONFIG = find_config("binary-233-d64")


def of_the_build(case: Case) -> bool:
    """A case that is not skipped for its curve."""
    name = curve_of(case)
    try:
        return not case.skip and find_curve(name).p in CONFIG.polynomials
    except (KeyError, ValueError):
        return False


CASES = [case for path in packaged_files("nist") for case in load_cases(path) if of_the_build(case)]


@pytest.mark.parametrize("backend", ["iss", "rtl"])
def test_every_label(backend: str) -> None:
    names = sorted({curve_of(case) for case in CASES})
    assert names == ["B-163", "B-233", "K-163", "K-233"]
    of_curve = ([case for case in CASES if curve_of(case) == name] for name in names)
    cases = [case for all_of_it in of_curve for case in sample_cases(all_of_it, 1)]
    report = Report(backend).extend(run_cases(open_engine(CONFIG, backend), cases))
    assert report.ok, report.total.failures
    assert report.total.on_engine > len(cases) // 3
