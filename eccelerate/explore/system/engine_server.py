"""Starts the server in the background: with RTL models, a paced device, or a device of a fixed latency."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from eccelerate.configs.config import Config
from eccelerate.curves import Curve
from eccelerate.driver import TransportError
from eccelerate.driver.server_link import ServerLink
from eccelerate.explore.paced_plan import make_plan
from eccelerate.explore.system.subjects import placed_clock_mhz
from eccelerate.external.c_software import software_folder
from eccelerate.external.service import Service
from eccelerate.rtlsim.model_folder import write_model

Progress = Callable[[str], None]
START_SECONDS = 300.0
"""Time for the nonces of a paced device."""
PROBE_SECONDS = 1.0
PREPARED = 256
MODEL_TIMEOUT_MS = 120_000
"""Limit of one job on a model: the simulation of a curve of 571 bits takes seconds."""


@dataclass
class EngineServer:
    """A server that runs until the end of a `with` block. device: options that say what does the jobs."""

    folder: Path
    device: Sequence[str]

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        words: list[str | Path] = [software_folder() / "eccel-serve", "--listen", self.uri, *self.device]
        self.service = Service(words, self.folder / "serve.log", self._answers, seconds=START_SECONDS)

    @property
    def uri(self) -> str:
        """Where it listens, for libeccel."""
        return f"unix:{self.folder / 'engine.sock'}"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.service.pid

    def _answers(self) -> bool:
        """Whether it answers. It listens before that, while a paced device prepares its nonces."""
        try:
            with ServerLink(self.uri, PROBE_SECONDS) as link:
                link.status()
        except TransportError:
            return False
        return True

    def __enter__(self) -> EngineServer:
        self.service.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.service.__exit__(kind, error, trace)

    def keep_on(self, cpu: int, others: set[int]) -> None:
        """Keep the event loop on one processor, and the threads that compute for a paced device on others."""
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {cpu} if int(task.name) == self.pid else others)

    def counters(self) -> dict[str, int]:
        """The counters of the server: see docs/links.md. Raises TransportError."""
        with ServerLink(self.uri) as link:
            return link.counters()

    def is_paced(self) -> bool:
        """Whether software computes in place of an engine."""
        with ServerLink(self.uri) as link:
            return link.status().is_paced


def model_server(configs: Sequence[Config], folder: Path, progress: Progress) -> EngineServer:
    """A server with the RTL models of some configurations, which are built if need be. Raises BuildError."""
    device = []
    for config in configs:
        progress(f"model of {config.name}")
        place = folder / config.name
        write_model(config, place, round(1000 * (placed_clock_mhz(config) or 0)))
        device += ["--device", f"model:{place}"]
    names = ", ".join(config.name for config in configs)
    return EngineServer(folder, ["--name", names, "--timeout-ms", str(MODEL_TIMEOUT_MS), *device])


def paced_server(
    config: Config, curves: Sequence[Curve], folder: Path, progress: Progress, *, prepare: int = PREPARED
) -> EngineServer:
    """A server with a paced device: software, with the timing of a configuration at its placed clock.

    prepare: nonces that are there at the start. Raises ValueError without a placed clock, and as `make_plan`.
    """
    mhz = placed_clock_mhz(config)
    if mhz is None:
        raise ValueError(f"{config.name} was never placed: eccel measure {config.name} --area DEVICE")
    plan = make_plan([config], [round(1000 * mhz)], curves=curves, progress=progress)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.json"
    path.write_text(json.dumps(plan))
    return EngineServer(folder, ["--paced", str(path), "--prepare", str(prepare)])


def latency_server(milliseconds: float, folder: Path, *, prepare: int = PREPARED) -> EngineServer:
    """A server with a device of a fixed latency, which does any number of jobs at once, in software.

    prepare: nonces of a curve that it prepares when it has nothing else to do.
    """
    return EngineServer(folder, ["--latency-ms", str(milliseconds), "--prepare", str(prepare)])
