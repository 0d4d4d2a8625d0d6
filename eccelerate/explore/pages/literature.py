"""Our figures next to those of the published systems: the table of the README, and a table for each
system.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.explore.compare_area_time import LABELS
from eccelerate.explore.figures import Figures, Stores, stored_figures
from eccelerate.explore.pages.engines import rate
from eccelerate.explore.pages.selection import left_out, provenance, shown
from eccelerate.explore.published import Cores, CurveRates, System, Variant, find_system
from eccelerate.explore.tables import ABSENT, count, fixed, markdown, times

COMPACT, TURBO, BINARY = "vliegen2010", "gueneysu2008", "gura2002"
THROUGHPUT = (
    "configuration",
    "cycles of k P in a stream",
    "multipliers of a core",
    "k P / s, one core",
    "one job alone, us",
    "k P / s, whole device",
    "multipliers of the whole device",
)


@dataclass(frozen=True)
class Need:
    """What a user may want most, the configuration for it, and the published entry that this configuration
    answers.

    `entry` is an entry of `system`. A design of several cores has two, "one" and "many".
    """

    need: str
    config: str
    system: str
    entry: str
    cores: str = "one"


NEEDS = (
    Need("smallest", "compact-w16", COMPACT, "w16"),
    Need("balanced", "compact-w32", COMPACT, "w32"),
    Need("most signatures from one engine", "turbo-p256", TURBO, "P-256"),
    Need("lowest latency", "turbo-p256-t1", TURBO, "P-256"),
    Need("binary curves", "binary-233-d64", BINARY, "named-233"),
    Need("largest cluster", "turbo-p256-x9", TURBO, "P-256", "many"),
)


def best(stores: Stores) -> str:
    """The best configuration for each need: area, clock, time, rates, and the published figures."""
    rows, found = [], []
    for need in NEEDS:
        each = shown(find_config(need.config), stores)
        if each.cycles is None or each.placed is None:
            continue
        found.append(replace(each, software=None))
        stream = each.config.at_once > 1
        rows.append(
            [
                need.need,
                f"`{need.config}`",
                each.config.curve_name,
                each.placed["device"],
                *(count(each.placed[key]) for key in ("lut4", "mult")),
                fixed(each.mhz, 1),
                f"{fixed(each.ms('scalar_mul'), 3)} ms",
                count(rate(each, "scalar_mul_sustained" if stream else "scalar_mul")),
                count(rate(each, "ecdsa_sign_sustained" if stream else "ecdsa_sign")),
                printed(need),
            ]
        )
    columns = ["need", "configuration", "curve", "placed on", "LUT4", "mult", "MHz"]
    table = markdown([*columns, "k P", "k P / s", "sign / s", "published k P"], rows, left=4)
    missing = left_out([find_config(need.config) for need in NEEDS], found)
    return "\n\n".join(part for part in (table, missing, provenance(found)) if part)


def printed(need: Need) -> str:
    """The published entry's figure for a scalar multiplication, with the name of its system."""
    system = find_system(need.system)
    entry = system.entry(need.entry)
    if isinstance(entry, Variant):
        figures = f"{entry.ms} ms"
    elif isinstance(entry, CurveRates):
        figures = f"{count(entry.rates['scalar_mul'])} / s"
    else:
        cores: Cores = getattr(entry, need.cores)
        alone = f"{cores.us / 1000:.3f} ms, " if cores.cores == 1 else ""
        figures = f"{alone}{count(round(cores.per_second))} / s"
    return f"{figures} ({system.title})"


def area_time(stores: Stores) -> str:
    """The compact configurations and the published processor: cycles, cells of its family, area times
    time.
    """
    system = find_system(COMPACT)
    pairs = [(variant, _on(variant.config, system.curve, stores)) for variant in system.variants]
    rows = []
    for name, text in LABELS.items():
        row = [f"{text}, cycles"]
        for variant, ours in pairs:
            row += [count(variant.cycles[name]), count(ours.count(name))]
        rows.append(row)
    slices, product = ["slices; ours LUT4 / 2"], ["area x cycles, times better"]
    for variant, ours in pairs:
        cells, clocks = ours.cells, ours.count("scalar_mul")
        mark = "~" if variant.slices_engine_estimated else ""
        slices += [mark + count(variant.slices_engine), count(-(-cells["lut4"] // 2) if cells else None)]
        ratio = (
            variant.slices_engine * variant.cycles["scalar_mul"] / (cells["lut4"] / 2 * clocks)
            if cells and clocks
            else None
        )
        product += ["", times(ratio)]
    columns = [f"{system.field_bits}-bit prime"]
    for variant, ours in pairs:
        columns += [f"{variant.name} published", f"`{ours.config.name}`"]
    table = markdown(columns, [*rows, slices, product])
    return f"{table}\n\n{provenance(replace(ours, placed=None, software=None) for _, ours in pairs)}"


def throughput(stores: Stores) -> str:
    """The turbo configurations and the published arrays: one core, one job alone, and a whole device."""
    names, columns, found = [""], [list(THROUGHPUT)], []
    for design in find_system(TURBO).designs:
        stream, alone, cluster = (
            shown(find_config(name), stores) if name else None
            for name in (design.config, design.alone, design.cluster)
        )
        names += [f"{design.name} published", "ours"]
        found += [each for each in (stream, alone, cluster) if each]
        columns.append(
            [
                "",
                count(round(design.one.cycles)),
                count(design.one.mult),
                count(round(design.one.per_second)),
                fixed(design.one.us, 0),
                count(round(design.many.per_second)),
                count(design.many.mult),
            ]
        )
        columns.append(
            [
                ", ".join(f"`{each.config.name}`" for each in (stream, alone, cluster) if each),
                count(stream.count("scalar_mul_sustained") if stream else None),
                _multipliers(stream),
                count(rate(stream, "scalar_mul_sustained") if stream else None),
                _microseconds(alone),
                count(rate(cluster, "scalar_mul_sustained") if cluster else None),
                _multipliers(cluster),
            ]
        )
    table = markdown(names, [list(row) for row in zip(*columns, strict=True)])
    return f"{table}\n\n{provenance(replace(each, cells=None, software=None) for each in found)}"


def _multipliers(each: Figures | None) -> str:
    return count(each.placed["mult"] if each and each.placed else None)


def _microseconds(each: Figures | None) -> str:
    ms = each.ms("scalar_mul") if each else None
    return ABSENT if ms is None else fixed(1000 * ms, 0)


def curve_rates(stores: Stores) -> str:
    """The binary configurations and the published accelerator, curve by curve."""
    system = find_system(BINARY)
    rows, found = [], []
    for each in system.curves:
        ours = _on(each.config, each.curve, stores)
        found.append(ours)
        rows.append(
            [
                each.curve,
                each.kind,
                f"`{each.config}`",
                *(count(each.cycles), count(ours.count("scalar_mul"))),
                *(count(system.luts), count(ours.cells["lut4"] if ours.cells else None)),
                *(count(each.rates["scalar_mul"]), count(rate(ours, "scalar_mul"))),
            ]
        )
    columns = ["curve", "field", "ours"]
    for name in ("cycles of k P", "LUT4", "k P / s"):
        columns += [f"{name}, published", "ours"]
    table = markdown(columns, rows, left=3)
    return f"{table}\n\n{provenance(replace(each, software=None) for each in found)}"


def sources(_: Stores) -> str:
    """Where the published figures are printed, for each system."""
    return "\n".join(f"- {_cited(find_system(name))}" for name in (COMPACT, TURBO, BINARY))


def _cited(system: System) -> str:
    return f"{system.source}; {system.device}. `eccel compare {system.name}`"


def _on(config: str, curve: str, stores: Stores) -> Figures:
    """The stored figures of a configuration on a curve that need not be its own."""
    return stored_figures(find_config(config), find_curve(curve), stores)
