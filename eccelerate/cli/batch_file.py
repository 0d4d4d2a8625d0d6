"""The file of `eccel run --batch`. It has one job in each line, as CSV or JSON; each line becomes a job or a
message.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eccelerate.cli.failures import UsageError
from eccelerate.cli.values import op_name, parse_operands
from eccelerate.curves import Curve, CurveFileError, CurveNotFoundError, InvalidCurveError
from eccelerate.driver.operands import operand_names
from eccelerate.driver.packet import PacketError, split_words
from eccelerate.model.jobs import Op

ID, CURVE = "id", "curve"
"""Columns that are not operands."""
CURVE_ERRORS = (CurveFileError, CurveNotFoundError, InvalidCurveError)
FindCurve = Callable[[str], Curve]
"""The curve named in the column `curve`; raises UsageError if the jobs cannot use it."""


@dataclass(frozen=True)
class BatchLine:
    """A line of the file: its operands in packet order, or the reason why there are none.

    `id` is the user's own name of the job, or "". `curve` is that of the job, or None for an invalid line.
    """

    number: int
    id: str = ""
    curve: Curve | None = None
    operands: tuple[int, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class BatchFile:
    """All lines that are neither empty nor comments (#). `is_json` is true for JSON objects, and false for
    CSV with a header.
    """

    path: Path
    is_json: bool
    lines: tuple[BatchLine, ...]

    @property
    def good(self) -> list[BatchLine]:
        """Lines that are jobs."""
        return [line for line in self.lines if not line.error]

    @property
    def curves(self) -> list[Curve]:
        """The curves of the valid lines, in the order of their first use."""
        return list(dict.fromkeys(line.curve for line in self.good if line.curve))

    @property
    def bad(self) -> list[BatchLine]:
        """Invalid lines."""
        return [line for line in self.lines if line.error]


def read_batch(path: Path, op: Op, flags: int, curve: Curve, find: FindCurve | None = None) -> BatchFile:
    """The jobs in a file. A line that names no curve is on `curve`. `find` finds a named curve; if it is
    None, no line may name one.

    Raises UsageError for a file that cannot be read, is empty, or has no header that names the operands. An
    error in a single line is reported in that line.
    """
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"cannot read {path}: {reason}") from error
    rows = [(n, row) for n, row in enumerate(text.splitlines(), 1) if row.strip() and not row.startswith("#")]
    if not rows:
        raise UsageError(f"{path} has no jobs: write a header and one line for each job, or JSON objects")
    is_json = rows[0][1].lstrip().startswith("{")
    names = operand_names(op, flags)
    if is_json:
        lines = [_line(number, _object(row), op, flags, curve, find) for number, row in rows]
    else:
        (_, first), *rest = rows
        header = _cells(first)
        free = (ID, CURVE) if find else (ID,)
        operands = [name for name in header if name not in free]
        if sorted(operands) != sorted(names) or len(set(header)) != len(header):
            raise UsageError(
                f"{path}: the first line must name the columns: {','.join(names)} in any order;"
                f" {' and '.join(free)} are optional; it is {first.strip()!r}"
            )
        lines = [_line(number, _record(row, header), op, flags, curve, find) for number, row in rest]
    return BatchFile(path, is_json, tuple(lines))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([row]), [])]


def _record(row: str, header: Sequence[str]) -> dict[str, Any] | str:
    cells = _cells(row)
    if len(cells) != len(header):
        return f"{len(cells)} values, and the header has {len(header)}"
    return dict(zip(header, cells, strict=True))


def _object(row: str) -> dict[str, Any] | str:
    try:
        value = json.loads(row)
    except json.JSONDecodeError as error:
        return f"no JSON: {error.msg} at column {error.colno}"
    return value if isinstance(value, dict) else "no JSON object"


def _line(
    number: int, record: dict[str, Any] | str, op: Op, flags: int, curve: Curve, find: FindCurve | None
) -> BatchLine:
    if isinstance(record, str):
        return BatchLine(number, error=record)
    name = str(record.pop(ID, ""))
    odd = [
        key for key, value in record.items() if isinstance(value, bool) or not isinstance(value, int | str)
    ]
    if odd:
        return BatchLine(number, name, error=f"{odd[0]} must be a number or a text")
    try:
        if find and (wanted := str(record.pop(CURVE, ""))):
            curve = find(wanted)
        values = parse_operands(op, flags, [f"{key}={value}" for key, value in record.items()], curve)
        for value in values:
            split_words(value, curve.element_words)
    except (UsageError, PacketError, *CURVE_ERRORS) as error:
        return BatchLine(number, name, error=f"{op_name(op)}: {error}")
    return BatchLine(number, name, curve, values)
