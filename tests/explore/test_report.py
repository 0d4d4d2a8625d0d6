"""README.md and the pages with figures say what is stored, and nothing else."""

from pathlib import Path

import pytest

from eccelerate.configs.config import load_configs
from eccelerate.curves import load_catalogue
from eccelerate.explore import report
from eccelerate.explore.figures import Stores
from tests.explore.records import full

EMPTY = "".join(f"<!-- block {name} -->\n<!-- end {name} -->\ntext\n" for name in report.BLOCKS)


def test_pages_equal_the_stored_results() -> None:
    """After a measurement: python -m eccelerate.explore.report"""
    for page, blocks in report.PAGES.items():
        text = page.read_text()
        assert report.filled(text, report.collect(Stores()), blocks) == text


def test_blocks_hold_the_stored_figures(tmp_path: Path) -> None:
    text = report.filled(EMPTY, report.collect(full(tmp_path)))
    for wanted in ("2.00", "250,000", "3,227,993", "ecp5-85f-6", "Commit abc", "seeds 1, 2, 3", "x |"):
        assert wanted in text
    for name in (*load_configs(), *load_catalogue()):
        assert name in text
    assert text.count("text\n") == len(report.BLOCKS)
    assert report.filled(text, report.collect(full(tmp_path / "again"))) == text


def test_what_is_not_stored_is_said_with_the_command(tmp_path: Path) -> None:
    text = report.filled(EMPTY, report.collect(Stores.at(tmp_path)))
    assert "not stored: `eccel measure compact-w64 --cycles --area ecp5-85f-6`" in text
    assert "Nothing is stored yet." in text


def test_check_finds_a_figure_typed_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme, stores = tmp_path / "README.md", full(tmp_path)
    pages = {readme: report.BLOCKS}
    readme.write_text(EMPTY)
    assert report.main([], pages, stores) == 0
    assert report.main(["--check"], pages, stores) == 0
    readme.write_text(readme.read_text().replace("250,000", "240,000"))
    assert report.main(["--check"], pages, stores) == 1
    assert "differs" in capsys.readouterr().out


@pytest.mark.parametrize(
    "broken", [EMPTY.replace("<!-- end jobs -->", ""), EMPTY.replace("block jobs", "block job"), ""]
)
def test_broken_blocks_are_named(broken: str, tmp_path: Path) -> None:
    with pytest.raises(report.BlockError):
        report.filled(broken, report.collect(Stores.at(tmp_path)))
