"""Selects the configurations that the pages show, and their stored figures, and says where these come
from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eccelerate.configs.config import Config, load_configs
from eccelerate.curves import find_curve
from eccelerate.explore.cycle_records import cycles_of
from eccelerate.explore.figures import (
    MIN_SEEDS,
    Figures,
    Progress,
    Record,
    Stores,
    cluster_figures,
    figures,
    is_current_placement,
    latest_placement,
    place_device,
    stale,
    stored_figures,
)
from eccelerate.explore.software import origin, software_of
from eccelerate.explore.tables import markdown
from eccelerate.flow.devices import device


def is_comparison(config: Config) -> bool:
    """Whether the configuration is another program on the engine of a configuration, made to be compared with
    it.
    """
    return config.variable_time or bool(config.baseline)


def comparisons() -> list[Config]:
    """The configurations that exist to compare programs."""
    return [config for config in load_configs().values() if is_comparison(config)]


def claimed() -> list[Config]:
    """The configurations whose figures are claimed."""
    configs = load_configs().values()
    return [config for config in configs if config.map_device and not is_comparison(config)]


def of_kind(*engines: str) -> list[Config]:
    """The configurations whose engines are all of the given kinds, without those for comparisons. Clusters
    come last.
    """
    found = [c for c in load_configs().values() if c.single and c.single.engine in engines]
    return sorted((c for c in found if not is_comparison(c)), key=lambda config: config.engines > 0)


def shown(config: Config, stores: Stores) -> Figures:
    """The newest stored figures of a configuration, whatever sources they were measured on. For a cluster one
    seed is enough, because each takes most of an hour.
    """
    curve = find_curve(config.curve_name)
    if not config.engines:
        return stored_figures(config, curve, stores)
    return Figures(
        config,
        stores.cycles.latest(config=config.name, curve=curve.name),
        None,
        latest_placement(config, None, stores.flow, seeds=1),
        stores.software.latest(curve=curve.name),
    )


def cycles_on(config: Config, curve: str, stores: Stores) -> Figures:
    """Only the newest stored cycles of a configuration, on a curve that need not be its own."""
    return Figures(config, stores.cycles.latest(config=config.name, curve=curve), None, None)


def placed_only(config: Config, stores: Stores) -> Figures:
    """Only the newest stored placement of a cluster, with any number of seeds."""
    return Figures(config, None, None, latest_placement(config, None, stores.flow, seeds=1))


def complete(configs: Iterable[Config], stores: Stores) -> list[Figures]:
    """The figures of those configurations for which both cycles and area are stored."""
    found = (shown(config, stores) for config in configs)
    return [each for each in found if each.cycles is not None and each.placed is not None]


def left_out(configs: Sequence[Config], present: Iterable[Figures]) -> str:
    """The sentence under a table that names the configurations without a row, and the command that measures
    them. "" if there are none. Those for a device without a placer are left to the text of the page.
    """
    names = {each.config.name for each in present}
    missing = [c for c in configs if c.name not in names and device(place_device(c)).place]
    if not missing:
        return ""
    by_device: dict[str, list[str]] = {}
    for config in missing:
        by_device.setdefault(place_device(config), []).append(f"`{config.name}`")
    commands = (
        f"{', '.join(listed)} (`eccel measure NAME --cycles --area {target}`)"
        for target, listed in by_device.items()
    )
    return f"Not yet measured or placed: {'; '.join(commands)}."


def provenance(found: Iterable[Figures]) -> str:
    """One paragraph with the commits, tools and seeds of the records in use, and the machine of OpenSSL."""
    found = list(found)
    records = [r for each in found for r in (each.cycles, each.cells, each.placed) if r is not None]
    if not records:
        return "Nothing is stored yet."
    commits = sorted({record["commit"] for record in records})
    tools: dict[str, str] = {}
    for record in records:
        tools |= record["tools"]
    seeds = sorted({seed for record in records for seed in record.get("fmax_mhz", {})}, key=int)
    named = ", ".join(f"{name} {version}" for name, version in sorted(tools.items()))
    placed = f"placement seeds {', '.join(seeds)}, of which the slowest counts; " if seeds else ""
    software = "".join(f" OpenSSL: {origin(record)}." for record in hosts(found))
    return f"Commit {', '.join(commits)}; {placed}{named}.{software}"


def hosts(found: Iterable[Figures]) -> list[Record]:
    """Records of OpenSSL on the same curves, one for each host and version."""
    records = [each.software for each in found if each.software is not None]
    return list({origin(record): record for record in records}.values())


def placed_on(each: Figures) -> str:
    """The device of the placement, with its seeds if there are fewer than MIN_SEEDS; "mapped" for a device
    without a placer.
    """
    placed = each.placed or {}
    if "fmax_mhz" not in placed:
        return f"{place_device(each.config)}, mapped"
    seeds = sorted(placed["fmax_mhz"], key=int)
    return str(placed["device"]) + (f", seed {', '.join(seeds)}" if len(seeds) < MIN_SEEDS else "")


def measure_missing(stores: Stores, progress: Progress) -> None:
    """Measure and place what the pages claim and the stores lack. Raises as `figures`."""
    for config in claimed():
        figures(config, find_curve(config.curve_name), progress, stores)
    for config in comparisons():
        cycles_of(config, find_curve(config.curve_name), progress, stores.cycles)
    for name in {config.curve_name for config in claimed()}:
        software_of(find_curve(name), stores.software)


def of_other_sources(stores: Stores) -> list[str]:
    """The records in use that were made with other sources than the current ones."""
    clusters = (config for config in load_configs().values() if config.engines)
    return [name for config in (*claimed(), *clusters) for name in stale_records(config, stores)]


def earlier(stores: Stores) -> str:
    """What the pages show although it was made with other sources, by configuration."""
    names: dict[str, list[str]] = {}
    for record in of_other_sources(stores):
        config, _, what = record.partition(": ")
        names.setdefault(config, []).append(what or "all")
    if not names:
        return "Every figure on the pages is of the RTL and the programs in this repository."
    rows = [[f"`{config}`", ", ".join(what)] for config, what in names.items()]
    return "These are to be measured again:\n\n" + markdown(["configuration", "records"], rows, left=2)


def stale_records(config: Config, stores: Stores) -> list[str]:
    """Those of one configuration that were made with other sources."""
    curve = find_curve(config.curve_name)
    if not config.engines:
        return stale(shown(config, stores), curve)
    if config.single is None:  # its cycles are not stored
        placed = placed_only(config, stores).placed
        return [f"{config.name}: placed"] if placed and not is_current_placement(placed, config) else []
    is_shown = bool(complete([config], stores))
    return [config.name] if is_shown and cluster_figures(config, curve, stores) is None else []
