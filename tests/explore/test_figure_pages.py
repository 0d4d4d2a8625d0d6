"""README.md, the pages with figures and the picture show what is stored, and nothing else."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from eccelerate.configs.config import find_config, load_configs
from eccelerate.curves import find_curve, load_catalogue
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages import chart, contents, engines, literature
from eccelerate.explore.pages.marked_blocks import BlockError, filled, wrapped
from eccelerate.explore.pages.selection import claimed, complete, earlier, is_comparison, left_out
from tests.explore.records import full

EMPTY = "<!-- block area -->\n<!-- end area -->\ntext\n<!-- block time -->\n<!-- end time -->\n"
BLOCKS = {"area": lambda stores: "1,600", "time": lambda stores: "2.00"}
NOTHING = Stores.at(Path("nowhere"))


def all_blocks(stores: Stores) -> str:
    return "\n".join(write(stores) for blocks in contents.PAGES.values() for write in blocks.values())


def test_pages_equal_the_stored_results() -> None:
    """If this fails after a measurement, run `eccel report`."""
    assert [str(page) for page in contents.differing(Stores())] == []


def test_blocks_hold_the_stored_figures(tmp_path: Path) -> None:
    text = all_blocks(full(tmp_path))
    for wanted in ("2.00", "250,000", "3,227,993", "ecp5-85f-6", "Commit abc", "seeds 1, 2, 3", "x |"):
        assert wanted in text
    for name in (*load_configs(), *load_catalogue()):
        assert name in text


def test_figures_of_earlier_sources_are_named(tmp_path: Path) -> None:
    stores = full(tmp_path)
    assert earlier(stores).startswith("Every figure")
    flow = stores.flow.path
    flow.write_text(flow.read_text().replace('"netlist": "', '"netlist": "of other sources '))
    rows = earlier(stores).splitlines()
    assert "| `compact-w32` | cells, placed |" in rows
    assert not any("koblitz" in row for row in rows)


def test_configurations_without_figures_have_no_row(tmp_path: Path) -> None:
    text = engines.compact(Stores.at(tmp_path))
    assert "| `compact" not in text and "Nothing is stored yet." in text
    assert "`compact-w64` (`eccel measure NAME --cycles --area ecp5-85f-6`)" in text
    no_placer_has_its_device = find_config("binary-571-fast")
    assert left_out([], []) == left_out([no_placer_has_its_device], []) == ""
    stores = full(tmp_path)
    assert left_out(claimed(), complete(claimed(), stores)) == ""


def test_configurations_for_comparisons_stand_apart() -> None:
    page = (contents.RESULTS / "configurations.md").read_text()
    usual, _, compared = page.partition("## For comparisons only")
    for config in load_configs().values():
        assert f"`{config.name}` |" in (compared if is_comparison(config) else usual)


def test_a_figure_typed_by_hand_is_found(tmp_path: Path) -> None:
    page, stores = tmp_path / "page.md", full(tmp_path)
    page.write_text("<!-- block compact -->\n<!-- end compact -->\n")
    picture = tmp_path / "picture.svg"
    files = ({page: {"compact": engines.compact}}, {picture: chart.picture})
    written = contents.differing(stores, *files)
    assert list(written) == [page, picture]
    for file, text in written.items():
        file.write_text(text)
    assert contents.differing(stores, *files) == {}
    page.write_text(page.read_text().replace("2.00", "1.90"))
    assert list(contents.differing(stores, *files)) == [page]


def test_blocks_are_filled_again_and_nothing_else_changes() -> None:
    text = filled(EMPTY, BLOCKS, NOTHING)
    assert text.replace("1,600\n", "").replace("2.00\n", "") == EMPTY
    assert filled(text, BLOCKS, NOTHING) == text


@pytest.mark.parametrize(
    "broken", [EMPTY.replace("<!-- end area -->", ""), EMPTY.replace("block area", "block are"), ""]
)
def test_broken_blocks_are_named(broken: str) -> None:
    with pytest.raises(BlockError):
        filled(broken, BLOCKS, NOTHING)


def test_every_need_names_a_configuration_and_a_published_figure(tmp_path: Path) -> None:
    table = literature.best(full(tmp_path))
    for need in literature.NEEDS:
        assert need.config in load_configs() and literature.printed(need)[0].isdigit()
        if not find_config(need.config).engines:
            assert f"| {need.need} | `{need.config}` |" in table
    assert len(literature.NEEDS) <= 6


def test_picture_shows_every_placed_configuration_and_published_system(tmp_path: Path) -> None:
    root = ElementTree.fromstring(chart.picture(full(tmp_path)))
    words = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    placed = {c.name for c in claimed() if c.device != "xc4v"}
    assert placed | {spot.name for spot in chart.published()} <= words
    assert len(chart.published()) == 3 + 4 + 4


def test_labels_of_the_picture_do_not_overlap() -> None:
    spots = [*chart.ours(Stores()), *chart.published()]
    taken: list[chart.Box] = []
    for spot in spots:
        _, _, box = chart.place_label(spot, taken)
        assert not any(chart.meet(box, other) for other in taken)
        taken.append(box)
    assert find_curve("P-256").name in " ".join(spot.name for spot in spots)


def test_long_prose_of_a_block_is_broken_and_tables_are_not() -> None:
    words, row = "- " + "word " * 60, "| " + "cell | " * 60
    lines = wrapped(f"{row}\n\n{words}").splitlines()
    assert lines[:2] == [row, ""]
    assert len(lines) > 3 and all(len(line) <= 120 for line in lines[2:])
    assert all(line.startswith("  ") for line in lines[3:])
    assert " ".join(" ".join(lines[2:]).split()) == words.strip()
