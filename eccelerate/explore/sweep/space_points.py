"""Expands a space into its points. A combination that cannot exist is listed with the reason; a value with
which nothing exists is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import product

from eccelerate.configs.config import Config, ConfigError
from eccelerate.configs.multiplier_config import KINDS as MULTIPLIER_KINDS
from eccelerate.configs.multiplier_config import MultiplierConfig, parse_multiplier
from eccelerate.curves import CurveNotFoundError, find_curve
from eccelerate.explore.sweep.space_file import Block, Value
from eccelerate.explore.sweep.sweep_design import (
    PROGRAMS,
    Unit,
    find_design,
    find_engine,
    known_designs,
    top_parameters,
    with_parameter,
    with_program,
)
from eccelerate.explore.sweep.sweep_energy import LIBRARIES, require_energy
from eccelerate.explore.sweep.sweep_point import MEASURES, Point
from eccelerate.flow.errors import FlowError
from eccelerate.flow.multiplier_store import unit_device

MULTIPLIER_OPTIONS = ("bits", "levels", "word", "lanes", "pipelined", "reduction", "prime")
GLOB = "*?["
Chosen = Mapping[str, Value]
"""One value of each key."""


@dataclass
class Expanded:
    """The points of a space in the order of the file, and the combinations that cannot exist, with the reason
    of each.
    """

    points: dict[str, Point] = field(default_factory=dict)
    impossible: dict[str, str] = field(default_factory=dict)
    excluded: int = 0

    def add(self, point: Point) -> None:
        """Add a point, unless it is there."""
        self.points.setdefault(point.text, point)


def expand(blocks: Iterable[Block]) -> Expanded:
    """The points of the blocks. Raises SpaceError."""
    found = Expanded()
    for block in blocks:
        _Block(block, found).expand()
    return found


@dataclass
class _Block:
    block: Block
    found: Expanded

    def expand(self) -> None:
        """Add the points of the block. Raises SpaceError if it has none."""
        block, before = self.block, len(self.found.points)
        self.check()
        names = self.names()
        if block.kind == "engine":
            self.check_engines([find_engine(name) for name in names])
        options = [
            key for key in block.values if key not in (block.kind, "device", "library", "seed", "measure")
        ]
        made, reasons = 0, dict[str, str]()
        for name in names:
            for values in product(*(block.values[key] for key in options)):
                chosen: dict[str, Value] = {block.kind: name, **dict(zip(options, values, strict=True))}
                if self.left_out(chosen):
                    self.found.excluded += 1
                    continue
                label = " ".join(str(value) for value in chosen.values())
                try:
                    unit = self.unit(name, chosen)
                except ConfigError as error:
                    reasons[label] = str(error)
                    continue
                for measure in map(str, block.values["measure"]):
                    try:
                        made += self.add(unit, measure, chosen)
                    except ConfigError as error:
                        reasons[f"{label} {measure}"] = str(error)
        self.found.impossible |= reasons
        if not made and len(self.found.points) == before:
            reason = next(iter(reasons.values()), "everything is excluded")
            raise block.wrong("", f"the block has no point: {reason}")

    def check(self) -> None:
        """Values that are known without a design. Raises SpaceError."""
        block = self.block
        if "algorithm" in block.values and "coordinates" not in block.values:
            raise block.wrong("algorithm", "goes with coordinates: give both keys")
        if "coordinates" in block.values and "algorithm" not in block.values:
            raise block.wrong("coordinates", "goes with algorithm: give both keys")
        self.known("measure", MEASURES)
        for name in map(str, block.values.get("device", ())):
            try:
                unit_device(name)
            except FlowError as error:
                raise block.wrong("device", str(error)) from error
        self.known("library", LIBRARIES)
        self.known("coordinates", [coordinates for coordinates, _ in PROGRAMS])
        self.known("algorithm", [algorithm for _, algorithm in PROGRAMS])
        for curve in block.values.get("curve", ()):
            try:
                find_curve(str(curve))
            except CurveNotFoundError as error:
                raise block.wrong("curve", str(error)) from error
        measures = block.values["measure"]
        if ("map" in measures or "place" in measures) and "device" not in block.values:
            raise block.wrong("measure", "map and place need the key device")
        if "place" in measures:
            unplaced = [str(name) for name in block.values["device"] if not unit_device(str(name)).place]
            if len(unplaced) == len(block.values["device"]):
                raise block.wrong(
                    "device", f"no open placer for {', '.join(unplaced)}: map is possible, place is not"
                )
        for seed in block.values.get("seed", ()):
            if not 1 <= int(seed) < 1 << 31:
                raise block.wrong("seed", f"{seed} is not from 1 to 2^31 - 1")

    def check_engines(self, engines: Sequence[Config]) -> None:
        """Parameters that no engine has and curves that none takes. Raises SpaceError."""
        for parameter in self.block.parameters:
            having = [each for each in engines if not each.engines and parameter in top_parameters(each.top)]
            if not having:
                known = {
                    name: None for each in engines if not each.engines for name in top_parameters(each.top)
                }
                raise self.block.wrong(
                    parameter, f"no engine has this parameter; there are: {', '.join(known)}"
                )
        for curve in map(str, self.block.values.get("curve", ())):
            reasons = [each.lacks(find_curve(curve)) for each in engines]
            if all(reasons):
                raise self.block.wrong("curve", f"no engine takes {curve}: {reasons[0]}")

    def known(self, key: str, names: Sequence[str]) -> None:
        """Raises SpaceError if a value is none of the names."""
        for value in self.block.values.get(key, ()):
            if value not in names:
                listed = ", ".join(dict.fromkeys(names))
                raise self.block.wrong(key, f"{value!r} is not known; there are: {listed}")

    def names(self) -> list[str]:
        """The designs that the block names, with patterns replaced by what they match. Raises SpaceError."""
        block, found = self.block, dict[str, None]()
        for value in map(str, block.values[block.kind]):
            if set(GLOB) & set(value):
                matching = [name for name in known_designs(block.kind) if fnmatchcase(name, value)]
                if not matching:
                    raise block.wrong(block.kind, f"no {block.kind} matches {value!r}")
                found |= dict.fromkeys(matching)
            elif block.kind == "multiplier" and value in MULTIPLIER_KINDS:
                if "bits" not in block.values:
                    raise block.wrong(block.kind, f"{value} needs the key bits (a full name has no options)")
                found[value] = None
            else:
                try:
                    find_design(block.kind, value)
                except ConfigError as error:
                    raise block.wrong(block.kind, str(error)) from error
                if block.kind == "multiplier" and any(key in block.values for key in MULTIPLIER_OPTIONS):
                    raise block.wrong(
                        block.kind, f"{value} is a full name: options go with a kind such as karatsuba"
                    )
                found[value] = None
        return list(found)

    def left_out(self, chosen: Chosen) -> bool:
        """Whether an exclusion is about this combination, without looking at device, seed and measure."""
        return any(_matches(each, chosen) for each in self.block.exclude if each.keys() <= chosen.keys())

    def unit(self, name: str, chosen: Chosen) -> Unit:
        """The design of a combination. Raises ConfigError."""
        if self.block.kind == "multiplier":
            return _multiplier(name, chosen)
        unit = find_design(self.block.kind, name)
        if not isinstance(unit, Config):
            return unit
        named = {"digit_bits": "DigitBits", "threads": "Threads"}
        for key, value in chosen.items():
            parameter = named.get(key) or (key if key in self.block.parameters else None)
            if parameter:
                unit = with_parameter(unit, parameter, int(value))
        if "algorithm" in chosen:
            pair = (str(chosen["coordinates"]), str(chosen["algorithm"]))
            if pair not in PROGRAMS:
                raise ConfigError(f"there is no program for {pair[0]} coordinates with {pair[1]}")
            unit = with_program(unit, PROGRAMS[pair])
        return unit

    def add(self, unit: Unit, measure: str, chosen: Chosen) -> int:
        """Add the points of a design for one measure. Returns how many there are. Raises ConfigError if it
        has none, for example because it does not take the curve.
        """
        count = 0
        for point, where in self.points(unit, measure, chosen):
            if self.left_out({**chosen, **where, "measure": measure}):
                self.found.excluded += 1
            else:
                self.found.add(point)
                count += 1
        return count

    def points(self, unit: Unit, measure: str, chosen: Chosen) -> Iterator[tuple[Point, Chosen]]:
        """The points of a design for one measure, with the values of the keys that they have."""
        values, kind = self.block.values, self.block.kind
        curve = _curve(unit, chosen) if measure in ("cycles", "energy") else ""
        if measure == "cycles":
            yield Point(kind, unit.name, measure, curve=curve), {}
        elif measure == "energy":
            require_energy(unit, curve)
            for library in map(str, values.get("library", LIBRARIES[:1])):
                yield Point(kind, unit.name, measure, curve=curve, library=library), {"library": library}
        else:
            shell = bool(chosen.get("shell", unit.placed_with_shell if isinstance(unit, Config) else False))
            for name in map(str, values["device"]):
                if measure == "place" and not unit_device(name).place:
                    self.found.impossible[f"{unit.name} place on {name}"] = f"no open placer for {name}"
                    continue
                for seed in map(int, values.get("seed", (1,))) if measure == "place" else (0,):
                    point = Point(kind, unit.name, measure, device=name, seed=seed, shell=shell)
                    yield point, {"device": name, **({"seed": seed} if seed else {})}


def _curve(unit: Unit, chosen: Chosen) -> str:
    """The curve of the cycles of an engine; "" for another design. Raises ConfigError."""
    if not isinstance(unit, Config):
        return ""
    curve = find_curve(str(chosen.get("curve", unit.curve_name)))
    if reason := unit.lacks(curve):
        raise ConfigError(reason)
    return curve.name


def _multiplier(name: str, chosen: Chosen) -> MultiplierConfig:
    """A multiplier of a full name, or of a kind with options. Raises ConfigError."""
    if name not in MULTIPLIER_KINDS:
        return parse_multiplier(name)
    given = {key: chosen[key] for key in MULTIPLIER_OPTIONS if key in chosen}
    if given.get("prime") == "":
        given["prime"] = None  # type: ignore[assignment]
    return MultiplierConfig(kind=name, **given)  # type: ignore[arg-type]


def _matches(rule: Mapping[str, tuple[Value, ...]], chosen: Chosen) -> bool:
    """Whether every key of a rule has one of its values. The name of a design may be a pattern."""
    return all(any(_same(given, chosen[key]) for given in rule[key]) for key in rule)


def _same(rule: Value, value: Value) -> bool:
    return fnmatchcase(value, rule) if isinstance(rule, str) and isinstance(value, str) else rule == value
