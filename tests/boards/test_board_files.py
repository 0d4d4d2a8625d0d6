"""What is written for a board is valid, for every kind of configuration; pins and ports agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eccelerate.configs.board_rtl import BOARD_ROOM, WRITTEN, board_files, engine_text, package_text
from eccelerate.configs.board_table import BAUD, Clock, baud_step, find_board, load_boards, real_baud
from eccelerate.configs.config import ConfigError, find_config, rtl_files
from eccelerate.flow.boards import board_design, board_device, pins
from eccelerate.flow.design import Design
from eccelerate.flow.devices import FAMILIES
from eccelerate.flow.pll import PLLS, choose
from tests.repo import linters

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ("compact-w16-up5k", "compact-w32-hedged", "turbo-p256", "binary-163-d64", "cluster-small")


TOPS = {
    "ulx3s": "eccel_board_ulx3s",
    "orangecrab": "eccel_board_orangecrab",
    "icebreaker": "eccel_board_icebreaker",
    "arty": "eccel_board_arty",
}


def module_ports(text: str) -> list[str]:
    found = re.findall(r"^ *(?:input|output) +logic *(?:\[(\d+):0\])? *(\w+),?$", text, re.MULTILINE)
    return [f"{n}[{i}]" if high else n for high, n in found for i in range(int(high or 0) + 1)]


def test_every_top_is_that_of_a_board_and_only_connects() -> None:
    """The tops differ in pins and polarity only; test_end_to_end.py runs all of them."""
    assert {name: board.top for name, board in load_boards().items()} == TOPS
    for top in TOPS.values():
        text = (BOARD_ROOM / f"{top}.sv").read_text()
        assert re.findall(r"^  (eccel_\w+) #?\(?", text, re.MULTILINE) == ["eccel_pll", "eccel_board"]
        assert "always" not in text


@pytest.mark.parametrize("name", load_boards())
def test_every_port_has_a_pin_and_every_pin_a_port(name: str) -> None:
    board = find_board(name)
    found = pins(board)
    assert sorted(found) == sorted(module_ports((BOARD_ROOM / f"{board.top}.sv").read_text()))
    assert len(set(found.values())) == len(found), "a pin is used twice"
    head = board.pins_file.read_text().splitlines()[0]
    assert "Pins: " in head and "github.com" in head, "the source of the pins is named"
    assert str(board.in_khz // 1000) in board.pins_file.read_text() or ".xdc" in board.pins


@pytest.mark.parametrize("name", CONFIGS)
def test_the_files_of_a_board_are_clean(name: str) -> None:
    config, board = find_config(name), find_board("ulx3s")
    clock = Clock(board.in_khz, 1, 32, 8)
    files = board_files(config, board, clock, baud_step(clock.khz, BAUD)).files
    waivers = sorted((ROOT / "rtl").rglob("*.vlt"))
    assert linters.slang(board.top, list(files), {}) == ""
    assert linters.verilator_wall(ROOT, board.top, list(files), {}, waivers) == ""


@pytest.mark.parametrize("name", load_boards())
def test_a_board_is_clean_with_the_twins_of_its_device(name: str) -> None:
    board = find_board(name)
    config = find_config("compact-w16-up5k" if board.rules == "ice40" else "compact-w32")
    clock = choose(PLLS[board.pll], board.in_khz, 40_000)
    design = board_design(config, board, clock, baud_step(clock.khz, BAUD))
    files = design.sources(board_device(board).rules)
    twins = [path for path in files if path.parent.name.startswith("prim_")]
    assert {"eccel_pll.sv", "eccel_pll_cells.sv"} <= {path.name for path in twins}
    waivers = sorted((ROOT / "rtl").rglob("*.vlt"))
    assert linters.slang(board.top, files, {}) == ""
    assert linters.verilator_wall(ROOT, board.top, files, {}, waivers) == ""


def test_the_committed_files_are_those_of_compact_w32() -> None:
    """They are for linters and readers; only comments differ, and memory images have another name."""

    def code(text: str) -> list[str]:
        plain = re.sub(r"//[^\n]*|\b\w*\.hex\b|_(?=[0-9a-f])", "", text)
        return re.findall(r"\w+|[^\w\s]", plain)

    config = find_config("compact-w32")
    package = package_text(config, Clock(25_000, 1, 24, 6), baud_step(100_000, BAUD))
    own = (BOARD_ROOM / "eccel_board_pkg.sv").read_text()
    values = r"localparam \w+(?: \[191:0\])? (\w+) = (.*?);"
    written, kept = (dict(re.findall(values, text)) for text in (package, own))
    assert int(written.pop("Name")[5:], 16) == int(kept.pop("Name")[5:].replace("_", ""), 16)
    assert written == kept
    engine = re.sub(r',\s*\.UcodeFile\("[^"]*"\)', "", engine_text(config, {"UcodeFile": Path("x.hex")}))
    assert code(engine) == code((BOARD_ROOM / "eccel_board_engine.sv").read_text())


def test_engines_without_a_board_do_not_depend_on_board_files() -> None:
    """A change of a board must not make the figures of all engines old."""
    config = find_config("compact-w32")
    names = {path.name for path in rtl_files(config, shell=True)}
    assert not {name for name in names if "uart" in name or "board" in name or "pll" in name}
    for family in ("ecp5", "ice40"):
        sources = Design("x", config.top, rtl_files(config)).sources(FAMILIES[family])
        assert not [path for path in sources if "pll" in path.name]
        assert [path for path in sources if path.name.endswith("_cells.sv")]


def test_written_files_are_used_in_place_of_the_committed_ones() -> None:
    config = find_config("turbo-p256")
    files = board_files(config, find_board("arty"), Clock(100_000), 5243).files
    chosen = {path.stem: path for path in files if path.stem in WRITTEN}
    assert set(chosen) == set(WRITTEN)
    assert all(path.parent != BOARD_ROOM for path in chosen.values())
    assert f" {config.top} #(" in chosen["eccel_board_engine"].read_text()


@pytest.mark.parametrize(
    ("khz", "baud"), [(100_000, 1e6), (36_000, 115_200), (12_000, 1_500_000), (99e3, 9600)]
)
def test_a_baud_rate_is_met_within_2_percent(khz: float, baud: float) -> None:
    assert abs(real_baud(khz, baud_step(khz, baud)) / baud - 1) <= 0.02


@pytest.mark.parametrize(
    ("khz", "baud", "words"),
    [
        (36_000, 4_600_000, "at most 4500000"),
        (100_000, 100, "within 2 %.* at least"),
        (36_000, 0, "positive"),
    ],
)
def test_a_baud_rate_out_of_reach_is_an_error(khz: float, baud: float, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        baud_step(khz, baud)


def test_an_unknown_board_is_an_error() -> None:
    with pytest.raises(ConfigError, match="known are ulx3s, orangecrab, icebreaker, arty"):
        find_board("nexys")
