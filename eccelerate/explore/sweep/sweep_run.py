"""Measures one point, with the functions that measure the stored figures."""

from __future__ import annotations

import fcntl
import json
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eccelerate.configs.config import Config, ConfigError, build_root
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.curves import find_curve
from eccelerate.explore.cycle_records import measured
from eccelerate.explore.sweep.sweep_answers import require_right_answers
from eccelerate.explore.sweep.sweep_design import Unit, find_design
from eccelerate.explore.sweep.sweep_energy import measure_energy
from eccelerate.explore.sweep.sweep_key import design_of, point_key
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_yardsticks import measure_yardstick
from eccelerate.flow.design import Design
from eccelerate.flow.devices import Device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_device
from eccelerate.flow.pnr import place
from eccelerate.flow.synth import SynthResult, synthesise
from eccelerate.flow.tools import digest
from eccelerate.rtlsim.multiplier_bench import simulate

Figures = dict[str, Any]
MAIN_JOBS = ("scalar_mul", "x_ladder", "mod_mul")
"""The job that the cycles of an engine are, if its program has it."""
LOG_BYTES = 20_000
"""The end of a log that is kept of a failure."""


@dataclass(frozen=True)
class Outcome:
    """What came of a run: figures, or the error and the end of its log."""

    figures: Figures | None
    seconds: float
    error: str = ""
    log: str = ""


class SourcesChangedError(RuntimeError):
    """The sources or tools are not those that the sweep was planned with."""


def run_point(point: Point, key: str) -> Outcome:
    """Measure a point whose key is `key`. Every error becomes an outcome with its log."""
    began = time.monotonic()
    try:
        _require_key(point, key)
        figures = measure(point)
        _require_key(point, key)  # a file that changed meanwhile may be in the figures or not
    except Exception as error:  # a sweep goes on after any failure, and shows it
        return Outcome(None, time.monotonic() - began, _text(error), _log(error))
    return Outcome(json.loads(json.dumps(figures)), time.monotonic() - began)


def _require_key(point: Point, key: str) -> None:
    if point_key(point) != key:
        raise SourcesChangedError(
            "the RTL, the flow or a tool is not the one that the sweep was planned with:"
            " start the command again (with --cluster: all machines need the same version)"
        )


def measure(point: Point) -> Figures:
    """The figures of a point. Raises what the measuring functions raise."""
    unit = find_design(point.kind, point.design)
    if point.measure == "cycles":
        return _cycles(unit, point)
    if point.measure == "energy":
        return measure_energy(unit, point)
    target, design = unit_device(point.device), design_of(unit, shell=point.shell)
    mapped = _mapped(design, target)
    return _placed(design, target, point.seed) if point.measure == "place" else _counts(mapped)


def _cycles(unit: Unit, point: Point) -> Figures:
    if isinstance(unit, MultiplierConfig):
        run = simulate(unit)
        return {"cycles": run.latency, "interval": run.interval, "operation": "product", **asdict(run)}
    if isinstance(unit, Config):
        curve = find_curve(point.curve)
        checked = require_right_answers(unit, curve)
        return job_cycles(measured(unit, curve)) | {"answers_checked": checked}
    return measure_yardstick(unit)


def job_cycles(jobs: dict[str, int | float]) -> Figures:
    """The cycles of an engine's main job and of one in a stream, and those of all jobs. Raises ConfigError if
    there is no main job.
    """
    main = next((name for name in MAIN_JOBS if name in jobs), None)
    if main is None:
        raise ConfigError(f"none of the jobs {', '.join(MAIN_JOBS)} was measured")
    interval = jobs.get(f"{main}_sustained", jobs[main])
    return {"cycles": jobs[main], "interval": interval, "operation": main, "jobs": dict(jobs)}


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Only one process at a time is in the block of this name; the lock of a dead process is free."""
    folder = build_root() / "explore"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _mapped(design: Design, target: Device) -> SynthResult:
    """The mapped design. Several seeds of a placement share it, so the first one maps and the others wait."""
    with _alone(digest(design.digest(target.rules), target.rules.name)):
        return synthesise(design, target)


def _counts(mapped: SynthResult) -> Figures:
    counts = mapped.counts
    cells = {
        "lut4": counts.lut4,
        "lut": counts.lut,
        "ff": counts.ff,
        "mult": counts.mult,
        "bram": counts.bram,
    }
    return {**cells, "cells": counts.cells, "cautions": mapped.cautions}


def _placed(design: Design, target: Device, seed: int) -> Figures:
    found = place(design, target, (seed,))
    fmax, mult = found.fmax_mhz[seed], found.placed["mult"]
    claimed = min(fmax, target.mult_mhz) if target.mult_mhz and mult else fmax
    counts = found.synth.counts
    mapped = {"mapped_lut4": counts.lut4, "mapped_ff": counts.ff}
    return {**found.placed, **mapped, "mhz": claimed, "fmax_mhz": fmax, "cautions": found.synth.cautions}


def _text(error: Exception) -> str:
    """The error in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if isinstance(error, FlowError | ConfigError) else f"{type(error).__name__}: {text}"


def _log(error: Exception) -> str:
    """The log of the tool that failed, or where the error was raised."""
    path = getattr(error, "log", None)
    if isinstance(path, Path) and path.is_file():
        return path.read_text(errors="replace")[-LOG_BYTES:]
    return "".join(traceback.format_exception(error))[-LOG_BYTES:]
