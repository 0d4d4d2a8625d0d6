"""Vector files with keys of OpenSSL: on every curve, every encoding reaches the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.driver import Engine, Reply
from eccelerate.driver.packet import Response, decode_request
from eccelerate.driver.pool import AnyCurve
from eccelerate.model import ecdsa, montgomery
from eccelerate.model.jobs import Flag, Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.vectors import load_cases, run_cases, run_vectors
from eccelerate.vectors.curve_oids import CURVE_OIDS
from eccelerate.vectors.summary import Report
from tests.vectors.openssl_keys import BY_NAME, CATALOGUE, HASHES, MESSAGE, SHAKE, XDH, Pair, write_files

Answers = dict[tuple[int, int, tuple[int, ...]], tuple[Status, tuple[int, ...]]]


class Oracle:
    """An engine that knows the jobs for which a correct reader asks, and refuses every other one."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers

    def exchange(self, words: list[int]) -> Reply:
        request = decode_request(words)
        status, results = self.answers.get(
            (request.op, request.flags, request.operands), (Status.SCALAR_RANGE, ())
        )
        if request.op == Op.CURVE_LOAD:
            status = Status.OK
        return Reply(Response(status, request.op, request.tag, results).words(request.width))


def answers_of(pair: Pair) -> Answers:
    """The jobs on a pair's keys, and OpenSSL's results for them."""
    curve, d, own, peer = pair.curve, pair.own.d, pair.own.point, pair.peer.point
    e, (r, s) = pair.e(HASHES["SHA-1"](MESSAGE)), pair.signature()
    k = (e + r * d) * pow(s, -1, curve.n) % curve.n
    answers: Answers = {
        (Op.ECDH, 0, (*peer, d)): (Status.OK, (pair.secret,)),
        (Op.KEYGEN, 0, (d,)): (Status.OK, own),
        (Op.ON_CURVE, 0, own): (Status.OK, ()),
        (Op.ON_CURVE, 0, peer): (Status.OK, ()),
        (Op.MUL, 0, (curve.n, *own)): (Status.INFINITY, (0, 0)),
        (Op.ECDSA_SIGN, 0, (e, d, k)): (Status.OK, (r, s)),
        (Op.ECDSA_VERIFY, 0, (e, r, s, *own)): (Status.OK, ()),
        (Op.ECDSA_VERIFY, 0, (e, r, min(s, curve.n - s), *own)): (Status.OK, ()),
    }
    multiple = pair.cofactor_secret if curve.kind == "binary" else pair.secret
    answers[Op.ECDH, Flag.COFACTOR, (*peer, d)] = (Status.OK, (multiple,))
    if curve.kind != "binary":
        nonce = next(ecdsa.rfc6979_nonces(curve.n, d, HASHES["SHA-1"](MESSAGE), "sha1"))
        answers[Op.ECDSA_SIGN, 0, (e, d, nonce)] = (Status.OK, ecdsa.sign(curve, d, e, nonce) or ())
    if sha := SHAKE.get(curve.name):
        job = (pair.e(HASHES[sha](MESSAGE)), *pair.signature(sha), *own)
        answers[Op.ECDSA_VERIFY, 0, job] = (Status.OK, ())
    return answers


def xdh_answers(pair: Pair) -> Answers:
    operands = (
        montgomery.clamp(pair.curve, pair.own.secret),
        montgomery.decode_u(pair.curve, pair.peer.public_bytes),
    )
    return {(Op.X_LADDER, 0, operands): (Status.OK, (int.from_bytes(pair.derive(), "little"),))}


def test_every_encoding_on_every_curve_reaches_the_engine(tmp_path: Path) -> None:
    pairs = [Pair(tmp_path, CATALOGUE[name]) for name in BY_NAME]
    xdh = [Pair(tmp_path, CATALOGUE[name]) for name in XDH]
    answers: Answers = {}
    for pair in pairs:
        answers |= answers_of(pair)
    for pair in xdh:
        answers |= xdh_answers(pair)
    engine = Engine(Oracle(answers), pools=[AnyCurve(), AnyCurve(binary=True)])
    counts = {}
    for name, file in write_files(tmp_path, pairs, xdh).items():
        total = run_vectors(engine, file).total
        assert total.failures == [] and total.skip_reasons == {}, name
        assert total.passed == total.on_engine, name
        counts[name] = total.on_engine
    curves, prime = len(pairs), sum(pair.curve.kind != "binary" for pair in pairs)
    assert counts == {
        "asn": 3 * curves, "pem": curves, "ecpoint": 2 * curves, "webcrypto": curves,
        "EcdsaVerify": curves, "EcdsaP1363Verify": curves, "EcdsaBitcoinVerify": curves, "shake": len(SHAKE),
        "XdhComp": 2, "XdhAsnComp": 2, "XdhPemComp": 2, "XdhJwkComp": 2,
        "nist": 7 * curves, "evp": curves + prime,
    }  # fmt: skip


def test_every_curve_with_a_name_has_an_object_identifier() -> None:
    assert set(CURVE_OIDS.values()) == set(BY_NAME)


def test_a_job_that_the_oracle_does_not_know_fails(tmp_path: Path) -> None:
    """The oracle distinguishes keys, so a case that passes above has been read correctly."""
    pair, other = (Pair(tmp_path, CATALOGUE["sect131r1"]) for _ in range(2))
    engine = Engine(Oracle(answers_of(other)), pools=[AnyCurve(binary=True)])
    for name, file in write_files(tmp_path, [pair], []).items():
        assert run_vectors(engine, file).total.passed == 0, name


@pytest.mark.parametrize(
    ("config", "curves"),
    [("compact-w32", ["P-256", *XDH]), ("binary-163-d64", ["B-163"]), ("turbo-p256", ["P-256"])],
)
def test_every_kind_runs_on_the_rtl(config: str, curves: list[str], tmp_path: Path) -> None:
    pairs = [Pair(tmp_path, CATALOGUE[name]) for name in curves]
    xdh = [pair for pair in pairs if pair.curve.name in XDH]
    engine = open_engine(find_config(config))
    files = write_files(tmp_path, [pair for pair in pairs if pair not in xdh], xdh)
    cases = [case for file in files.values() for case in load_cases(file)]
    kinds = {type(case).__name__ for case in cases}
    assert kinds >= {"EcdhCase", "KeyPairCase", "PublicKeyCase", "SignCase", "VerifyCase", "AgreementCase"}
    assert ("XdhCase" in kinds) == bool(xdh)
    total = Report(config).extend(run_cases(engine, cases)).total
    assert total.failures == []
    assert total.passed == total.on_engine == len(cases)
