"""Published vectors on the engine: by default a sample with every flag and verdict, and all in a soak run.

By default, the simulator runs every label of every group of every file, and the RTL every label of every
curve. In a soak run, the simulator runs every vector, and the RTL WYCHEPROOF_ON_RTL and NIST_ON_RTL vectors
of each curve. The host refuses malformed encodings: at least ON_ENGINE vectors reach the engine, 1,500 on the
six curves.
"""

from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.rtlsim.backend import open_engine
from eccelerate.vectors import Case, Report, load_cases, packaged_files, run_cases, sample_cases
from eccelerate.vectors.files import find_file
from eccelerate.vectors.sample import curve_of

CONFIG = find_config("compact-w32")
XDH = [find_file(name) for name in ("x25519_test", "x448_test")]  # the same keys in all encodings
FILES = [*packaged_files("wycheproof"), *XDH, *packaged_files("nist")]
WYCHEPROOF, NIST = (
    [case for path in packaged_files(family) for case in load_cases(path)]
    for family in ("wycheproof", "nist")
)
CURVES = sorted({curve_of(case) for case in WYCHEPROOF if not case.skip})
WYCHEPROOF_ON_RTL, NIST_ON_RTL, ON_ENGINE = 400, 100, 250


def passes(backend: str, cases: list[Case]) -> Report:
    report = Report("sample").extend(run_cases(open_engine(CONFIG, backend), cases))
    assert report.ok, report.total.failures
    assert report.total.passed + report.total.skipped == len(cases)
    return report


def of_curve(cases: list[Case], name: str) -> list[Case]:
    return [case for case in cases if curve_of(case) == name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_flag_of_every_group_on_the_simulator(path: Path) -> None:
    passes("iss", sample_cases(load_cases(path), 1))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name == "P-521" else []) for name in CURVES]
)
def test_every_flag_of_wycheproof_on_the_rtl(name: str) -> None:
    cases = sample_cases(of_curve(WYCHEPROOF, name), 1, kind=curve_of)
    assert passes("rtl", cases).total.on_engine > len(cases) // 3


@pytest.mark.parametrize("path", XDH, ids=lambda path: path.stem)
def test_every_flag_of_xdh_on_the_rtl(path: Path) -> None:
    passes("rtl", sample_cases(load_cases(path), 1))


def test_every_kind_of_nist_vector_on_the_rtl() -> None:
    cases = [case for name in ("P-256", "brainpoolP256r1") for case in of_curve(NIST, name)]
    kinds = {type(case).__name__ for case in cases}
    assert kinds >= {"EcdhCase", "KeyPairCase", "PublicKeyCase", "SignCase", "VerifyCase", "AgreementCase"}
    passes("rtl", sample_cases(cases, 1, kind=lambda case: type(case).__name__))


@pytest.mark.soak
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_vector_on_the_simulator(path: Path) -> None:
    passes("iss", load_cases(path))


@pytest.mark.soak
@pytest.mark.parametrize("name", CURVES)
def test_documented_sample_on_the_rtl(name: str) -> None:
    cases = sample_cases(of_curve(WYCHEPROOF, name), WYCHEPROOF_ON_RTL, seed=2)
    cases += sample_cases(of_curve(NIST, name), NIST_ON_RTL, seed=2)
    assert passes("rtl", cases).total.on_engine >= ON_ENGINE
