"""Reads the records of the other files under results/ as results of a sweep, so that one query sees all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from eccelerate.configs.config import ConfigError, load_configs
from eccelerate.explore.sweep.sweep_design import find_design, find_engine, find_yardstick_or_variant
from eccelerate.explore.sweep.sweep_point import Point
from eccelerate.explore.sweep.sweep_run import job_cycles
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_device
from eccelerate.flow.store import Record

ORIGIN, ORIGIN_DEVICE = "origin_key", "origin_device"
"""Where the figures of an imported record have the key that its own file gave it, and the device that this
key is for; of a variant of the study, the part that it is for. A record without them is current as long as
git sees no change of its sources since its commit.
"""
CORE = "-core"
"""How the flow's records name an engine without its bus shell."""
GATED = "+clock-gates"
"""How records of energy name a design with clock gates; here the library has the name."""
AREA = ("lut4", "lut", "ff", "mult", "bram", "mapped_lut4", "mapped_ff", "cells", "cautions", "fmax_mhz")


def _record(
    record: Record, point: Point, figures: Mapping[str, Any], command: str, seeds: str = ""
) -> Record:
    """A record in the form of the store. Its key is not that of a point: it was not made by a sweep."""
    content = json.dumps([record, point.text], sort_keys=True)
    return {
        "key": "file:" + hashlib.sha256(content.encode()).hexdigest()[:20],
        "point": asdict(point),
        "figures": figures,
        "seconds": None,
        "commit": record["commit"],
        "date": record.get("date", ""),
        "tools": record["tools"],
        "command": command,
        "seeds": seeds,
    }


def _area(record: Record, device: str) -> dict[str, Any]:
    """The figures of a mapping or a placement."""
    figures = {name: record[name] for name in AREA if name in record}
    worst = record.get("worst_mhz")
    try:
        limit = unit_device(device).mult_mhz
    except FlowError as error:
        raise ConfigError(str(error)) from error
    if worst:
        figures["mhz"] = min(worst, limit) if limit and record["mult"] else worst
    return figures


def _flow(record: Record) -> Iterator[Record]:
    name, measure, device = record["config"], record["kind"], record["device"]
    design = find_engine(name.removesuffix(CORE)).name
    shell = not name.endswith(CORE)
    point = Point("engine", design, measure, device=device, shell=shell)
    seeds = sorted(record.get("fmax_mhz", ()), key=int)
    command = f"eccel measure {design} --area {device} --{'' if shell else 'no-'}shell"
    command += f" --placements {len(seeds)}" if seeds else ""
    figures = _area(record, device) | {ORIGIN: record["netlist"]}
    yield _record(record, point, figures, command, ",".join(seeds))


def _cycles(record: Record) -> Iterator[Record]:
    design, curve = find_engine(record["config"]).name, record["curve"]
    point = Point("engine", design, "cycles", curve=curve)
    figures = job_cycles(record["cycles"]) | {ORIGIN: record["key"]}
    yield _record(record, point, figures, f"eccel measure {design} --cycles --curve {curve}")


def _unit(kind: str, command: str) -> Callable[[Record], Iterator[Record]]:
    """Reads records of units: area on a device, and the cycles of the simulation."""

    def read(record: Record) -> Iterator[Record]:
        unit, device = find_design(kind, record["config"]), record["device"]
        text = command.format(design=unit.name, device=device)
        seeds = ",".join(sorted(record["fmax_mhz"], key=int))
        point = Point(kind, unit.name, record["flow"], device=device)
        yield _record(record, point, _area(record, device) | {ORIGIN: record["netlist"]}, text, seeds)
        run = record["simulated"]
        cycles: dict[str, Any] = {
            "cycles": run.get("latency", run.get("cycles")),
            "interval": run.get("interval", run.get("cycles")),
        }
        cycles |= {"operation": getattr(unit, "operation", "product")}
        cycles |= {ORIGIN: record["netlist"], ORIGIN_DEVICE: device}
        yield _record(record, Point(kind, unit.name, "cycles"), cycles, text)

    return read


def _study(record: Record) -> Iterator[Record]:
    """A part of a variant of the study: cycles, energy in a library, or area on a device."""
    unit, part = find_yardstick_or_variant(record["config"]), record["part"]
    origin = {ORIGIN: record["key"], ORIGIN_DEVICE: part}
    command = f"eccel study --measure --parts {part} --units {unit.name}"
    if part == "cycles":
        cycles = record["cycles"]
        figures = {"cycles": cycles, "interval": cycles, "operation": unit.operation, **origin}
        yield _record(record, Point("yardstick", unit.name, "cycles"), figures, command)
    elif "energy_pj" in record:
        figures = {**record, "total_w": record["power_w"], "operation": unit.operation, **origin}
        point = Point("yardstick", unit.name, "energy", library=_library(part, record))
        yield _record(record, point, figures, command)
    else:
        device = str(record.get("device") or ("ecp5-25f-6" if part == "placed" else part))
        point = Point("yardstick", unit.name, record["flow"], device=device)
        seeds = ",".join(sorted(record["fmax_mhz"], key=int))
        figures = _area(record, device) | origin
        yield _record(record, point, figures, command, seeds)


def _energy(record: Record) -> Iterator[Record]:
    name = record["unit"].removesuffix(GATED)
    kind, curve = "engine", ""
    if name in load_configs():
        curve = find_engine(name).curve_name
        record = {**record, "operation": "scalar_mul"}
    else:
        try:
            find_yardstick_or_variant(name)
            kind = "yardstick"
        except ConfigError:
            kind = "multiplier"
    design = find_design(kind, name).name
    library = _library(record["library"], record)
    command = f"eccel energy {design} --library {record['library']}"
    command += " --clock-gates" if record.get("clock_gates") else ""
    yield _record(record, Point(kind, design, "energy", curve=curve, library=library), record, command)


def _library(name: str, record: Record) -> str:
    return name + GATED * bool(record.get("clock_gates"))


READERS: Mapping[str, Callable[[Record], Iterator[Record]]] = {
    "flow.jsonl": _flow,
    "cycles.jsonl": _cycles,
    "multipliers.jsonl": _unit(
        "multiplier", "eccel multipliers --measure --units {design} --device {device}"
    ),
    "yardsticks.jsonl": _unit("yardstick", "eccel compare marnane"),
    "study.jsonl": _study,
    "energy.jsonl": _energy,
}
"""How the records of each file are read."""
