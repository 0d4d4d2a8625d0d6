"""The core below all packages: right results or a reason, for every number; counters that tell the truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eccelerate.curves.curve import Curve
from eccelerate.driver.packet import Request, Response
from eccelerate.external.maths_packages import KINDS, ScriptRun
from eccelerate.model import point
from eccelerate.model.jobs import Op, Status
from tests.driver.fake_device import FakeDevice, Hook, honest
from tests.driver.misbehaviour import only, with_words
from tests.maths import lab
from tests.maths.lab import P256, STRICT, Calculation

SCRIPT = """
import json, sys, warnings
from eccel_maths import engine
warnings.simplefilter("always")
for name, operands in json.loads(DATA):
    given = [int(each, 16) if each else None for each in operands]
    try:
        done = engine.calculate(name, *given)
    except Exception as error:
        print(type(error).__name__, error)
        continue
    if done is None:
        print("declined", engine.counters()[name.replace("sub", "add")]["why"])
    else:
        print(" ".join(f"{each:x}" for each in done) or "infinity")
"""


def calculate(
    folder: Path, calculations: list[Calculation], devices: str, **settings: str
) -> tuple[list[str], ScriptRun]:
    """What the engine answers: a line for each calculation."""
    data = json.dumps([each[:2] for each in calculations])
    text = SCRIPT.replace("DATA", repr(data))
    done = lab.run(lab.needed("python"), folder, text, devices, settings)
    assert done.outcome.code == 0, done.outcome.errors
    return done.outcome.text.splitlines(), done


def own_curve(u: int = 5) -> Curve:
    """P-256 with other coefficients: a curve that no catalogue has, with a known order."""
    p = P256.p
    a, b, gx, gy = P256.a * u**4 % p, P256.b * u**6 % p, P256.gx * u**2 % p, P256.gy * u**3 % p
    return Curve(name="own", kind="weierstrass", p=p, a=a, b=b, gx=gx, gy=gy, n=P256.n, h=1)


def multiple(curve: Curve, k: int, **changes: int | None) -> Calculation:
    """k times the base point of a curve."""
    numbers: dict[str, int | None] = {
        "p": curve.p, "a": curve.a, "b": curve.b, "order": curve.n * curve.h, "gx": curve.gx, "gy": curve.gy,
        "k": k, "x": curve.gx, "y": curve.gy,
    }  # fmt: skip
    right = point.base_mul(curve, k % (curve.n * curve.h))
    shown = "infinity" if right is None else f"{right[0]:x} {right[1]:x}"
    return "point_mul", tuple(map(lab.hexadecimal, (numbers | changes).values())), shown


def wei25519() -> Curve:
    """Curve25519 in short form: 8 n points."""
    p, big_a = 2**255 - 19, 486662
    third = pow(3, -1, p)
    a, b = (3 - big_a**2) * third % p, (2 * big_a**3 - 9 * big_a) * pow(27, -1, p) % p
    gx = (9 + big_a * third) % p
    gy = 14781619447589544791020593568409986887264606134616475288964881837755586237401
    n = 2**252 + 27742317777372353535851937790883648493
    return Curve(name="w25519", kind="weierstrass", p=p, a=a, b=b, gx=gx, gy=gy, n=n, h=8)


def test_every_calculation_is_right_and_done_by_the_device(tmp_path: Path) -> None:
    calculations = lab.modular_calculations() + lab.point_calculations()
    with lab.golden(tmp_path) as device:
        lines, done = calculate(tmp_path, calculations, device.uri, **STRICT)
        assert lines == [each[2] for each in calculations]
        jobs = [op for op, _ in device.jobs if op != Op.CURVE_LOAD]
    assert sum(done.jobs(kind) for kind in KINDS) == len(jobs)
    assert sum(done.report[kind]["calls"] for kind in KINDS) == len(calculations)
    assert all(done.jobs(kind) > 0 for kind in KINDS)


def test_the_rtl_does_them(tmp_path: Path) -> None:
    """One of each, modulo primes of the catalogue and others, and multiples on a curve of one's own."""
    seen: set[tuple[str, str]] = set()
    chosen = [multiple(own_curve(), 2**200 + 1)]
    for each in lab.modular_calculations(2) + lab.point_calculations()[::5]:
        key = (each[0], each[1][0])
        if len(each[1][0]) < 70 and (key not in seen or each[0].startswith("point")):
            chosen.append(each)
        seen.add(key)
    lines, done = calculate(tmp_path, chosen, lab.model(), **STRICT)
    assert lines == [each[2] for each in chosen]
    assert sum(done.report[kind]["calls"] for kind in KINDS) == len(chosen)
    assert done.report["point_mul"]["cycles"] > 250_000 * 3
    assert done.report["clock_khz"] == lab.KHZ


def test_a_long_product_is_the_sum_of_the_products_of_its_pieces(tmp_path: Path) -> None:
    a, b = 3**600, 7**333
    with lab.golden(tmp_path) as device:
        case = ("product", (f"{a:x}", f"{b:x}"), f"{a * b:x}")
        lines, done = calculate(tmp_path, [case], device.uri, **STRICT)
        assert lines == [case[2]]
        pieces = -(-a.bit_length() // 260) * -(-b.bit_length() // 260)
        assert device.count(Op.MOD_MUL) == done.jobs("product") == pieces == 16


DECLINED = [
    (("mod_mul", (f"{P256.p * P256.n:x}"[:60] + "5", "3", "5"), ""), "the modulus is not a prime"),
    (("mod_mul", ("4d", "3", "5"), ""), "the modulus is too small"),
    (("mod_mul", ("-b", "3", "5"), ""), "the modulus is too small"),
    (("mod_mul", ("0", "3", "5"), ""), "the modulus is too small"),
    (("mod_mul", (f"{2**607 - 1:x}", "3", "5"), ""), "the modulus is too long for the engine"),
    (("mod_inv", (f"{P256.p:x}", "0"), ""), "there is no inverse"),
    (("mod_exp", (f"{P256.p:x}", "0", "-1"), ""), "there is no inverse"),
    (("mod_inv", ("0", "3"), ""), "there is no inverse"),
    (("product", ("7", f"{2**100:x}"), ""), "a factor is too small"),
    (("product", (f"{2**4096:x}", f"{2**100:x}"), ""), "a factor is too long"),
    (multiple(own_curve(), 9, order=None, gx=None, gy=None), "the order of the curve is not known"),
    (multiple(own_curve(), 9, order=P256.n + 2), "the order is not 2^j n with a prime n and j < 8"),
    (multiple(own_curve(), 9, order=3 * P256.n), "the order is not 2^j n with a prime n and j < 8"),
    (multiple(own_curve(), 9, order=P256.p), "the order of the curve is not right, or the base point is of"),
    (multiple(own_curve(), 9, order=4 * P256.n), "the order of the curve is not right, or the base point is"),
    (multiple(own_curve(), 9, gx=1), "the order of the curve is not right, or the base point is of small"),
    (multiple(P256, 9, order=P256.p), "the curve has another order"),
    (multiple(P256, 9, x=1, y=1), "the point is not on the curve"),
    (multiple(P256, 9, p=0), "p is not positive"),
    (multiple(P256, 9, p=P256.p - 2, x=None, y=None), "the curve is not loaded yet"),
    (multiple(P256, 9, p=17, x=None, y=None), "the field is too small"),
    (("point_add", (f"{P256.p:x}", "1", "0", "0", "0", "", ""), ""), "the engine takes no curve with b = 0"),
    (("point_add", (f"{P256.p * P256.p:x}", "1", "4", "0", "2", "", ""), ""), "p is not a prime"),
]  # fmt: skip


def test_what_the_engine_cannot_do_is_declined_with_a_reason(tmp_path: Path) -> None:
    """p^2 has 512 bits: no test but that for primes sees it."""
    with lab.golden(tmp_path) as device:
        lines, done = calculate(tmp_path, [case for case, _ in DECLINED], device.uri, **STRICT)
        assert device.jobs == []
    for line, (case, reason) in zip(lines, DECLINED, strict=True):
        assert line.startswith(f"declined {reason}"), (case, line)
    assert sum(done.report[kind]["declined"] for kind in KINDS) == len(DECLINED)
    assert sum(done.jobs(kind) for kind in KINDS) == 0


def test_malformed_calls_are_errors(tmp_path: Path) -> None:
    with lab.golden(tmp_path) as device:
        cases: list[Calculation] = [("mod_mul", ("5", "6"), ""), ("sqrt", ("4",), "")]
        text = SCRIPT.replace('name.replace("sub", "add")', '"mod_mul"')
        data = json.dumps([each[:2] for each in cases])
        done = lab.run(lab.needed("python"), tmp_path, text.replace("DATA", repr(data)), device.uri)
    assert done.outcome.text.splitlines() == [
        "ValueError mod_mul: wrong number of operands",
        "ValueError sqrt: no such calculation",
    ]


def test_with_a_cofactor_every_result_is_right_or_declined(tmp_path: Path) -> None:
    curve = wei25519()
    order = curve.n * curve.h
    # n (x, y) is infinity or of small order: for any point of the curve.
    small = None
    for x in range(1, 200):
        square = (x**3 + curve.a * x + curve.b) % curve.p
        y = pow(square, (curve.p + 3) // 8, curve.p)
        for root in (y, y * pow(2, (curve.p - 1) // 4, curve.p) % curve.p):
            if root * root % curve.p == square:
                small = small or point.mul(curve, curve.n, (x, root))
    assert small is not None
    cases = [multiple(curve, k) for k in (2, order - 1, order + 5, curve.n, 2**250, 3**150)]
    for k in range(1, 9):
        right = point.mul(curve, k, small)
        shown = "infinity" if right is None else f"{right[0]:x} {right[1]:x}"
        name, operands, _ = multiple(curve, k, x=small[0], y=small[1])
        cases.append((name, operands, shown))
    with lab.golden(tmp_path) as device:
        lines, done = calculate(tmp_path, cases, device.uri, **STRICT)
    for line, case in zip(lines, cases, strict=True):
        assert line in (case[2], "declined EXCEPTIONAL")
    assert lines[4:6] == [case[2] for case in cases[4:6]]
    assert done.report["point_mul"]["calls"] + done.report["point_mul"]["declined"] == len(cases)


@pytest.mark.parametrize("status", [Status.BAD_MODULUS, Status.BAD_LENGTH])
def test_a_curve_that_the_device_refuses_is_declined_and_not_tried_again(
    tmp_path: Path, status: Status
) -> None:
    refuse = with_words(lambda words: [words[0] & ~0xFF | status, 0])
    case = ("mod_mul", (f"{2**127 - 1:x}", "3", "5"), "")
    with FakeDevice(tmp_path / "device", hook=only(Op.CURVE_LOAD, refuse)) as device:
        lines, _ = calculate(tmp_path, [case, case, case], device.uri, **STRICT)
        tried = device.count(Op.CURVE_LOAD)
    assert all(line.startswith("declined ") for line in lines)
    assert tried == 1


def test_products_use_the_largest_prime_that_the_device_takes(tmp_path: Path) -> None:
    refuse = with_words(lambda words: [words[0] & ~0xFF | Status.BAD_LENGTH, 0])

    def narrow(device: FakeDevice, request: Request, response: Response) -> bytes | None:
        return (refuse if request.width > 8 else honest)(device, request, response)

    a, b = 2**250 - 3, 2**130 - 5
    case = ("product", (f"{a:x}", f"{b:x}"), f"{a * b:x}")
    with FakeDevice(tmp_path / "device", hook=narrow) as device:
        lines, done = calculate(tmp_path, [case, case], device.uri, **STRICT)
        assert lines == [case[2]] * 2
        assert done.jobs("product") == 2 * 2 * 2  # pieces of 127 bits


def flipped(words: list[int]) -> list[int]:
    """The response with a bit of its first value changed."""
    return [*words[:2], words[2] ^ 1, *words[3:]]


@pytest.mark.parametrize(
    ("op", "case", "why"),
    [
        (Op.MUL, multiple(own_curve(), 9), "not on the curve"),
        (Op.POINT_ADD, lab.point_calculations()[-5], "not on the curve"),
        (Op.MOD_INV, ("mod_inv", (f"{P256.p:x}", "3"), ""), "not the inverse"),
    ],
)
def test_a_device_with_wrong_results_is_noticed(tmp_path: Path, op: Op, case: Calculation, why: str) -> None:
    with FakeDevice(tmp_path / "device", hook=only(op, with_words(flipped))) as device:
        lines, done = calculate(tmp_path, [case], device.uri, **STRICT)
        assert lines[0].startswith("DeviceError eccel: the result of the device is ") and why in lines[0]
        lines, done = calculate(tmp_path, [case], device.uri)
    assert lines[0].startswith("declined the result of the device")
    assert "Python does its work" in done.outcome.errors
    assert done.report[case[0]]["failed"] == 1


def silent(device: FakeDevice, request: object, response: object) -> None:
    """A hook: no answer."""


@pytest.mark.parametrize(("hook", "why"), [(silent, "ERROR_TIMEOUT"), (None, "ERROR_")])
def test_a_device_that_fails_ends_in_an_error_or_in_the_package(
    tmp_path: Path, hook: Hook | None, why: str
) -> None:
    """With ECCEL_STRICT the script ends with an error, without it the package does the work and warns."""
    cut = with_words(lambda words: words[:1])
    case = ("mod_mul", (f"{P256.p:x}", "3", "5"), "f")
    with FakeDevice(tmp_path / "device", hook=only(Op.MOD_MUL, hook or cut)) as device:
        lines, _ = calculate(tmp_path, [case], device.uri, ECCEL_TIMEOUT_MS="300", **STRICT)
        assert lines[0].startswith(f"DeviceError eccel: {why}")
        lines, done = calculate(tmp_path, [case, case], device.uri, ECCEL_TIMEOUT_MS="300")
    assert [line.split()[0] for line in lines] == ["declined", "declined"]
    assert done.outcome.errors.count("Python does its work") == 1


def test_settings_that_are_malformed_are_errors(tmp_path: Path) -> None:
    case = ("mod_mul", (f"{P256.p:x}", "3", "5"), "f")
    with lab.golden(tmp_path) as device:
        for name in ("ECCEL_MIN_BITS", "ECCEL_TIMEOUT_MS"):
            lines, _ = calculate(tmp_path, [case], device.uri, **STRICT, **{name: "6x"})
            assert lines == ["DeviceError eccel: ECCEL_MIN_BITS or ECCEL_TIMEOUT_MS is not a number"]
        small = ("mod_mul", ("d", "b", "c"), f"{11 * 12 % 13:x}")
        lines, _ = calculate(tmp_path, [small], device.uri, ECCEL_MIN_BITS="4", **STRICT)
    assert lines == [small[2]]


def test_the_rtl_adds_all_points_of_a_small_curve_whose_order_it_does_not_know(tmp_path: Path) -> None:
    """The engine gets p for the number of points, which additions do not use. Some points have order 2."""
    p, a, b = 13, 1, 1
    finite = [(x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0]
    points = [None, *finite]
    curve = Curve(name="small", kind="weierstrass", p=p, a=a, b=b, gx=0, gy=1, n=p, h=1)
    assert len(points) != p and any(y == 0 for _, y in finite)
    cases: list[Calculation] = []
    for left in points:
        for right in points:
            total = point.add(curve, left, right)
            operands = (p, a, b, *(left or (None, None)), *(right or (None, None)))
            shown = "infinity" if total is None else f"{total[0]:x} {total[1]:x}"
            cases.append(("point_add", tuple(map(lab.hexadecimal, operands)), shown))
    cases.append(cases.pop(0))  # infinity alone does not make a curve
    lines, done = calculate(tmp_path, cases, lab.model(), ECCEL_MIN_BITS="3", **STRICT)
    assert lines == [each[2] for each in cases]
    assert done.jobs("point_add") == len(cases) == 18**2


@pytest.mark.parametrize(("b", "n", "h"), [(7, 281, 1), (8, 67, 4), (34, 139, 2)])
def test_the_rtl_multiplies_points_of_a_small_curve(tmp_path: Path, b: int, n: int, h: int) -> None:
    """Over GF(257), with an order that the library has proven; every result is right or EXCEPTIONAL."""
    p, a = 257, 1
    points = [(x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0]
    assert len(points) + 1 == n * h
    plain = Curve(name="small", kind="weierstrass", p=p, a=a, b=b, gx=0, gy=0, n=n, h=h)
    gx, gy = next(each for each in points if point.mul(plain, h, each) is not None)
    curve = Curve(name="small", kind="weierstrass", p=p, a=a, b=b, gx=gx, gy=gy, n=n, h=h)
    cases = []
    for k, at in [
        (k, points[7 * k % len(points)]) for k in (0, 1, 2, 3, n - 2, n - 1, n, n + 1, n * h - 1, 200)
    ]:
        right = point.mul(curve, k, at)
        shown = "infinity" if right is None else f"{right[0]:x} {right[1]:x}"
        cases.append((*multiple(curve, k, x=at[0], y=at[1])[:2], shown))
    lines, done = calculate(tmp_path, cases, lab.model(), ECCEL_MIN_BITS="3", **STRICT)
    for line, case in zip(lines, cases, strict=True):
        assert line == case[2] or (h > 1 and line == "declined EXCEPTIONAL"), case
    assert done.jobs("point_mul") >= len(cases) // 2
