"""What the long campaigns (`make soak`) have found, by room of the tests."""

from __future__ import annotations

import json

from eccelerate.explore.figures import Stores
from eccelerate.explore.tables import count, fixed, markdown


def campaigns(stores: Stores) -> str:
    """The stored run: its outcomes, what has not passed, and a table of its tests."""
    if not stores.campaigns.is_file():
        return "No run is stored."
    run = json.loads(stores.campaigns.read_text())
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in run["outcomes"].items())
    commits = ", ".join(run["commits"])
    lines = [f"Commits {commits}, until {run['date'][:10]}, on one machine ({run['host']}): {outcomes}."]
    lines += ["Between these commits, no source has changed that decides the result of a test.", ""]
    lines += [f"- not passed: `{test}`" for test in run["not_passed"]]
    rows = [
        [
            f"`tests/{folder}`",
            count(each["tests"]),
            count(each["packets"] or None),
            fixed(each["seconds"] / 60, 1),
        ]
        for folder, each in run["folders"].items()
    ]
    table = markdown(["room", "tests", "fuzzed packets", "minutes"], rows)
    return "\n".join(lines) + "\n\n" + table
