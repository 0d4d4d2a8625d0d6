"""A point of a sweep: one measurement of one design. Its text says everything that is needed to repeat it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

MEASURES = ("cycles", "map", "place", "energy")
KINDS = ("engine", "multiplier", "yardstick")


@dataclass(frozen=True)
class Point:
    """What is measured.

    kind: one of KINDS.
    design: the name of the design, see `sweep_design`.
    measure: one of MEASURES.
    curve: of the cycles and the energy of an engine; "" otherwise.
    device: of a mapping or a placement; "" otherwise.
    library: the standard cells of an energy; "" otherwise.
    seed: of a placement; 0 otherwise. Operands always have the seed of the stored figures.
    shell: whether an engine is mapped or placed with its bus shell.
    """

    kind: str
    design: str
    measure: str
    curve: str = ""
    device: str = ""
    library: str = ""
    seed: int = 0
    shell: bool = False

    @property
    def text(self) -> str:
        """The point as JSON: equal points have equal texts."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def parse(cls, text: str) -> Point:
        """The point of a `text`."""
        return cls(**json.loads(text))

    @property
    def label(self) -> str:
        """The point for a reader."""
        where = self.device or self.library
        parts = [self.design, self.curve, self.measure, f"on {where}" if where else ""]
        parts += [f"seed {self.seed}"] if self.seed else []
        return " ".join(part for part in parts if part)

    @property
    def command(self) -> str:
        """The command that measures the point again."""
        return f"eccel explore --point '{self.text}'"
