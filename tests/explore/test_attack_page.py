"""The tables of docs/security.md follow from the stored campaigns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eccelerate.explore.attack_store import FAULT, LEAK
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages import attack_page

ENGINE = {"config": "compact-w32", "commit": "abc", "tools": {"python": "3.11"}}
FLIPS = {
    "flips": 2000,
    "correct": 1900,
    "detected": 90,
    "hang": 0,
    "next_wrong": 0,
    "cycles": 1000,
    "lut4": 1080,
}


def fault(job: str, off: tuple[str, ...] = (), **found: Any) -> dict[str, Any]:
    record = {
        "kind": FAULT,
        "curve": "P-192",
        "job": job,
        "off": list(off),
        "places": "state",
        "skips": False,
    }
    return ENGINE | record | FLIPS | {"wrong_ok": 10} | found


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    return Stores.at(tmp_path)


def rows(table: str) -> list[list[str]]:
    """The cells of a table, without its two head lines."""
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_without_records_the_tables_say_so(stores: Stores) -> None:
    for block in (attack_page.faults, attack_page.leaks, attack_page.costs):
        assert block(stores) == attack_page.NOTHING


def test_a_cost_needs_the_campaign_with_and_the_one_without(stores: Stores) -> None:
    stores.attacks.put(fault("sign"))
    assert attack_page.costs(stores) == attack_page.NOTHING
    stores.attacks.put(fault("sign", ("guards",), wrong_ok=200, lut4=1000))
    stores.attacks.put(fault("sign-check", wrong_ok=0, cycles=1500))
    assert rows(attack_page.costs(stores)) == [
        [
            "`compact-w32`", "guards of the RTL", "200 of 2,000 flips wrong", "10 of 2,000 flips wrong", "",
            "1,000 -> 1,080 (+8.0%)",
        ],
        [
            "`compact-w32`", "flag CHECK", "10 of 2,000 flips wrong", "0 of 2,000 flips wrong",
            "P-192: 1,000 -> 1,500 (+50.0%)", "",
        ],
    ]  # fmt: skip


def test_checks_compare_with_the_clocks_before_them(stores: Stores) -> None:
    stores.attacks.put(fault("sign"))
    stores.attacks.put(fault("sign", ("checks",), wrong_ok=300))
    (before,) = [clocks for (config, _), clocks in attack_page.UNCHECKED.items() if config == "compact-w32"]
    cycles = {"ecdsa_sign": before * 2}
    stores.cycles.put(ENGINE | {"curve": "P-256", "key": "k", "cycles": cycles})
    (row,) = rows(attack_page.costs(stores))
    assert row[1:4] == ["checks of the microcode", "300 of 2,000 flips wrong", "10 of 2,000 flips wrong"]
    assert row[4] == f"P-256: {before:,} -> {before * 2:,} (+100.0%)"


def test_skips_and_other_places_are_no_flips_of_flip_flops(stores: Stores) -> None:
    stores.attacks.put(fault("sign", places="registers"))
    stores.attacks.put(fault("sign", skips=True))
    stores.attacks.put(fault("sign-check"))
    assert attack_page.costs(stores) == attack_page.NOTHING
    jobs = [row[1] for row in rows(attack_page.faults(stores))]
    assert jobs == [
        "sign, flips in registers",
        "sign, flips in state, each instruction skipped",
        "sign-check, flips in state",
    ]


def test_blinding_is_measured_by_the_samples_that_depend_on_the_key(stores: Stores) -> None:
    leak = {
        "kind": LEAK, "curve": "P-192", "job": "sign-key", "off": [], "cells": "", "traces": 20_000,
        "samples": 1100, "threshold": 6.5, "above": 0,
        "control": {"traces": 2000, "samples": 1000, "above": 147},
    }  # fmt: skip
    stores.attacks.put(ENGINE | leak)
    (row,) = rows(attack_page.costs(stores))
    assert row[2:5] == [
        "147 samples depend on the key, 2,000 traces",
        "0 samples depend on the key, 20,000 traces",
        "P-192: 1,000 -> 1,100 (+10.0%)",
    ]
    assert rows(attack_page.leaks(stores))[0][-1] == "147 in 2,000 traces"
