"""A board with an engine: synthesis, placement with the pins of the board, and the clock that follows.

The engine's clock comes from a PLL. A placement tells how fast it can be; if the clock was chosen too high,
the next lower one is placed.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eccelerate.configs.board_rtl import board_files
from eccelerate.configs.board_table import Board, Clock, baud_step
from eccelerate.configs.config import Config
from eccelerate.flow import tools
from eccelerate.flow.design import Design
from eccelerate.flow.devices import FAMILIES, Device, Family
from eccelerate.flow.errors import FlowError
from eccelerate.flow.memory_check import check_images
from eccelerate.flow.pll import PLLS, choose
from eccelerate.flow.pnr import SHORT_RUN, TIMING_WEIGHT, overfull
from eccelerate.flow.store import Store
from eccelerate.flow.synth import Progress, SynthResult, synthesise

MARGIN = 0.92
"""Of a stored clock, to start with: the board adds the bridge and the pins."""
CLOSE = 0.98
"""Of the clock that a placement reaches, to try next."""
STEP_UP = 1.04
"""A faster clock than one that holds is tried if it is faster by this factor."""
TRIES = 4
SEED = 1
PADS = {"xc7": "synth_xilinx -family xc7 -nosrl"}
TWINS = {"xc7": "prim_xilinx"}
BIT = {"ecp5": "bit", "ice40": "bin"}

_PINS = {
    ".lpf": re.compile(r'^LOCATE COMP "(?P<port>[^"]+)" SITE "(?P<site>\w+)";$', re.M),
    ".pcf": re.compile(r"^set_io (?:-\w+ \w+ )*(?P<port>[\w\[\]]+) (?P<site>\w+)$", re.M),
    ".xdc": re.compile(r"PACKAGE_PIN (?P<site>\w+) .*\[get_ports \{(?P<port>[^}]+)\}\]$", re.M),
}


@dataclass(frozen=True)
class BoardDevice(Device):
    """The device of a board: its family with the twins and the pads that boards need."""

    @property
    def rules(self) -> Family:
        """See `Device`."""
        family = FAMILIES[self.family]
        if self.family not in TWINS:
            return family
        return replace(family, synth=PADS[self.family], twins=TWINS[self.family])


@dataclass(frozen=True)
class BoardResult:
    """An engine on a board. The fields from `folder` on are those of the placement, and empty without one.

    baud: the wanted rate. image_ones: ones in the memory images, which the bitstream has as well.
    """

    board: Board
    config: Config
    design: Design
    device: BoardDevice
    synth: SynthResult
    clock: Clock
    step: int
    baud: float
    folder: Path | None = None
    fmax_mhz: float = 0.0
    used: dict[str, int] = field(default_factory=dict)
    available: dict[str, int] = field(default_factory=dict)
    image_ones: int = 0

    @property
    def bitstream(self) -> Path | None:
        """The file for the FPGA."""
        return self.folder / f"out.{BIT[self.board.place]}" if self.folder else None


def board_device(board: Board) -> BoardDevice:
    """The device of a board."""
    return BoardDevice(
        name=board.name,
        family=board.rules,
        note=board.title,
        place=board.place,
        args=board.args,
        speed=board.speed,
    )


def pins(board: Board) -> dict[str, str]:
    """Site of each port bit in the constraint file of the board."""
    text = board.pins_file.read_text()
    return {m["port"]: m["site"] for m in _PINS[board.pins_file.suffix].finditer(text)}


def port_bits(ports: dict[str, tuple[str, int]]) -> list[str]:
    """The names of the pins of a top: one for each bit of its ports."""
    return [f"{name}[{i}]" if bits > 1 else name for name, (_, bits) in ports.items() for i in range(bits)]


def board_design(config: Config, board: Board, clock: Clock, step: int) -> Design:
    """What is built. Raises ConfigError, FlowError."""
    if board.rules == "ice40" and not config.binary and config.field_digit_bits > 16:
        raise FlowError(
            f"{config.name} does not fit {board.name}: its multipliers have 16 bits, the digits of the "
            f"configuration {config.field_digit_bits}; take compact-w16-up5k"
        )
    found = board_files(config, board, clock, step)
    return Design(
        name=f"{config.name}-{board.name}", top=board.top, files=list(found.files), data=list(found.images),
        static_placer=config.binary,
    )  # fmt: skip


def stored_mhz(config: Config, board: Board) -> float | None:
    """The newest stored clock of a configuration, with its bus shell or without, on the first device like
    that of the board.
    """
    for device in board.like:
        for name in (config.name, f"{config.name}-core"):
            if record := Store().latest(config=name, device=device, kind="place"):
                return float(record["worst_mhz"])
    return None


def build_board(
    config: Config,
    board: Board,
    baud: float,
    mhz: float | None = None,
    progress: Progress | None = None,
) -> BoardResult:
    """Synthesise `config` for `board`, and place it where there is an open placer.

    mhz: highest clock of the engine; None for what the placement allows. Raises FlowError if the design does
    not fit, if no clock is reached, or if a tool fails; ConfigError if the baud rate is out of reach.
    """
    limits, device = PLLS[board.pll], board_device(board)
    stored = stored_mhz(config, board)
    target = mhz or (stored * MARGIN if stored else float(board.start_mhz))
    best: BoardResult | None = None
    for _ in range(TRIES):
        clock = choose(limits, board.in_khz, target * 1000)
        if best and clock.khz <= best.clock.khz:
            break
        step = baud_step(clock.khz, baud)
        design = board_design(config, board, clock, step)
        synth = synthesise(design, device, progress)
        _check_pins(board, synth)
        result = BoardResult(board, config, design, device, synth, clock, step, baud)
        if not board.place:
            return result
        folder = _place(design, board, synth, progress)
        report = json.loads((folder / "report.json").read_text())
        reached, area = _engine_mhz(report, clock), report["utilization"]
        holds = reached * 1000 >= clock.khz
        if holds:
            best = replace(
                result,
                folder=folder,
                fmax_mhz=reached,
                used={k: u["used"] for k, u in area.items()},
                available={k: u["available"] for k, u in area.items()},
                image_ones=check_images(board.place, folder, design.data),
            )
        too_fast = best is not None and not holds  # a slower one holds
        if mhz or too_fast or (holds and reached * CLOSE * 1000 < clock.khz * STEP_UP):
            break
        target = reached * CLOSE
    if best:
        return best
    raise FlowError(
        f"{config.name} on {board.name} reaches {reached:.2f} MHz, not {clock.khz / 1000:.3f} MHz: "
        "give a lower --clock"
    )


def _check_pins(board: Board, synth: SynthResult) -> None:
    """FlowError if a port of the top has no pin, or a pin no port."""
    ports, sites = set(port_bits(synth.ports)), pins(board)
    if ports != sites.keys():
        raise FlowError(f"{board.pins}: ports and pins differ: {', '.join(sorted(ports ^ sites.keys()))}")
    if len(set(sites.values())) != len(sites):
        raise FlowError(f"{board.pins}: a pin is used twice")


def _engine_mhz(report: dict[str, Any], clock: Clock) -> float:
    """The clock that the placement reaches: that of the PLL's output, which nextpnr knows by the constraint
    that it has derived.
    """
    wanted = clock.khz / 1000
    found = [c["achieved"] for c in report["fmax"].values() if abs(c["constraint"] / wanted - 1) < 0.01]
    if len(found) != 1:
        raise FlowError(f"nextpnr has no clock with a constraint of {wanted:.3f} MHz: {report['fmax']}")
    return round(float(found[0]), 2)


def _place(design: Design, board: Board, synth: SynthResult, progress: Progress | None) -> Path:
    """Place, route, pack. Returns the folder."""

    def build(folder: Path) -> None:
        if progress:
            progress(f"place and route {design.name}")
        shutil.copyfile(synth.netlist, folder / "in.json")
        shutil.copyfile(board.pins_file, folder / board.pins)
        log = folder / "pnr.log"
        out = {
            "ecp5": ["--lpf", board.pins, "--textcfg", "out.config"],
            "ice40": ["--pcf", board.pins, "--asc", "out.asc"],
        }
        options = [
            "--json", "in.json", *out[board.place], "--report", "report.json", "--seed", str(SEED),
            "--timing-allow-fail", "--placer", "heap", "--placer-heap-timingweight", str(TIMING_WEIGHT),
            *board.args,
        ]  # fmt: skip
        package = f"yowasp_nextpnr_{board.place}"
        try:
            tools.run_yowasp(package, f"run_nextpnr_{board.place}", options, folder, log, SHORT_RUN)
        except FlowError as error:
            text = log.read_text(errors="replace") if log.exists() else ""
            if "No module named" in text:
                wheel = package.replace("_", "-")
                raise FlowError(f"nextpnr is missing: run `pip install {wheel}`, then build again") from error
            if full := overfull(text) or ("more block RAMs or cells" if "Unable to place" in text else ""):
                raise FlowError(f"{design.name} does not fit on {board.title}: {full}", log) from error
            raise
        if board.place == "ecp5":
            pack = ("run_ecppack", ["--compress", "out.config", "out.bit"])
        else:
            pack = ("run_icepack", ["out.asc", "out.bin"])
        tools.run_yowasp(package, pack[0], pack[1], folder, folder / "pack.log")
        (folder / "in.json").unlink()

    key = tools.digest(
        synth.key, board, board.pins_file.read_text(), SEED, tools.versions(), sources=("boards.py",)
    )
    return tools.cached(f"{design.name}-{key}", build)[0]


def sources(result: BoardResult) -> Sequence[Path]:
    """The files for a synthesis tool, with the twins of the device."""
    return result.design.sources(result.device.rules)
