"""Placement, records and bundles of the sample design."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.explore.designs import config_design
from eccelerate.flow import Design, FlowError, Store, place, pnr, synthesise
from eccelerate.flow.bundle import write_bundle
from eccelerate.flow.store import map_record
from eccelerate.flow.wrap import wrapper_source
from tests.sampled import sampled


def test_sample_is_placed_measured_recorded_and_bundled(sample: Design, tmp_path: Path) -> None:
    steps: list[str] = []
    result = place(sample, "ecp5-25f-6", (1, 2), steps.append)
    assert set(result.fmax_mhz) == {1, 2}
    # The critical path is a 44-bit adder after a multiplexer; memories and multiplier are faster.
    assert 140 < result.worst_mhz <= result.median_mhz < 260
    assert result.placed["mult"] == 1 and result.placed["bram"] == 2
    assert result.placed["ff"] == result.synth.counts.ff
    # The placer adds LUTs only for the ends of carry chains and for constants.
    assert 0 <= result.placed["lut4"] - result.synth.counts.lut4 < 12

    path = result.critical_path()
    assert any("acc_o" in step for step in path) and all(" ns " in step for step in path)

    start = time.perf_counter()
    assert place(sample, "ecp5-25f-6", (1, 2)).fmax_mhz == result.fmax_mhz
    assert time.perf_counter() - start < 2

    store = Store(tmp_path / "flow.jsonl")
    record = store.add(result)
    assert store.add(result) == record and len(list(store)) == 1
    store.add(synthesise(sample, "ecp5-25f-6"))
    found = store.latest(kind="place", config="sample-mac", device="ecp5-25f-6")
    assert found is not None and found["worst_mhz"] == result.worst_mhz and found["tools"]["pyosys"]
    assert store.latest(config="other") is None

    manual = tmp_path / "map.html"
    manual.write_text("registers")
    out = tmp_path / "bundle"
    files = {str(p.relative_to(out)) for p in write_bundle(sample, "ecp5-25f-6", out, [manual], (1, 2))}
    assert {
        "rtl/eccel_ram.sv", "rtl/eccel_ecp5_cells.sv", "rtl/sample_mac.sv", "coefficients.hex",
        "sim/eccel_ram.sv", "doc/map.html", "sample-mac.f", "sample-mac_sim.f", "sample-mac.core",
        "report.json", "netlist.v", "sample-mac_out_of_context.bit",
    } <= files  # fmt: skip
    assert "PDPW16KD" in (out / "rtl/eccel_ram.sv").read_text()  # the twin, not the portable body
    assert (out / "sample-mac_out_of_context.bit").stat().st_size > 10_000
    report = json.loads((out / "report.json").read_text())
    assert report["fmax_mhz"] == {str(s): f for s, f in result.fmax_mhz.items()}
    listed = [x for x in (out / "sample-mac.f").read_text().splitlines() if not x.startswith("//")]
    assert listed[-2:] == ["rtl/sample_mac.sv", "rtl/sample_mac_top.sv"]
    assert all((out / x).exists() for x in listed)
    with pytest.raises(FlowError, match="not empty"):
        write_bundle(sample, "ecp5-25f-6", out)


def test_bundle_builds_again_from_its_own_files(sample: Design, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    write_bundle(sample, "xc7", out)
    rtl = [out / x for x in (out / "sample-mac.f").read_text().splitlines() if not x.startswith("//")]
    again = Design("again", sample.top, rtl, sample.params, [out / "coefficients.hex"])
    assert synthesise(again, "xc7").counts == synthesise(sample, "xc7").counts


@sampled("device", ["lifcl-40", "up5k"], now=1)
def test_sample_is_placed_on_the_other_families(sample: Design, device: str) -> None:
    result = place(sample, device, (1,))
    assert result.placed["mult"] == 1
    assert result.worst_mhz > (100 if device == "lifcl-40" else 20)
    assert abs(result.placed["lut4"] - result.synth.counts.lut4) < 120


@sampled("static", [False, True], now=1)
def test_large_designs_and_those_of_xors_get_the_other_placer(
    sample: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, static: bool
) -> None:
    monkeypatch.setenv("ECCEL_BUILD", str(tmp_path / "build"))
    if not static:
        monkeypatch.setattr(pnr, "STATIC_LUTS", 1)
    result = place(replace(sample, static_placer=static), "ecp5-25f-6", (1,))
    assert result.worst_mhz > 100
    assert "Static placer" in (result.folders[1] / "pnr.log").read_text()


def test_carry_chains_do_not_count_as_large(
    sample: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECCEL_BUILD", str(tmp_path / "build"))
    counts = synthesise(sample, "ecp5-25f-6").counts
    assert counts.cells["CCU2C"] > 0
    monkeypatch.setattr(pnr, "STATIC_LUTS", counts.lut4)
    result = place(sample, "ecp5-25f-6", (1,))
    assert "Static placer" not in (result.folders[1] / "pnr.log").read_text()


@pytest.mark.parametrize(("name", "static"), [("binary-163-d16", True), ("compact-w32", False)])
def test_binary_engines_take_the_electrostatic_placer(name: str, static: bool) -> None:
    assert config_design(find_config(name), shell=False).static_placer == static


def test_mapping_only_family_has_no_placement(sample: Design) -> None:
    with pytest.raises(FlowError, match="mapping only"):
        place(sample, "xc2vp")
    record = map_record(synthesise(sample, "xc2vp"))
    assert record["mult"] == 1 and record["bram"] == 2 and record["lut4"] > 0


def test_wrapper_needs_a_clock_and_plain_directions() -> None:
    with pytest.raises(FlowError, match="no one-bit clock"):
        wrapper_source("top", {"a": ("input", 1)}, "clk_i")
    with pytest.raises(FlowError, match="bidirectional"):
        wrapper_source("top", {"clk_i": ("input", 1), "pad": ("inout", 1)}, "clk_i")
