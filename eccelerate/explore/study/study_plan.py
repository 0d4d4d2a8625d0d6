"""Which parts of which variants the study measures, the most telling ones first."""

from __future__ import annotations

from eccelerate.configs.study_config import find_variant, variant_name, variant_yardstick, variants
from eccelerate.explore.study.study_store import CYCLES, DEVICES, LIBRARY, PLACED, StudyStore, part_key
from eccelerate.ucode.study.study_files import Image

PLACED_VARIANTS = (
    "gf163-lopez-dahab-montgomery-d16-m2",
    "gf163-lopez-dahab-montgomery-d16-m3",
    "gf163-lopez-dahab-montgomery-d16-m1",
    "gf163-lopez-dahab-binary-d1-m1",
    "gf163-lopez-dahab-montgomery-d64-m2",
)
"""Variants that are placed: those of the paper's table, its least power, and our fastest."""


def _rank(image: Image) -> int:
    """0 the ladder, 1 Lopez-Dahab coordinates on one small multiplier, 2 others with digits of 1 and 16 bits;
    the rest is 3. The divider comes with 2.
    """
    ladder = image.kind.endswith("-montgomery")
    if ladder and not image.divider:
        return 0
    slim = image.multipliers == 1 and not image.divider and image.digit_bits < 64
    if image.kind.startswith("lopez-dahab") and slim:
        return 1
    sampled = image.digit_bits in (1, 16) and image.multipliers == 1
    return 2 if sampled and (image.divider == image.kind.startswith("affine") or ladder) else 3


def _stage(image: Image, part: str) -> int:
    """When a part of a variant is measured."""
    rank, named = _rank(image), variant_name(image) in PLACED_VARIANTS
    if part in (CYCLES, LIBRARY):
        return 6 if rank == 3 else rank
    if part == DEVICES[0]:
        return 2 if named else 4 if rank < 3 else 7
    if part == PLACED:
        return 3
    return 3 if named else 5 if rank < 3 else 8


def parts_of(image: Image) -> list[str]:
    """What is measured of a variant."""
    placed = [PLACED] if variant_name(image) in PLACED_VARIANTS else []
    return [CYCLES, LIBRARY, *DEVICES, *placed]


def wanted() -> list[tuple[Image, str]]:
    """Every part of every variant in the order of a measurement: first the cycles and energy of the most
    telling ones.
    """
    found = [(image, part) for image in variants().values() for part in parts_of(image)]
    return sorted(found, key=lambda item: _stage(*item))


def missing(store: StudyStore) -> list[tuple[Image, str]]:
    """The parts without a record of the current sources."""
    stored = {(record["config"], record["part"]): record["key"] for record in store}
    keys: dict[tuple[str, str], str] = {}
    found = []
    for image, part in wanted():
        unit = variant_yardstick(image)
        if (unit.name, part) in stored:
            keys[unit.name, part] = part_key(unit, part)
        if stored.get((unit.name, part), "") != keys.get((unit.name, part)):
            found.append((image, part))
    return found


def stale(store: StudyStore) -> list[str]:
    """Variants with a record of earlier sources."""
    names = {
        record["config"]
        for record in store
        if record["config"] in variants()
        and part_key(variant_yardstick(find_variant(record["config"])), record["part"]) != record["key"]
    }
    return sorted(names)
