"""The folder of a multiplier for a hardware engineer: RTL, a test bench that needs nothing else, file lists,
a core file, and checksums.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from eccelerate.configs.multiplier_config import MultiplierConfig
from eccelerate.flow.bundle_text import (
    VERILATOR_OPTIONS,
    core_file,
    core_name,
    instance,
    top_module,
    top_source,
)
from eccelerate.flow.design import Design, param_text
from eccelerate.flow.devices import Device
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_design
from eccelerate.flow.store import Record
from eccelerate.rtlsim.multiplier_bench import BENCH, products_header, top_header, work_lines

LIBRARY = "multiplier"
BENCH_RANDOM = 20
"""Random products of the bench, for each modulus, beside those of corner operands."""
MOST_LINES = 1500
CHECKSUMS = "SHA256SUMS"


def write_unit(config: MultiplierConfig, target: Device, out: Path, record: Record | None) -> list[Path]:
    """Write the bundle of a unit to `out`, which is created and must be empty. Returns its files.

    `record` are the stored figures on the device, which become report.json. Raises FlowError, ConfigError.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FlowError(f"{out} is not an empty folder; give a new one")
    design = unit_design(config)
    design.check()
    sources = design.sources(target.rules)
    rtl = _copy(sources, out, "rtl")
    top = f"rtl/{top_module(design)}.sv"
    (out / top).write_text(top_source(design, config.ports).replace(_IMAGES, ""))
    # Vendor cells have no body outside the vendor's tools: a simulation uses the portable primitives.
    portable = [path for path in design.files if path not in sources]
    _copy(portable, out, "sim")
    sim = [f"{'sim' if path in portable else 'rtl'}/{path.name}" for path in design.files]
    for kind, files in (("", rtl), ("_sim", sim)):
        head = f"// {top_module(design)}, {target.name}: {'simulation' if kind else 'synthesis'}"
        (out / f"{design.name}{kind}.f").write_text("\n".join([head, *files, top]) + "\n")
    bench = _write_bench(config, design, out)
    (out / "Makefile").write_text(_makefile(design, [*sim, top, *bench]))
    core = core_file(design, [*rtl, top], [*sim, top], [], [], bench, library=LIBRARY)
    (out / f"{design.name}.core").write_text(core)
    if record is not None:
        (out / "report.json").write_text(json.dumps(record, indent=2) + "\n")
    (out / "README.md").write_text(_readme(config, design, target, record))
    written = sorted(path for path in out.rglob("*") if path.is_file())
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out)}\n" for path in written)
    (out / CHECKSUMS).write_text("".join(sums))
    return [*written, out / CHECKSUMS]


_IMAGES = " Memory images are read from the folder in which the tool runs."


def _copy(paths: Sequence[Path], out: Path, folder: str) -> list[str]:
    """Copy files into a folder of the bundle. Returns their names relative to the bundle."""
    (out / folder).mkdir(parents=True, exist_ok=True)
    for path in paths:
        shutil.copyfile(path, out / folder / path.name)
    return [f"{folder}/{path.name}" for path in paths]


def _write_bench(config: MultiplierConfig, design: Design, out: Path) -> list[str]:
    """The bench with its products: corner operands first, so that a cut list has them."""
    (out / "bench").mkdir()
    shutil.copyfile(BENCH, out / "bench" / BENCH.name)
    header = top_header(f"V{top_module(design)}", config.result, config.stable, slots=config.slots)
    (out / "bench" / "bench_top.h").write_text(header)
    lines = islice(work_lines(config, BENCH_RANDOM), MOST_LINES)
    (out / "bench" / "products.h").write_text(products_header(lines))
    return [f"bench/{BENCH.name}", "bench/bench_top.h", "bench/products.h"]


def _makefile(design: Design, sources: Sequence[str]) -> str:
    top, options = top_module(design), " ".join(VERILATOR_OPTIONS)
    recipes = {
        "run: $(BENCH)": ["$(BENCH)"],
        f"$(BENCH): {' '.join(sources)}": [
            f"$(VERILATOR) --cc --exe --build -j 0 --Mdir build --top-module {top} {options} \\",
            f"    -CFLAGS -I$(CURDIR)/bench -f {design.name}_sim.f bench/{BENCH.name}",
        ],
        "lint:": [f"$(VERILATOR) --lint-only --no-timing --top-module {top} -f {design.name}_sim.f"],
        "check:": [f"sha256sum --quiet -c {CHECKSUMS}"],
        "clean:": ["rm -rf build"],
    }
    lines = [
        f"# `make` builds {top} with Verilator and runs its bench; `make check` compares checksums.",
        "VERILATOR ?= verilator",
        f"BENCH := build/V{top}",
        "",
        ".PHONY: run lint check clean",
    ]
    for rule, commands in recipes.items():
        lines += ["", rule, *(f"\t{command}" for command in commands)]
    return "\n".join(lines) + "\n"


def _figures(record: Record | None, target: Device) -> str:
    if record is None:
        return "No figures are stored for this device."
    placed = f"{record['worst_mhz']} MHz" if record["worst_mhz"] else "no clock, because it was only mapped"
    return (
        f"On {target.name}: {record['lut4']:,} LUT4, {record['ff']:,} flip-flops, {record['mult']} multiplier"
        f" blocks; {placed} (commit {record['commit']})."
    )


def _readme(config: MultiplierConfig, design: Design, target: Device, record: Record | None) -> str:
    top = top_module(design)
    signals = "\n".join(
        f"  logic {f'[{bits - 1}:0] ' if bits > 1 else ''}{name};  // {direction}"
        for name, (direction, bits) in config.ports.items()
    )
    settings = "\n".join(f"| `{name}` | `{param_text(value)}` |" for name, value in design.params.items())
    what = {
        "none": "`p_o` is the product of `a_i` and `b_i`",
        "montgomery": f"`r_o` is a b 2^-{config.bits} modulo `modulus_i`",
        "solinas": f"`r_o` is a b modulo the prime of {config.prime}",
    }[config.reduction]
    stable = (
        "`modulus_i` is odd, `inverse_i` is -1 / modulus modulo 2^bits, and both are stable.\n"
        if config.reduction == "montgomery"
        else ""
    )
    return f"""# {config.name} for {target.name}

`{top}` is `{design.top}` with its parameters set: {what}. {_figures(record, target)}

Operands are taken in a cycle with `valid_i` and `ready_o`. The product comes `latency_o` cycles later, for
one cycle, with `valid_o`; `interval_o` is the least number of cycles between two products. Both are
constants. `rst_i` forgets all products on the way. {stable}
## Instantiate

```systemverilog
{signals}

{instance(top, config.ports, {}, "u_mul")}```

It sets these parameters of `{design.top}`, which has the same ports:

| parameter | value |
|---|---|
{settings}

## Try

    make          # builds the top with Verilator, and compares its products, latency and interval
    make lint
    make check    # compares the files with {CHECKSUMS}

It needs Verilator 5 and a C++ compiler. `bench/products.h` has operands and products.

With FuseSoC, where this folder is a core library:

    fusesoc --cores-root . run --target sim {core_name(design, LIBRARY)}

## Files

| file | what |
|---|---|
| `{design.name}.f` | sources for synthesis, in reading order, with the primitives of the device |
| `{design.name}_sim.f` | sources for simulation, with portable primitives |
| `{design.name}.core` | FuseSoC: targets `default`, `lint` and `sim` |
| `report.json` | the stored figures on the device, if there are any |
| `{CHECKSUMS}` | SHA-256 of every other file |
"""
