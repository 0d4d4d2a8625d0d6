"""Runs a multiplier on the RTL: builds it with `sim/multiplier_bench.cpp`, gives it operands, and compares
the products with those of integers in Python.

The program is kept in build/multipliers under a hash of the RTL and of the bench.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.config import build_root
from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.configs.rtl_text import code_digest
from eccelerate.model.multiplier_operands import moduli, operand_pairs, residue_pairs
from eccelerate.rtlsim.bench_program import VERILATE_FLAGS, compile_bench, run_program
from eccelerate.rtlsim.verilate import COMPILE_FLAGS, HARNESS_DIR, verilator_version

BENCH = HARNESS_DIR / "multiplier_bench.cpp"
PREFIX = "Vbench"
RANDOM_PRODUCTS = 1000
RUN_S = 600
_PASS = re.compile(r"^PASS: (\d+) products twice, latency (\d+), interval (\d+)$", re.M)


class ProductError(RuntimeError):
    """The RTL gave a wrong product, or not in the clock in which it should; the text says which."""


@dataclass(frozen=True)
class Simulated:
    """A run without errors: different products, and what the unit says about itself."""

    products: int
    latency: int
    interval: int


@dataclass(frozen=True)
class UnitSource:
    """A module with the interface of a multiplier. `stable` are the inputs that are set before products, and
    `result` is the port of the product. `slots`: after a gap a product may have to wait for its slot.
    """

    name: str
    top: str
    files: tuple[Path, ...]
    params: tuple[tuple[str, int], ...]
    stable: tuple[str, ...] = ()
    result: str = "p_o"
    slots: bool = False

    @classmethod
    def of(cls, config: MultiplierConfig) -> UnitSource:
        """The unit of a configuration."""
        params = tuple(config.params.items())
        files = tuple(config.files)
        return cls(config.name, config.top, files, params, config.stable, config.result, config.slots)

    def digest(self) -> str:
        """A hash of everything that the program depends on."""
        tools = (verilator_version(), VERILATE_FLAGS, COMPILE_FLAGS)
        parts = [code_digest(self.files), self.top, sorted(self.params), tools]
        text = (
            repr(parts) + BENCH.read_text() + top_header(PREFIX, self.result, self.stable, slots=self.slots)
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def work_lines(config: MultiplierConfig, count: int = RANDOM_PRODUCTS, seed: int = 1) -> Iterator[str]:
    """The lines of work of a bench: every pair of corner operands, then `count` random ones; with a modulus
    as input, that for several moduli.
    """
    if config.reduction == "none":
        for a, b in operand_pairs(config.bits, count, seed):
            yield f"mul {a:x} {b:x} {a * b:x}"
    elif config.modulus is not None:
        montgomery = config.reduction == "montgomery"
        factor = pow(1 << config.bits, -1, config.modulus) if montgomery else 1
        for a, b in residue_pairs(config.modulus, count, seed):
            yield f"mul {a:x} {b:x} {a * b * factor % config.modulus:x}"
    else:
        chosen = moduli(config.bits, seed)
        for modulus in chosen:
            yield f"set modulus_i {modulus:x}"
            yield f"set inverse_i {-pow(modulus, -1, 1 << config.bits) % (1 << config.bits):x}"
            factor = pow(1 << config.bits, -1, modulus)
            for a, b in residue_pairs(modulus, count // len(chosen) + 1, seed):
                yield f"mul {a:x} {b:x} {a * b * factor % modulus:x}"


def top_header(top: str, result: str, stable: Sequence[str], *, slots: bool) -> str:
    """The file bench_top.h: class of the top, port of the product, inputs that are set before products, and
    whether a product may have to wait for a slot.
    """
    lines = [
        "#pragma once",
        f'#include "{top}.h"',
        f"using Top = {top};",
        f"#define BENCH_RESULT {result}",
        f"#define BENCH_SLOTS {int(slots)}",
        f"#define BENCH_STABLE(X) {' '.join(f'X({name})' for name in stable)}",
    ]
    return "\n".join(lines) + "\n"


def products_header(lines: Iterable[str]) -> str:
    """The file products.h."""
    entries = "".join(f'    "{line}",\n' for line in lines)
    return f"#pragma once\nstatic const char *const kProducts[] = {{\n{entries}}};\n"


def simulate(config: MultiplierConfig, lines: Iterable[str] | None = None) -> Simulated:
    """Run a unit on lines of work; by default `work_lines`. Raises BuildError, ProductError."""
    return simulate_unit(UnitSource.of(config), work_lines(config) if lines is None else lines)


def simulate_unit(unit: UnitSource, lines: Iterable[str]) -> Simulated:
    """Run a module on lines of work. Raises BuildError, ProductError."""
    program = build(unit)
    work = program.with_suffix(".work")
    work.write_text("".join(f"{line}\n" for line in lines))
    done = run_program([program, work], program.parent, RUN_S)
    found = _PASS.search(done.text)
    if done.code or found is None:
        said = (done.text + done.errors).strip()[:500]
        raise ProductError(f"{unit.name}: {said or f'exit code {done.code}'}")
    return Simulated(*(int(number) for number in found.groups()))


def build(unit: UnitSource) -> Path:
    """The bench of a unit as a program, which is built if it does not exist yet. Raises BuildError; safe to
    call from several processes at once.
    """
    folder = build_root() / "multipliers" / f"{unit.name}-{unit.digest()}"
    program = folder / "bench"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            _build(unit, folder)
    return program


def _build(unit: UnitSource, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "bench_top.h").write_text(top_header(PREFIX, unit.result, unit.stable, slots=unit.slots))
    (folder / "products.h").write_text(products_header(["mul 0 0 0"]))
    compile_bench(BENCH, folder, unit.top, PREFIX, unit.files, dict(unit.params))
