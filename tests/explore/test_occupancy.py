"""The picture of the pipelines shows what the RTL did."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eccelerate.configs.config import find_config
from eccelerate.explore import occupancy
from eccelerate.model.solinas import Solinas
from eccelerate.rtlsim.rtl import Event, EventKind
from eccelerate.timing.turbo_cycles import TurboTiming
from eccelerate.ucode.program import Program

CONFIG = find_config(occupancy.CONFIG)


@pytest.fixture(scope="module")
def run() -> tuple[Program, list[Event], TurboTiming]:
    assert CONFIG.prime is not None
    return *occupancy.trace(CONFIG), TurboTiming(Solinas(CONFIG.prime), CONFIG.threads)


def test_doubling_of_the_rtl_is_drawn(run, tmp_path: Path) -> None:
    program, events, timing = run
    everything = occupancy.operations(program, events, timing)
    inside = occupancy.doubling(program, everything)
    assert inside[0].name == occupancy.BEGIN
    assert 6 <= sum(each.step.is_product for each in inside) <= 9, (
        "4 M + 4 S, some of them of the steps before and after"
    )
    root = ElementTree.fromstring(occupancy.drawing(inside, everything, timing))
    boxes = [e for e in root.iter() if e.tag.endswith("rect") and e.get("stroke") and not e.get("opacity")]
    assert len(boxes) == CONFIG.threads * len(inside)


def test_a_clock_that_differs_is_found(run) -> None:
    program, events, timing = run
    done = [i for i, event in enumerate(events) if event.kind == EventKind.FIELD_DONE]
    loop = next(i for i, e in enumerate(events) if e.value == program.labels[occupancy.LOOP])
    moved = next(i for i in done if i > loop)
    wrong = [replace(e, cycle=e.cycle + 1) if i == moved else e for i, e in enumerate(events)]
    with pytest.raises(occupancy.TraceError, match="other clocks"):
        occupancy.operations(program, wrong, timing)
    with pytest.raises(occupancy.TraceError, match="twice"):
        occupancy.operations(program, events[:loop], timing)


def test_the_page_shows_a_picture(root: Path) -> None:
    page = (root / "docs" / "theory" / "turbo.md").read_text()
    assert "img/turbo_doubling.svg" in page and "eccel generate doubling" in page
