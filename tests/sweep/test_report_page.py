"""The HTML page of the results: opened and clicked through in headless Chromium."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from eccelerate.explore.html.report_page import page
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_records import import_records
from eccelerate.explore.sweep.sweep_store import SweepStore, insert_result

BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
OPEN_MS = 2000
DESIGNS = ("karatsuba-{}-l0", "booth-{}", "shift-add-{}", "broadcast-{}-w8", "comba-{}-x1")


def filled(path: Path, count: int) -> SweepStore:
    """A store with `count` rows of multipliers on two devices: mapped or placed, with cycles."""
    store, rng = SweepStore(path), random.Random(1)
    names = (DESIGNS[n % len(DESIGNS)].format(8 + n // len(DESIGNS)) for n in range((count + 1) // 2))
    with store.writing() as write:
        for number, name in enumerate(names):
            points = [Point("multiplier", name, "cycles")]
            points += [
                Point("multiplier", name, "place", device=device, seed=1) for device in ("up5k", "lifcl-40")
            ]
            for point in points if 2 * number + 1 < count else points[:2]:
                figures: dict[str, Any] = {"lut4": rng.randrange(50, 5000), "ff": 10, "mult": 1, "bram": 0}
                figures = figures | {"mhz": rng.uniform(20, 200)}
                if point.measure == "cycles":
                    figures = {"cycles": rng.randrange(1, 500), "interval": 1, "operation": "product"}
                record = {
                    "key": f"{number}-{point.measure}-{point.device}", "point": asdict(point),
                    "figures": figures, "seconds": 1.0, "commit": "0123456789ab",
                    "date": "2026-01-01T00:00:00+00:00", "command": point.command,
                    "tools": {"pyosys": "0.70", "verilator": "<5>"},
                }  # fmt: skip
                insert_result(write, record, "explore")
    return store


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium, from Debian's package."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium: apt-get install chromium (scripts/test_packages does it)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


def opened(browser: Any, path: Path, scheme: str = "light") -> Any:
    """The page in a tab that has no network and fails on any error of a script."""
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 1400, "height": 1200})
    tab = context.new_page()
    tab.errors = []
    tab.on("pageerror", lambda error: tab.errors.append(str(error)))
    tab.on("console", lambda said: tab.errors.append(said.text) if said.type == "error" else None)
    tab.on(
        "request", lambda request: None if request.url.startswith("file:") else tab.errors.append(request.url)
    )
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-ready=yes]")
    return tab


def opening_ms(tab: Any) -> float:
    """From the start of the navigation until the page is loaded and drawn, in the browser's own clock."""
    return float(
        tab.evaluate("""() => new Promise(done => requestAnimationFrame(() => done(performance.now())))""")
    )


def rows_of(store: SweepStore) -> int:
    return int(store.rows('SELECT count(*) AS n FROM "row"')[0]["n"])


def test_the_page_is_one_file_without_references(tmp_path: Path) -> None:
    text = page(filled(tmp_path / "a.sqlite", 10))
    assert not re.search(r"(?:src|href)\s*=|@import|url\(|https?://", text)
    data = re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.S)
    assert data and len(json.loads(data[1])["rows"]) == 10
    assert "<5>" not in text, "what a record says is no markup"


@pytest.mark.parametrize("count", [0, 1, 5000])
def test_the_page_opens_with_any_number_of_points(tmp_path: Path, browser: Any, count: int) -> None:
    store = filled(tmp_path / "a.sqlite", count)
    assert rows_of(store) == count
    file = tmp_path / "page.html"
    file.write_text(page(store))
    times = []
    for _ in range(3):  # a busy machine delays a single opening
        tab = opened(browser, file)
        times.append(opening_ms(tab))
        if times[-1] < OPEN_MS:
            break
        tab.context.close()
    assert min(times) < OPEN_MS, f"{count} points: {times} ms"
    assert tab.text_content("#count") == f"{count:,} of {count:,} points"
    assert tab.locator("tbody tr").count() == min(count, 100)
    assert tab.is_visible("#empty") == (count == 0)
    assert ("Nothing is stored yet" in (tab.text_content("#empty") or "")) == (count == 0)
    assert tab.errors == []
    tab.context.close()


def test_filters_plots_table_and_origins(tmp_path: Path, browser: Any) -> None:
    store = filled(tmp_path / "a.sqlite", 300)
    store.plan({"abc": Point("multiplier", "booth-9", "place", device="up5k", seed=3)})
    store.connection.execute("UPDATE point SET state = 'failed', error = 'it does not fit', log = 'the log'")
    file = tmp_path / "page.html"
    file.write_text(page(store))
    tab = opened(browser, file)

    def shown() -> int:
        return int(str(tab.text_content("#count")).split()[0].replace(",", ""))

    def sql(where: str) -> int:
        return int(store.rows(f'SELECT count(*) AS n FROM "row" WHERE {where}')[0]["n"])

    tab.select_option("#family", "booth")
    assert shown() == sql("design LIKE 'booth%'")
    tab.select_option("#device", "up5k")
    assert shown() == sql("design LIKE 'booth%' AND device = 'up5k'")
    tab.fill("#lut4", "1000")
    assert shown() == sql("design LIKE 'booth%' AND device = 'up5k' AND lut4 <= 1000") > 0
    tab.click("#everything")
    assert shown() == 300
    tab.fill("#search", "karatsuba 9-")
    assert shown() == sql("design LIKE '%karatsuba%' AND design LIKE '%9-%'") > 0
    tab.click("#everything")

    # The table: order by a figure, both ways, and pages.
    tab.click("th[data-name=lut4]")
    first = tab.locator("tbody tr").first.locator("td").nth(5)
    least = store.rows('SELECT min(lut4) AS a, max(lut4) AS b FROM "row"')[0]
    assert first.text_content() == f"{least['a']:,}"
    tab.click("th[data-name=lut4]")
    assert first.text_content() == f"{least['b']:,}"
    assert tab.text_content("#page") == "page 1 of 3"
    tab.click("#next")
    assert tab.text_content("#page") == "page 2 of 3"

    # The origin of a row: figures, commit, tools and the command that repeats it.
    tab.locator("tbody tr").first.click()
    details = str(tab.text_content("#details"))
    for text in (
        "commit 0123456789ab",
        "2026-01-01",
        "pyosys 0.70, verilator <5>",
        "eccel explore --point",
        "seed 1",
    ):
        assert text in details
    assert tab.locator("tbody tr.chosen").count() == 1

    # The plot: a click on a point chooses it; axes change; without both figures it says so.
    tab.click("#everything")
    before = tab.text_content("#details h2")
    spot = tab.evaluate("() => { const s = chart.spots[0]; return [s.x, s.y, s.row.design]; }")
    tab.locator("#canvas").click(position={"x": spot[0], "y": spot[1]})
    near = tab.text_content("#details h2")
    assert near and near != before
    tab.locator("#canvas").hover(position={"x": spot[0], "y": spot[1]})
    assert tab.is_visible("#tip")
    tab.get_by_role("button", name="energy and time").click()
    assert tab.is_visible("#empty") and "has both figures" in str(tab.text_content("#empty"))
    tab.get_by_role("button", name="area and rate").click()
    assert not tab.is_visible("#empty")

    tab.locator("#failures summary").click()
    assert "it does not fit" in str(tab.text_content("#failures")) and tab.is_visible("#failures pre")
    assert tab.errors == []
    tab.context.close()


def test_the_pareto_front_is_that_of_a_plain_comparison(tmp_path: Path, browser: Any) -> None:
    store = filled(tmp_path / "a.sqlite", 400)
    file = tmp_path / "page.html"
    file.write_text(page(store))
    tab = opened(browser, file)
    marked = set(tab.evaluate("() => [...best].map(id => ROWS[id].design + ' ' + ROWS[id].device)"))
    rows = store.rows("SELECT design, device, lut4, time_us FROM row")
    for row in rows:
        row["task"] = re.findall(r"\d+", row["design"])[0]

    def beaten(row: dict[str, Any]) -> bool:
        return any(
            (a["task"], a["device"]) == (row["task"], row["device"])
            and a["lut4"] <= row["lut4"] and a["time_us"] <= row["time_us"]
            and (a["lut4"], a["time_us"]) != (row["lut4"], row["time_us"])
            for a in rows
        )  # fmt: skip

    front = {f"{row['design']} {row['device']}" for row in rows if not beaten(row)}
    assert 0 < len(front) < len(rows)
    assert marked == front
    tab.context.close()


def test_light_and_dark(tmp_path: Path, browser: Any) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(filled(tmp_path / "a.sqlite", 20)))
    ground = "() => getComputedStyle(document.body).backgroundColor"
    tabs = {scheme: opened(browser, file, scheme) for scheme in ("light", "dark")}
    colours = {scheme: tab.evaluate(ground) for scheme, tab in tabs.items()}
    assert colours["light"] != colours["dark"]
    tabs["light"].click("#theme")
    assert tabs["light"].evaluate(ground) == colours["dark"]
    for tab in tabs.values():
        assert tab.errors == []
        tab.context.close()


def test_the_committed_results_are_all_on_the_page(tmp_path: Path) -> None:
    store = SweepStore(tmp_path / "a.sqlite")
    import_records(store)
    text = page(store)
    for row in store.rows('SELECT DISTINCT design FROM "row"'):
        assert json.dumps(row["design"]) in text
