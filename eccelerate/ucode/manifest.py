"""Manifests: they name the source files of a program."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from eccelerate.ucode.source import AsmError


def manifest_chain(path: Path) -> list[Path]:
    """A manifest, the one that it is like, and so on."""
    data = tomllib.loads(path.read_text())
    return [path, *(manifest_chain(path.parent / data["like"]) if "like" in data else ())]


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a manifest (TOML), in one of two forms.

    A full manifest has `name`; `files`, with paths relative to the manifest; and optionally `unit`, the
    program's field unit ("compact" by default), `registers`, a limit of their number, and `schedule`, see
    `make_scheduler`.

    A manifest with `like` names another one in the same folder. It has `name`, and optionally
    `instead`, a table that maps files of that manifest to their replacements. If that manifest has a
    schedule, it also needs a `schedule` of its own.

    AsmError names what to change.
    """
    data = tomllib.loads(path.read_text())
    if "like" in data:
        if wrong := set(data) - {"name", "like", "instead", "schedule"} or {"name"} - set(data):
            raise AsmError(
                f"{path}: a manifest with like has name, like, "
                f"optionally instead, schedule: see {sorted(wrong)}"
            )
        base = read_manifest(path.parent / data["like"])
        instead: dict[str, list[str]] = data.get("instead", {})
        if ("schedule" in base) != ("schedule" in data):
            fault = "has a schedule: add one" if "schedule" in base else "has no schedule: remove it"
            raise AsmError(f"{path}: {data['like']} {fault}")
        if missing := sorted(set(instead) - set(base["files"])):
            raise AsmError(f"{path}: {data['like']} has no {', '.join(missing)} to put another file for")
        files = [new for name in base["files"] for new in instead.get(name, [name])]
        own = {key: value for key, value in data.items() if key in ("name", "schedule")}
        return {**base, **own, "files": files}
    unknown = set(data) - {"name", "unit", "files", "registers", "schedule"}
    if unknown or "name" not in data or "files" not in data:
        raise AsmError(
            f"{path}: a manifest has name, files, optionally unit, registers, schedule, not {sorted(unknown)}"
        )
    return data
