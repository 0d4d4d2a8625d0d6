"""`eccel generate` writes exactly the generated files of the repository."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.cli import generate as generate_module
from eccelerate.configs.config import ROOT


@pytest.mark.parametrize(
    ("what", "count"),
    [("isa", 5), ("registers", 4), ("solinas", 1)],
)
def test_files_are_written_as_the_repository_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, count: int
) -> None:
    monkeypatch.setattr(generate_module, "ROOT", tmp_path)
    result = CliRunner().invoke(app, ["generate", what])
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert result.exit_code == 0 and len(written) == count == len(result.stdout.splitlines())
    for path in written:
        text = path.read_text()
        assert text == (ROOT / path.relative_to(tmp_path)).read_text()
        assert f"`eccel generate {what}`" in text.splitlines()[0]


def test_orders_are_written_where_the_manifest_says(tmp_path: Path) -> None:
    (tmp_path / "f.s").write_text(".entry MUL go\ngo: wipe 0\n    done OK, 0\n")
    manifest = tmp_path / "m.toml"
    schedule = 'schedule = { prime = "P-256", orders = "o.toml" }'
    manifest.write_text(f'name = "m"\nunit = "turbo"\nfiles = ["f.s"]\n{schedule}\n')
    result = CliRunner().invoke(app, ["generate", "orders", str(manifest), "--evaluations", "1"])
    assert result.exit_code == 0, result.output
    assert "`eccel generate orders ucode/m.toml`" in (tmp_path / "o.toml").read_text().splitlines()[0]


def test_a_program_without_a_schedule_is_refused() -> None:
    result = CliRunner().invoke(app, ["generate", "orders", str(ROOT / "ucode" / "compact.toml")])
    assert result.exit_code == 1 and "compact.toml has no schedule" in result.stderr
