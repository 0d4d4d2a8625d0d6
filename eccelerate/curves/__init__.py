"""Elliptic curves as data: the catalogue, a user's own, their validation, and tiny ones for tests."""

from eccelerate.curves.curve import Curve, Kind, MontgomeryMap
from eccelerate.curves.loader import (
    CurveFileError,
    CurveNotFoundError,
    find_curve,
    load_catalogue,
    load_curve_file,
)
from eccelerate.curves.validate import Finding, InvalidCurveError, require_valid, validate

__all__ = [
    "Curve",
    "CurveFileError",
    "CurveNotFoundError",
    "Finding",
    "InvalidCurveError",
    "Kind",
    "MontgomeryMap",
    "find_curve",
    "load_catalogue",
    "load_curve_file",
    "require_valid",
    "validate",
]
