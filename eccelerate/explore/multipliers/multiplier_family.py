"""The units of the tables: every width, kind and option for which a unit makes sense, and the devices on
which each is measured, in the order in which figures are made.

The rule is arithmetic on the parameters, so that no unit is left out by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from eccelerate.configs.multiplier_config import FIXED, KINDS, MultiplierConfig, parse_multiplier
from eccelerate.explore.multipliers.published_units import published_table
from eccelerate.flow.multiplier_store import CAPACITY, VIRTEX2
from eccelerate.model.solinas import FORMS

WIDTHS = (32, 64, 128, 192, 224, 256, 377, 384, 521, 1024)
MODULAR_WIDTHS = (192, 224, 256, 377, 384, 521)
"""Widths of the fields of curves."""
MAX_LEVELS, LEAST_LEAF = 4, 16
ARRAY_BITS, ROWS = 64, 8
"""Carry-save: up to this width all rows at once; above it, this many rows in a cycle."""
WORDS, LANES = (16, 32, 34), (1, 4, 16)
MOST_BLOCKS = 400
"""More multiplier blocks than any Virtex-II (168) or ECP5 (156) has, with room for a modular product whose
blocks are to be counted."""
BLOCK_BITS = {VIRTEX2: 17, "ecp5-85f-6": 18, "lifcl-40": 18, "up5k": 16}
"""Bits of an unsigned operand of one multiplier block."""
DEVICES = tuple(BLOCK_BITS)
CLAIMED_ON = "ecp5-85f-6"
"""The device on which clocks are claimed."""
WIDEST = {"lifcl-40": 256, "up5k": 128}
"""Widths above these are not placed on the smaller devices."""
SEEDS, OTHER_SEEDS = (1, 2, 3), (1,)
TARGETS = (
    "karatsuba-256-l4-pipelined",
    "broadcast-256-w32-pipelined",
    "karatsuba-256-l3-pipelined",
    "karatsuba-256-l4-pipelined-montgomery",
    "karatsuba-377-l3-pipelined-montgomery-bls12-377",
    "broadcast-521-w34-pipelined",
)
"""The units of which the project claims area and clock (`multiplier_targets`)."""
SHOWN_BITS = 256
"""The width of the picture and of most choices on the page: its rows come first."""


@dataclass(frozen=True)
class Wanted:
    """A unit on a device: one row of the tables."""

    config: MultiplierConfig
    device: str


def plain_units() -> list[MultiplierConfig]:
    """The units without reduction."""
    return [
        replace(config, pipelined=pipelined)
        for bits in WIDTHS
        for kind in KINDS
        for config in _options(bits, kind)
        for pipelined in (False, True)
    ]


def modular_units() -> list[MultiplierConfig]:
    """The modular units: pipelined, of the kinds with multiplier blocks; Montgomery for every width of a
    curve, Solinas for every prime that the turbo engine knows; with divide and conquer also Montgomery with a
    constant modulus. With divide and conquer a product needs at
    least two levels, because fewer have too many blocks.
    """
    found = []
    for bits in MODULAR_WIDTHS:
        for kind in ("karatsuba", "broadcast", "comba"):
            for each in _options(bits, kind):
                if each.lanes in LANES[:-1] or (kind == "karatsuba" and each.levels < 2):
                    continue
                unit = replace(each, pipelined=True)
                found.append(replace(unit, reduction="montgomery"))
                primes = [name for name, form in FORMS.items() if form.bits == bits]
                found += [replace(unit, reduction="solinas", prime=name) for name in primes]
                if each.kind == "karatsuba":
                    fixed = [name for name, p in FIXED.items() if p.bit_length() == bits]
                    found += [replace(unit, reduction="montgomery", prime=name) for name in fixed]
    return found


def _options(bits: int, kind: str) -> Iterator[MultiplierConfig]:
    if kind == "karatsuba":
        for levels in range(MAX_LEVELS + 1):
            if bits >> levels >= LEAST_LEAF:
                yield MultiplierConfig(bits, kind, levels=levels)
    elif kind == "carry-save":
        yield MultiplierConfig(bits, kind, word=bits if bits <= ARRAY_BITS else ROWS)
    elif kind == "broadcast":
        yield from (MultiplierConfig(bits, kind, word=word) for word in WORDS if word < bits)
    elif kind == "comba":
        yield from (MultiplierConfig(bits, kind, lanes=lanes) for lanes in LANES if 16 * lanes <= bits)
    else:
        yield MultiplierConfig(bits, kind)


def blocks(config: MultiplierConfig, block_bits: int) -> int:
    """The least number of multiplier blocks of `block_bits` x `block_bits` for the product of a unit."""
    if config.kind == "karatsuba":
        leaf = -(-config.bits >> config.levels)
        return 3**config.levels * _ceil(leaf, block_bits) ** 2
    if config.kind == "broadcast":
        return _ceil(config.bits, block_bits) * _ceil(config.word, block_bits)
    return config.lanes


def _ceil(a: int, b: int) -> int:
    return -(-a // b)


def fits(config: MultiplierConfig, device: str) -> bool:
    """Whether a unit is measured on a device: see the page."""
    if blocks(config, BLOCK_BITS[device]) > MOST_BLOCKS:
        return False
    if device in WIDEST:
        small = config.bits <= WIDEST[device] and config.reduction == "none"
        return small and blocks(config, BLOCK_BITS[device]) <= CAPACITY[device]["mult"]
    return True


def table_order() -> list[Wanted]:
    """Every row of the tables: plain units before modular ones, by width, kind, option and device."""
    units = [*plain_units(), *modular_units()]
    return [Wanted(unit, device) for unit in units for device in DEVICES if fits(unit, device)]


def family() -> list[Wanted]:
    """Every row of the tables, the most important first: the units that are claimed, those that the paper
    has, and then all others by width.
    """
    return sorted(table_order(), key=_order)


def _order(row: Wanted) -> tuple[int, ...]:
    config, device = row.config, DEVICES.index(row.device)
    large = blocks(config, BLOCK_BITS[row.device]) > CAPACITY[CLAIMED_ON]["mult"]
    if config.name in TARGETS and device < 2:
        return 0, TARGETS.index(config.name), device, 0
    if config.name in _paper() and device < 2:
        return 1, device, config.bits, 0
    modular = config.reduction != "none"
    if config.bits == SHOWN_BITS and device == DEVICES.index(CLAIMED_ON) and not large:
        return 2, int(modular), not config.pipelined, 0
    return 3, int(large), config.bits * (2 if modular else 1) + 64 * device, device


def _paper() -> frozenset[str]:
    """Our units that the paper's rows name, with registers inside and without."""
    units = {parse_multiplier(name) for row in published_table().rows for name in row.units}
    return frozenset(replace(unit, pipelined=way).name for unit in units for way in (False, True))


def seeds_of(config: MultiplierConfig) -> tuple[int, ...]:
    """The seeds of a placement: three for the units that are claimed."""
    return SEEDS if config.name in TARGETS else OTHER_SEEDS
