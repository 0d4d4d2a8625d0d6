"""`eccel energy`: power, and energy of an operation, in a standard-cell library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.cli.failures import CheckError, UsageError, errors
from eccelerate.cli.run import JsonOption, print_json
from eccelerate.configs.config import load_configs
from eccelerate.energy.energy_store import EnergyStore
from eccelerate.energy.engine_energy import measure_engine
from eccelerate.energy.foreign_netlist import foreign_energy
from eccelerate.energy.fpga_activity import fpga_activity
from eccelerate.energy.library import NAMES
from eccelerate.energy.power import DEFAULT_MHZ, Wires
from eccelerate.energy.unit_energy import CAUTION, measure_unit, recorded
from eccelerate.energy.unit_operands import find_unit
from eccelerate.flow import synthesise
from eccelerate.flow.multiplier_store import unit_design
from eccelerate.rtlsim.yardstick_bench import YardstickError

RELATIVE_CLOCKS = 20_000
"""Clocks of a run on an FPGA netlist that count at most."""
POWERS = ("switching_w", "internal_w", "leakage_w", "total_w")


def energy_command(
    unit: Annotated[
        str | None, typer.Argument(help="Yardstick, study variant, multiplier, or configuration.")
    ] = None,
    library: Annotated[
        str | None, typer.Option("--library", help=f"Library of the project: {', '.join(NAMES)}.")
    ] = None,
    liberty: Annotated[Path | None, typer.Option("--liberty", help="Your own library, as Liberty.")] = None,
    netlist: Annotated[
        Path | None, typer.Option("--netlist", help="Instead of a unit: a netlist of cells in Verilog.")
    ] = None,
    vcd: Annotated[Path | None, typer.Option("--vcd", help="With --netlist: what its nets do.")] = None,
    spef: Annotated[Path | None, typer.Option("--spef", help="With --netlist: its wires.")] = None,
    top: Annotated[str, typer.Option("--top", help="With --netlist: its top module.")] = "",
    scope: Annotated[str, typer.Option("--scope", help="With --vcd: the scope of the netlist.")] = "",
    mhz: Annotated[float, typer.Option("--mhz", min=0.001, help="Clock of the power.")] = DEFAULT_MHZ,
    clock_gates: Annotated[
        bool, typer.Option("--clock-gates", help="Give registers with an enable clock gates.")
    ] = False,
    wire_ff: Annotated[
        float, typer.Option("--wire-ff", min=0, help="Wire capacitance for each input pin on a net, in fF.")
    ] = 0.0,
    device: Annotated[
        str | None,
        typer.Option("--device", help="Instead of a library: the relative activity on this ECP5 device."),
    ] = None,
    cells: Annotated[
        list[Path] | None,
        typer.Option("--cells", help="With --device: Verilog models of block RAMs and multipliers."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the operands.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Estimate power and energy before layout, from the toggles of every net of a real run.

    A unit is mapped to the library and gets the inputs of a run on its RTL; its record is kept in results/ if
    the library, the wires and the operands are the project's own. A netlist of others needs --netlist and
    --vcd. docs/energy.md says what is counted and what not.
    """
    if device is not None:
        if unit is None or library or liberty or netlist or clock_gates or wire_ff:
            raise UsageError("--device needs a unit, and no library, netlist, clock gates or wires")
        print_json(_relative(unit, device, tuple(cells or ()), seed))
        return
    if library is not None and liberty is not None:
        raise UsageError("give --library or --liberty, not both")
    if library is not None and library not in NAMES:
        raise UsageError(f"no library {library!r}; there are: {', '.join(NAMES)}; or give --liberty FILE")
    if liberty is not None and not liberty.is_file():
        raise UsageError(f"no such file: {liberty}")
    chosen: str | Path = liberty or library or NAMES[0]
    if netlist is not None:
        if unit is not None or vcd is None:
            raise UsageError("--netlist needs --vcd, and no unit")
        record = _foreign(netlist, chosen, vcd, spef, top, scope)
    else:
        if unit is None:
            raise UsageError("which unit? Or give --netlist with --vcd")
        if vcd or spef or top or scope:
            raise UsageError("--vcd, --spef, --top and --scope are for --netlist")
        record = _unit(unit, chosen, mhz, clock_gates=clock_gates, wire_ff=wire_ff, seed=seed)
        if liberty is None and not wire_ff and seed == 1 and mhz == DEFAULT_MHZ:
            record = EnergyStore().put(record)
    if as_json:
        print_json(record)
    else:
        _print(record)


def _unit(
    name: str, library: str | Path, mhz: float, *, clock_gates: bool, wire_ff: float, seed: int
) -> dict[str, Any]:
    wires = Wires(sink=wire_ff / 1000) if wire_ff else None
    with Console(stderr=True).status(name) as status:
        if name in load_configs():
            return measure_engine(
                name, library, clock_mhz=mhz, clock_gates=clock_gates, seed=seed, wires=wires,
                progress=status.update,
            )  # fmt: skip
        try:
            return measure_unit(
                find_unit(name), library, clock_mhz=mhz, clock_gates=clock_gates, seed=seed, wires=wires,
                progress=status.update,
            )  # fmt: skip
        except YardstickError as error:
            raise CheckError(str(error)) from error


def _relative(name: str, device: str, models: tuple[Path, ...], seed: int) -> dict[str, Any]:
    """Toggles for a clock on an FPGA, plain and weighted: figures that order designs on one family."""
    unit = find_unit(name)
    mapped = synthesise(unit_design(unit), device)
    with recorded(unit, RELATIVE_CLOCKS, seed) as run:
        found = fpga_activity(mapped, run.trace, models, window=run.window, qualifier="valid_o")
    return {
        "unit": name,
        "device": device,
        "relative": True,
        "clocks": found.activity.clocks,
        "nets": found.nets,
        "toggles_per_clock": found.toggles_per_clock,
        "weighted_per_clock": found.weighted_per_clock,
        "weighted_per_operation": found.weighted_per_clock * run.window.clocks / run.operations,
        "sampled": run.sampled,
    }


def _foreign(
    netlist: Path, library: str | Path, vcd: Path, spef: Path | None, top: str, scope: str
) -> dict[str, Any]:
    found = foreign_energy(netlist, library, vcd, spef=spef, top=top, scope=scope)
    if found.missing:
        names = ", ".join(found.missing[:5])
        text = f"{len(found.missing)} of {len(found.netlist.nets)} nets are not in the VCD file: {names}"
        errors.print(text, style="yellow", markup=False)
    energy = found.energy
    return {
        "unit": found.netlist.top,
        "library": found.library.name,
        "corner": found.library.corner,
        "cells": len(found.netlist.gates),
        "area_um2": found.area_um2,
        "seconds": energy.seconds,
        "energy_pj": energy.energy_pj,
        "clock_pj": energy.clock_pj,
        **{name: getattr(energy, name) for name in POWERS},
        "scope": found.scope,
        "nets": len(found.netlist.nets),
        "nets_without_activity": len(found.missing),
        "nets_with_wire": found.wires,
        "caution": "wires of the SPEF file, glitches as in the VCD file" if spef else CAUTION,
    }


def _print(record: dict[str, Any]) -> None:
    console = Console(highlight=False)
    corner = "" if record["corner"] == record["library"] else f" ({record['corner']})"
    table = Table(title=f"{record['unit']} in {record['library']}{corner}")
    table.add_column("what")
    table.add_column("value", justify="right")
    table.add_row("cells", f"{record['cells']:,}")
    table.add_row("area, um^2", f"{record['area_um2']:,.0f}")
    if "gate_equivalents" in record:
        table.add_row("gate equivalents", f"{record['gate_equivalents']:,.0f}")
        table.add_row("delay, ps (between registers)", f"{record['delay_ps']:,.0f}")
        table.add_row("cycles", f"{record['cycles']:,}")
        table.add_row(f"energy of {record['operation']}, pJ", f"{record['energy_pj']:,.1f}")
    else:
        table.add_row("energy, pJ", f"{record['energy_pj']:,.4g}")
    table.add_row("of that for the clock, pJ", f"{record['clock_pj']:,.4g}")
    for name in POWERS:
        table.add_row(f"{name.removesuffix('_w')} power, mW", f"{record[name] * 1000:.4g}")
    console.print(table)
    if "clock_mhz" in record:
        console.print(f"power at {record['clock_mhz']:g} MHz", style="dim")
    if record.get("sampled"):
        sampled = record["sampled"]
        console.print(
            f"sampled: {sampled['clocks']:,} of {sampled['of']:,} clocks stand for all", style="yellow"
        )
    if record.get("memory_bits"):
        console.print(f"{record['memory_bits']:,} bits of memory are not in these figures", style="yellow")
    console.print(record["caution"], style="dim")
