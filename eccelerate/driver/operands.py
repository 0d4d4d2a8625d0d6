"""Operand and result names of every job, one table for the driver, the command line and the documentation."""

from __future__ import annotations

from eccelerate.model.jobs import Flag, Op

OPERANDS: dict[Op, tuple[str, ...]] = {
    Op.MUL: ("k", "x", "y"),
    Op.BASE_MUL: ("k",),
    Op.DOUBLE_MUL: ("u1", "u2", "x", "y"),
    Op.POINT_ADD: ("x1", "y1", "x2", "y2"),
    Op.ON_CURVE: ("x", "y"),
    Op.ECDH: ("x", "y", "d"),
    Op.ECDSA_SIGN: ("e", "d", "k"),
    Op.ECDSA_VERIFY: ("e", "r", "s", "x", "y"),
    Op.KEYGEN: ("d",),
    Op.KEY_LOAD: ("d",),
    Op.MOD_MUL: ("a", "b"),
    Op.MOD_INV: ("a",),
    Op.MOD_EXP: ("a", "e"),
    Op.MOD_ADD: ("a", "b"),
    Op.MOD_SUB: ("a", "b"),
    Op.X_LADDER: ("k", "u"),
    Op.CURVE_LOAD: ("par", "p", "a", "b", "gx", "gy", "n", "order"),
    Op.ZEROISE: (),
    Op.SELF_TEST: (),
}

RESULTS: dict[Op, tuple[str, ...]] = {
    Op.MUL: ("x", "y"),
    Op.BASE_MUL: ("x", "y"),
    Op.DOUBLE_MUL: ("x", "y"),
    Op.POINT_ADD: ("x", "y"),
    Op.ECDH: ("x",),
    Op.ECDSA_SIGN: ("r", "s"),
    Op.KEYGEN: ("x", "y"),
    Op.MOD_MUL: ("r",),
    Op.MOD_INV: ("r",),
    Op.MOD_EXP: ("r",),
    Op.MOD_ADD: ("r",),
    Op.MOD_SUB: ("r",),
    Op.X_LADDER: ("u",),
}


def operand_names(op: Op, flags: int = 0) -> tuple[str, ...]:
    """The operands `op` takes with these flags: d leaves with KEY, a drawn d or k leaves with RANDOM."""
    absent = set()
    if flags & Flag.KEY and op in (Op.ECDH, Op.ECDSA_SIGN):
        absent.add("d")
    if flags & Flag.RANDOM:
        absent |= {Op.ECDSA_SIGN: {"k"}, Op.KEYGEN: {"d"}}.get(op, set())
    return tuple(name for name in OPERANDS[op] if name not in absent)


def result_names(op: Op) -> tuple[str, ...]:
    """Names of the elements a successful response carries."""
    return RESULTS.get(op, ())
