"""Published vectors on the RTL: every flag and verdict of Wycheproof on every curve, and of XDH."""

from pathlib import Path

import pytest

from eccelerate.sim.backend import open_engine
from eccelerate.sim.config import find_config
from eccelerate.vectors import Case, Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.sample import curve_of

CONFIG = find_config("compact-w32")
CASES = [case for path in packaged_files("wycheproof") for case in load_cases(path)]
CURVES = sorted({curve_of(case) for case in CASES if not case.skip})


def passes_on_rtl(cases: list[Case]) -> Report:
    report = Report("sample").extend(run_cases(open_engine(CONFIG), cases))
    assert report.ok, report.total.failures
    return report


@pytest.mark.parametrize("name", CURVES)
def test_every_flag_of_wycheproof(name: str) -> None:
    cases = sample_cases([case for case in CASES if curve_of(case) == name], 1, kind=curve_of)
    total = passes_on_rtl(cases).total
    assert total.passed == len(cases)
    assert total.on_engine > len(cases) // 2


@pytest.mark.parametrize("path", packaged_files("xdh"), ids=lambda path: path.stem)
def test_every_flag_of_xdh(path: Path) -> None:
    passes_on_rtl(sample_cases(load_cases(path), 1))


def test_nist_agreement_and_signatures_on_p256() -> None:
    cases = [
        case for path in packaged_files("nist") for case in load_cases(path) if curve_of(case) == "P-256"
    ]
    passes_on_rtl(sample_cases(cases, 1, kind=lambda case: type(case).__name__))
