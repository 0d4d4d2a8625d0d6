"""What the long campaigns (`make soak`) have found, by room of the tests."""

from __future__ import annotations

import json

from eccelerate.explore.figures import Stores
from eccelerate.explore.tables import count, fixed, markdown


def campaigns(stores: Stores) -> str:
    """The stored rooms, what has not passed in them, and what is left to run."""
    if not stores.campaigns.is_file():
        return "No run is stored."
    run = json.loads(stores.campaigns.read_text())
    folders = run["folders"].items()
    lines = [f"- not passed: `{test}`" for _, row in folders for test in row["not_passed"]]
    if run["left"]:
        left = ", ".join(f"`tests/{folder}` ({number:,})" for folder, number in run["left"].items())
        lines.append(f"- not run to the end on these sources (tests that are left): {left}")
    rows = [
        [
            f"`tests/{folder}`",
            count(row["tests"]),
            count(row["packets"] or None),
            fixed(row["seconds"] / 60, 1),
            row["commit"],
            row["date"][:10],
        ]
        for folder, row in folders
    ]
    total = [sum(row[key] for _, row in folders) for key in ("tests", "packets", "seconds")]
    rows.append(["all", count(total[0]), count(total[1] or None), fixed(total[2] / 60, 1), "", ""])
    hosts = ", ".join(sorted({row["host"] for _, row in folders}))
    table = markdown(["room", "tests", "fuzzed packets", "minutes", "commit", "date"], rows)
    return "\n".join([f"Machine: {hosts or 'none'}.", "", *lines, *([""] if lines else []), table])
