"""`eccel vectors` through typer's runner, on the golden model."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli import app
from eccelerate.curves import find_curve

runner = CliRunner()
P256 = find_curve("P-256")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_vectors_report_by_group_and_exit_code(jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")  # a copy of this process would have its models and pipes
    arguments = ["vectors", "compact-w32", "brainpool", "PKV.rsp", "--golden", "--jobs", jobs]
    ambiguous = runner.invoke(app, arguments)
    assert ambiguous.exit_code == 2 and "ambiguous" in ambiguous.output
    names = ["brainpool", "ecdh_secp224r1_ecpoint_test"]
    result = runner.invoke(
        app,
        ["vectors", "compact-w32", *names, "--golden", "--jobs", jobs, "--sample", "20"],
        env={"COLUMNS": "160"},
    )
    assert result.exit_code == 0, result.output
    assert "secp224r1 ecpoint" in result.stdout and "brainpoolP384r1" in result.stdout
    for file in ("brainpool.txt: 3", "ecdh_secp224r1_ecpoint_test.json: 20"):
        assert f"{file} passed, 0 failed, 0 skipped; " in result.stdout


@pytest.mark.parametrize("sample", [[], ["--sample", "3"]])
def test_vectors_that_do_not_reach_the_engine_are_no_success(sample: list[str]) -> None:
    """A file or a family that is skipped whole fails, with the same counts in a sample."""
    result = runner.invoke(app, ["vectors", "binary-163-d64", "brainpool", "xdh", "--golden", *sample])
    assert result.exit_code == 1
    for line in ("brainpool.txt: 0 passed, 0 failed, 3", "xdh: 0 passed, 0 failed, 4176"):
        assert f"{line} skipped; 0 reached the engine" in result.stdout


def test_vectors_exit_1_on_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rsp"
    path.write_text(f"[P-256]\n\nd = 2\nQx = {P256.gx:x}\nQy = {P256.gy:x}\n\n")
    result = runner.invoke(app, ["vectors", "compact-w32", str(path), "--golden"])
    assert result.exit_code == 1
    assert "wrong public key" in result.stdout and "1 failed" in result.stdout


def test_published_vectors_run_on_the_pool_of_their_curve() -> None:
    for name in ("ecdh_secp256r1_ecpoint_test", "ecdh_secp384r1_ecpoint_test"):
        result = runner.invoke(app, ["vectors", "cluster-p256-b163", name, "--golden", "--sample", "4"])
        assert result.exit_code == 0 and "0 failed, 0 skipped" in " ".join(result.stdout.split())
