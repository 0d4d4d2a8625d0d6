"""Every unit of ``syn/area.toml`` maps within its bounds on every family that it lists."""

import pytest

from eccelerate.flow.area import Bound, Unit, check_unit, units
from eccelerate.flow.cells import Counts
from eccelerate.flow.errors import FlowError

ALWAYS = ("ecp5", "ice40")
"""Families that `make test` maps all units to. The soak run maps them to the others."""
ROWS = [
    pytest.param(
        unit, bound, id=f"{unit.name}-{bound.family}",
        marks=[pytest.mark.soak] if bound.family not in ALWAYS else [],
    )
    for unit in units() for bound in unit.bounds
]  # fmt: skip


@pytest.mark.parametrize(("unit", "bound"), ROWS)
def test_unit_is_within_its_bounds(unit: Unit, bound: Bound) -> None:
    counts, broken = check_unit(unit, bound)
    assert not broken, f"{unit.name} on {bound.family}: {'; '.join(broken)} ({counts})"


def test_bounds_notice_lost_and_added_cells() -> None:
    bound = Bound(family="ecp5", mult=1, bram=2, lut4=10, ff=5)
    assert bound.broken_by(Counts(lut4=10, lut=10, ff=5, mult=1, bram=2)) == []
    assert len(bound.broken_by(Counts(lut4=11, lut=11, ff=6, mult=0, bram=3))) == 4


def test_table_refuses_unknown_family(tmp_path) -> None:
    table = tmp_path / "area.toml"
    table.write_text(
        '[[unit]]\nname = "u"\ntop = "u"\nfiles = []\nbounds = [{ family = "xc9", mult = 0, bram = 0 }]\n'
    )
    with pytest.raises(FlowError, match="no family 'xc9'"):
        units(table)
