"""The plan of a paced device: how long each job of a configuration takes, and how many run at once.

`eccel-serve --paced` answers jobs with results of software after these times. Clocks are measured on the RTL
of one engine, each job alone and in a stream of groups, once for its sources; the build folder keeps them.
Those of a cluster of equal engines come from ``results/cycles.jsonl``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import Any

from eccelerate.configs.config import Config
from eccelerate.configs.kind import build_root
from eccelerate.curves import Curve, find_curve
from eccelerate.explore.cycle_records import CycleStore, cycles_key, cycles_of
from eccelerate.model.jobs import Op, Status, curve_load_operands
from eccelerate.rtlsim.measure_jobs import JobClocks, Measured, measure_jobs

Plan = dict[str, Any]
Progress = Callable[[str], None]

FORMAT = 1
QUEUE_OF_ONE_POOL, QUEUE = 15, 31
"""Packets from which a dispatcher chooses the next one, with one pool and with several."""
WAIT, WAIT_IN_CLUSTER = 1023, 2047
"""Clocks that an incomplete group waits, unless the configuration says otherwise."""
HEADER_WORDS = 2
NAMES = {
    "scalar_mul": Op.MUL, "base_mul": Op.BASE_MUL, "ecdh": Op.ECDH, "ecdsa_sign": Op.ECDSA_SIGN,
    "ecdsa_verify": Op.ECDSA_VERIFY, "point_add": Op.POINT_ADD, "on_curve": Op.ON_CURVE,
    "double_mul": Op.DOUBLE_MUL, "keygen": Op.KEYGEN, "mod_mul": Op.MOD_MUL, "mod_add": Op.MOD_ADD,
    "mod_inv": Op.MOD_INV, "mod_exp": Op.MOD_EXP,
}  # fmt: skip
"""Jobs whose clocks a cycle record has, by their names there."""


class PlanError(ValueError):
    """The configuration cannot be paced like this; the text says why."""


def can_pace(curve: Curve) -> str:
    """Why software does not compute on this curve; the empty string if it does."""
    if curve.kind == "montgomery":
        return f"{curve.name}: the paced device has no Montgomery curves"
    if curve.kind == "weierstrass" and curve.h != 1:
        return f"{curve.name}: the paced device has no prime curves with a cofactor"
    return ""


def make_plan(
    configs: Sequence[Config],
    clocks_khz: Sequence[int],
    *,
    curves: Sequence[Curve] = (),
    engines: int = 1,
    progress: Progress = lambda text: None,
) -> Plan:
    """The plan of all configurations side by side, each `engines` times, at their clocks.

    curves: in addition to the default curve of each pool. Raises PlanError, BuildError, MeasureError,
    JobError.
    """
    pools = []
    for config, khz in zip(configs, clocks_khz, strict=True):
        for member, number in config.pools:
            scale = clocks_khz[0] / khz
            pools.append(_pool(config, member, number * engines, curves, scale, progress))
    if len(pools) > 4:
        raise PlanError(f"{len(pools)} pools: a plan has at most 4")
    for curve in curves:
        if not any(curve.name == each["name"] for pool in pools for each in pool["curves"]):
            raise PlanError(can_pace(curve) or f"{curve.name}: no engine of the plan takes it")
    return {
        "format": FORMAT,
        "name": ", ".join(config.name for config in configs),
        "clock_khz": clocks_khz[0],
        "max_words": max(config.max_words for config in configs),
        "pools": pools,
    }


def _pool(
    config: Config, member: Config, engines: int, extra: Sequence[Curve], scale: float, progress: Progress
) -> Plan:
    """Engines that are alike. `scale`: clocks of the plan for each clock of the configuration."""
    wanted = {curve.name: curve for curve in (find_curve(member.curve_name), *extra)}
    curves = [curve for curve in wanted.values() if not member.lacks(curve) and not can_pace(curve)]
    if not curves:
        raise PlanError(can_pace(find_curve(member.curve_name)))
    wait = 0
    if member.threads > 1:
        wait = WAIT_IN_CLUSTER if config.engines else dict(member.parameters).get("WaitClocks", WAIT)
    window = 1 if engines == 1 else QUEUE_OF_ONE_POOL if len(config.pools) == 1 else QUEUE
    return {
        "config": member.name,
        "engines": engines,
        "threads": member.threads,
        "window": window,
        "wait": round(wait * scale),
        "curves": [_curve(config, member, curve, scale, progress) for curve in curves],
    }


def _curve(config: Config, member: Config, curve: Curve, scale: float, progress: Progress) -> Plan:
    measured = measured_jobs(member, curve, progress)
    cycles: dict[str, float] = {}
    if config.engines and config.single is not None:  # engines of one kind: their cluster was measured itself
        record = CycleStore().latest(config=config.name, curve=curve.name)
        cycles = (record or cycles_of(config, curve, progress))["cycles"]
    jobs = []
    for (op, flags), job in measured.items():
        if op == Op.CURVE_LOAD:
            continue
        times = {"alone": float(job.alone), "group": float(job.group)}
        if cycles and job.status == Status.OK:
            times = in_cluster(config, op, flags, measured, cycles)
        rounded = {name: round(time * scale) for name, time in times.items()}
        jobs.append({"op": op, "flags": flags, "status": job.status} | rounded)
    words = curve.element_words
    return {
        "name": curve.name,
        "words": words,
        "load": [f"{value:x}" for value in curve_load_operands(curve)],
        "load_clocks": round((measured[int(Op.CURVE_LOAD), 0].alone + HEADER_WORDS + 8 * words) * scale),
        "jobs": jobs,
    }


def in_cluster(
    config: Config, op: int, flags: int, measured: Measured, cycles: dict[str, float]
) -> dict[str, float]:
    """Clocks of a job alone and of a group in an engine of a cluster.

    measured: in a single engine; cycles: the cycle record of the cluster. What the record does not have takes
    as much longer than in a single engine as a scalar multiplication does.
    """
    job, plain = measured[op, flags], measured[op, 0]
    name = next((name for name, code in NAMES.items() if code == op), "")
    if f"{name}_sustained" not in cycles:
        plain, name = measured[int(Op.MUL), 0], "scalar_mul"
    return {
        "alone": job.alone + cycles[name] - plain.alone,
        "group": job.group + cycles[f"{name}_sustained"] * config.at_once - plain.group,
    }


def measured_jobs(member: Config, curve: Curve, progress: Progress) -> Measured:
    """The clocks of `measure_jobs`, from the build folder if they were measured on these sources."""
    path = build_root() / "paced" / f"{member.name}-{curve.name}-{cycles_key(member, curve)}-{FORMAT}.json"
    if path.exists():
        return {(op, flags): JobClocks(*clocks) for op, flags, *clocks in json.loads(path.read_text())}
    found = measure_jobs(
        member, curve, progress=lambda name: progress(f"{member.name}, {curve.name}: measuring {name}")
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps([[*job, *astuple(clocks)] for job, clocks in found.items()]))
    part.rename(path)
    return found
