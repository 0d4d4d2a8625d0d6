"""Runs a yardstick of rtl/compare, or any module with its interface, on the RTL or on a netlist.

The bench is `sim/yardstick_bench.cpp`. Its program is kept in build/yardsticks under a hash of all that it
was made of, so that tests share it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import build_root
from eccelerate.configs.rtl_text import code_digest
from eccelerate.configs.yardstick_config import CONTROL_INPUTS, CONTROL_OUTPUTS, Yardstick
from eccelerate.rtlsim.bench_program import VERILATE_FLAGS, compile_bench, run_program
from eccelerate.rtlsim.verilate import COMPILE_FLAGS, HARNESS_DIR, verilator_version

BENCH = HARNESS_DIR / "yardstick_bench.cpp"
PREFIX = "Vbench"
CYCLE_LIMIT = 20_000_000
RUN_S = 7200
Mutant = tuple[str, str, str]
"""The stem of a file, a text that it has exactly once, and what replaces it."""


class YardstickError(RuntimeError):
    """The unit gave no result in time, or one that nothing asked for; the text says which."""


@dataclass(frozen=True)
class YardstickRun:
    """What a run has found, with an entry for each vector.

    results: value of each result port.
    cycles: from acceptance to valid_o.
    intervals: from acceptance to the next acceptance, so one less than there are vectors.
    """

    results: tuple[dict[str, int], ...]
    cycles: tuple[int, ...]
    intervals: tuple[int, ...]


def run(
    unit: Yardstick,
    vectors: Sequence[Mapping[str, int]],
    *,
    netlist: Path | None = None,
    cells: Sequence[Path] = (),
    record: Path | None = None,
    mutant: Mutant | None = None,
    gaps: bool = False,
    limit: int = CYCLE_LIMIT,
) -> YardstickRun:
    """The results of operations that are offered back to back.

    vectors: for each operation the value of each operand port.
    netlist: Verilog of the flat module `unit.top` to run in place of the RTL; cells: models of its cells.
    record: file for the port trace: a line of JSON with the ports, then for each clock the inputs and the
        outputs in hexadecimal, as they are before the rising edge. Registers start at 0.
    mutant: a change of the RTL.
    gaps: pause at random between operations, with noise on the operands, and before them all drop the first
        one by a reset.
    limit: cycles in which a unit must accept an operation or give a result.

    Raises YardstickError, BuildError, and ValueError for operands or a mutant that do not fit the unit.
    """
    lines = [_line(unit, vector) for vector in vectors]
    if not lines:
        raise ValueError(f"{unit.name}: there are no vectors")
    program = build(unit, netlist, cells, mutant)
    with tempfile.TemporaryDirectory(dir=program.parent) as folder:
        work = Path(folder) / "work"
        work.write_text("".join(f"{line}\n" for line in lines))
        trace = [] if record is None else [record.resolve()]
        done = run_program([program, work, str(limit), str(int(gaps)), *trace], program.parent, RUN_S)
    if done.code:
        said = (done.text + done.errors).strip()[-500:]
        raise YardstickError(f"{unit.name}: {said.removeprefix('FAIL: ') or f'exit code {done.code}'}")
    rows = [line.split() for line in done.text.splitlines()]
    return YardstickRun(
        tuple({port: int(x, 16) for port, x in zip(unit.result_bits, row[2:], strict=True)} for row in rows),
        tuple(int(row[0]) for row in rows),
        tuple(int(row[1]) for row in rows[:-1]),
    )


def _line(unit: Yardstick, vector: Mapping[str, int]) -> str:
    widths = unit.operand_bits
    if set(vector) != set(widths):
        raise ValueError(
            f"{unit.name} has the operands {', '.join(widths)}, not {', '.join(vector) or 'none'}"
        )
    for port, value in vector.items():
        if not 0 <= value < 1 << widths[port]:
            raise ValueError(f"{unit.name}: {port} has {widths[port]} bits, and {value:#x} does not fit")
    return " ".join(f"{vector[port]:x}" for port in widths)


def build(
    unit: Yardstick,
    netlist: Path | None = None,
    cells: Sequence[Path] = (),
    mutant: Mutant | None = None,
) -> Path:
    """The bench as a program, which is built if it does not exist yet. Raises BuildError, ValueError; safe to
    call from several processes at once.
    """
    files = [path.resolve() for path in ([*cells, netlist] if netlist else unit.files)]
    params = {} if netlist else dict(unit.params)
    changed = _changed(files, mutant) if mutant else None
    header = _header(unit)
    tools = (verilator_version(), VERILATE_FLAGS, COMPILE_FLAGS)
    parts = [code_digest(files), unit.top, sorted(params.items()), mutant, tools, header]
    key = hashlib.sha256((repr(parts) + BENCH.read_text()).encode()).hexdigest()[:16]
    folder = build_root() / "yardsticks" / f"{unit.name}-{key}"
    program = folder / "bench"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "bench_ports.h").write_text(header)
            if changed:
                place, text = changed
                (folder / place.name).write_text(text)
                files = [folder / path.name if path == place else path for path in files]
            compile_bench(BENCH, folder, unit.top, PREFIX, files, params)
    return program


def _changed(files: Sequence[Path], mutant: Mutant) -> tuple[Path, str]:
    """The file that a mutant changes, and its new text."""
    stem, old, new = mutant
    path = next((path for path in files if path.stem == stem), None)
    text = path.read_text() if path else ""
    if path is None or text.count(old) != 1:
        raise ValueError(f"the mutant's text is {text.count(old)} times in {stem}, not once: {old}")
    return path, text.replace(old, new)


def _header(unit: Yardstick) -> str:
    """The file bench_ports.h: class of the top, ports with their widths, first line of a trace."""
    control = [[*dict.fromkeys(ports, 1).items()] for ports in (CONTROL_INPUTS, CONTROL_OUTPUTS)]
    inputs = [*control[0], *unit.operand_bits.items()]
    outputs = [*control[1], *unit.result_bits.items()]
    first = json.dumps(json.dumps({"inputs": inputs, "outputs": outputs}))
    lines = [
        "#pragma once",
        f'#include "{PREFIX}.h"',
        f"using Top = {PREFIX};",
        f"#define BENCH_OPERANDS(X) {_macro(unit.operand_bits)}",
        f"#define BENCH_RESULTS(X) {_macro(unit.result_bits)}",
        f"#define BENCH_INPUT_BITS {sum(bits for _, bits in inputs)}",
        f"#define BENCH_OUTPUT_BITS {sum(bits for _, bits in outputs)}",
        f"#define BENCH_TRACE_HEADER {first}",
    ]
    return "\n".join(lines) + "\n"


def _macro(ports: Mapping[str, int]) -> str:
    return " ".join(f"X({name}, {bits})" for name, bits in ports.items())
