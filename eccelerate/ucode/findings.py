"""What the checks of a program share: how a violation is reported, and how they number places.

A place is a register (0..63, or from FIELD_FILE on in the second unit of the binary engine), a slot (64..79)
or a flag (80..85).
"""

from __future__ import annotations

from dataclasses import dataclass

from eccelerate import isa
from eccelerate.ucode.source import Loc

SLOT = 64
FLAG = {name: 80 + i for i, name in enumerate(isa.FLAGS)}


@dataclass(frozen=True)
class Finding:
    """One violation."""

    loc: Loc
    message: str
    entry: str

    def __str__(self) -> str:
        return (
            f"{self.loc.file}:{self.loc.line}: {self.message} (job {self.entry})\n    {self.loc.text.strip()}"
        )
