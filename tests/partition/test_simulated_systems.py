"""Simulated systems of several devices: every cut computes what integers do, the predicted cycles are within
5 % of the simulated ones, and faults of the links never give a wrong result.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from eccelerate import external
from eccelerate.explore.partition import partition_device, partition_rtl, partition_run
from eccelerate.explore.partition.partition_bundle import write_partition
from eccelerate.explore.partition.partition_cuts import Cut
from eccelerate.explore.partition.partition_plan import cuts_of, plan, request
from eccelerate.explore.partition.partition_run import PartitionRunError, simulate
from eccelerate.rtlsim.verilate import verilator_environment

WITHIN = 0.05
SYSTEMS = [
    ("mul", 64, 3, "16b@134MHz", "ecp5-85f-6", 150, "one"),
    ("mul", 97, 3, "32b@100MHz+200ns", "ecp5-25f-6", 180, "karatsuba"),
    ("mul", 61, 2, "8b@300MHz", "ecp5-85f-6", 150, "halves"),
    ("montmul", 64, 1, "32b@134MHz", "ecp5-85f-6", 150, "one"),
]
"""Operation, bits, devices, link, device, clock, cut."""
LARGE = [
    ("mul", 64, 5, "64b@134MHz", "up5k", 40, "replicate-5"),
    ("montmul", 130, 3, "32b@200MHz", "ecp5-85f-6", 100, "products"),
    ("mul", 521, 2, "64b@134MHz", "ecp5-25f-6", 150, "halves"),
    ("mul", 521, 3, "64b@134MHz", "ecp5-25f-6", 150, "karatsuba"),
    ("mul", 256, 5, "128b@134MHz", "up5k", 40, "replicate-5"),
    ("montmul", 521, 3, "64b@134MHz", "ecp5-85f-6", 150, "products"),
    ("montmul", 256, 4, "64b@134MHz+400ns", "ecp5-25f-6", 150, "replicate-4"),
    ("add", 192, 3, "32b@134MHz", "ecp5-85f-6", 150, "replicate-3"),
]
"""Systems whose compilation or simulation takes long."""
SMALL = ("mul", 48, 3, "16b@134MHz+20ns", "ecp5-85f-6", 150, "karatsuba")


@cache
def system(op: str, bits: int, devices: int, link: str, device: str, mhz: float, name: str) -> Cut:
    return plan(request(op, bits, devices, link, device, mhz), devices, name).chosen


@pytest.mark.parametrize(
    "which",
    [*SYSTEMS, *(pytest.param(which, marks=pytest.mark.soak) for which in LARGE)],
    ids=lambda which: "-".join(map(str, which)),
)
def test_results_are_right_and_the_predicted_cycles_within_five_percent(which: tuple[str, ...]) -> None:
    cut = system(*which)  # type: ignore[arg-type]
    for groups in (1, 24):
        jobs = groups * cut.group
        outcome = simulate(cut, jobs)
        assert outcome.status == "pass"
        assert outcome.results == jobs
        assert outcome.retries == 0
        assert cut.cycles(jobs) == pytest.approx(outcome.cycles, rel=WITHIN)


def test_a_wrong_product_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cut with one wrong bit in its expected results."""
    text = partition_run.jobs_text

    def wrong(*arguments: object) -> str:
        lines = text(*arguments).splitlines()  # type: ignore[arg-type]
        head, _, last = lines[5].rpartition(" ")
        lines[5] = f"{head} {int(last, 16) ^ 1:x}"
        return "\n".join(lines) + "\n"

    monkeypatch.setattr(partition_run, "jobs_text", wrong)
    with pytest.raises(PartitionRunError, match="wrong 5, 5 results"):
        simulate(system(*SMALL), 24)


@pytest.mark.parametrize("per_million", [300, 2000, 20_000, 100_000])
def test_random_faults_of_all_channels_never_give_a_wrong_result(per_million: int) -> None:
    """`simulate` raises if a result is wrong or if the system hangs."""
    retries = 0
    for seed in range(12):
        outcome = simulate(system(*SMALL), 60, ["--faults", per_million, seed])
        retries += outcome.retries
        assert outcome.status == "pass" or outcome.status.startswith("dead")
        if per_million <= 2000:
            assert outcome.status == "pass", "a few faults are repaired"
    assert retries


def test_a_cut_of_any_channel_ends_in_a_status_of_every_device() -> None:
    """At many moments of the run; `dead` means that the host and all devices say so."""
    cut = system(*SMALL)
    bound = 4 * (partition_device.MAX_TRIES + 2) * cut.lane.retry_cycles
    for channel in range(len(partition_rtl.channels(cut))):
        for moment in (100, 150, 190, 240, 300, 377, 500):
            outcome = simulate(cut, 400, ["--cut", channel, moment])
            assert outcome.status.startswith("dead")
            assert outcome.end <= moment + bound


def test_without_the_crc_a_fault_gives_a_wrong_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault test can fail: the receiver of this system ignores the CRC."""
    source = next(p for p in partition_rtl.library_files(system(*SMALL)) if p.name == "eccel_link_rx.sv")
    mutant = tmp_path / source.name
    text = source.read_text()
    assert "ends_q && crc == check_q" in text
    mutant.write_text(text.replace("ends_q && crc == check_q", "ends_q"))
    library = [mutant if p == source else p for p in partition_rtl.library_files(system(*SMALL))]
    monkeypatch.setattr(partition_run, "library_files", lambda cut: library)
    with pytest.raises(PartitionRunError, match="wrong"):
        for seed in range(12):
            simulate(system(*SMALL), 60, ["--faults", 2000, seed])


def test_the_written_folder_simulates_itself(tmp_path: Path) -> None:
    found = plan(request("mul", 48, 3, "16b@134MHz+20ns", "ecp5-85f-6", 150), 3, "karatsuba")
    files = write_partition(found.chosen, found.record, 24, tmp_path / "bundle")
    names = {path.name for path in files}
    assert {"device0.sv", "device1.sv", "device2.sv", "eccel_link.sv", "Makefile", "plan.json"} <= names
    done = external.run(["make", "-C", tmp_path / "bundle"], env=verilator_environment(), timeout=600)
    assert "STATUS pass" in done.text, done.errors[-2000:]


def test_every_cut_of_a_plan_can_be_generated() -> None:
    for op, bits in (("mul", 256), ("montmul", 256), ("add", 256)):
        for cut in cuts_of(request(op, bits, 5, "64b@134MHz", "ecp5-85f-6", 150), 5):
            files = partition_rtl.device_files(cut, partition_run.constants_of(cut.job))
            assert len(files) == len(cut.devices)
