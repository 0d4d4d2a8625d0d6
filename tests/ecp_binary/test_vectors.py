"""Published vectors of binary curves: a sample with every label, for each curve that a build has."""

import pytest

from eccelerate.configs.config import Config, find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.backend import open_engine
from eccelerate.vectors import Case, Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.sample import curve_of


def of_the_build(case: Case, config: Config) -> bool:
    """Whether a case is not skipped because of its curve."""
    name = curve_of(case)
    try:
        return not case.skip and find_curve(name).p in config.polynomials
    except (KeyError, ValueError):
        return False


@pytest.mark.parametrize(
    ("build", "degrees", "backend"),
    [
        pytest.param("binary-233-d64", (163, 233), "iss", marks=pytest.mark.soak),
        ("binary-233-d64", (163, 233), "rtl"),
        pytest.param("binary-571-d64", (283, 409, 571), "iss", marks=pytest.mark.soak),
        pytest.param("binary-571-d64", (283, 409, 571), "rtl", marks=pytest.mark.soak),
    ],
)
def test_every_label(build: str, degrees: tuple[int, ...], backend: str) -> None:
    config = find_config(build)
    every = (case for path in packaged_files("nist") for case in load_cases(path))
    of_build = [case for case in every if of_the_build(case, config)]
    names = sorted({curve_of(case) for case in of_build})
    assert names == [f"{family}-{m}" for family in "BK" for m in degrees]
    of_curve = ([case for case in of_build if curve_of(case) == name] for name in names)
    cases = [case for all_of_it in of_curve for case in sample_cases(all_of_it, 1)]
    report = Report(backend).extend(run_cases(open_engine(config, backend), cases))
    assert report.ok, report.total.failures
    assert report.total.on_engine > len(cases) // 3
