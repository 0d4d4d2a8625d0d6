"""Cycle counts of the binary engine, measured on the RTL."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from eccelerate import isa
from eccelerate.configs.binary_config import BinaryConfig
from eccelerate.configs.images import load_program
from eccelerate.configs.kind import Config
from eccelerate.curves import Curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag, Op
from eccelerate.rtlsim.probes import Cycles, Progress, probes_of, run_probes
from eccelerate.rtlsim.rtl import Event, EventKind, RtlTransport
from eccelerate.rtlsim.trace import address_of, inner_cycles, ladder_step, streamed_step, taken_cycles
from eccelerate.timing.gf2m_schedule import ladder_step as ladder_step_operations

SCALARS = 16
"""Number of multiplications over which a variable-time program is measured."""


def measure_binary(
    single: BinaryConfig,
    curve: Curve,
    config: Config | None = None,
    *,
    seed: int = 1,
    progress: Progress = lambda name: None,
) -> Cycles:
    """Cycles of every job of `probes` that the program has, and of the parts of the first one, by name: of an
    engine, or of the cluster `config` of such engines.

    field_operations: those of the first job.
    ladder_step: mean clocks of a step.
    inversion: clocks of the inversion.
    scalar_mul_inner: clocks from affine coordinates in registers to affine coordinates in registers.

    A program with the Frobenius map has `column`, the mean distance of digits, in place of the last three. A
    variable-time program has no ladder, and its figures of the scalar multiplication are means over several
    scalars. Raises BuildError, MeasureError, JobError.
    """
    program = load_program(single)
    jobs = probes_of(single, curve, seed)
    if single.variable_time:  # it has no secrets, and refuses the flag
        jobs = [probe for probe in jobs if not probe.flags & Flag.BLIND]
    first = jobs[0].name
    with RtlTransport(config or single, events=True, seed=seed) as transport:
        engine = Engine(transport, binary=True)
        engine.load_curve(curve)
        cycles, traces = run_probes(transport, engine, jobs, {first}, progress)
        if single.variable_time:
            return cycles | mean_multiplication(transport, engine, curve, program.words, seed)
    ladder = traces[first]
    found = field_operations(ladder, program.words, curve.order_bits + 1)
    cycles |= {f"{first}_{name}": number for name, number in found.items()}
    if single.koblitz:
        cycles["column"] = ladder_step(ladder, address_of(program.labels, "frobenius_column"))
        return cycles
    # The instruction starts many steps, each of which is several operations of the unit.
    steps = address_of(program.labels, "ladder_step")
    cycles["ladder_step"] = streamed_step(
        ladder, steps, curve.order_bits + 1, address_of(program.labels, "ladder_wait")
    )
    recip, end = (address_of(program.labels, name) for name in ("ladder_recip", "ladder_end"))
    cycles["inversion"] = taken_cycles(ladder, recip, end)
    start, result = (address_of(program.labels, name) for name in ("ladder_start", "ladder_result"))
    cycles["scalar_mul_inner"] = inner_cycles(ladder, start, result)
    return cycles


def mean_multiplication(
    transport: RtlTransport, engine: Engine, curve: Curve, words: Sequence[int], seed: int
) -> Cycles:
    """Cycles and `field_operations` of scalar multiplications of the base point, means over SCALARS random
    scalars. Raises JobError.
    """
    rng, totals = random.Random(seed), Counter[str]()
    transport.record_events(True)
    for _ in range(SCALARS):
        job = engine.submit(Op.MUL, (rng.randrange(curve.n), *curve.generator)).check()
        totals["scalar_mul"] += job.cycles or 0
        for name, number in field_operations(transport.take_events(), words, curve.order_bits + 1).items():
            totals[f"scalar_mul_{name}"] += number
    return {name: round(total / SCALARS, 1) for name, total in totals.items()}


def field_operations(events: Iterable[Event], words: Sequence[int], steps: int) -> dict[str, int]:
    """Products, squarings and inversions in GF(2^m) of a trace. Those inside an inversion do not count.

    `words` is the microcode. `steps` is the number of ladder steps, which are counted as operations of the
    unit when the ladder's instruction executes.
    """
    table, modulus = isa.load("binary"), 0
    counts = {"products": 0, "squarings": 0, "inversions": 0}
    for event in (event for event in events if event.kind == EventKind.INSTRUCTION):
        form, fields = table.decode(words[event.value])
        modulus = fields.get("modulus", modulus)
        match form.mnemonic:
            case "mul" | "mula" if modulus == 0:
                counts["squarings" if fields["ra"] == fields["rb"] else "products"] += 1
            case "steps" | "begin_steps":
                counts["products"] += steps * len(ladder_step_operations(0))
                counts["squarings"] += steps * sum(each.squares for each in ladder_step_operations(0))
            case "recip" | "begin_recip":
                counts["inversions"] += 1
    return counts
