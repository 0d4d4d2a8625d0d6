"""libeccel computes what the golden model computes, through its own packets, over a socket."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from eccelerate.curves import find_curve, load_catalogue
from eccelerate.curves.curve import Curve
from eccelerate.driver.catalogue_files import COMMAND, outputs
from eccelerate.driver.native import NativeError, NativeHandle, new_curve
from eccelerate.driver.native import load as load_library
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.vectors import table_files
from tests.driver.fake_device import FakeDevice
from tests.driver.library import library

P256, B163, X25519 = find_curve("P-256"), find_curve("B-163"), find_curve("curve25519")


@pytest.fixture
def handle(tmp_path: Path) -> Iterator[NativeHandle]:
    """A handle on a server with one engine for prime fields, and one for GF(2^m)."""
    prime = FakeDevice(tmp_path / "prime")
    binary = FakeDevice(tmp_path / "binary", binary=(True,))
    with prime, binary, NativeHandle(f"{prime.uri} {binary.uri}", library=library()) as opened:
        yield opened


@pytest.mark.parametrize("files", [outputs, table_files.outputs], ids=["curves", "vectors"])
def test_generated_tables_are_current(root: Path, files) -> None:
    for path, text in files().items():
        assert (root / path).read_text() == text, f"run: {COMMAND}, {table_files.COMMAND}"


def test_the_table_has_every_curve_of_the_catalogue_under_every_name() -> None:
    lib = load_library(library())
    names = []
    while raw := lib.eccel_curve_at(len(names)):
        names.append(lib.eccel_curve_name(raw).decode())
    assert names == list(load_catalogue())
    for index, curve in enumerate(load_catalogue().values()):
        for name in (curve.name, *curve.aliases):
            for spelling in (name, name.upper(), name.lower()):
                assert lib.eccel_curve_named(spelling.encode()) == lib.eccel_curve_at(index), name
        raw = lib.eccel_curve_at(index)
        assert lib.eccel_curve_field_bytes(raw) == -(-curve.p_bits // 8)
        assert lib.eccel_curve_order_bytes(raw) == -(-curve.n.bit_length() // 8)
        assert lib.eccel_curve_order_bits(raw) == curve.n.bit_length()
    for name in (b"", b"P-25", b"P-2566", b"nothing"):
        assert not lib.eccel_curve_named(name)


class _Recorder(FakeDevice):
    """Keeps the operands of every CURVE_LOAD."""

    loads: list[tuple[int, ...]]

    def _response(self, request, engines):
        if request.op == Op.CURVE_LOAD:
            self.__dict__.setdefault("loads", []).append(request.operands)
        return super()._response(request, engines)


@pytest.mark.parametrize("own", [False, True], ids=["catalogue", "own"])
def test_operands_of_curve_load_are_those_of_the_model(tmp_path: Path, own: bool) -> None:
    """For every curve, from the generated table and from numbers of the caller."""
    with _Recorder(tmp_path / "s") as device, NativeHandle(device.uri, library=library()) as handle:
        for curve in load_catalogue().values():
            if own:
                handle._curves[curve] = new_curve(handle.library, curve)
                handle._own.append(handle._curves[curve])
            handle.run(Op.MOD_ADD, curve, (1, 1))
            assert device.loads[-1] == curve_load_operands(curve), curve.name
        assert len(device.loads) == len(load_catalogue())


def jobs_on(curve: Curve, rng: random.Random) -> Iterator[tuple[Op, tuple[int, ...], Flag]]:
    """Jobs of every operation: good ones and ones that are refused."""
    n, size = curve.n, curve.field_size

    def element() -> int:
        return rng.randrange(size)

    for modulus, flag in ((size, Flag.NONE), (n, Flag.MOD_N)):
        for op in (Op.MOD_MUL, Op.MOD_ADD, Op.MOD_SUB, Op.MOD_EXP):
            yield op, (rng.randrange(modulus), rng.randrange(modulus)), flag
        yield Op.MOD_INV, (rng.randrange(modulus),), flag
        yield Op.MOD_INV, (modulus,), flag  # COORD_RANGE
    if curve.kind == "montgomery":
        yield Op.X_LADDER, (1 << 254 | rng.getrandbits(250) << 3, element()), Flag.NONE
        yield Op.X_LADDER, (5, element()), Flag.NONE
        return
    d, k, e = rng.randrange(1, n), rng.randrange(1, n), rng.randrange(n)
    q, other = point.base_mul(curve, d), point.base_mul(curve, k)
    signature = ecdsa.sign(curve, d, e, k)
    assert q and other and signature
    yield Op.MUL, (k, *q), Flag.BLIND
    yield Op.MUL, (0, *q), Flag.NONE  # INFINITY
    yield Op.BASE_MUL, (d,), Flag.NONE
    yield Op.DOUBLE_MUL, (k, d, *q), Flag.NONE
    yield Op.POINT_ADD, (*q, *other), Flag.NONE
    yield Op.ON_CURVE, q, Flag.NONE
    yield Op.ON_CURVE, (q[0], q[1] ^ 1), Flag.NONE
    yield Op.ECDH, (*q, k), Flag.NONE
    yield Op.ECDH, (*q, k), Flag.COFACTOR
    yield Op.ECDH, (*q, 0), Flag.NONE  # SCALAR_RANGE
    yield Op.ECDSA_SIGN, (e, d, k), Flag.NONE
    yield Op.ECDSA_VERIFY, (e, *signature, *q), Flag.NONE
    yield Op.ECDSA_VERIFY, (e ^ 1, *signature, *q), Flag.NONE
    yield Op.KEYGEN, (d,), Flag.HOST_NONCE
    yield Op.ECDSA_SIGN, (e, k), Flag.KEY
    yield Op.ECDH, other, Flag.KEY
    yield Op.KEY_LOAD, (k,), Flag.NO_SIGN
    yield Op.ECDSA_SIGN, (e,), Flag.KEY | Flag.RANDOM  # KEY_REFUSED
    yield Op.ZEROISE, (), Flag.NONE
    yield Op.ECDH, other, Flag.KEY  # NO_KEY
    yield Op.SELF_TEST, (), Flag.NONE


def test_requests_are_those_of_the_driver_in_python(tmp_path: Path) -> None:
    """The same words as `eccelerate.driver.packet` makes; the curve id and the tag are the library's."""
    seen: list[Request] = []

    class Reader(FakeDevice):
        def _answer(self, request, engines):
            seen.append(request)
            return super()._answer(request, engines)

    rng = random.Random(3)
    sent: list[Request] = []
    with Reader(tmp_path / "s") as device, NativeHandle(device.uri, library=library()) as handle:
        for name in ("P-192", "P-256", "secp160r1", "curve25519"):
            curve = find_curve(name)
            for op, operands, flags in jobs_on(curve, rng):
                width = 6 if op == Op.ZEROISE else curve.element_words
                sent.append(Request(op, 0, 0, flags, width, operands))
                handle.run(op, None if op == Op.ZEROISE else curve, operands, flags)
    seen = [each for each in seen if each.op not in (Op.CURVE_LOAD, 0x40)]
    assert len(sent) == len(seen) > 80
    for found, expected in zip(seen, sent, strict=True):
        bare = Request(found.op, 0, 0, found.flags, found.width, found.operands)
        assert bare.words() == expected.words()


@pytest.mark.parametrize("curve", [P256, B163, X25519, find_curve("P-521")], ids=lambda curve: curve.name)
def test_every_operation_agrees_with_the_golden_model(handle: NativeHandle, curve: Curve) -> None:
    golden = GoldenEngine(binary=curve.kind == "binary")
    golden.load(curve)
    for op, operands, flags in jobs_on(curve, random.Random(1)):
        expected = golden.do(op, *operands, flags=flags)
        found = handle.run(op, curve, operands, flags)
        assert (found.result, found.values) == (expected.status, expected.values), (op, flags)


def test_a_signature_with_a_nonce_of_the_engine_verifies(handle: NativeHandle) -> None:
    public = point.base_mul(P256, 77)
    found = handle.run(Op.ECDSA_SIGN, P256, (12345, 77), Flag.RANDOM | Flag.BLIND)
    assert public and found.result == 0
    assert ecdsa.verify(P256, 12345, *found.values, public)


@pytest.mark.parametrize(
    ("op", "curve", "operands", "flags"),
    [
        (0x00, P256, (), 0),
        (0x33, P256, (), 0),
        (Op.CURVE_LOAD, P256, (1, 2, 3), 0),
        (Op.MUL, P256, (1, 2), 0),
        (Op.MUL, P256, (1 << 256, 2, 3), 0),
        (Op.MUL, None, (1, 2, 3), 0),
        (Op.ECDH, P256, (1, 2, 3), Flag.KEY),
    ],
)
def test_malformed_requests_are_refused_before_they_are_sent(
    handle: NativeHandle, op: int, curve: Curve | None, operands: tuple[int, ...], flags: int
) -> None:
    assert handle.name_of(handle.run(op, curve, operands, flags).result) == "ERROR_ARGUMENT"


def test_operations_of_the_other_kind_of_curve_are_refused(handle: NativeHandle) -> None:
    assert handle.run(Op.X_LADDER, P256, (1, 2)).result == Status.BAD_CURVE
    assert handle.run(Op.MUL, X25519, (1, 2, 3)).result == Status.BAD_CURVE


def test_the_longest_curve_fits_and_a_longer_one_is_refused() -> None:
    lib = load_library(library())
    p = (1 << 575) + 3
    for bits, good in ((0, True), (1, False)):
        curve = Curve("long", "weierstrass", p << bits | 1, 1, 1, 1, 1, (1 << 574) + 1, 1)
        try:
            lib.eccel_curve_free(new_curve(lib, curve))
            assert good
        except ValueError:
            assert not good


@pytest.mark.parametrize("field", ["p", "n"])
def test_a_curve_of_ones_own_that_is_wrong_gets_the_engines_status(handle: NativeHandle, field: str) -> None:
    numbers = {"p": P256.p, "n": P256.n} | {field: getattr(P256, field) + 2}
    wrong = Curve("wrong", "weierstrass", numbers["p"], P256.a, P256.b, *P256.generator, numbers["n"], 1)
    assert handle.run(Op.BASE_MUL, wrong, (5,)).result in (Status.BAD_MODULUS, Status.NOT_ON_CURVE)
    assert handle.run(Op.BASE_MUL, P256, (1,)).values == P256.generator


def test_unknown_addresses_and_absent_devices_are_explained(tmp_path: Path) -> None:
    for uri, text in (
        ("", "no address"),
        ("usb:1", "begins with"),
        ("tcp:nowhere", "host and port"),
        (f"unix:{tmp_path}/none", "No such file"),
        (f"model:{tmp_path}", "eccel build"),
        ("unix:" + "x" * 200, "bytes"),
        ("tcp:127.0.0.1:1", "refused"),
    ):
        with pytest.raises(NativeError, match=text):
            NativeHandle(uri, library=library())


def test_every_result_has_a_name_and_advice(handle: NativeHandle) -> None:
    names = {handle.name_of(status) for status in Status}
    assert names == {status.name for status in Status}
    errors = [handle.name_of(-code) for code in range(1, 10)]
    assert len(set(errors)) == 9 and all(name.startswith("ERROR_") for name in errors)
    assert handle.name_of(-10) == handle.name_of(0x77) == "UNKNOWN"
    assert all(len(handle.advice(code)) > 10 for code in range(-12, 0x40))
