"""Space files: what they expand to, and errors that name line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.explore.sweep.space_file import SpaceError, parse_space
from eccelerate.explore.sweep.space_points import Expanded, expand

FILE = Path("a.toml")


def expanded(text: str) -> Expanded:
    return expand(parse_space(text, FILE))


def labels(text: str) -> list[str]:
    return [point.label for point in expanded(text).points.values()]


def test_lists_are_multiplied_and_cycles_do_not_depend_on_the_device() -> None:
    found = labels("""
        [[space]]
        engine = ["compact-w16", "compact-w32"]
        curve = ["P-256", "P-384"]
        device = ["ecp5-25f-6", "xc2vp"]
        seed = [1, 2]
        measure = ["cycles", "map", "place"]
    """)
    cycles = [f"compact-w{bits} {curve} cycles" for bits in (16, 32) for curve in ("P-256", "P-384")]
    assert [label for label in found if "cycles" in label] == cycles
    assert sum("map" in label for label in found) == 4
    placed = [label for label in found if "place" in label]
    assert len(placed) == 4 and all("ecp5-25f-6 seed" in label for label in placed), "xc2vp has no placer"


def test_options_change_parameters_and_programs() -> None:
    found = labels("""
        [[space]]
        engine = "binary-163-d64"
        digit_bits = [16, 64]
        coordinates = ["x-only", "affine"]
        algorithm = ["ladder", "naf"]
        parameters = { OperandStage = [0, 1] }
        device = "ecp5-85f-6"
        measure = "map"
    """)
    assert "binary-163-d16_OperandStage1 map on ecp5-85f-6" in found
    assert "binary-163-d16_OperandStage0_affine-naf map on ecp5-85f-6" in found
    assert len(found) == 2 * 2 * 2


def test_a_design_has_one_name() -> None:
    """Options that lead to a configuration of configs.toml give its name: nothing is measured twice."""
    assert labels("""
        [[space]]
        engine = ["binary-163-d16", "binary-163-d32"]
        digit_bits = 32
        device = "xc2vp"
        measure = "map"
    """) == ["binary-163-d32 map on xc2vp"]


def test_multipliers_come_by_kind_with_options_or_by_name() -> None:
    found = expanded("""
        [[space]]
        multiplier = ["karatsuba", "booth"]
        bits = [16, 32]
        levels = [0, 1]
        device = "up5k"
        measure = "map"
        [[space]]
        multiplier = "comba-32-x4-pipelined"
        measure = "cycles"
    """)
    designs = [point.design for point in found.points.values()]
    assert designs == [
        "karatsuba-16-l0", "karatsuba-16-l1", "karatsuba-32-l0", "karatsuba-32-l1", "booth-16", "booth-32",
        "comba-32-x4-pipelined",
    ]  # fmt: skip
    assert len(found.impossible) == 2, "booth has no levels, and this is said"


def test_exclusions_leave_out_what_matches_all_of_their_keys() -> None:
    text = """
        [[space]]
        engine = "compact-w*"
        device = ["ecp5-25f-6", "ecp5-85f-6"]
        measure = ["map", "place"]
        seed = [1, 2]
        exclude = [
            { engine = "compact-w64", device = "ecp5-25f-6" },
            { seed = 2, device = "ecp5-85f-6" },
            { engine = ["*-hedged", "*-up5k"] },
        ]
    """
    found = expanded(text)
    names = {point.design for point in found.points.values()}
    assert names == {"compact-w16", "compact-w32", "compact-w64"}
    assert not any(p.design == "compact-w64" and p.device == "ecp5-25f-6" for p in found.points.values())
    assert not any(p.seed == 2 and p.device == "ecp5-85f-6" for p in found.points.values())
    assert any(p.seed == 2 and p.device == "ecp5-25f-6" for p in found.points.values())
    assert found.excluded > 0


def test_what_cannot_exist_is_listed_with_its_reason() -> None:
    found = expanded("""
        [[space]]
        engine = ["compact-w16", "binary-163-d64"]
        curve = ["P-256", "B-163"]
        measure = "cycles"
    """)
    assert [point.design for point in found.points.values()] == ["compact-w16", "binary-163-d64"]
    assert len(found.impossible) == 2
    assert "prime fields only" in found.impossible["compact-w16 B-163 cycles"]


BLOCK = '[[space]]\nengine = "compact-w32"\n'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "a.toml:1: [[space]]: a space file has [[space]] blocks"),
        ("# only\nspaces = 1\n", "a.toml:2: spaces: no such key here"),
        ("[[space]]\nmeasure = 'map'\n", "a.toml:1: [[space]]: a block has one of"),
        ("[[space]]\nengine = 'x'\nmultiplier = 'y'\n", "a.toml:1: [[space]]: a block has one of"),
        (BLOCK, "a.toml:1: [[space]]: the block lacks measure"),
        (BLOCK + "measure = 'map'\n\n# a comment\ndevise = 'up5k'\n", "a.toml:6: devise: no such key for"),
        (BLOCK + "measure = 'map'\ndevise = 'up5k'\n", "did you mean device?"),
        (BLOCK + "measure = []\n", "a.toml:3: measure: the list is empty"),
        (BLOCK + "measure = [\n 'map',\n 1]\n", "a.toml:3: measure: 1 is not a text"),
        (BLOCK + "measure = 'maps'\n", "a.toml:3: measure: 'maps' is not known"),
        (BLOCK + "measure = 'map'\n", "a.toml:3: measure: map and place need the key device"),
        (BLOCK + "measure = 'map'\ndevice = 'ecp6'\n", "a.toml:4: device: no device 'ecp6'"),
        (BLOCK + "measure = 'place'\ndevice = 'xc2vp'\n", "a.toml:4: device: no open placer for xc2vp"),
        (BLOCK + "measure = 'cycles'\ncurve = 'P-257'\n", "a.toml:4: curve: "),
        (BLOCK + "measure = 'cycles'\ncurve = 'B-163'\n", "a.toml:4: curve: no engine takes"),
        (BLOCK + "measure = 'cycles'\nseed = [1, true]\n", "a.toml:4: seed: True is not a number"),
        (BLOCK + "measure = 'cycles'\nseed = [3, 3]\n", "a.toml:4: seed: 3: twice in the list"),
        (BLOCK + "measure = 'cycles'\nseed = 0\n", "a.toml:4: seed: 0 is not from 1"),
        (BLOCK + "measure = 'cycles'\nseed = [1\nlanes = 2\n", "a.toml:5: lanes: Unclosed array"),
        (BLOCK + "measure = 'cycles'\nmeasure = 'map'\n", "a.toml:4: measure: Cannot overwrite a value"),
        (BLOCK + "measure = 'cycles'\nparameters = { Colour = 1 }\n", "a.toml:4: Colour: no engine has this"),
        (BLOCK + "measure = 'map'\nparameters = { MaxWords = 'x' }\n", "a.toml:4: parameters.MaxWords:"),
        (BLOCK + "measure = 'cycles'\nalgorithm = 'naf'\n", "a.toml:4: algorithm: goes with coordinates"),
        (BLOCK + "measure = 'map'\n[[space.exclude]]\ndevice = 'up5k'\n", "a.toml:5: exclude.device: "),
        (BLOCK + "measure = 'cycles'\nseed = 1\n[[space.exclude]]\nseed = 2\n", "a.toml:6: exclude.seed: 2"),
        (BLOCK + "measure = 'cycles'\n[[space.exclude]]\n", "a.toml:4: exclude: an empty exclusion"),
        ("[[space]]\nengine = 'compact-w33'\nmeasure = 'cycles'\n", "a.toml:2: engine: no configuration"),
        ("[[space]]\nengine = 'z*'\nmeasure = 'cycles'\n", "a.toml:2: engine: no engine matches 'z*'"),
        ("[[space]]\nmultiplier = 'booth'\nmeasure = 'cycles'\n", "a.toml:2: multiplier: booth needs the"),
        ("[[space]]\nmultiplier = 'booth-8'\nbits = 8\nmeasure = 'cycles'\n", "a.toml:2: multiplier: booth"),
        ("[[space]]\nyardstick = 'des-56'\nmeasure = 'cycles'\n", "a.toml:2: yardstick: no yardstick"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_line_and_key(text: str, error: str) -> None:
    with pytest.raises(SpaceError) as caught:
        expanded(text)
    assert error in str(caught.value)


def test_the_right_form_of_these_files_is_accepted() -> None:
    """The control of the errors above."""
    assert labels(BLOCK + "measure = 'map'\ndevice = 'up5k'\nparameters = { MaxWords = 8 }\n") == [
        "compact-w32_MaxWords8 map on up5k"
    ]


def test_the_examples_are_valid(root: Path) -> None:
    found = sorted((root / "examples").glob("*.toml"))
    assert found
    for path in found:
        assert expand(parse_space(path.read_text(), path)).points
