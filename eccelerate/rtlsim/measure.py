"""Cycle counts, measured on the RTL: whole jobs from their packets, parts of them from the event trace."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eccelerate import isa
from eccelerate.configs.config import Config
from eccelerate.configs.program import load_program
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model import ecdsa, montgomery, point
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.rtl import Event, EventKind, RtlTransport
from eccelerate.timing.gf2m_schedule import ladder_step as ladder_step_operations

REVISION = 1
"""Raise it when a figure comes to mean something else: stored counts are then of another measurement."""
LADDER_LABELS = {"weierstrass": "ladder_step", "montgomery": "ladder_step_x", "binary": "ladder_step"}
INVERSION_LABELS = ("fermat_inverse", "ladder_recip")  # modulo p; in GF(2^m)
SCALARS = 16
"""Of whose multiplications a program in variable time is measured by."""
FIELD_JOBS = {"mul": "mod_mul", "add": "mod_add"}  # jobs in which the field operation runs alone


class MeasureError(RuntimeError):
    """The trace does not contain what was to be measured."""


@dataclass(frozen=True)
class Probe:
    """One job whose cycles are reported as `name`."""

    name: str
    op: Op
    operands: tuple[int, ...]
    flags: int = 0


def probes(curve: Curve, seed: int = 1) -> list[Probe]:
    """The jobs measured on `curve`, operands drawn from `seed`; the first one is the scalar
    multiplication.
    """
    rng = random.Random(seed)
    a, b = rng.randrange(1, curve.field_size), rng.randrange(1, curve.field_size)
    field = [
        Probe("mod_mul", Op.MOD_MUL, (a, b)),
        Probe("mod_add", Op.MOD_ADD, (a, b)),
        Probe("mod_inv", Op.MOD_INV, (a,)),
        Probe("mod_exp", Op.MOD_EXP, (a, curve.field_size - 2)),
    ]
    if curve.kind == "montgomery":
        k = montgomery.clamp(curve, rng.randbytes((curve.p_bits + 7) // 8))
        return [Probe("x_ladder", Op.X_LADDER, (k, curve.gx)), *field]
    d, k, e = rng.randrange(1, curve.n), rng.randrange(1, curve.n), rng.randrange(1 << curve.n.bit_length())
    public = point.base_mul(curve, d)
    signature = ecdsa.sign(curve, d, e, k)
    if public is None or signature is None:
        raise MeasureError(f"seed {seed} gives no key or signature on {curve.name}: use another seed")
    return [
        Probe("scalar_mul", Op.MUL, (k, *public)),
        Probe("scalar_mul_blinded", Op.MUL, (k, *public), Flag.BLIND),
        Probe("base_mul", Op.BASE_MUL, (k,)),
        Probe("double_mul", Op.DOUBLE_MUL, (e % curve.n, k, *public)),
        Probe("ecdh", Op.ECDH, (*public, d)),
        Probe("ecdsa_sign", Op.ECDSA_SIGN, (e, d, k)),
        Probe("ecdsa_verify", Op.ECDSA_VERIFY, (e, *signature, *public)),
        Probe("keygen", Op.KEYGEN, (d,)),
        Probe("point_add", Op.POINT_ADD, (*public, *curve.generator)),
        Probe("on_curve", Op.ON_CURVE, public),
        *field,
    ]


def measure_cycles(
    config: Config, curve: Curve, *, seed: int = 1, progress: Callable[[str], None] = lambda name: None
) -> dict[str, int | float]:
    """Cycles of every job of `probes` that the program has, and of the parts of the first one, by name.

    field_mul, field_add: operation accepted to result in the register file, with nothing else in flight;
    field_mul_interval: from a product accepted to the next operation accepted, in the ladder;
    ladder_step: mean distance of its passes; inversion: entry to return. A binary engine has the last two
    alone, and scalar_mul_inner: affine coordinates in registers to affine coordinates in registers; and what
    `field_operations` counts in the first job; by the Frobenius map, not these three but `column`, the mean
    distance of digits. In variable time there is no ladder, and the figures of that
    job are means over several scalars. Raises BuildError, MeasureError, JobError.
    """
    program = load_program(config)
    cycles: dict[str, int | float] = {}
    traces: dict[str, list[Event]] = {}
    with RtlTransport(config, events=True, seed=seed) as transport:
        engine = Engine(transport, binary=config.binary)
        engine.load_curve(curve)
        jobs = [probe for probe in probes(curve, seed) if probe.op in program.jobs]
        if config.variable_time:  # has nothing to hide, and refuses the flag
            jobs = [probe for probe in jobs if not probe.flags & Flag.BLIND]
        for probe in jobs:
            progress(probe.name)
            transport.record_events(probe is jobs[0] or probe.name in FIELD_JOBS.values())
            job = engine.submit(probe.op, probe.operands, probe.flags).check()
            if job.cycles is None:
                raise MeasureError("the transport counts no cycles")
            cycles[probe.name] = job.cycles
            traces[probe.name] = transport.take_events()
        if config.variable_time:
            return cycles | mean_multiplication(transport, engine, curve, program.words, seed)
    ladder = traces[jobs[0].name]
    if config.binary:
        found = field_operations(ladder, program.words, curve.order_bits)
        cycles |= {f"{jobs[0].name}_{name}": number for name, number in found.items()}
        if config.koblitz:
            cycles["column"] = ladder_step(ladder, _address(program.labels, "frobenius_column"))
            return cycles
        # A step is several operations of the unit, and is done as often.
        steps = _address(program.labels, LADDER_LABELS[curve.kind])
        cycles["ladder_step"] = streamed_step(ladder, steps, curve.order_bits)
        cycles["inversion"] = taken_cycles(ladder, _address(program.labels, INVERSION_LABELS[1]))
        cycles["scalar_mul_inner"] = inner_cycles(ladder, _address(program.labels, "ladder_start"))
        return cycles
    codes = {name: form.code for name, form in isa.load().forms.items()}
    for name, job_name in FIELD_JOBS.items():
        cycles[f"field_{name}"] = field_latency(traces[job_name], codes[name])
    cycles["field_mul_interval"] = field_interval(ladder, codes["mul"])
    return {**cycles, **parts_of_ladder(ladder, program.labels, LADDER_LABELS[curve.kind])}


def mean_multiplication(
    transport: RtlTransport, engine: Engine, curve: Curve, words: Sequence[int], seed: int
) -> dict[str, int | float]:
    """Cycles and `field_operations` of scalar multiplications of the base point, means over SCALARS random
    scalars. Raises JobError.
    """
    rng, totals = random.Random(seed), Counter[str]()
    transport.record_events(True)
    for _ in range(SCALARS):
        job = engine.submit(Op.MUL, (rng.randrange(curve.n), *curve.generator)).check()
        totals["scalar_mul"] += job.cycles or 0
        for name, number in field_operations(transport.take_events(), words, curve.order_bits).items():
            totals[f"scalar_mul_{name}"] += number
    return {name: round(total / SCALARS, 1) for name, total in totals.items()}


def parts_of_ladder(events: Sequence[Event], labels: Mapping[str, int], step: str) -> dict[str, int | float]:
    """ladder_step and inversion in the trace of one scalar multiplication.

    step: the label that each ladder step passes once. Raises MeasureError.
    """
    inversion = next((name for name in INVERSION_LABELS if name in labels), INVERSION_LABELS[0])
    return {
        "ladder_step": ladder_step(events, _address(labels, step)),
        "inversion": routine_cycles(events, _address(labels, inversion)),
    }


def field_latency(events: Iterable[Event], code: int) -> int:
    """Clocks of field operation `code` alone, from the one it is accepted in to the one at whose end its last
    digit is in the register file (behind the done event, in which that digit enters the write port). Only
    operations accepted with nothing in flight count: one that is accepted early waits for the one before.
    Raises MeasureError when the trace has none, or when they differ.
    """
    issues, dones = _field_operations(events)
    free = [0, *(done.cycle for done in dones)]  # the unit finishes operations in the order it takes them
    latencies = {
        done.cycle - issue.cycle + 1
        for before, issue, done in zip(free, issues, dones, strict=False)
        if issue.value == code and before < issue.cycle
    }
    if len(latencies) != 1:
        found = f"takes {', '.join(map(str, sorted(latencies)))} clocks" if latencies else "is never alone"
        raise MeasureError(f"field operation {code} {found} in this trace: its latency cannot be told")
    return latencies.pop()


def field_interval(events: Iterable[Event], code: int) -> int:
    """Commonest number of clocks from field operation `code` accepted to the next operation accepted: the
    rate that a program without gaps sustains. Raises MeasureError when the trace has none.
    """
    issues, _ = _field_operations(events)
    intervals = [after.cycle - issue.cycle for issue, after in pairwise(issues) if issue.value == code]
    if not intervals:
        raise MeasureError(f"no field operation {code} is followed by another in this trace")
    return statistics.mode(intervals)


def _field_operations(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    events = list(events)
    issues = [event for event in events if event.kind == EventKind.FIELD_ISSUE]
    dones = [event for event in events if event.kind == EventKind.FIELD_DONE]
    if len(issues) != len(dones):
        raise MeasureError(f"{len(issues)} field operations issued, {len(dones)} done")
    return issues, dones


def ladder_step(events: Iterable[Event], address: int) -> float:
    """Mean clocks between passes of the instruction at `address`, rounded to a tenth."""
    passes = _passes(events, address)
    if len(passes) < 3:
        raise MeasureError(f"address {address:#05x} is passed {len(passes)} times: no ladder in this trace")
    return round((passes[-1] - passes[0]) / (len(passes) - 1), 1)


def taken_cycles(events: Iterable[Event], address: int) -> int:
    """Clocks from the field instruction at `address` accepted to the next one accepted, last run."""
    events = list(events)
    starts = _passes(events, address)
    issues = [e.cycle for e in events if e.kind == EventKind.FIELD_ISSUE and starts and e.cycle >= starts[-1]]
    if len(issues) < 2:
        raise MeasureError(f"no field instruction follows that at {address:#05x} in this trace")
    return issues[1] - issues[0]


def inner_cycles(events: Iterable[Event], address: int) -> int:
    """Clocks of a binary engine's scalar multiplication without packet, checks and entropy: from the field
    instruction at `address` accepted to the last coordinate written, which is the last write but one (behind
    it comes the test for infinity).
    """
    events = list(events)
    starts = _passes(events, address)
    writes = [event.cycle for event in events if event.kind == EventKind.FIELD_DONE]
    if not starts or len(writes) < 2:
        raise MeasureError(f"address {address:#05x} is not passed, or nothing is written, in this trace")
    return writes[-2] - starts[-1] + 1


def streamed_step(events: Iterable[Event], address: int, steps: int) -> float:
    """Mean clocks of one of the steps that the instruction at `address` makes the field unit run, rounded to
    a tenth: each writes as many registers.
    """
    events = list(events)
    starts = _passes(events, address)
    issues = [e.cycle for e in events if e.kind == EventKind.FIELD_ISSUE and starts and e.cycle >= starts[-1]]
    if len(issues) < 2:
        raise MeasureError(f"address {address:#05x} starts no steps in this trace")
    writes = [e.cycle for e in events if e.kind == EventKind.FIELD_DONE and issues[0] < e.cycle < issues[1]]
    each = round(len(writes) / steps)
    if not each:
        raise MeasureError(f"{len(writes)} registers are written in {steps} steps: too few")
    # Not the first and the last ones, among which are other operations' writes.
    count = len(writes) // each - 4
    return round((writes[(count + 2) * each] - writes[2 * each]) / count, 1)


def field_operations(events: Iterable[Event], words: Sequence[int], steps: int) -> dict[str, int]:
    """Products, squarings and inversions in GF(2^m) of a trace; those inside an inversion do not count.

    words: the microcode; steps: of the ladder, when its instruction is passed, as operations of the unit.
    """
    table, modulus = isa.load("binary"), 0
    counts = {"products": 0, "squarings": 0, "inversions": 0}
    for event in (event for event in events if event.kind == EventKind.INSTRUCTION):
        form, fields = table.decode(words[event.value])
        modulus = fields.get("modulus", modulus)
        match form.mnemonic:
            case "mul" | "mula" if modulus == 0:
                counts["squarings" if fields["ra"] == fields["rb"] else "products"] += 1
            case "steps":
                counts["products"] += steps * len(ladder_step_operations(0))
                counts["squarings"] += steps * sum(each.squares for each in ladder_step_operations(0))
            case "recip" | "begin_recip":
                counts["inversions"] += 1
    return counts


def routine_cycles(events: Iterable[Event], address: int) -> int:
    """Clocks from the entry of the routine at `address` to the instruction after its call, last run."""
    instructions = [event for event in events if event.kind == EventKind.INSTRUCTION]
    spans = []
    for before, entry in pairwise(instructions):
        if entry.value == address:
            returns = (e.cycle for e in instructions if e.cycle > entry.cycle and e.value == before.value + 1)
            end = next(returns, None)
            if end is not None:
                spans.append(end - entry.cycle)
    if not spans:
        raise MeasureError(f"the routine at {address:#05x} is not called, or does not return, in this trace")
    return spans[-1]


def _passes(events: Iterable[Event], address: int) -> list[int]:
    return [event.cycle for event in events if event.kind == EventKind.INSTRUCTION and event.value == address]


def _address(labels: Mapping[str, int], name: str) -> int:
    if name not in labels:
        raise MeasureError(f"the microcode has no label {name}: the measurement of its cycles needs it")
    return labels[name]
