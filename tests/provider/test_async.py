"""Asynchronous jobs: many at once, jobs that nobody asks for any more, and what they leave behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.provider.lab import SLOW, Lab, call

JOBS = 1000
ABORTED = 800
HEAP = 700_000
"""Bytes that threads and caches may take once, whatever the number of jobs."""


def test_a_thousand_operations_wait_at_once(lab: Callable[..., Lab], program: Callable[[str], Path]) -> None:
    slow = lab("soft:delay_us=20000&workers=64", fallback="no")
    found = slow.run_json(program("many"), "P-256", str(JOBS), "2")
    assert found["good"] == found["jobs"] == 2 * JOBS
    assert found["most_paused"] == JOBS
    assert found["descriptors"] == 0 and found["heap"] < HEAP
    done = slow.counters()
    # For each job: a signature, two verifications, two secrets. The two keys are not made in a job.
    assert done.paused == 5 * 2 * JOBS and done.hardware["sign"] == 2 * JOBS
    assert done.requests == 0 and not any((*done.software.values(), *done.failed.values()))


def test_operations_in_the_rtl_wait_at_once(hardware: Lab, program: Callable[[str], Path]) -> None:
    found = hardware.run_json(program("many"), "secp160r1", "12", "1")
    assert found["good"] == found["most_paused"] == 12
    assert hardware.counters().hardware["sign"] == 12 and not any(hardware.counters().software.values())


def test_pauses_without_a_device_are_not_needed(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    alone = lab("")
    found = alone.run_json(program("many"), "P-256", "10", "1")
    assert found["good"] == 10 and found["pauses"] == 0 and alone.counters().software["sign"] == 10


def test_a_device_that_goes_away_under_paused_jobs_is_replaced_by_software(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    broken = lab("soft:delay_us=1000&workers=8&status=-7")
    found = broken.run_json(program("many"), "P-256", "200", "1")
    assert found["good"] == 200 and found["descriptors"] == 0
    done = broken.counters()
    assert (
        done.software["sign"] == 200 and done.device_errors == 5 * 200 + 2 and not any(done.hardware.values())
    )
    strict = lab("soft:status=-7&delay_us=1000", fallback="no")
    assert "STUB_-7" in strict.refused("genpkey", "-algorithm", "EC", "-pkeyopt", "group:P-256")


def _abort(slow: Lab, program: Path, mode: str, count: int = ABORTED) -> dict[str, int]:
    key, certificate = slow.path("key.pem"), slow.path("key.crt")
    return slow.run_json(program, certificate, key, str(count), mode)


def test_aborted_handshakes_leave_nothing_behind(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    slow = lab("soft:delay_us=2000&workers=64", fallback="no")
    slow.make_certificate("key", "P-256")
    few, many = (_abort(slow, program("aborted"), "drain", count) for count in (ABORTED // 4, ABORTED))
    assert many["paused"] > ABORTED and many["descriptors"] == 0
    assert many["heap"] - few["heap"] < 50_000  # 600 handshakes more: under 100 bytes for each
    assert slow.counters().requests == 0


def test_connections_that_are_freed_while_paused_lose_no_more_than_openssl_loses(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    slow = lab("soft:delay_us=20000&workers=64", fallback="no")
    slow.make_certificate("key", "P-256")
    freed, baseline = (_abort(slow, program("aborted"), mode) for mode in ("free", "baseline"))
    done = slow.counters()
    assert done.abandoned == freed["paused"] > ABORTED
    assert done.requests == 0 and freed["descriptors"] == 0
    # OpenSSL loses the stack of each job, with or without this provider, and what libssl had allocated in it.
    assert freed["heap"] < 1.15 * baseline["heap"] + HEAP


def test_a_fork_in_the_middle_of_operations_hangs_nothing(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    busy = lab("soft:workers=4", fallback="no")
    found = busy.run_json(program("forked"), "40", "4")
    assert found["children"] == 40 and found["signatures"] > 40


def test_children_of_a_fork_use_the_engine_by_connections_of_their_own(
    hardware: Lab, program: Callable[[str], Path]
) -> None:
    found = hardware.run_json(program("forked"), "2", "1")
    assert found["children"] == 2 and found["signatures"] > 0
    done = hardware.counters()
    assert done.hardware["sign"] >= 2 * 3 + 1 and not any((*done.software.values(), *done.failed.values()))


def test_wait_contexts_are_shared_and_outlive_the_provider(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    slow = lab("soft:delay_us=20000&workers=8", fallback="no")
    assert call(program("shared"), slow.conf, env=slow.stock) == b"done\n"
    done = slow.counters()
    assert done.requests == 0 and done.hardware["sign"] == 6


def test_threads_share_keys(lab: Callable[..., Lab], program: Callable[[str], Path]) -> None:
    busy = lab("soft:workers=4", fallback="no")
    assert call(program("threads"), "8", "25", env=busy.env) == b"200\n"
    assert busy.counters().hardware["sign"] == 200


def test_threads_share_the_engine(hardware: Lab, program: Callable[[str], Path]) -> None:
    patient = Lab(hardware.folder, hardware.module, hardware.devices, SLOW)
    assert call(program("threads"), "4", "2", env=patient.env) == b"8\n"
    done = patient.counters()
    # All threads wait for the one that opens the device, although software would be allowed.
    assert done.hardware["sign"] == 8 and not any(done.software.values())
