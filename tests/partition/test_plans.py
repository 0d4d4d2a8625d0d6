"""The planner: requests and their errors, choice of a cut, cost of links, and the question of the paper."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.multiplier_config import parse_multiplier
from eccelerate.explore.partition.link_spec import Lane, LinkSpec, PartitionError
from eccelerate.explore.partition.offload_chart import offload_picture
from eccelerate.explore.partition.offload_question import crossing, crossings, offload_lines
from eccelerate.explore.partition.partition_plan import choose, cuts_of, plan, request
from eccelerate.explore.partition.partition_units import Area, product_units
from eccelerate.explore.partition.rtl_constants import rtl_constants
from eccelerate.timing.multiplier_timing import multiplier_timing

LINK = "64b@134MHz"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"devices": 0}, "--devices is 1 to 16"),
        ({"op": "square"}, "there are: mul, montmul, add, scalar"),
        ({"link": "fast"}, "such as 64b@134MHz"),
        ({"link": "64b@0MHz"}, "0.1 to 10000 MHz"),
        ({"link": "63b@134MHz"}, "not 63"),
        ({"bits": 4}, "--bits is 16"),
        ({"mhz": 0}, "--clock is"),
        ({"device": "xc2v6000"}, "known: ecp5"),
        ({"device": "xc7"}, "use one of"),
    ],
)
def test_a_request_that_cannot_be_planned_says_what_to_change(change: dict[str, object], says: str) -> None:
    good: dict[str, object] = {
        "op": "mul", "bits": 256, "devices": 5, "link": LINK, "device": "ecp5-85f-6", "mhz": 150,
    }  # fmt: skip
    with pytest.raises(PartitionError, match=says):
        request(**(good | change))  # type: ignore[arg-type]


def test_an_addition_needs_a_curve_and_a_scalar_multiplication_an_engine() -> None:
    for op, says in (("add", "--bits 192, 224, 256, 384, 521"), ("scalar", "--bits 224, 256, 384 or 521")):
        with pytest.raises(PartitionError, match=says):
            cuts_of(request(op, 250, 2, LINK, "ecp5-85f-6", 150), 2)


def test_the_command_prints_the_object_of_the_issue() -> None:
    arguments = ["partition", "--bits", "521", "--op", "mul", "--devices", "5", "--no-simulate", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert {"cuts", "chosen", "predicted_cycles", "simulated_cycles"} <= found.keys()
    assert found["chosen"] in {cut["name"] for cut in found["cuts"]}
    assert found["simulated_cycles"] is None


def test_a_bad_command_line_ends_with_status_two_and_a_sentence() -> None:
    for arguments in (["--devices", "0"], ["--op", "cube"], ["--link", "64"], ["--cut", "slices"]):
        done = CliRunner().invoke(app, ["partition", *arguments])
        assert done.exit_code == 2


def test_the_time_on_a_link_is_that_of_its_words() -> None:
    lane = Lane(LinkSpec(64, 75), 150, slot_words=16)
    assert lane.ratio == Fraction(1, 2)
    assert lane.busy(10) == 24
    assert lane.busy(17) == 2 * (17 + 4)
    assert lane.latency == 8
    assert Lane(LinkSpec(64, 400), 150, 16).ratio == 1, "a device hands over at most a word in a cycle"
    assert Lane(LinkSpec(16, 150), 150, 16).busy(10) == 14, "a header and a CRC of two words each"


def test_timing_of_units_is_that_of_the_python_model() -> None:
    for unit in product_units(256, "ecp5-85f-6"):
        config = parse_multiplier(unit.name)
        options = {"levels": config.levels, "word": config.word, "lanes": config.lanes}
        found = multiplier_timing(config.kind, config.bits, **options, pipelined=config.pipelined)
        assert (unit.latency, unit.interval) == (found.latency, found.interval), unit.name


def test_a_constant_of_the_rtl_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="has no value"):
        rtl_constants(["eccel_mul_pkg::nothing(3)"], ["eccel_mul_pkg"])


def test_what_does_not_fit_is_not_chosen() -> None:
    cuts = cuts_of(request("mul", 521, 3, LINK, "ecp5-85f-6", 150), 3)
    best = choose(cuts)
    full = replace(best.devices[0], excess="999 mult of 156")
    others = [cut if cut.name != best.name else replace(cut, devices=(full,)) for cut in cuts]
    assert choose(others).name != best.name
    with pytest.raises(PartitionError, match=r"no cut fits: .*Use a larger --device"):
        choose([replace(cut, devices=(full,)) for cut in cuts])


def test_area_beyond_a_device_is_named() -> None:
    assert Area(lut4=1000, mult=28).excess("ecp5-25f-6") == ""
    assert Area(lut4=24_000, mult=29).excess("ecp5-25f-6") == "24,000 lut4 of 20,644, 29 mult of 28"


def test_the_fastest_cut_is_chosen_and_of_equals_the_smallest() -> None:
    found = plan(request("mul", 521, 5, LINK, "ecp5-25f-6", 150), 5)
    assert found.chosen.interval <= min(cut.interval for cut in found.cuts if cut.fits) * 1.02
    equals = [cut for cut in found.cuts if cut.fits and cut.interval <= found.chosen.interval * 1.001]
    assert len(found.chosen.devices) == min(len(cut.devices) for cut in equals)


def test_more_devices_are_never_slower_without_a_limit_by_the_link() -> None:
    cuts = cuts_of(request("scalar", 256, 4, LINK, "ecp5-85f-6", 150), 4)
    rates = [cut.per_second for cut in cuts]
    assert rates == sorted(rates)
    assert all(cut.limit == "unit" for cut in cuts)


def test_crossings_are_where_the_lines_meet(tmp_path: Path) -> None:
    lines = offload_lines(256, 1, LinkSpec.parse(LINK), "ecp5-85f-6", 150)
    assert [line.name for line in lines] == [
        "multiply", "Montgomery multiply", "point addition", "scalar multiplication",
    ]  # fmt: skip
    for i, fine in enumerate(lines):
        assert fine.rate(fine.knee * 2) == pytest.approx(fine.top)
        assert fine.rate(fine.knee / 2) == pytest.approx(fine.top / 2)
        for coarse in lines[i + 1 :]:
            at = crossing(fine, coarse)
            if at:
                assert fine.rate(at * 1.01) > coarse.rate(at * 1.01)
                assert fine.rate(at * 0.99) <= coarse.rate(at * 0.99) * 1.001
            elif at is None:
                assert all(fine.rate(x) <= coarse.rate(x) for x in (0.01, 1, 100, 10_000))
    assert len(crossings(lines)) == 4 + 6
    picture = ElementTree.fromstring(offload_picture(lines, 8.576, "test"))
    words = {element.text for element in picture.iter() if element.tag.endswith("text")}
    assert {line.name for line in lines} <= words
