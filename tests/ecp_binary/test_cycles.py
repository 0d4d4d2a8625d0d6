"""The simulator counts the cycles of every job of a binary engine exactly as the RTL takes them."""

from __future__ import annotations

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine
from eccelerate.model.jobs import Flag, Op, curve_load_operands
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.probes import probes
from tests.ecp_binary.bench import order_two
from tests.sampled import sampled
from tests.ucode.helpers import packet

Jobs = dict[str, int | None]


def good_jobs(engine: Engine, curve: Curve) -> Jobs:
    """Cycles of the jobs that are measured, and of those without a point. One job each draws key and
    nonce.
    """
    spent = {"load": engine.load_curve(curve).cycles}
    for probe in probes(curve):
        spent[probe.name] = engine.submit(probe.op, probe.operands, probe.flags).cycles
    d = curve.n // 3
    jobs = {
        "blind": (Op.ECDSA_SIGN, (1, d, d + 1), Flag.BLIND),
        "drawn": (Op.ECDSA_SIGN, (1, d), Flag.RANDOM),
        "key": (Op.KEY_LOAD, (d,), 0),
        "ecdh": (Op.ECDH, curve.generator, Flag.KEY | Flag.COFACTOR),
        "x_ladder": (Op.X_LADDER, (d, curve.gx), 0),
        "inverse_n": (Op.MOD_INV, (d,), Flag.MOD_N),
        "self_test": (Op.SELF_TEST, (), 0),
        "zeroise": (Op.ZEROISE, (), 0),
    }
    return spent | {name: engine.submit(*job).cycles for name, job in jobs.items()}


def bad_jobs(engine: Engine, curve: Curve) -> Jobs:
    """Cycles of jobs that the job port or the program refuses, and of jobs whose result is infinity. Then
    those of a valid job, and of curves that are refused.
    """
    (x, y), n, top = curve.generator, curve.n, curve.field_size
    jobs = {
        "operation": (0x3F, (), 0),
        "no_operands": (Op.MUL, (), 0),
        "arity": (Op.MUL, (1,), 0),
        "infinity": (Op.MUL, (0, x, y), 0),
        "of_infinity": (Op.MUL, (n, 0, 0), 0),
        "opposite": (Op.POINT_ADD, (x, y, x, x ^ y), 0),
        "double": (Op.POINT_ADD, (x, y, x, y), 0),
        "order_two": (Op.MUL, (3, *order_two(curve)), 0),
        "off_curve": (Op.ECDH, (x, y ^ 1, 5), 0),
        "wide": (Op.ON_CURVE, (top, y), 0),
        "scalar": (Op.KEYGEN, (0,), 0),
        "large_scalar": (Op.MUL, (2 << curve.order_bits, x, y), 0),
        "no_key": (Op.ECDH, (x, y), Flag.KEY),
        "nonce": (Op.ECDSA_SIGN, (1, 1, n), 0),
        "signature": (Op.ECDSA_VERIFY, (1, 1, 1, x, y), 0),
        "large_signature": (Op.ECDSA_VERIFY, (1, n, 1, x, y), 0),
        "good": (Op.BASE_MUL, (n - 1,), 0),
    }
    spent = {name: engine.submit(*job).cycles for name, job in jobs.items()}
    operands = curve_load_operands(curve)
    others = {
        "even_n": (6, n - 1),
        "reducible": (1, operands[1] ^ 1),
        "other_b": (3, curve.b ^ 1),
        "no_b": (3, 0),
        "wide_b": (3, top),
        "degree": (0, operands[0] ^ 0x100),
    }
    for name, (place, value) in others.items():
        changed = [*operands[:place], value, *operands[place + 1 :]]
        spent[name] = engine.submit(Op.CURVE_LOAD, changed, width=curve.element_words).cycles
    return spent


@sampled(
    ("name", "curve_name"),
    [
        ("binary-163-d16", "B-163"),
        ("binary-163-d64", "K-163"),
        ("binary-163-fast", "B-163"),
        ("binary-163-koblitz", "K-163"),
        ("binary-233-d64", "B-233"),
        ("binary-233-d64", "sect193r1"),
        ("binary-generic-d64", "sect113r1"),
        ("binary-generic-d64", "B-163"),
        ("binary-generic-d64-div", "B-163"),
    ],
    now=4,
)
def test_simulated_cycles_are_those_of_the_rtl(name: str, curve_name: str) -> None:
    curve, spent = find_curve(curve_name), []
    for backend in ("iss", "rtl"):
        engine = open_engine(find_config(name), backend)
        spent.append(good_jobs(engine, curve) | bad_jobs(engine, curve))
    assert spent[0] == spent[1]
    assert None not in spent[0].values()


def test_simulated_cycles_in_variable_time_are_those_of_the_rtl() -> None:
    """There is an inversion for each sum, and the number of sums depends on the scalar."""
    spent = []
    for backend in ("iss", "rtl"):
        engine = open_engine(find_config("binary-163-affine-naf"), backend)
        engine.load_curve(find_curve("B-163"))
        spent.append([engine.base_mul(k).cycles for k in (1, 2, 0xFFF, 0xABC)])
    assert spent[0] == spent[1]
    assert len(set(spent[0])) == 4


@pytest.mark.parametrize("name", ["binary-163-d64", "binary-generic-d64"])
def test_cycles_without_a_field_are_not_made_up(name: str) -> None:
    """The time of a product in a generic build depends on the polynomial, and none is loaded yet."""
    config = find_config(name)
    transport = open_engine(config, "iss").transport
    reply = transport.exchange(packet("ZEROISE", width=6))
    assert (reply.cycles is None) == bool(config.generic_degree)
