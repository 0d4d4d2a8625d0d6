"""The vocabulary of jobs against docs/architecture.md, and the constants of CURVE_LOAD against their
definition.
"""

import re
from pathlib import Path

import pytest

from eccelerate.curves import load_catalogue
from eccelerate.driver.cluster import ClusterOp
from eccelerate.model.jobs import (
    OPERANDS,
    Flag,
    JobRequest,
    Op,
    Status,
    curve_load_operands,
    operand_count,
    result_count,
)

ARCHITECTURE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")


def split(cell: str) -> tuple[str, ...]:
    cell = re.sub(r"\(.*?\)", "", cell)
    return tuple(each.strip() for each in cell.split(",") if each.strip() not in ("", "-"))


def test_operations_are_those_of_the_contract() -> None:
    rows = re.findall(r"^\| (0x\w\w) \| `(\w+)` \| (.*?) \|", ARCHITECTURE, re.MULTILINE)
    codes = {name: int(code, 16) for code, name, _ in rows}
    assert codes == {op.name: op.value for op in (*Op, *ClusterOp)}
    rows = [row for row in rows if row[1] in Op.__members__]
    # The page writes N for the order of the curve.
    assert {name: split(operands) for _, name, operands in rows} == {
        op.name: tuple("N" if name == "order" else name for name in names) for op, names in OPERANDS.items()
    }


def test_statuses_are_those_of_the_contract() -> None:
    rows = re.findall(r"^\| (0x\w\w) \| ([A-Z_]+) \|", ARCHITECTURE, re.MULTILINE)
    assert {name: int(code, 16) for code, name in rows} == {status.name: status.value for status in Status}


def test_flags_are_those_of_the_contract() -> None:
    bits = re.findall(r"^\| bit (\d) \| `(\w+)` \|", ARCHITECTURE, re.MULTILINE)
    assert {name: 1 << int(bit) for bit, name in bits} == {
        name: flag.value for name, flag in Flag.__members__.items() if name != "NONE"
    }


@pytest.mark.parametrize(
    ("op", "flags", "count"),
    [
        (Op.ECDH, Flag.KEY, 2),
        (Op.ECDH, Flag.RANDOM, 3),
        (Op.ECDSA_SIGN, Flag.KEY, 2),
        (Op.ECDSA_SIGN, Flag.RANDOM, 2),
        (Op.ECDSA_SIGN, Flag.KEY | Flag.RANDOM, 1),
        (Op.KEYGEN, Flag.RANDOM, 0),
        (Op.KEYGEN, Flag.KEY, 1),
        (Op.MUL, Flag.KEY | Flag.RANDOM | Flag.BLIND, 3),
    ],
)
def test_flags_drop_operands(op: Op, flags: Flag, count: int) -> None:
    assert operand_count(op, flags) == count


def test_result_counts() -> None:
    assert [result_count(op) for op in (Op.MUL, Op.ECDH, Op.ECDSA_SIGN, Op.ON_CURVE, Op.X_LADDER)] == [
        2,
        1,
        2,
        0,
        1,
    ]


@pytest.mark.parametrize(
    "curve",
    [curve for curve in load_catalogue().values() if curve.kind != "binary"],
    ids=lambda curve: curve.name,
)
def test_curve_load_constants(curve) -> None:
    """`par` word by word: sizes, kind, and constants with p * (-p^-1) = n * (-n^-1) = -1 mod 2^64."""
    par, p, a, b, gx, gy, n, order = curve_load_operands(curve)
    words = [par >> (32 * i) & 0xFFFFFFFF for i in range(curve.element_words)]
    assert words[0] == curve.p_bits | curve.order_bits << 16
    assert words[1] == (curve.kind == "montgomery") | (256 if curve.a_is_minus_3 else 0)
    assert (words[2] | words[3] << 32) * p % 2**64 == 2**64 - 1
    assert (words[4] | words[5] << 32) * n % 2**64 == 2**64 - 1
    assert not any(words[6:]) and par >> (32 * curve.element_words) == 0
    assert a == (curve.a24 if curve.kind == "montgomery" else curve.a)
    assert (b, gx, gy, order) == (curve.b, curve.gx, curve.gy, curve.h * curve.n)


@pytest.mark.parametrize(
    "curve",
    [curve for curve in load_catalogue().values() if curve.kind == "binary"],
    ids=lambda curve: curve.name,
)
def test_curve_load_of_binary_curves(curve) -> None:
    """`par` word by word. The polynomial has no leading term, and every element fits into W words."""
    par, low, *rest = operands = curve_load_operands(curve)
    words = [par >> (32 * i) & 0xFFFFFFFF for i in range(curve.element_words)]
    assert words[:4] == [curve.p_bits | curve.order_bits << 16, 2, 0, 0]
    assert (words[4] | words[5] << 32) * curve.n % 2**64 == 2**64 - 1
    assert not any(words[6:]) and low | 1 << curve.p_bits == curve.p
    assert rest == [curve.a, curve.b, curve.gx, curve.gy, curve.n, curve.h * curve.n]
    assert max(operands) >> (32 * curve.element_words) == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"op": 256},
        {"flags": -1},
        {"curve_id": 256},
        {"words": 256},
        {"operands": (1 << 192,)},
        {"operands": (-1,)},
    ],
)
def test_job_refuses_what_no_packet_can_say(fields: dict) -> None:
    with pytest.raises(ValueError, match="fit"):
        JobRequest(**{"op": 1, **fields})
