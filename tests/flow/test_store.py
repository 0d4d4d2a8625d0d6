"""A store keeps the newest record of each key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eccelerate.explore.cycle_records import CycleStore
from eccelerate.explore.software import SoftwareStore
from eccelerate.flow import FlowError, Store
from eccelerate.flow.store import RecordFile


def _placement(design: str, mhz: float, seeds: int = 3) -> dict[str, Any]:
    clocks = {str(seed): mhz for seed in range(seeds)}
    return {"kind": "place", "config": design, "device": "ecp5-25f-6", "fmax_mhz": clocks}


def test_a_newer_record_takes_the_place_of_the_one_with_its_key(tmp_path: Path) -> None:
    store = Store(tmp_path / "results" / "flow.jsonl")
    other, old, new = _placement("b", 1.0), _placement("a", 2.0), _placement("a", 3.0)
    for record in (old, other, new):
        assert store.put(record) == record
    assert list(store) == [other, new]
    assert store.latest(config="a") == new


def test_placements_of_other_numbers_of_seeds_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "flow.jsonl")
    claim, glance = _placement("a", 2.0), _placement("a", 3.0, seeds=1)
    store.put(claim)
    store.put(glance)
    assert list(store) == [claim, glance]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    store = CycleStore(tmp_path / "cycles.jsonl")
    store.path.write_text('{"config": "a", "curve": "b"}\nnonsense\n')
    with pytest.raises(FlowError, match=r"cycles\.jsonl:2 is not JSON"):
        list(store)


@pytest.mark.parametrize("store", [Store(), CycleStore(), SoftwareStore()], ids=lambda s: s.path.name)
def test_the_stored_results_have_one_record_of_a_key(store: RecordFile) -> None:
    records = list(store)
    assert len({store.key(record) for record in records}) == len(records) > 0
    lines = [json.dumps(record, sort_keys=True) for record in records]
    assert store.path.read_text().splitlines() == lines
