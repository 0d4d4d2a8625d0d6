"""The comparison: published numbers are the paper's, ratios are right, and tables fit a terminal."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from eccelerate.cli.compare import show
from eccelerate.configs.config import find_config, load_configs
from eccelerate.curves import find_curve
from eccelerate.explore import compare_area_time as area_time
from eccelerate.explore import compare_rates, compare_throughput
from eccelerate.explore.comparison import Comparison, compare, from_record
from eccelerate.explore.cycle_records import cycles_key
from eccelerate.explore.figures import Figures, placed_design, stored_figures
from eccelerate.explore.pages import engines
from eccelerate.explore.pages.selection import stale_records
from eccelerate.explore.published import OPERATIONS, UnknownSystemError, find_system, system_names
from eccelerate.flow import device
from eccelerate.flow.store import netlist_key
from tests.explore.records import P256, full

SYSTEM = find_system("vliegen2010")


def shown(comparison: Comparison) -> str:
    """The text on a terminal of 100 columns."""
    stream = io.StringIO()
    show(comparison, Console(file=stream, width=100))
    return stream.getvalue()


def test_published_figures_agree_with_each_other() -> None:
    """Tables I to III of the paper show the same data: milliseconds are cycles times the clock period."""
    for variant in SYSTEM.variants:
        assert variant.cycles["scalar_mul"] / variant.mhz / 1000 == pytest.approx(variant.ms, abs=0.011)
        assert set(variant.cycles) == set(OPERATIONS)
        assert variant.slices - variant.slices_engine == 138
        assert variant.config in load_configs()
    assert [v.slices_engine_estimated for v in SYSTEM.variants] == [False, False, True]


def test_unknown_system_names_the_known() -> None:
    assert "vliegen2010" in system_names()
    with pytest.raises(UnknownSystemError, match="vliegen2010"):
        find_system("vliegen")


def test_ratios(tmp_path: Path) -> None:
    ours = stored_figures(find_config("compact-w32"), P256, full(tmp_path))
    pair = area_time.side_by_side(SYSTEM.variants[1], ours)
    ratio = pair["ratio"]
    assert ratio["cycles"]["scalar_mul"] == pytest.approx(1074625 / 250_000, abs=0.01)
    assert ratio["area_time_lut4"] == pytest.approx(1947 / 800 * 1074625 / 250_000, abs=0.01)
    assert ratio["area_time_slices"] == pytest.approx(1947 / 900 * 1074625 / 250_000, abs=0.01)
    assert pair["ours"]["ms"] == 2.0 and ratio["time"] == pytest.approx(7.88)


def test_incomplete_figures_are_refused() -> None:
    nothing = Figures(find_config("compact-w32"), None, None, None)
    with pytest.raises(ValueError, match="incomplete"):
        area_time.side_by_side(SYSTEM.variants[1], nothing)


def test_json_has_both_sides(tmp_path: Path) -> None:
    record = json.loads(json.dumps(compare("vliegen2010", stores=full(tmp_path)).record))
    assert set(record["variants"]) == {"w16", "w32", "w64"}
    ours = record["variants"]["w64"]["ours"]
    assert ours["placed"]["device"] == "ecp5-85f-6" and len(ours["placed"]["fmax_mhz"]) == 3
    assert ours["commits"] == {"cycles": "abc", "cells": "abc", "placed": "abc"}


def test_tables_fit_100_columns_and_name_their_origin(tmp_path: Path) -> None:
    text = shown(compare(SYSTEM.name, stores=full(tmp_path)))
    assert max(map(len, text.splitlines())) <= 100
    for wanted in ("3,227,993", "250,000", "scalar multiplication", "~2,679", "Seeds 1, 2, 3", "abc"):
        assert wanted in text
    assert "…" not in text


ARRAY = find_system("gueneysu2008")


def test_published_rates_agree_with_each_other() -> None:
    """The rates in the abstract and on the slides follow from the times in the table."""
    rates = {design.name: design.many.per_second for design in ARRAY.designs}
    assert rates == {"P-224": pytest.approx(37_700, rel=0.002), "P-256": pytest.approx(24_700, rel=0.002)}
    for design in ARRAY.designs:
        assert design.many.mult == design.many.cores * design.one.mult
        assert design.many.cycles == pytest.approx(design.one.cycles, rel=0.002)
        assert find_config(design.config).curve_name == design.name
    assert ARRAY.designs[1].one.per_mult_and_mhz == pytest.approx(0.129, abs=0.0005)


def test_ratios_of_an_array(tmp_path: Path) -> None:
    record = compare_throughput.comparison(ARRAY, stores=full(tmp_path))
    pair = record["designs"]["P-256"]
    assert pair["ours"]["stream"]["per_second"] == round(125e6 / 50_000.5)
    assert pair["ours"]["alone"]["us"] == 2000.0
    assert pair["ratio"]["cycles"] == pytest.approx(242_550 / 50_000.5, abs=0.01)
    assert pair["ratio"]["us_alone"] == pytest.approx(495 / 2000, abs=0.01)
    assert pair["ratio"]["per_mult_and_mhz"] == pytest.approx(1e6 / 50_000.5 / 11 / 0.1288, rel=0.01)
    with pytest.raises(ValueError, match="incomplete"):
        compare_throughput.engine(Figures(find_config("turbo-p256"), None, None, None), "scalar_mul")


def test_a_cluster_counts_when_it_is_measured_and_placed(tmp_path: Path) -> None:
    """A comparison uses only its cycles and its clock for the current sources. The pages show the newest of
    each, and name those of other sources.
    """
    stores = full(tmp_path)
    config, curve = find_config("turbo-p256-x9"), find_curve("P-256")
    design = placed_design(config)
    row = {"kind": "place", "config": design.name, "device": "ecp5-85f-8", "fmax_mhz": {"1": 100.0}}
    row |= {"worst_mhz": 100.0, "lut4": 9, "ff": 9, "mult": 144, "bram": 9, "commit": "abc", "tools": {}}
    cycles = {"config": config.name, "curve": curve.name, "commit": "abc", "tools": {}}
    cycles |= {"cycles": {"scalar_mul": 60_000, "scalar_mul_sustained": 5_000}}

    def place(netlist: str) -> None:
        with stores.flow.path.open("a") as stream:
            stream.write(json.dumps(row | {"netlist": netlist}) + "\n")

    def on_page() -> bool:
        return f"`{config.name}` | ecp5-85f-8, seed 1 | 9 |" in engines.turbo(stores)

    def rates() -> list[int]:
        ours = compare_throughput.comparison(ARRAY, stores=stores)["designs"]["P-256"]["ours"]
        assert bool(stale_records(config, stores)) == (on_page() and "cluster" not in ours)
        return [own["per_second"] for role, own in ours.items() if role == "cluster"]

    place(netlist_key(design, device("ecp5-85f-8").rules))
    assert rates() == [] and not on_page()
    stores.cycles.put(cycles | {"key": "of other sources"})
    assert rates() == [] and on_page()
    stores.cycles.put(cycles | {"key": cycles_key(config, curve)})
    assert rates() == [20_000]
    place("of other sources")
    assert rates() == [] and on_page()


def test_tables_of_an_array_fit_and_name_their_origin(tmp_path: Path) -> None:
    text = shown(compare(ARRAY.name, stores=full(tmp_path)))
    assert max(map(len, text.splitlines())) <= 100
    for wanted in ("242,550", "50,000.5", "0.129", "1,715", "24,691", "Seeds 1, 2, 3 (whole device: none)"):
        assert wanted in text
    assert "…" not in text


ACCELERATOR = find_system("gura2002")


HOST = {
    "version": "OpenSSL 9.9",
    "host": "Some Processor",
    "rates": {"scalar_mul": 7003, "ecdh": 7003, "ecdsa_sign": 6500, "ecdsa_verify": 3241},
}


def test_published_rates_of_an_accelerator_are_its_cycles() -> None:
    for curve in ACCELERATOR.curves:
        assert 1e6 * ACCELERATOR.mhz / curve.cycles == pytest.approx(curve.rates["scalar_mul"], rel=0.001)
        assert set(curve.software) == set(curve.rates)


def test_ratios_of_an_accelerator(tmp_path: Path) -> None:
    curve = ACCELERATOR.curves[0]
    config = find_config(curve.config)
    found = stored_figures(config, find_curve(config.curve_name), full(tmp_path))
    pair = compare_rates.side_by_side(ACCELERATOR, curve, found, HOST)
    assert pair["ours"]["rates"]["scalar_mul"] == round(125e6 / 250_000)
    assert pair["ratio"]["cycles"] == pytest.approx(9446 / 250_000, abs=0.01)
    assert pair["ratio"]["luts"] == pytest.approx(20068 / 1600, abs=0.01)
    assert pair["ours"]["software"]["ecdsa_verify"] == 3241 and "one core" in pair["ours"]["host"]
    with pytest.raises(ValueError, match="incomplete"):
        compare_rates.side_by_side(ACCELERATOR, curve, Figures(config, None, None, None), None)


def test_table_of_an_accelerator_fits_and_names_its_origin(tmp_path: Path) -> None:
    stores = full(tmp_path)
    curves = {}
    for curve in ACCELERATOR.curves:
        config = find_config(curve.config)
        found = stored_figures(config, find_curve(config.curve_name), stores)
        curves[curve.name] = compare_rates.side_by_side(ACCELERATOR, curve, found, HOST)
    text = shown(from_record(ACCELERATOR, {"curves": curves}))
    assert max(map(len, text.splitlines())) <= 100
    for wanted in ("9,446", "14,872", "20,068", "6,987", "250,000", "Seeds 1, 2, 3", "abc"):
        assert wanted in text
    for wanted in ("Any polynomial: binary-generic-d64", "644", "21.7", "OpenSSL 9.9, one core of Some"):
        assert wanted in text
    assert "…" not in text
    for pair in curves.values():
        pair["ours"] |= {"software": {}, "host": None}
    assert "no openssl command here" in shown(from_record(ACCELERATOR, {"curves": curves}))
