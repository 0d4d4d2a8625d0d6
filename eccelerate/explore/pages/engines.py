"""Tables of our own configurations: area, clock, cycles and rates of each kind of engine."""

from __future__ import annotations

from collections.abc import Sequence

from eccelerate.configs.config import Config, find_config, load_configs
from eccelerate.explore.figures import Figures, Stores
from eccelerate.explore.pages.selection import (
    comparisons,
    complete,
    cycles_on,
    hosts,
    is_comparison,
    left_out,
    of_kind,
    placed_on,
    placed_only,
    provenance,
)
from eccelerate.explore.tables import ABSENT, count, fixed, markdown

LADDER = "binary-163-d64"
"""The engine whose ladder the programs in variable time are compared with."""
DIVIDER_CONFIGS = ("binary-generic-d64", "binary-generic-d64-div")
DIVIDER_CURVES = ("B-163", "B-233")
FULL_WIDTH_CONFIGS = ("binary-163-fast", "binary-571-fast")
FULL_WIDTH = {
    "inversion": "inversion",
    "scalar_mul_inner": "k P, coordinates to coordinates",
    "scalar_mul": "k P, packet to answer",
}
JOBS = {
    "ecdsa_sign": "ECDSA signature, nonce given",
    "ecdsa_verify": "ECDSA verification",
    "ecdh": "ECDH",
    "keygen": "public key of a private key",
    "scalar_mul": "scalar multiplication, any point",
    "scalar_mul_blinded": "scalar multiplication, 64-bit scalar blinding",
    "point_add": "point addition, affine in and out",
    "mod_mul": "modular multiplication, plain in and out",
    "mod_inv": "modular inversion, plain in and out",
}
STREAM = {
    "scalar_mul_sustained": "k P",
    "base_mul_sustained": "k G",
    "ecdsa_sign_sustained": "sign",
    "ecdsa_verify_sustained": "verify",
}
ALONE = {"scalar_mul": "k P", "ecdh": "ECDH", "ecdsa_sign": "sign", "ecdsa_verify": "verify"}
AREA = ("lut4", "ff", "mult", "bram")
AREA_COLUMNS = ("LUT4", "FF", "mult", "RAM", "MHz")
RATE_COLUMNS = ("k P / s", "OpenSSL k P / s")


def rate(each: Figures, job: str) -> int | None:
    """Jobs per second at the claimed clock. None without cycles or clock."""
    cycles = each.count(job)
    return round(1e6 * each.mhz / cycles) if each.mhz and cycles else None


def with_notes(table: str, configs: Sequence[Config], found: Sequence[Figures]) -> str:
    """A table, the configurations that have no row, and the origin of the figures."""
    return "\n\n".join(part for part in (table, left_out(configs, found), provenance(found)) if part)


def measured(configs: Sequence[Config], stores: Stores) -> list[Figures]:
    """The cycles of those configurations for which they are stored, each on its own curve."""
    found = (cycles_on(config, config.curve_name, stores) for config in configs)
    return [each for each in found if each.cycles is not None]


def area(each: Figures) -> list[str]:
    """The cells of AREA_COLUMNS. `each` is placed or mapped."""
    placed = each.placed or {}
    return [*(count(placed.get(key)) for key in AREA), fixed(each.mhz, 1)]


def rates(each: Figures, job: str) -> list[str]:
    """The cells of RATE_COLUMNS: our rate, and OpenSSL's on the same curve."""
    software = each.software["rates"].get("scalar_mul") if each.software else None
    return [count(rate(each, job)), count(software)]


def compact(stores: Stores) -> str:
    """Area, clock and time of every compact configuration with its bus shell; OpenSSL's times are below."""
    configs = of_kind("ecp_compact")
    found = complete(configs, stores)
    rows = [
        [
            f"`{each.config.name}`",
            placed_on(each),
            *area(each),
            fixed(each.ms("scalar_mul")),
            fixed(each.ms("ecdsa_sign")),
        ]
        for each in found
    ]
    for software in hosts(found):
        ms = (fixed(1000 / software["rates"][name], 3) for name in ("scalar_mul", "ecdsa_sign"))
        rows.append([software["version"], f"one core of {software['host']}", *[ABSENT] * 5, *ms])
    columns = ["configuration", "placed on", *AREA_COLUMNS, "k P, ms", "sign, ms"]
    return with_notes(markdown(columns, rows, left=2), configs, found)


def turbo(stores: Stores) -> str:
    """Cycles of a job in a stream, area, clock and rate of every turbo configuration, then of clusters."""
    configs = of_kind("ecp_turbo")
    found = complete(configs, stores)
    rows = [
        [
            f"`{each.config.name}`",
            placed_on(each),
            *area(each),
            *(count(each.count(name)) for name in STREAM),
            *rates(each, "scalar_mul_sustained"),
        ]
        for each in found
    ]
    columns = ["configuration", "placed on", *AREA_COLUMNS, *STREAM.values(), *RATE_COLUMNS]
    return with_notes(markdown(columns, rows, left=2), configs, found)


def mixed_clusters(stores: Stores) -> str:
    """Area and clock of every placed cluster whose engines are of several kinds."""
    configs = [config for config in load_configs().values() if config.single is None]
    found = [placed for config in configs if (placed := placed_only(config, stores)).placed is not None]
    rows = [[f"`{each.config.name}`", each.config.made_of, placed_on(each), *area(each)] for each in found]
    columns = ["configuration", "engines", "placed on", *AREA_COLUMNS]
    return with_notes(markdown(columns, rows, left=3), configs, found)


def binary(stores: Stores) -> str:
    """Cycles of a job, area, clock and rate of every configuration for binary curves."""
    configs = of_kind("ecp_binary")
    found = complete(configs, stores)
    rows = [
        [
            f"`{each.config.name}`",
            each.config.curve_name,
            placed_on(each),
            *area(each),
            *(count(each.count(name)) for name in ALONE),
            *rates(each, "scalar_mul"),
        ]
        for each in found
    ]
    columns = ["configuration", "curve", "placed on", *AREA_COLUMNS, *ALONE.values(), *RATE_COLUMNS]
    return with_notes(markdown(columns, rows, left=3), configs, found)


def jobs(stores: Stores) -> str:
    """Cycles of every job in every compact configuration."""
    found = measured(of_kind("ecp_compact"), stores)
    rows = [[text, *(count(each.count(key)) for each in found)] for key, text in JOBS.items()]
    table = markdown(["cycles", *(f"`{each.config.name}`" for each in found)], rows)
    return f"{table}\n\n{provenance(found)}"


def divider(stores: Stores) -> str:
    """Cycles of k P by the multiplier and by the divider, on each curve for which both were measured."""
    configs = [find_config(name) for name in DIVIDER_CONFIGS]
    found = {curve: [cycles_on(c, curve, stores) for c in configs] for curve in DIVIDER_CURVES}
    rows = [[curve, *(count(each.count("scalar_mul")) for each in pair)] for curve, pair in found.items()]
    table = markdown(["k P, cycles", *(f"`{name}`" for name in DIVIDER_CONFIGS)], rows)
    return f"{table}\n\n{provenance(each for pair in found.values() for each in pair)}"


def full_width(stores: Stores) -> str:
    """Cycles of an inversion and of k P for the builds whose digit is as wide as the field."""
    found = measured([find_config(name) for name in FULL_WIDTH_CONFIGS], stores)
    rows = [
        [f"`{each.config.name}`", each.config.curve_name, *(count(each.count(name)) for name in FULL_WIDTH)]
        for each in found
    ]
    table = markdown(["cycles", "curve", *FULL_WIDTH.values()], rows, left=2)
    return f"{table}\n\n{provenance(found)}"


def programs(stores: Stores) -> str:
    """Cycles and operations of every program for k P on a binary engine, and of the engine's own program."""
    ladders = {LADDER, *(config.baseline for config in comparisons())}
    configs = [c for c in load_configs().values() if c.name in ladders or is_comparison(c)]
    found = measured(configs, stores)
    names = ("scalar_mul", "scalar_mul_products", "scalar_mul_squarings", "scalar_mul_inversions")
    rows = [
        [
            f"`{each.config.name}`",
            each.config.curve_name,
            "variable" if each.config.variable_time else "constant",
            *(count(each.count(key)) for key in (*names, "double_mul")),
        ]
        for each in found
    ]
    columns = ["configuration", "curve", "time", "k P, cycles", "products", "squarings", "inversions"]
    return with_notes(markdown([*columns, "u1 G + u2 P, cycles"], rows, left=3), configs, found)
