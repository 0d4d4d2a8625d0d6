"""Draws how busy the pipelines of the turbo engine are during one doubling, from a run of its RTL.

The RTL gives the clocks in which the field unit accepts operations and begins to write results. In between,
the timing model says when the operation of each thread begins. It is used only if the results follow from it
in exactly the clocks of the RTL.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from eccelerate.configs.config import ROOT, Config, find_config
from eccelerate.curves import find_curve
from eccelerate.driver import Engine
from eccelerate.driver.packet import Request
from eccelerate.model import point
from eccelerate.model.jobs import Op
from eccelerate.model.solinas import FORMS, Solinas
from eccelerate.rtlsim.rtl import Event, EventKind, RtlTransport
from eccelerate.timing.turbo_cycles import Instruction, TurboTiming
from eccelerate.ucode.asm import assemble
from eccelerate.ucode.program import Instr, Program

CONFIG = "turbo-p256"
LOOP = "scalar_mul.window"
PAUSES = ("ld", "st")
"""Instructions that wait until the field unit is idle."""
BEGIN, NUMBER = "y2", 1
"""The first result of a doubling, and the number of the doubling in a window that is drawn, from 0."""

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#44bb99")
SCALE, ROW, LEFT, TOP = 1.5, 26, 80, 44
TICK = 64


class TraceError(RuntimeError):
    """The run does not show what is to be drawn, or the timing model has other clocks."""


@dataclass(frozen=True)
class Operation:
    """An operation of the field unit: name of its result, address of its instruction, and its clocks."""

    name: str
    address: int
    step: Instruction


def trace(config: Config) -> tuple[Program, list[Event]]:
    """A group of k P on the RTL of `config`: its program and the events of the run. Raises BuildError."""
    curve = find_curve(config.curve_name)
    rng = random.Random(1)
    program = assemble(ROOT / "ucode" / f"{config.program}.toml")
    with RtlTransport(config, events=True) as transport:
        engine = Engine(transport)
        engine.load_curve(curve)
        transport.record_events(True)
        packets = []
        for tag in range(config.threads):
            operands = (rng.randrange(curve.n), *(point.base_mul(curve, rng.randrange(1, curve.n)) or ()))
            packets.append(Request(int(Op.MUL), engine.curve_id, tag, 0, engine.width, operands).words())
        transport.stream(packets)
        return program, transport.take_events()


def operations(program: Program, events: Sequence[Event], timing: TurboTiming) -> list[Operation]:
    """The operations of the field unit from its last pause before the loop over windows to the end of the
    first iteration, with the clock in which each thread begins. Raises TraceError if the RTL does otherwise.
    """
    found: list[Operation] = []
    done: list[int] = []
    address, rounds = 0, 0
    for event in events:
        if event.kind == EventKind.INSTRUCTION:
            address = event.value
            if program.instrs[address].form.mnemonic in PAUSES and not rounds:
                found, done = [], []
            rounds += address == program.labels[LOOP]
            if rounds == 2:
                break
        elif event.kind == EventKind.FIELD_DONE:
            if found:  # a register was loaded before this
                done.append(event.cycle)
        else:
            instr = program.instrs[address]
            rd, ra, rb = (instr.fields.get(name, 0) for name in ("rd", "ra", "rb"))
            step = Instruction(instr.form.mnemonic, rd, ra, rb, event.cycle)
            found.append(Operation(name_of(instr), address, step))
    if rounds != 2:
        raise TraceError(f"the run does not come to {LOOP} twice")
    timing.run([each.step for each in found])
    results = sorted(clock + timing.latency(each.step) for each in found for clock in each.step.issued)
    if results[: len(done)] != done or any(each.step.accepted != each.step.offered for each in found):
        raise TraceError("the timing model has other clocks than the RTL")
    return found


def name_of(instr: Instr) -> str:
    """The name that the source gives to the register that an instruction writes."""
    return instr.loc.text.split(None, 1)[1].split(",")[0].strip()


def doubling(program: Program, done: Sequence[Operation]) -> list[Operation]:
    """The operations from the beginning of the doubling to the next one. Raises TraceError."""
    inside = [each for each in done if each.address >= program.labels[LOOP]]
    begins = [i for i, each in enumerate(inside) if each.name == BEGIN]
    if len(begins) < NUMBER + 2:
        raise TraceError(f"{len(begins)} results {BEGIN} after {LOOP}, {NUMBER + 2} are needed")
    return inside[begins[NUMBER] : begins[NUMBER + 1]]


def drawing(inside: Sequence[Operation], everything: Sequence[Operation], timing: TurboTiming) -> str:
    """SVG with a row for each pipeline and a box for each thread's operation. Operations that are not
    `inside` are pale.
    """
    own = {id(each) for each in inside}
    first = min(each.step.issued[0] for each in inside)
    last = max(each.step.issued[-1] for each in inside) + timing.product_interval
    width, height = LEFT + SCALE * (last - first) + 12, TOP + 2 * (ROW + 10) + 44
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:.0f} {height}",
            "font-family": "sans-serif",
            "font-size": "10",
        },
    )
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    busy = {True: 0, False: 0}
    for each in everything:
        product = each.step.is_product
        clocks = timing.product_interval if product else timing.sum_interval
        top = TOP + (0 if product else ROW + 10)
        for thread, clock in enumerate(each.step.issued):
            begin, end = max(clock, first), min(clock + clocks, last)
            if begin >= end:
                continue
            busy[product] += end - begin
            x = LEFT + SCALE * (begin - first)
            box = {
                "x": f"{x:.1f}",
                "y": str(top),
                "width": f"{SCALE * (end - begin):.1f}",
                "height": str(ROW),
            }
            pale = {} if id(each) in own else {"opacity": "0.35"}
            paint = {"fill": COLOURS[thread % len(COLOURS)], "stroke": "white", "stroke-width": "0.6"}
            ElementTree.SubElement(svg, "rect", {**box, **paint, **pale})
            if thread == 0:
                at = {"x": f"{x + 1:.1f}", "y": str(top - 3 if product else top + ROW + 10)}
                text(svg, each.name, **at, **pale)
    for product, name in ((True, "products"), (False, "sums")):
        share = busy[product] / (last - first)
        row = TOP + (0 if product else ROW + 10) + ROW // 2
        text(svg, name, x="6", y=str(row))
        text(svg, f"{100 * share:.0f} % busy", x="6", y=str(row + 11), fill="#555")
    axis = TOP + 2 * (ROW + 10) + 22
    for clock in range(0, last - first, TICK):
        x = LEFT + SCALE * clock
        line = {"x1": f"{x:.1f}", "x2": f"{x:.1f}", "y1": str(TOP), "y2": str(axis - 9), "stroke": "#bbb"}
        ElementTree.SubElement(svg, "line", {**line, "stroke-width": "0.5"})
        text(svg, str(clock), x=f"{x:.1f}", y=str(axis), fill="#555")
    threads = timing.threads
    text(svg, "Clocks of a doubling; names: results, at the first thread", x=str(LEFT), y="16")
    for thread in range(threads):
        x = width - 70 * (threads - thread)
        mark = {"x": f"{x:.0f}", "y": "8", "width": "10", "height": "10", "fill": COLOURS[thread % 8]}
        ElementTree.SubElement(svg, "rect", mark)
        text(svg, f"thread {thread}", x=f"{x + 14:.0f}", y="16")
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def text(parent: ElementTree.Element, words: str, **attributes: str) -> None:
    """A text element."""
    ElementTree.SubElement(parent, "text", attributes).text = words


def picture() -> str:
    """SVG of a doubling on the RTL of CONFIG. Raises BuildError, TraceError."""
    config = find_config(CONFIG)
    timing = TurboTiming(Solinas(FORMS[config.curve_name]), config.threads)
    program, events = trace(config)
    everything = operations(program, events, timing)
    return drawing(doubling(program, everything), everything, timing)
