"""Parts of the dispatcher as Python objects that run clock by clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.dispatch.bench import SOURCES
from tests.module import Module
from tests.verilated import Patch


class Part(Module):
    """eccel_dispatch_NAME, reset."""

    def __init__(self, name: str, parameters: Mapping[str, int | str], patches: Sequence[Patch] = ()) -> None:
        super().__init__("dispatch", f"eccel_dispatch_{name}", SOURCES, parameters, patches)
