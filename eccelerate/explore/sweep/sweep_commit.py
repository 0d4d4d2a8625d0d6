"""The commit of a result: that of the working tree, marked if a file differs from it on which the result
depends.
"""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT, RTL_DIR, Config, rtl_files
from eccelerate.configs.images import TOOL_DIRS, UCODE_DIR, program_files
from eccelerate.configs.rtl_reach import needed_files
from eccelerate.explore.sweep.sweep_design import Unit, find_design
from eccelerate.explore.sweep.sweep_point import Point

GIT_S, FRESH_S = 60, 5


def point_commit(point: Point) -> str:
    """Commit of the working tree, with ``+`` if a file differs from it that decides the figures of a point:
    its RTL, its microcode, the flow or the benches. "unknown" outside a repository. It is looked up every
    FRESH_S seconds.
    """
    return _commit(point.kind, point.design, int(time.monotonic() / FRESH_S))


@lru_cache(maxsize=256)
def _commit(kind: str, design: str, when: int) -> str:
    del when
    head = _head()
    if head is None:
        return "unknown"
    paths = decisive_files(find_design(kind, design))
    return head + ("+" if _git("status", "--porcelain", "--", *map(str, paths)).out else "")


def unchanged_since(commit: str, unit: Unit) -> bool:
    """Whether no RTL and no microcode of a design has changed since a commit. False for a commit that is not
    known, or that was marked as changed.
    """
    return not commit.endswith("+") and _unchanged(commit, tuple(map(str, unit_files(unit))))


@lru_cache(maxsize=4096)
def _unchanged(commit: str, files: tuple[str, ...]) -> bool:
    return _git("diff", "--quiet", commit, "--", *files).code == 0


def unit_files(unit: Unit) -> list[Path]:
    """The RTL of a design, and its microcode. Of a cluster, all microcode."""
    if not isinstance(unit, Config):
        return list(unit.files)
    rtl = needed_files(rtl_files(unit), unit.top)
    if unit.single is None:
        return [*rtl, UCODE_DIR]
    return [*rtl, *program_files(UCODE_DIR / f"{unit.single.program}.toml")]


def _head() -> str | None:
    head = _git("rev-parse", "--short=12", "HEAD")
    return None if head.code else head.text.strip()


def _git(*words: str) -> external.Outcome:
    return external.run(["git", *words], cwd=ROOT, timeout=GIT_S)


def decisive_files(unit: Unit) -> list[Path]:
    """Files and folders on which the figures of a design depend."""
    package = ROOT / "eccelerate"
    common = [*RTL_DIR.glob("prim_*"), package / "flow", package / "rtlsim", ROOT / "sim"]
    if isinstance(unit, Config):
        return [*rtl_files(unit, shell=bool(unit.shell)), UCODE_DIR, *TOOL_DIRS, *common]
    return [*unit.files, *common]
