"""Lists of configurations (those for comparisons apart) and of curves."""

from __future__ import annotations

from collections.abc import Iterable

from eccelerate.configs.config import Config, load_configs
from eccelerate.curves import load_catalogue
from eccelerate.explore.figures import Stores
from eccelerate.explore.pages.selection import comparisons, is_comparison
from eccelerate.explore.tables import markdown

KINDS = {
    "weierstrass": "short Weierstrass, all jobs",
    "montgomery": "Montgomery, `X_LADDER` and modular jobs",
    "binary": "binary, all jobs",
    "": "binary, in the catalogue only: no configuration has the field",
}


def configurations(_: Stores) -> str:
    """The configurations for users, including those without figures."""
    return table(config for config in load_configs().values() if not is_comparison(config))


def comparison_configurations(_: Stores) -> str:
    """The configurations that exist to compare programs."""
    return table(comparisons())


def table(configs: Iterable[Config]) -> str:
    """Name, parameters, cost and benefit of each configuration."""
    rows = [[f"`{c.name}`", parameters(c), f"{c.summary} {c.caution}".rstrip()] for c in configs]
    return markdown(["configuration", "parameters", "cost and benefit"], rows, left=3)


def parameters(config: Config) -> str:
    """The parameters of its modules, or the engines of a cluster of several configurations."""
    values = (*config.parameters, *config.shell_parameters)
    return config.made_of or ", ".join(
        f"{name} {value:#x}" if name == "Fields" else f"{name} {value}" for name, value in values
    )


def curves(_: Stores) -> str:
    """The catalogue of curves, by the engines that run them."""
    groups: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for curve in load_catalogue().values():
        runs = any(not config.lacks(curve) for config in load_configs().values())
        groups[curve.kind if runs else ""].append(curve.name)
    return markdown(["kind", "curves"], [[KINDS[k], ", ".join(names)] for k, names in groups.items()], left=2)
