"""Reads curves: the catalogue that comes with the package, and TOML files of users.

A user's file has the keys of one catalogue entry at its top level. p, a, b, G = [x, y], n and h are needed.
`kind` ("weierstrass" by default) and `name` (the file's stem by default) are optional. Integers are TOML
integers, or strings in decimal or 0x form, where spaces and underscores may group digits. a and b may be
negative: they are reduced mod p.
"""

import difflib
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from eccelerate.curves.curve import Curve, Kind, MontgomeryMap

_KINDS: tuple[Kind, ...] = ("weierstrass", "montgomery", "binary")
_OPTIONAL = {"name", "aliases", "kind", "source", "montgomery"}


class CurveFileError(ValueError):
    """A curve file cannot be read. The text names the file, the key, and what is expected there."""


class CurveNotFoundError(LookupError):
    """There is no curve of that name. The text lists similar names."""


def _integer(value: object, key: str, where: str, *, signed: bool = False) -> int:
    expected = f'{where}: {key} has to be an integer or a string such as "1234" or "0x4d2"'
    if isinstance(value, str):
        try:
            value = int(value.replace(" ", "").replace("_", ""), 0)
        except ValueError:
            raise CurveFileError(f"{expected}, not {value!r}") from None
    if not isinstance(value, int) or isinstance(value, bool):
        raise CurveFileError(f"{expected}, not {value!r}")
    if value < 0 and not signed:
        raise CurveFileError(f"{where}: {key} must not be negative")
    return value


def _strings(value: object, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise CurveFileError(f"{where}: {key} has to be a list of strings")
    return tuple(value)


def _text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise CurveFileError(f"{where}: {key} has to be a string, not {value!r}")
    return value


def _modulus(table: Mapping[str, Any], kind: Kind, where: str) -> int:
    if kind != "binary":
        return _integer(table["p"], "p", where)
    exponents = table["polynomial"]
    if not isinstance(exponents, list) or not exponents:
        raise CurveFileError(f"{where}: polynomial has to be a list of exponents such as [163, 7, 6, 3, 0]")
    values = [_integer(item, "polynomial", where) for item in exponents]
    if len(set(values)) != len(values) or max(values) > 4096:
        raise CurveFileError(f"{where}: the exponents of polynomial have to be distinct and at most 4096")
    return sum(1 << exponent for exponent in values)


def _parse(table: Mapping[str, Any], where: str, default_name: str | None = None) -> Curve:
    """The `Curve` of one entry. Only the form is checked: `validate` checks whether the numbers make a
    curve.
    """
    kind = table.get("kind", "weierstrass")
    if kind not in _KINDS:
        raise CurveFileError(f"{where}: kind has to be one of {', '.join(_KINDS)}, not {kind!r}")
    needed = {"polynomial" if kind == "binary" else "p", "a", "b", "G", "n", "h"}
    if default_name is None:
        needed.add("name")
    if missing := sorted(needed - table.keys()):
        raise CurveFileError(f"{where}: missing {', '.join(missing)}")
    if unknown := sorted(table.keys() - needed - _OPTIONAL):
        raise CurveFileError(
            f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(needed | _OPTIONAL))}"
        )
    p = _modulus(table, kind, where)
    a, b = (_integer(table[key], key, where, signed=kind != "binary") for key in "ab")
    if p:
        a, b = (value % p if value < 0 else value for value in (a, b))
    generator = table["G"]
    if not isinstance(generator, list) or len(generator) != 2:
        raise CurveFileError(f"{where}: G has to be a list of two integers [x, y]")
    partner = table.get("montgomery")
    if partner is not None:
        if not isinstance(partner, dict) or partner.keys() != {"curve", "shift"}:
            raise CurveFileError(f"{where}: montgomery has to be {{ curve = NAME, shift = A/3 mod p }}")
        partner = MontgomeryMap(
            _text(partner["curve"], "montgomery.curve", where),
            _integer(partner["shift"], "montgomery.shift", where),
        )
    return Curve(
        name=_text(table.get("name", default_name), "name", where),
        kind=kind,
        p=p,
        a=a,
        b=b,
        gx=_integer(generator[0], "G[0]", where),
        gy=_integer(generator[1], "G[1]", where),
        n=_integer(table["n"], "n", where),
        h=_integer(table["h"], "h", where),
        aliases=_strings(table.get("aliases", []), "aliases", where),
        source=_text(table.get("source", ""), "source", where),
        montgomery=partner,
    )


@lru_cache
def _catalogue() -> Mapping[str, Curve]:
    text = resources.files("eccelerate.curves").joinpath("catalogue.toml").read_text(encoding="utf-8")
    curves: dict[str, Curve] = {}
    for index, entry in enumerate(tomllib.loads(text)["curve"]):
        curve = _parse(entry, f"catalogue.toml, entry {entry.get('name', index)}")
        curves[curve.name] = curve
    return MappingProxyType(curves)


def load_catalogue() -> dict[str, Curve]:
    """The curves that come with the package, by name, in the order of the file. The dict is the caller's."""
    return dict(_catalogue())


def _normalise(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


def _names(curve: Curve) -> tuple[str, ...]:
    return (curve.name, *curve.aliases)


@lru_cache
def _index() -> Mapping[str, Curve]:
    """Normalised names and aliases to curves."""
    return {_normalise(key): curve for curve in _catalogue().values() for key in _names(curve)}


def load_curve_file(path: Path | str) -> Curve:
    """The curve in a user's TOML file, not validated. Raises `CurveFileError`, which says what to change."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CurveFileError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CurveFileError(f"{path}: not a readable TOML file: {error}") from error
    return _parse(table, str(path), default_name=path.stem)


def find_curve(name: str | Path) -> Curve:
    """A curve by its catalogue name or alias (case, "-" and "_" do not matter), or from a file if the name
    ends in .toml.

    Raises `CurveNotFoundError` with similar names, or `CurveFileError`. The curve of a file is not validated
    yet.
    """
    name = str(name)
    if name.casefold().endswith(".toml"):
        return load_curve_file(name)
    curve = _index().get(_normalise(name))
    if curve is None:
        spellings = {_normalise(key): key for each in _catalogue().values() for key in _names(each)}
        close = difflib.get_close_matches(_normalise(name), spellings, n=4)
        if close:
            hint = f"did you mean {', '.join(spellings[key] for key in close)}?"
        else:
            hint = f"known are {', '.join(_catalogue())}."
        raise CurveNotFoundError(f"no curve named {name!r}: {hint} For your own give a path ending in .toml.")
    return curve
