"""The sample design of the tests of the flow."""

from pathlib import Path

import pytest

from eccelerate.flow import Design

HERE = Path(__file__).parent
PRIM = HERE.parents[1] / "rtl" / "prim"


@pytest.fixture
def sample() -> Design:
    return Design(
        name="sample-mac",
        top="sample_mac",
        files=[*(PRIM / f"eccel_{n}.sv" for n in ("ram", "rom", "mul18")), HERE / "sample_mac.sv"],
        params={"ImageFile": "coefficients.hex", "AccBits": 44},
        data=[HERE / "coefficients.hex"],
    )
