"""The steps of docs/add_an_engine.md are followed in a copy of the repository, and the new engine works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.configs.kind import build_root
from tests.repo import tree

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "add_an_engine.md"
TOY = ROOT / "tests" / "add_an_engine" / "toy"
JOBS = ROOT / "tests" / "add_an_engine" / "jobs.py"
COPIED = (
    ".rules.verible_lint", ".waivers.verible_lint", "configs.toml", "docs/isa.md", "eccelerate", "rtl", "sim",
    "pyproject.toml", "tests/repo", "ucode",
)  # fmt: skip
GENERATED = {"docs/isa.md", "rtl/isa/gen/eccel_toy_isa_pkg.sv"}
"""The files that the command of the page writes."""
TIMEOUT_S = 200


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    """The text after the kind of a block on the page, such as a file name, and the block's content."""
    for info, text in re.findall(r"(?ms)^```(\S.*?)\n(.*?)^```$", PAGE.read_text()):
        found, _, rest = info.partition(" ")
        if found == kind:
            yield rest, text


def commands(name: str) -> list[list[str]]:
    """Arguments of each call of one command of eccel on the page."""
    lines = [line.split()[1:] for _, text in blocks("sh") for line in text.splitlines() if line]
    return [arguments for arguments in lines if arguments[0] == name]


def changed(text: str, diff: str) -> str:
    """A text after a change: the lines of the block marked "-" or " " occur in it once, one after another."""
    lines = diff.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in marks) for marks in (" -", " +"))
    text, times = re.subn(f"(?m)^{re.escape(old)}", lambda _: new, text)
    assert times == 1, f"{times} times, not once, in the file:\n{old}"
    return text


def contents(root: Path) -> dict[str, bytes]:
    """All source files in a folder."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in tree.source_files(root)}


def run(copy: Path, *arguments: str) -> str:
    """The output of Python in the copy. Models and images are kept in the same folder as those of all
    tests.
    """
    environment = {**os.environ, "PYTHONPATH": str(copy), "ECCEL_BUILD": str(build_root())}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of those parts of the repository that the page needs, in which its steps have been followed."""
    root = tmp_path_factory.mktemp("copy")
    for path in tree.source_files(ROOT):
        place = path.relative_to(ROOT)
        if place.as_posix().startswith(COPIED):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / place)
    before = contents(root)
    shutil.copytree(TOY, root, dirs_exist_ok=True)
    edited = set()
    for name, diff in blocks("diff"):
        (root / name).write_text(changed((root / name).read_text(), diff))
        edited.add(name)
    for command in commands("generate"):
        run(root, "-m", "eccelerate.cli", *command)
    after = contents(root)
    assert set(contents(TOY)) == after.keys() - before.keys() - GENERATED
    assert {name for name in before if after.get(name) != before[name]} == edited | GENERATED & before.keys()
    for name, text in blocks("toml"):
        (root / name).write_text(text)
    return root


def test_its_jobs_are_right_on_rtl_and_simulator_with_equal_cycles(copy: Path) -> None:
    run(copy, str(JOBS), "small.toml")


def test_the_commands_of_the_page_print_the_same_job(copy: Path) -> None:
    rtl, simulated = (run(copy, "-m", "eccelerate.cli", *command, "--json") for command in commands("run"))
    assert rtl == simulated and '"OK"' in rtl


def test_its_files_pass_the_checks_of_the_repository(copy: Path) -> None:
    checks = "look_down or verible or portable-eccel_ecp_toy"
    run(copy, "-m", "pytest", "-q", "tests/repo/test_levels.py", "tests/repo/test_lint.py", "-k", checks)


def test_a_change_that_does_not_fit_is_reported() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    for text in ("a\nc\nb\n", "a\nb\na\nb\n"):
        with pytest.raises(AssertionError, match="not once"):
            changed(text, " a\n-b\n+d\n")
