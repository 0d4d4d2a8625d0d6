"""The hash of RTL depends only on its meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.rtl_text import code_digest

TEXT = """module m #(parameter F = "a // b") (input logic [7:0] x_i);  // x
  /* a
 b */ assign y = x_i + 1;
endmodule
"""


def _digest(folder: Path, *texts: str) -> str:
    folder.mkdir()
    paths = [folder / f"{number}.sv" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return code_digest(paths)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(TEXT.replace("// x\n", "// another\n  // comment\n"), id="line comment"),
        pytest.param(TEXT.replace("/* a\n b */", ""), id="block comment"),
        pytest.param(TEXT.replace("  ", "\t").replace("x_i + 1", "x_i+1"), id="white space"),
    ],
)
def test_comments_and_white_space_do_not_count(tmp_path: Path, other: str) -> None:
    assert other != TEXT
    assert _digest(tmp_path / "a", TEXT) == _digest(tmp_path / "b", other)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(TEXT.replace("+ 1", "+ 2"), id="number"),
        pytest.param(TEXT.replace("a // b", "a // c"), id="string that looks like a comment"),
        pytest.param(TEXT.replace("input logic", "inputlogic"), id="two words as one"),
    ],
)
def test_code_counts(tmp_path: Path, other: str) -> None:
    assert other != TEXT
    assert _digest(tmp_path / "a", TEXT) != _digest(tmp_path / "b", other)


def test_the_order_of_files_does_not_count(tmp_path: Path) -> None:
    assert _digest(tmp_path / "a", TEXT, "package p; endpackage") == _digest(
        tmp_path / "b", "package p; endpackage", TEXT
    )
