"""The commit of a result: that of the working tree, marked if a file differs from it on which the result
depends.
"""

from __future__ import annotations

from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT, RTL_DIR, Config, rtl_files
from eccelerate.configs.images import TOOL_DIRS, UCODE_DIR
from eccelerate.explore.sweep.sweep_design import Unit, find_design
from eccelerate.explore.sweep.sweep_point import Point

GIT_S = 60


def point_commit(point: Point) -> str:
    """Commit of the working tree, with ``+`` if a file differs from it that decides the figures of a point:
    its RTL, its microcode, the flow or the benches. "unknown" outside a repository.
    """
    head = external.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, timeout=GIT_S)
    if head.code:
        return "unknown"
    paths = decisive_files(find_design(point.kind, point.design))
    changed = external.run(["git", "status", "--porcelain", "--", *paths], cwd=ROOT, timeout=GIT_S)
    return head.text.strip() + ("+" if changed.out else "")


def decisive_files(unit: Unit) -> list[Path]:
    """Files and folders on which the figures of a design depend."""
    package = ROOT / "eccelerate"
    common = [*RTL_DIR.glob("prim_*"), package / "flow", package / "rtlsim", ROOT / "sim"]
    if isinstance(unit, Config):
        return [*rtl_files(unit, shell=bool(unit.shell)), UCODE_DIR, *TOOL_DIRS, *common]
    return [*unit.files, *common]
