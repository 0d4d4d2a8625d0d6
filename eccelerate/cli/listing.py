"""`eccel list`: engines, curves, configurations, devices."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from eccelerate.configs.config import Config, load_configs
from eccelerate.curves import load_catalogue
from eccelerate.explore.pages.selection import comparisons, is_comparison
from eccelerate.flow.devices import devices


class Topic(StrEnum):
    """What can be listed."""

    ENGINES = "engines"
    CURVES = "curves"
    CONFIGS = "configs"
    DEVICES = "devices"


def list_command(
    topic: Annotated[Topic | None, typer.Argument(help="What to list; without it, everything.")] = None,
) -> None:
    """List engines, curves, configurations and devices."""
    console = Console()
    for each in [topic] if topic else list(Topic):
        for table in _TABLES[each]:
            console.print(table())


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _engines() -> Table:
    table = _table("Engines", "engine", "top module", "configurations")
    tops: dict[tuple[str, str], list[str]] = {}
    for config in load_configs().values():
        tops.setdefault((config.engine, config.top), []).append(config.name)
    for (engine, top), names in tops.items():
        table.add_row(engine, top, ", ".join(names))
    return table


def _curves() -> Table:
    table = _table("Curves", "name", "kind", "bits", "cofactor", "also called")
    for curve in load_catalogue().values():
        table.add_row(curve.name, curve.kind, str(curve.p_bits), str(curve.h), ", ".join(curve.aliases))
    return table


def _configs() -> Table:
    return _config_table("Configurations", (c for c in load_configs().values() if not is_comparison(c)))


def _comparisons() -> Table:
    return _config_table("Configurations for comparisons only", comparisons())


def _config_table(title: str, configs: Iterable[Config]) -> Table:
    table = _table(title, "name", "engine", "parameters", "cost and benefit")
    for config in configs:
        both = (*config.parameters, *config.shell_parameters)
        parameters = config.made_of or ", ".join(f"{name}={value}" for name, value in both)
        summary = f"{config.summary} {config.caution}".rstrip()
        table.add_row(config.name, config.engine, parameters, summary)
    return table


def _devices() -> Table:
    table = _table("Devices", "name", "family", "flow", "note")
    for device in devices().values():
        table.add_row(
            device.name, device.family, "placed and routed" if device.place else "mapped", device.note
        )
    return table


_TABLES = {
    Topic.ENGINES: (_engines,),
    Topic.CURVES: (_curves,),
    Topic.CONFIGS: (_configs, _comparisons),
    Topic.DEVICES: (_devices,),
}
