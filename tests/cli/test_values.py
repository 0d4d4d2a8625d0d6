"""Operands in the forms in which a user writes them."""

import pytest

from eccelerate.cli.failures import UsageError
from eccelerate.cli.values import op_name, parse_op, parse_operands, parse_value
from eccelerate.curves import find_curve
from eccelerate.model.jobs import Flag, Op

P256 = find_curve("P-256")


def test_every_operation_has_a_name() -> None:
    for op in Op:
        assert parse_op(op_name(op)) == op
    assert parse_op("ECDSA_SIGN") == Op.ECDSA_SIGN
    with pytest.raises(UsageError, match="ecdsa-sign"):
        parse_op("ecdsa-sing")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1F", 31),
        ("0b101", 5),
        ("12_345", 12345),
        ("n-1", P256.n - 1),
        ("p", P256.p),
        ("gx+2", P256.gx + 2),
    ],
)
def test_values(text: str, value: int) -> None:
    assert parse_value(text, P256) == value


@pytest.mark.parametrize("text", ["", "abc", "0xzz", "-1", "q", "n*2", "1.5", "h-9"])
def test_bad_values_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_value(text, P256)


def test_constants_need_a_curve() -> None:
    with pytest.raises(UsageError, match="--curve"):
        parse_value("n-1", None)


def test_positional_named_and_shorthand() -> None:
    expected = (5, P256.gx, P256.gy)
    assert parse_operands(Op.MUL, 0, ["5", "G"], P256) == expected
    assert parse_operands(Op.MUL, 0, ["y=gy", "5", "gx"], P256) == expected
    assert parse_operands(Op.POINT_ADD, 0, ["inf", "G"], P256) == (0, 0, P256.gx, P256.gy)
    assert parse_operands(Op.ECDSA_SIGN, Flag.KEY | Flag.RANDOM, ["7"], P256) == (7,)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match="missing: d"):
        parse_operands(Op.ECDH, 0, ["G"], P256)
    with pytest.raises(UsageError, match="no operand z"):
        parse_operands(Op.ECDH, 0, ["z=1"], P256)
    with pytest.raises(UsageError, match="twice"):
        parse_operands(Op.BASE_MUL, 0, ["k=1", "k=2"], P256)
    with pytest.raises(UsageError, match="2 values are given"):
        parse_operands(Op.BASE_MUL, 0, ["1", "2"], P256)
    with pytest.raises(UsageError, match="no operands"):
        parse_operands(Op.ZEROISE, 0, ["1"], P256)
