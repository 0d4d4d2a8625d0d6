"""The texts that are written for a bundle: its top, core file, Makefile and README."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from eccelerate.configs.config import ROOT
from eccelerate.flow.design import Design, param_text

Ports = Mapping[str, tuple[str, int]]
"""Name -> (direction, bits)."""

VERILATOR_OPTIONS = ("--no-timing", "-O3", "--x-assign", "fast")


def top_module(design: Design) -> str:
    """Name of the bundle's top. This module has the parameters set, so that a tool need not set them."""
    return re.sub(r"\W", "_", design.name) + "_top"


def core_name(design: Design, library: str = "engine") -> str:
    """Vendor, library, name and version of the bundle's core."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return f"eccelerate:{library}:{design.name}:{version}"


def top_source(design: Design, ports: Ports) -> str:
    """SystemVerilog of :func:`top_module`."""
    declared = ",\n".join(
        f"    {direction:6} logic {f'[{bits - 1}:0] ' if bits > 1 else ''}{name}"
        for name, (direction, bits) in ports.items()
    )
    return (
        f"// {design.top} with the parameters of {design.name}. Memory images are read from the folder in"
        f" which the tool runs.\n\nmodule {top_module(design)} (\n{declared}\n);\n\n"
        f"{instance(design.top, ports, design.params, 'u_design')}\nendmodule\n"
    )


def instance(module: str, ports: Ports, parameters: Mapping[str, int | str | bool], name: str) -> str:
    """An instantiation in which every port is connected to a signal of its own name."""
    settings = ",\n".join(f"      .{key}({param_text(value)})" for key, value in parameters.items())
    pins = ",\n".join(f"      .{port}({port})" for port in ports)
    return f"  {module}{f' #({chr(10)}{settings}{chr(10)}  )' if settings else ''} {name} (\n{pins}\n  );\n"


def core_file(
    design: Design,
    rtl: Sequence[str],
    sim: Sequence[str],
    data: Sequence[str],
    includes: Sequence[str],
    bench: Sequence[str],
    library: str = "engine",
) -> str:
    """FuseSoC core description (CAPI2) of a bundle. Its paths are relative to the bundle.

    Target `default` is for synthesis. Targets `lint` and `sim` use the portable primitives, and `sim` runs
    the bench.
    """

    def fileset(name: str, files: Sequence[str]) -> list[str]:
        lines = [f"  {name}:", "    files:", *(f"      - {f}" for f in files)]
        lines += [f"      - {f}: {{is_include_file: true}}" for f in includes]
        return [*lines, "    file_type: systemVerilogSource"]

    def target(name: str, filesets: Sequence[str], mode: str = "", options: Sequence[str] = ()) -> list[str]:
        lines = [
            f"  {name}:",
            f"    filesets: [{', '.join(filesets)}]",
            f"    toplevel: {top_module(design)}",
        ]
        if mode:
            lines += [
                "    default_tool: verilator",
                "    tools:",
                "      verilator:",
                f"        mode: {mode}",
            ]
            lines += [f"        verilator_options: [{', '.join(map(repr, options))}]"]
        return lines

    lines = ["CAPI=2:", f"name: {core_name(design, library)}", f"description: {design.top}", "", "filesets:"]
    lines += [*fileset("rtl", rtl), *fileset("portable", sim)]
    images = ["images"] if data else []
    if data:
        lines += ["  images:", "    files:"]
        lines += [f"      - {f}: {{file_type: user, copyto: {Path(f).name}}}" for f in data]
    if bench:
        lines += ["  bench:", "    files:"]
        lines += [f"      - {f}{': {is_include_file: true}' if f.endswith('.h') else ''}" for f in bench]
        lines += ["    file_type: cppSource"]
    lines += ["", "targets:", *target("default", ["rtl", *images])]
    lines += target("lint", ["portable", *images], "lint-only", ["--no-timing"])
    if bench:
        lines += target("sim", ["portable", *images, "bench"], "cc", VERILATOR_OPTIONS)
    return "\n".join(lines) + "\n"


def makefile(design: Design, sources: Sequence[str]) -> str:
    """The Makefile of a bundle: `make` runs the bench."""
    top = top_module(design)
    options = " ".join(VERILATOR_OPTIONS)
    recipes = {
        "run: $(BENCH)": ["$(BENCH)"],
        f"$(BENCH): {' '.join(sources)}": [
            f"$(VERILATOR) --cc --exe --build -j 0 --Mdir build --top-module {top} {options} \\",
            f"    -CFLAGS -I$(CURDIR)/bench -f {design.name}_sim.f bench/bundle_bench.cpp",
        ],
        "lint:": [f"$(VERILATOR) --lint-only --no-timing --top-module {top} -f {design.name}_sim.f"],
        "clean:": ["rm -rf build"],
    }
    lines = [
        f"# `make` builds {top} with Verilator and runs jobs on it; `make lint` checks the sources.",
        "VERILATOR ?= verilator",
        f"BENCH := build/V{top}",
        "",
        ".PHONY: run lint clean",
    ]
    for rule, commands in recipes.items():
        lines += ["", rule, *(f"\t{command}" for command in commands)]
    return "\n".join(lines) + "\n"


def readme(design: Design, ports: Ports, target: str, *, bus: bool) -> str:
    """The README of a bundle: what it is, how to instantiate it, and how to try it."""
    top = top_module(design)
    signals = "\n".join(
        f"  logic {f'[{bits - 1}:0] ' if bits > 1 else ''}{name};  // {direction}"
        for name, (direction, bits) in ports.items()
    )
    settings = "\n".join(f"| `{name}` | `{param_text(value)}` |" for name, value in design.params.items())
    way, registers = "through its packet ports", ""
    if bus:
        way = "over its AXI4-Lite bus"
        registers = "\nThe registers are in `doc/registers.md`, their C names in `bench/eccel_regs.h`.\n"
    return f"""# {design.name} for {target}

`{top}` is `{design.top}` with its parameters set.
{registers}
## Instantiate

```systemverilog
{signals}

{instance(top, ports, {}, "u_eccel")}```

It sets these parameters of `{design.top}`, which has the same ports:

| parameter | value |
|---|---|
{settings}

The clock is `{design.clock}`; `rst_ni` is low in reset. Memory images (`*.hex`) are read from the folder in
which the tool runs.

## Try

    make          # builds the top with Verilator and runs jobs {way}: signs where the engine can
    make lint

It needs Verilator 5 and a C++ compiler. `bench/jobs.h` has the packets and the expected responses.
`bench/bundle_bench.cpp` is an example of a driver.

With FuseSoC, where this folder is a core library:

    fusesoc --cores-root . run --target sim {core_name(design)}
    fusesoc --cores-root . run --target lint {core_name(design)}

## Files

| file | what |
|---|---|
| `{design.name}.f` | sources for synthesis, in reading order, with the primitives of the device |
| `{design.name}_sim.f` | sources for simulation, with portable primitives |
| `{design.name}.core` | FuseSoC: targets `default`, `lint` and `sim` |
| `report.json` | area and clock as placed, tools, commit |
| `netlist.v` | the mapped netlist |
"""
