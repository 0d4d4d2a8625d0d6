"""`eccel compare`: a published system beside the configurations that answer it."""

from __future__ import annotations

import json

from rich.console import Console

from eccelerate.explore import compare_area_time, compare_rates, compare_throughput
from eccelerate.explore.figures import Stores
from eccelerate.explore.published import find_system


def run(name: str, *, as_json: bool = False, stores: Stores | None = None) -> None:
    """Print the comparison with the published system `name`, measuring what the stores lack.

    Raises UnknownSystemError, and what the measurements raise.
    """
    system = find_system(name)
    page = compare_area_time if system.variants else compare_rates if system.curves else compare_throughput
    with Console(stderr=True).status("reading the stores") as line:
        record = page.comparison(system, line.update, stores)
    if as_json:
        print(json.dumps(record))
    else:
        page.show(system, record, Console())
