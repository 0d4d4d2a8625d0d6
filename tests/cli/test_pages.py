"""The commands and programs on pages agree with what the tools say."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app, tour
from eccelerate.configs.config import ROOT, find_config
from eccelerate.curves import find_curve, load_curve_file, require_valid
from eccelerate.driver import Engine
from eccelerate.machine.digit_simulator import DigitSimulator
from eccelerate.model import point
from eccelerate.rtlsim.iss_transport import IssTransport
from eccelerate.ucode.asm import assemble

DOCS = ROOT / "docs"


def test_commands_of_the_tour_exist() -> None:
    found = tour.commands(tour.PAGE.read_text())
    assert len(found) > 5
    for arguments in found:
        shown = CliRunner().invoke(app, [arguments.split()[0], "--help"])
        assert shown.exit_code == 0, arguments


def test_tour_outputs_are_filled_in() -> None:
    page = "a\n```text\n$ eccel list\nold\nlines\n```\nb\n```text\n$ eccel doctor\n```\n"
    filled = tour.filled(page, lambda arguments: f"new {arguments}  \n")
    assert filled == (
        "a\n```text\n$ eccel list\nnew list\n```\nb\n```text\n$ eccel doctor\nnew doctor\n```\n"
    )
    assert tour.filled(filled, lambda arguments: f"new {arguments}") == filled
    long = tour.filled(page, lambda arguments: "line\n" * 100)
    assert "... (11 more lines)" in long


def test_a_short_command_of_the_tour_prints_what_the_page_says() -> None:
    text = tour.run_command("list engines")
    assert text.splitlines()[0].rstrip() == "Engines"
    assert "$ eccel list engines\n" + tour.shown(text) in tour.PAGE.read_text()


def test_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert text is not None
    exec(compile(text[1], "README.md", "exec"), {})
    secret, cycles = capsys.readouterr().out.split()
    expected = point.base_mul(find_curve("P-256"), 35)
    assert expected is not None and int(secret, 16) == expected[0] and int(cycles) > 0


def test_curve_of_the_page_is_valid(tmp_path: Path) -> None:
    text = re.search(r"```toml\n(.*?)```", (DOCS / "add_a_curve.md").read_text(), re.S)
    assert text is not None
    path = tmp_path / "mine.toml"
    path.write_text(text[1])
    curve = load_curve_file(path)
    require_valid(curve)
    assert curve.n == find_curve("P-256").n


def test_routine_of_the_page_assembles_and_runs(tmp_path: Path) -> None:
    """The cube of docs/add_a_routine.md, added to the program, runs on the instruction-set simulator."""
    text = re.search(r"```\n(; Cube.*?)```", (DOCS / "add_a_routine.md").read_text(), re.S)
    assert text is not None
    manifest = (ROOT / "ucode" / "compact.toml").read_text()
    manifest = re.sub(r'"(compact|shared)/', rf'"{ROOT}/ucode/\1/', manifest).rstrip().removesuffix("]")
    (tmp_path / "cube.s").write_text(text[1])
    (tmp_path / "compact.toml").write_text(f'{manifest}  "cube.s",\n]\n')
    program = assemble(tmp_path / "compact.toml")
    config, curve = find_config("compact-w32"), find_curve("P-256")
    simulator = DigitSimulator(program.words, config.digit_bits, max_words=config.max_words)
    engine = Engine(IssTransport(simulator))
    engine.load_curve(curve)
    for x in (0, 1, 5, curve.p - 1, curve.gx):
        assert engine.submit(0x15, (x,)).check().value == pow(x, 3, curve.p)
