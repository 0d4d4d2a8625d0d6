"""The cycle-accurate model of a board top, `sim/board_sim.cpp`: its serial pins are a pseudo-terminal."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from eccelerate.configs.board_rtl import BOARD_ROOM, board_files
from eccelerate.configs.board_table import MAX_STEP, STEP_SCALE, Board, Clock
from eccelerate.configs.config import Config, build_root
from eccelerate.external.command import CommandError
from eccelerate.external.service import Service
from eccelerate.rtlsim import verilate
from eccelerate.rtlsim.verilate import HARNESS_DIR, BuildError, ModelSource

HARNESS = HARNESS_DIR / "board_sim.cpp"
CLOCKS_PER_BIT = 16
"""Default length of a bit: short, so that simulations take seconds."""
MIN_CLOCKS_PER_BIT = STEP_SCALE // MAX_STEP
BUTTONS = {"reset": signal.SIGUSR1, "zeroise": signal.SIGUSR2}
_PORT = re.compile(r"^ *(input|output) .*?(\w+_n?[io]),?$", re.MULTILINE)


def ports_header(board: Board, root_header: str) -> str:
    """The macros of board_sim.cpp for a top: buttons that are 0 when pressed have names that end in _ni."""
    text = (BOARD_ROOM / f"{board.top}.sv").read_text()
    buttons = [n for d, n in _PORT.findall(text) if d == "input" and n not in ("clk_i", "rxd_i")]

    def press(kinds: tuple[str, ...]) -> str:
        return " ".join(
            f"(top)->{name} = {0 if name.endswith('_ni') else 1};"
            for name in buttons
            if name.startswith(kinds)
        )

    release = " ".join(f"(top)->{name} = {1 if name.endswith('_ni') else 0};" for name in buttons)
    [busy] = verilate.find_signals(root_header, board.top, ("board_busy",)).values()
    macros = {
        "PRESS_RESET(top)": press(("reset", "button")), "PRESS_ZEROISE(top)": press(("zeroise",)),
        "RELEASE(top)": release,
    }  # fmt: skip
    lines = [f"#define {name} do {{ {body} }} while (0)" for name, body in macros.items()]
    return "\n".join([*lines, f"#define BUSY(top) ((top)->rootp->{busy})"]) + "\n"


def build_board_sim(
    config: Config, board: Board, clocks_per_bit: float = CLOCKS_PER_BIT
) -> tuple[Path, Mapping[str, Path]]:
    """The program for a board with a configuration, built if it does not exist yet, and its memory images by
    the names that it reads. The clock of the engine is the pin of the oscillator. Raises BuildError.
    """
    if clocks_per_bit < MIN_CLOCKS_PER_BIT:
        raise ValueError(f"a bit lasts at least {MIN_CLOCKS_PER_BIT} clocks, not {clocks_per_bit}")
    found = board_files(config, board, Clock(board.in_khz), round(STEP_SCALE / clocks_per_bit))
    source = ModelSource(board.top, found.files)
    folder = build_root() / "model" / f"{board.top}-{verilate._digest(source, 'plain')}"
    code = HARNESS.read_bytes() + Path(__file__).read_bytes()
    program = folder / f"board_sim-{hashlib.sha256(code).hexdigest()[:16]}"
    images = {path.name: path for path in found.images}
    if program.is_file():
        return program, images
    folder.mkdir(parents=True, exist_ok=True)
    with verilate._locked(folder / "lock"):
        if not (folder / "libverilated.a").is_file():
            verilate._compile(source, "plain", folder)
        if not program.is_file():
            _link(board, folder, program)
    return program, images


def _link(board: Board, folder: Path, program: Path) -> None:
    objects, include = folder / "obj", verilate.verilator_root() / "include"
    header = ports_header(board, (objects / "Vengine___024root.h").read_text())
    (objects / "board_ports.h").write_text(header)
    part = program.with_suffix(".part")
    flags = (*verilate.COMPILE_FLAGS, *verilate.common_headers(verilate.COMPILE_FLAGS), "-Wall")
    headers = [f"-I{path}" for path in (objects, include, include / "vltstd")]
    archives = [str(objects / "libVengine.a"), str(folder / "libverilated.a")]
    command = ["g++", "-std=gnu++20", *flags, *headers, str(HARNESS), *archives, "-o", str(part), "-lpthread"]
    verilate._run(command, folder, verilate.BUILD_TIMEOUT_S)
    part.rename(program)


class BoardSim:
    """A simulated board that runs until the end of a `with` block. `port` is its serial port.

    skew: length of the host's bits relative to those of the board. noise: probability with which a bit of
    either line is inverted. Raises BuildError if it cannot be built or
    does not start.
    """

    def __init__(
        self,
        config: Config,
        board: Board,
        clocks_per_bit: float = CLOCKS_PER_BIT,
        skew: float = 1.0,
        noise: float = 0.0,
    ) -> None:
        program, images = build_board_sim(config, board, clocks_per_bit)
        self._scratch = tempfile.TemporaryDirectory(prefix="eccel-board-")
        folder = Path(self._scratch.name)
        for name, path in images.items():
            (folder / name).symlink_to(path)
        self._port = folder / "port"
        command: list[str | Path] = [program, self._port.name, str(clocks_per_bit), str(skew), str(noise)]
        self._service = Service(command, folder / "log", ready=self._port.exists, cwd=folder)
        self.port = ""

    def __enter__(self) -> BoardSim:
        try:
            self._service.__enter__()
        except CommandError as error:
            self._scratch.cleanup()
            raise BuildError(f"the simulated board did not start: {error}") from error
        self.port = self._port.read_text().strip()
        return self

    def press(self, button: str) -> None:
        """Press a button for some clocks: "reset", or "zeroise" where the board has it."""
        os.kill(self._service.pid, BUTTONS[button])

    def require_running(self) -> None:
        """Raises CommandError if the program has ended."""
        self._service.require_running()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._service.stop()
        self._scratch.cleanup()
