"""The folder that `eccel build --board` writes: sources, memory images, pins, bitstream, report, and how to
load it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eccelerate.configs.board_table import BAUD, real_baud
from eccelerate.configs.config import ROOT
from eccelerate.flow.boards import BIT, BoardResult, sources
from eccelerate.flow.devices import FAMILIES
from eccelerate.flow.errors import FlowError
from eccelerate.flow.store import Record, RecordFile, commit, netlist_key
from eccelerate.flow.tools import versions

AREA = {
    "ecp5": {"lut4": "TRELLIS_COMB", "ff": "TRELLIS_FF", "mult": "MULT18X18D", "bram": "DP16KD"},
    "ice40": {
        "lut4": "ICESTORM_LC",
        "mult": "ICESTORM_DSP",
        "bram": "ICESTORM_RAM",
        "spram": "ICESTORM_SPRAM",
    },
}
PART = {"arty": "xc7a35ticsg324-1L"}


@dataclass(frozen=True)
class BoardStore(RecordFile):
    """Records of boards."""

    path: Path = ROOT / "results" / "boards.jsonl"

    @staticmethod
    def key(record: Record) -> tuple[object, ...]:
        """Board and configuration."""
        return record["board"], record["config"]


def board_record(result: BoardResult) -> Record:
    """Everything about a board that was built; without an open placer there is no placed area and no reached
    clock.
    """
    board, counts = result.board, result.synth.counts
    clock = result.clock
    found: Record = {
        "config": result.config.name,
        "board": board.name,
        "commit": commit(),
        "tools": versions(),
        "netlist": netlist_key(result.synth.design, FAMILIES[result.synth.family]),
        "clock_mhz": round(clock.khz / 1000, 3),
        "pll": {"in_div": clock.in_div, "vco_mul": clock.vco_mul, "out_div": clock.out_div},
        "baud": result.baud,
        "real_baud": round(real_baud(clock.khz, result.step)),
        "mapped": {"lut": counts.lut, "ff": counts.ff, "mult": counts.mult, "bram": counts.bram},
    }
    if board.place:
        area = AREA[board.place]
        found["fmax_mhz"] = result.fmax_mhz
        found["used"] = {name: result.used[kind] for name, kind in area.items()}
        found["available"] = {name: result.available[kind] for name, kind in area.items()}
        found["image_ones"] = result.image_ones
    return found


def load_commands(result: BoardResult) -> dict[str, str]:
    """The openFPGALoader commands, with what each of them does."""
    ways = {"until the power goes": result.board.load, "into the flash": result.board.store}
    return {what: f"openFPGALoader {how} {_bit_name(result)}" for what, how in ways.items() if how}


def _bit_name(result: BoardResult) -> str:
    kind = BIT.get(result.board.place, "bit")
    return f"{result.design.name}.{kind}"


def write_board(result: BoardResult, out: Path) -> list[Path]:
    """Write the folder, which must be new or empty. Returns its files. Raises FlowError."""
    if out.exists() and any(out.iterdir()):
        raise FlowError(f"{out} is not empty; give a new folder")
    (out / "rtl").mkdir(parents=True)
    names = []
    for path in sources(result):
        if (out / "rtl" / path.name).exists():
            raise FlowError(f"two sources are called {path.name}")
        shutil.copyfile(path, out / "rtl" / path.name)
        names.append(f"rtl/{path.name}")
    for path in (*result.design.data, result.board.pins_file):
        shutil.copyfile(path, out / path.name)
    head = f"// {result.board.top}; run the tool from this folder so that the memory images are found"
    (out / f"{result.design.name}.f").write_text("\n".join([head, *names]) + "\n")
    (out / "report.json").write_text(json.dumps(board_record(result), indent=2) + "\n")
    shutil.copyfile(result.synth.verilog, out / "netlist.v")
    if result.bitstream:
        shutil.copyfile(result.bitstream, out / _bit_name(result))
    elif result.board.name in PART:
        (out / "build.tcl").write_text(vivado_script(result, names))
    (out / "README.md").write_text(readme(result))
    return sorted(path for path in out.rglob("*") if path.is_file())


def vivado_script(result: BoardResult, names: Sequence[str]) -> str:
    """A script for Vivado: `vivado -mode batch -source build.tcl`."""
    own = [name for name in names if not name.endswith("_cells.sv")]  # Vivado has the cells itself
    images = " ".join(path.name for path in result.design.data)
    top, name = result.board.top, result.design.name
    return "\n".join(
        [
            "# Run in this folder: vivado -mode batch -source build.tcl",
            *(f"read_verilog -sv {each}" for each in own),
            f"read_mem {{{images}}}",
            f"read_xdc {result.board.pins}",
            f"synth_design -top {top} -part {PART[result.board.name]}",
            "opt_design", "place_design", "route_design",
            "report_timing_summary -file timing.txt",
            "if {[get_property SLACK [get_timing_paths]] < 0} {",
            '  error "the clock is not reached: build again with a lower --clock"',
            "}",
            f"write_bitstream -force {name}.bit",
        ]
    ) + "\n"  # fmt: skip


def readme(result: BoardResult) -> str:
    """The README of the folder."""
    board, clock = result.board, result.clock
    loads = [f"    {how}    # {what}" for what, how in load_commands(result).items()]
    port = board.usb.split()[0]
    if result.baud != BAUD:
        port = f"'uart:{port}?baud={result.baud:.0f}'"
    mhz = f"{clock.khz / 1000:.3f} MHz"
    if board.place:
        area = AREA[board.place]
        lines = [
            f"| {name} | {result.used[kind]} of {result.available[kind]} |" for name, kind in area.items()
        ]
        placed = f"""nextpnr reaches {result.fmax_mhz} MHz on this device; the clock is not above that.
The bitstream was unpacked again: its block RAMs have the {result.image_ones} ones of the memory images.

| cells | used |
|---|---|
{chr(10).join(lines)}
"""
        make = ""
    else:
        placed = "There is no open placer for this device: Vivado tells whether the clock is reached.\n"
        make = "    vivado -mode batch -source build.tcl    # fails if the clock is not reached\n"
    return f"""# {result.config.name} on {board.title}

Engine at {mhz}, from {board.in_khz / 1000:g} MHz by the PLL; serial port with {result.baud:.0f} baud.

{placed}
{make}{chr(10).join(loads)}

Then, with {board.usb} as the serial port:

    eccel run {result.config.name} self-test --port {port}

Whoever sends the entropy knows the nonces and keys that the engine draws: with this top it is the host.

| file | for |
|---|---|
| `{result.design.name}.f` | sources in reading order, with the primitives of the device |
| `{board.pins}` | pins and the clock of the oscillator |
| `netlist.v` | the mapped netlist |
| `report.json` | area, clock, PLL, tools |
"""
