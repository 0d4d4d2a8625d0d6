"""Keeps the outputs in docs/cli.md real: it runs every ``$ eccel ...`` of the page and writes the output
below it.

python -m eccelerate.cli.tour           run the commands of docs/cli.md and write the outputs
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable

from eccelerate import external
from eccelerate.configs.config import ROOT

PAGE = ROOT / "docs" / "cli.md"
MAX_LINES = 90
COMMAND = re.compile(
    r"(?<=^```text\n)\$ eccel (?P<arguments>.+)\n(?P<output>(?:.*\n)*?)(?=^```$)", flags=re.M
)


def commands(text: str) -> list[str]:
    """The arguments of every command of a page."""
    return [match["arguments"] for match in COMMAND.finditer(text)]


def filled(text: str, run: Callable[[str], str]) -> str:
    """`text` with the output of every command replaced by the output that `run` gives for its arguments."""

    def entry(match: re.Match[str]) -> str:
        return f"$ eccel {match['arguments']}\n" + shown(run(match["arguments"]))

    return COMMAND.sub(entry, text)


def shown(output: str) -> str:
    """The output of a command as the page shows it: at most MAX_LINES lines."""
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"... ({len(lines) - MAX_LINES + 1} more lines)"]
    return "".join(line + "\n" for line in lines)


def run_command(arguments: str) -> str:
    """The output of `eccel` for these arguments, on a terminal of 100 columns without colours."""
    done = external.run(
        [sys.executable, "-m", "eccelerate.cli", *arguments.split()],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"},
        timeout=1800,
    )
    return done.text + (done.errors if done.code else "")


def main() -> None:
    """Entry point."""
    PAGE.write_text(filled(PAGE.read_text(), run_command))


if __name__ == "__main__":
    main()
