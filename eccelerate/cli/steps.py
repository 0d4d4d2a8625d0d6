"""Progress of a command that takes minutes: one line for each step, live on a terminal, plain in a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)


@dataclass
class Step:
    """A running step. `note` is its outcome, which is shown after its name."""

    say: Callable[[str], None]
    note: str = ""


@dataclass
class Steps:
    """Runs `total` steps. Finished steps stay on the screen with their time."""

    console: Console
    total: int
    number: int = field(default=0, init=False)
    started: float = field(default_factory=time.monotonic, init=False)

    @property
    def seconds(self) -> float:
        """Time since the first step was announced."""
        return time.monotonic() - self.started

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Run one step. Its `say` shows what it is doing."""
        self.number += 1
        began = time.monotonic()
        if self.console.is_terminal:
            columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn())
            bar = Progress(*columns, TimeElapsedColumn(), console=self.console, transient=True)
            with bar:
                task = bar.add_task(name, total=self.total, completed=self.number - 1)
                step = Step(lambda text: bar.update(task, description=f"{name}: {text}"))
                yield step
        else:
            step = Step(lambda text: self.console.print(f"        {text}", style="dim", markup=False))
            yield step
        text = f"{name}: {step.note}" if step.note else name
        took = f"{time.monotonic() - began:6.1f} s"
        self.console.print(
            f"[green]ok[/green] {self.number:2}/{self.total} {took}  {text}", highlight=False, soft_wrap=True
        )
