"""Fills the marked blocks of README.md and of pages of docs/ from the stores: no figure is typed by hand.

    python -m eccelerate.explore.report             write the blocks from what is stored
    python -m eccelerate.explore.report --measure   measure, map, place what is lacking first (minutes)
    python -m eccelerate.explore.report --check     exit 1 when a page differs from what is stored

A block stands between ``<!-- block NAME -->`` and ``<!-- end NAME -->``; PAGES says who writes it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from eccelerate.configs.config import ROOT, Config, load_configs
from eccelerate.curves import find_curve, load_catalogue
from eccelerate.explore.compare_area_time import LABELS
from eccelerate.explore.cycles import cycles_of
from eccelerate.explore.figures import (
    MIN_SEEDS,
    Figures,
    Record,
    Stores,
    cluster_figures,
    figures,
    place_device,
    stale,
    stored_figures,
)
from eccelerate.explore.published import find_system
from eccelerate.explore.software import origin, software_of
from eccelerate.explore.tables import ABSENT, count, fixed, markdown, times

README = ROOT / "README.md"
PROGRAMS_PAGE = ROOT / "docs" / "theory" / "binary_programs.md"
LADDER = "binary-163-d64"
"""Beside whose program those of the same engine in variable time stand."""
CURVE = "P-256"
SYSTEM = "vliegen2010"
JOBS = {
    "ecdsa_sign": "ECDSA signature, nonce given",
    "ecdsa_verify": "ECDSA verification",
    "ecdh": "ECDH",
    "keygen": "public key of a private key",
    "scalar_mul": "scalar multiplication, any point",
    "scalar_mul_blinded": "the same with 64-bit scalar blinding",
    "point_add": "point addition, affine in and out",
    "mod_mul": "modular multiplication, plain in and out",
    "mod_inv": "modular inversion, plain in and out",
}
SUSTAINED = {
    "scalar_mul_sustained": "k P",
    "base_mul_sustained": "k G",
    "ecdsa_sign_sustained": "sign",
    "ecdsa_verify_sustained": "verify",
}


RATES = ("k P / s", "OpenSSL")
ALONE = {"scalar_mul": "k P", "ecdh": "ECDH", "ecdsa_sign": "sign", "ecdsa_verify": "verify"}


class BlockError(ValueError):
    """A block is unknown, missing, or not closed; the text names it."""


def collect(stores: Stores) -> list[Figures]:
    """The stored figures of the configurations in the tables, and of clusters where they are complete."""
    found = [
        stored_figures(config, find_curve(config.curve_name), stores) for config in (*tabled(), *compared())
    ]
    clusters = [config for config in load_configs().values() if config.engines]
    whole = (cluster_figures(config, find_curve(config.curve_name), stores) for config in clusters)
    return [*found, *(each for each in whole if each is not None)]


def tabled() -> list[Config]:
    """The configurations whose figures are claimed."""
    configs = load_configs().values()
    return [config for config in configs if config.map_device and not is_compared(config)]


def is_compared(config: Config) -> bool:
    """Whether it is a program on the engine of another configuration: its cycles say how they compare."""
    return config.variable_time or bool(config.beside)


def compared() -> list[Config]:
    """Those configurations."""
    return [config for config in load_configs().values() if is_compared(config)]


def of_engine(all_figures: list[Figures], engine: str) -> list[Figures]:
    """The figures of one kind of engine."""
    return [each for each in all_figures if each.config.engine == engine and not is_compared(each.config)]


def not_stored(config: Config) -> str:
    """What stands in a table where the stores have nothing: the command that measures it."""
    return f"not stored: `eccel measure {config.name} --cycles --area {place_device(config)}`"


def promise(all_figures: list[Figures]) -> str:
    """Area, clock and time of every compact configuration."""
    rows = []
    for each in of_engine(all_figures, "ecp_compact"):
        name = each.config.name
        if each.placed is None or each.cycles is None:
            rows.append([f"`{name}`", not_stored(each.config), *[ABSENT] * 7])
            continue
        placed = each.placed
        rows.append(
            [
                f"`{name}`",
                placed["device"],
                *(count(placed[key]) for key in ("lut4", "ff", "mult", "bram")),
                fixed(placed["worst_mhz"], 1),
                fixed(each.ms("scalar_mul")),
                fixed(each.ms("ecdsa_sign")),
            ]
        )
    for software in hosts(of_engine(all_figures, "ecp_compact")):
        ms = (fixed(1000 / software["rates"][name], 3) for name in ("scalar_mul", "ecdsa_sign"))
        rows.append([software["version"], f"one core of {software['host']}", *[ABSENT] * 5, *ms])
    columns = ["configuration", "placed on", "LUT4", "FF", "mult", "RAM", "MHz", "k P, ms", "sign, ms"]
    return markdown(columns, rows, left=2) + "\n\n" + provenance(of_engine(all_figures, "ecp_compact"))


def hosts(all_figures: list[Figures]) -> list[Record]:
    """Records of OpenSSL beside the figures, one for each host and version."""
    records = [each.software for each in all_figures if each.software is not None]
    return list({origin(record): record for record in records}.values())


def openssl_rate(each: Figures) -> str:
    """OpenSSL's rate of k P on the curve of a configuration."""
    return count(each.software["rates"].get("scalar_mul") if each.software else None)


def placed_on(placed: Record) -> str:
    """The device of a placement, "" without one, and its seeds if they are fewer than MIN_SEEDS."""
    seeds = sorted(placed.get("fmax_mhz", {}), key=int)
    few = f", seed {', '.join(seeds)}" if 0 < len(seeds) < MIN_SEEDS else ""
    return f"{placed.get('device', '')}{few}"


def throughput(all_figures: list[Figures]) -> str:
    """Cycles of a job in a stream, area, clock and rate of every turbo configuration, then of clusters."""
    rows = []
    turbo = [*of_engine(all_figures, "ecp_turbo"), *of_engine(all_figures, "turbo_cluster")]
    for each in turbo:
        placed, mul, mhz = each.placed or {}, each.count("scalar_mul_sustained"), each.mhz
        rows.append(
            [
                f"`{each.config.name}`",
                placed_on(placed) or not_stored(each.config),
                *(count(placed.get(key)) for key in ("lut4", "mult", "bram")),
                fixed(mhz, 1),
                *(count(each.count(name)) for name in SUSTAINED),
                count(round(1e6 * mhz / mul) if mhz and mul else None),
                openssl_rate(each),
            ]
        )
    columns = ["configuration", "placed on", "LUT4", "mult", "RAM", "MHz", *SUSTAINED.values(), *RATES]
    return markdown(columns, rows, left=2) + "\n\n" + provenance(turbo)


def binary(all_figures: list[Figures]) -> str:
    """Cycles of a job, area, clock and rate of every configuration for binary curves."""
    rows = []
    engines = of_engine(all_figures, "ecp_binary")
    for each in engines:
        placed, mul, mhz = each.placed or {}, each.count("scalar_mul"), each.mhz
        rows.append(
            [
                f"`{each.config.name}`",
                each.config.curve_name,
                f"{placed_on(placed)}{'' if mhz else ', mapped'}" if placed else not_stored(each.config),
                *(count(placed.get(key)) for key in ("lut4", "mult", "bram")),
                fixed(mhz, 1),
                *(count(each.count(name)) for name in ALONE),
                count(round(1e6 * mhz / mul) if mhz and mul else None),
                openssl_rate(each),
            ]
        )
    columns = [
        "configuration",
        "curve",
        "placed on",
        "LUT4",
        "mult",
        "RAM",
        "MHz",
        *ALONE.values(),
        *RATES,
    ]
    return markdown(columns, rows, left=3) + "\n\n" + provenance(engines)


def programs(all_figures: list[Figures]) -> str:
    """Cycles and operations of every program for k P on a binary engine, beside that engine's own."""
    ladders = {LADDER, *(each.config.beside for each in all_figures)}
    ours = [
        replace(each, cells=None, placed=None, software=None)
        for each in all_figures
        if each.config.name in ladders or is_compared(each.config)
    ]
    names = ("scalar_mul", "scalar_mul_products", "scalar_mul_squarings", "scalar_mul_inversions")
    rows = []
    for each in ours:
        name, curve = f"`{each.config.name}`", each.config.curve_name
        if each.cycles is None:
            rows.append([name, curve, f"not stored: `eccel measure {each.config.name}`", *[ABSENT] * 5])
            continue
        time = "variable" if each.config.variable_time else "constant"
        rows.append([name, curve, time, *(count(each.count(key)) for key in (*names, "double_mul"))])
    columns = [
        "configuration",
        "curve",
        "time",
        "k P, cycles",
        "products",
        "squarings",
        "inversions",
        "u1 G + u2 P, cycles",
    ]
    return markdown(columns, rows, left=2) + "\n\n" + provenance(ours)


def provenance(all_figures: list[Figures]) -> str:
    """One line: commits, tools and seeds of the records in use."""
    records = [r for each in all_figures for r in (each.cycles, each.cells, each.placed) if r is not None]
    if not records:
        return "Nothing is stored yet."
    commits = sorted({record["commit"] for record in records})
    tools: dict[str, str] = {}
    for record in records:
        tools |= record["tools"]
    seeds = sorted({seed for record in records for seed in record.get("fmax_mhz", {})}, key=int)
    named = ", ".join(f"{name} {version}" for name, version in sorted(tools.items()))
    placed = f"placement seeds {', '.join(seeds)}, the worst counts; " if seeds else ""
    software = "".join(f" OpenSSL: {origin(record)}, its ECDH." for record in hosts(all_figures))
    return f"Commit {', '.join(commits)}; {placed}{named}.{software}"


def jobs(all_figures: list[Figures]) -> str:
    """Cycles of every job in every compact configuration."""
    compact = of_engine(all_figures, "ecp_compact")
    rows = [[text, *(count(each.count(key)) for each in compact)] for key, text in JOBS.items()]
    return markdown([f"{CURVE}, cycles", *(f"`{each.config.name}`" for each in compact)], rows)


def published(all_figures: list[Figures]) -> str:
    """Ours beside the published system: cycles, cells of its family, area x time."""
    system = find_system(SYSTEM)
    by_name = {each.config.name: each for each in all_figures}
    pairs = [(variant, by_name[variant.config]) for variant in system.variants]
    rows = []
    for name, text in LABELS.items():
        row = [f"{text}, cycles"]
        for variant, ours in pairs:
            row += [count(variant.cycles[name]), count(ours.count(name))]
        rows.append(row)
    area, product = ["slices; ours LUT4 / 2"], ["area x cycles, times better"]
    for variant, ours in pairs:
        cells, clocks = ours.cells, ours.count("scalar_mul")
        mark = "~" if variant.slices_engine_estimated else ""
        area += [mark + count(variant.slices_engine), count(-(-cells["lut4"] // 2) if cells else None)]
        ratio = (
            variant.slices_engine * variant.cycles["scalar_mul"] / (cells["lut4"] / 2 * clocks)
            if cells and clocks
            else None
        )
        product += ["", times(ratio)]
    columns = [f"{system.field_bits}-bit prime"]
    for variant, ours in pairs:
        columns += [f"{variant.name} published", f"`{ours.config.name}`"]
    return markdown(columns, [*rows, area, product])


def configurations() -> str:
    """The catalogue of configurations, those without figures too."""

    def parameters(config: Config) -> str:
        values = (*config.parameters, *config.shell_parameters)
        return config.made_of or ", ".join(
            f"{name} {value:#x}" if name == "Fields" else f"{name} {value}" for name, value in values
        )

    rows = [
        [f"`{c.name}`", parameters(c), f"{c.summary} {c.caution}".rstrip()] for c in load_configs().values()
    ]
    return markdown(["configuration", "parameters", "cost and benefit"], rows, left=3)


def curves() -> str:
    """The catalogue of curves, by what runs them."""
    groups: dict[str, list[str]] = {"weierstrass": [], "montgomery": [], "binary": [], "": []}
    for curve in load_catalogue().values():
        runs = any(not config.lacks(curve) for config in load_configs().values())
        groups[curve.kind if runs else ""].append(curve.name)
    what = {
        "weierstrass": "short Weierstrass, all jobs",
        "montgomery": "Montgomery, `X_LADDER` and modular jobs",
        "binary": "binary, all jobs",
        "": "binary, in the catalogue only: no configuration has the field",
    }
    rows = [[what[kind], ", ".join(names)] for kind, names in groups.items()]
    return markdown(["kind", "curves"], rows, left=2)


Blocks = Mapping[str, Callable[[list[Figures]], str]]
BLOCKS: Blocks = {
    "promise": promise,
    "throughput": throughput,
    "binary": binary,
    "jobs": jobs,
    "published": published,
    "configurations": lambda _: configurations(),
    "curves": lambda _: curves(),
}
PAGES: Mapping[Path, Blocks] = {README: BLOCKS, PROGRAMS_PAGE: {"programs": programs}}


def filled(text: str, all_figures: list[Figures], blocks: Blocks = BLOCKS) -> str:
    """`text` with every block written anew. Raises BlockError."""
    present = re.findall(r"^<!-- block (\w+) -->$", text, flags=re.M)
    if sorted(present) != sorted(blocks):
        raise BlockError(f"blocks are {', '.join(present) or 'absent'}; should be {', '.join(blocks)}")
    for name, write in blocks.items():
        start, end = f"<!-- block {name} -->\n", f"<!-- end {name} -->\n"
        before, _, rest = text.partition(start)
        _, closed, after = rest.partition(end)
        if not closed:
            raise BlockError(f"block {name} is not closed by <!-- end {name} -->")
        text = f"{before}{start}{write(all_figures)}\n{end}{after}"
    return text


def main(
    arguments: list[str] | None = None, pages: Mapping[Path, Blocks] = PAGES, stores: Stores | None = None
) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure what the stores lack")
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args(arguments)
    stores = stores or Stores()
    if options.measure:
        for config in tabled():
            figures(config, find_curve(config.curve_name), lambda text: print(text, file=sys.stderr), stores)
        for config in compared():
            cycles_of(config, find_curve(config.curve_name), store=stores.cycles)
        for name in {config.curve_name for config in tabled()}:
            software_of(find_curve(name), stores.software)
    all_figures = collect(stores)
    # Those of clusters are there only when they are of the sources as they are.
    claimed = [each for each in all_figures if not each.config.engines]
    for name in (name for each in claimed for name in stale(each, find_curve(each.config.curve_name))):
        print(f"stored for other sources: {name} (--measure)", file=sys.stderr)
    code = 0
    for page, blocks in pages.items():
        text = page.read_text()
        wanted = filled(text, all_figures, blocks)
        if not options.check:
            page.write_text(wanted)
        elif wanted != text:
            print(f"{page.name} differs from the stores: python -m eccelerate.explore.report")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
