"""Published vectors on the golden model, and runs that must fail: every kind of wrong engine is noticed."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from eccelerate.configs.config import find_config
from eccelerate.driver import Engine, Reply, TransportError
from eccelerate.driver.packet import Response, decode_request, decode_response
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.model.jobs import Op, Status
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.golden_transport import GoldenTransport
from eccelerate.vectors import (
    Case,
    Report,
    VectorFileError,
    load_cases,
    packaged_files,
    run_cases,
    run_vectors,
    sample_cases,
)
from eccelerate.vectors.case import Expect, Verdict
from eccelerate.vectors.ec_cases import EcdhCase, SkippedCase
from eccelerate.vectors.files import find_file
from eccelerate.vectors.hashes import hash_name, message_to_e
from eccelerate.vectors.runner import BATCH

SAMPLE = 12
WYCHEPROOF, XDH, NIST = (packaged_files(family) for family in ("wycheproof", "xdh", "nist"))
BINARY_HEADING = re.compile(r"^\[(Curve selected: *)?B-\d+", re.MULTILINE)
WITH_BINARY = [path for path in NIST if BINARY_HEADING.search(path.read_text())]


def golden() -> Engine:
    return Engine(GoldenTransport())


def golden_binary() -> Engine:
    return Engine(GoldenTransport(GoldenEngine(binary=True)), binary=True)


def small(cases: Sequence[Case]) -> list[Case]:
    return sample_cases(cases, SAMPLE)


def test_the_packages_hold_what_the_tests_count_on() -> None:
    assert (len(WYCHEPROOF), len(XDH), len(NIST)) == (51, 8, 21)
    assert WITH_BINARY


@pytest.mark.parametrize(
    "path", [*WYCHEPROOF, *XDH, *NIST], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_sample_of_every_file_passes_on_the_golden_model(path: Path) -> None:
    report = run_vectors(golden(), path, small)
    assert report.ok, report.total.failures
    assert report.total.on_engine > 0


@pytest.mark.parametrize(
    "name", ["ecdh_secp256r1_test", "ecdsa_secp256k1_sha256_bitcoin_test", "KAS_ECC_CDH_PrimitiveTest"]
)
def test_whole_files_pass_on_the_golden_model(name: str) -> None:
    cases = load_cases(find_file(name))
    report = run_vectors(golden(), find_file(name))
    assert report.ok, report.total.failures
    assert report.total.passed + report.total.skipped == len(cases)


def test_counts_of_known_files() -> None:
    total = run_vectors(golden(), find_file("ecdh_secp256r1_ecpoint_test")).total
    assert (total.passed, total.failed, total.skipped) == (355, 0, 0)
    # Eight compressed points have no y: the host refuses them.
    assert total.on_engine == 347
    kas = run_vectors(golden(), find_file("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax")).total
    assert (kas.passed, kas.jobs) == (150, 490)


def test_binary_curves_are_skipped_with_the_reason() -> None:
    path = next(path for path in NIST if path.parent.name == "FIPS_186-3" and path.name == "PKV.rsp")
    assert run_vectors(golden(), path).total.skip_reasons == Counter(
        {"it is a binary curve, the engine takes prime fields only": 120}
    )


@pytest.mark.parametrize("path", WITH_BINARY, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sample_of_the_binary_curves_passes_on_the_golden_model(path: Path) -> None:
    """NIST's files have prime and binary curves. A file with binary curves runs them."""
    binary = [case for case in load_cases(path) if case.curve is not None and case.curve.kind == "binary"]
    assert binary
    random.Random(path.name).shuffle(binary)
    chosen = list({case.curve: case for case in binary}.values())
    report = run_vectors(golden_binary(), path, lambda cases: chosen)
    assert report.ok, report.total.failures
    assert report.total.passed == report.total.on_engine == 10


def test_public_keys_of_wrong_order_are_refused() -> None:
    """NIST adds a point of order two to keys of K-163. The sum is on the curve, but not of order n."""
    path = next(path for path in NIST if path.parent.name == "FIPS_186-2" and path.name == "PKV.rsp")
    cases = [case for case in load_cases(path) if case.group == "K-163"]
    assert sum("order 2" in label for case in cases for label in case.labels) >= 4
    assert run_vectors(golden_binary(), path, lambda _: cases).ok


class Wrong:
    """An engine that answers one operation wrongly."""

    def __init__(self, op: Op, how: str) -> None:
        self.inner, self.op, self.how = GoldenTransport(), op, how

    def exchange(self, words: list[int]) -> Reply:
        reply = self.inner.exchange(words)
        if words[0] & 0xFF != self.op:
            return reply
        if self.how == "hang":
            raise TransportError("no complete response within 10 clocks")
        width = words[1] >> 24
        answer = decode_response(reply.words, width)
        if self.how == "flip":
            changed = Response(
                answer.status, answer.op, answer.tag, tuple(value ^ 1 for value in answer.results)
            )
        elif self.how == "accept":
            changed = Response(Status.OK, answer.op, answer.tag, answer.results or (0, 0))
        else:
            changed = Response(Status.BAD_LENGTH, answer.op, answer.tag)
        return Reply(changed.words(width))


@pytest.mark.parametrize(
    ("op", "how", "name"),
    [
        (Op.ECDH, "flip", "ecdh_secp256r1_ecpoint_test"),
        (Op.ECDH, "refuse", "ecdh_secp256r1_test"),
        (Op.ECDH, "hang", "ecdh_secp256r1_test"),
        (Op.ECDSA_VERIFY, "accept", "ecdsa_secp256r1_sha256_p1363_test"),
        (Op.ECDSA_VERIFY, "refuse", "ecdsa_secp256r1_sha256_test"),
        (Op.ECDSA_SIGN, "flip", "evppkey_ecdsa_rfc6979"),
        (Op.ECDSA_VERIFY, "accept", "SigVer_TruncatedSHAs.rsp"),
        (Op.ECDH, "flip", "KAS_ECC_CDH_PrimitiveTest"),
        (Op.KEYGEN, "flip", "KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init"),
        (Op.ON_CURVE, "refuse", "KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp"),
        (Op.X_LADDER, "flip", "x25519_test"),
        (Op.CURVE_LOAD, "refuse", "brainpool"),
    ],
)
def test_a_wrong_engine_fails(op: Op, how: str, name: str) -> None:
    report = run_vectors(Engine(Wrong(op, how)), find_file(name), small)
    assert report.total.failed > 0
    assert not report.ok


@pytest.mark.parametrize("name", ["ecdh_secp256r1_test", "ecdh_secp256r1_pem_test", "x25519_test"])
@pytest.mark.parametrize("how", ["flip", "refuse"])
def test_vectors_marked_acceptable_can_fail(name: str, how: str) -> None:
    """This includes a key that the strict reader refuses: the point in it has to give the secret."""

    def acceptable(cases: Sequence[Case]) -> list[Case]:
        return [case for case in cases if "acceptable" in case.labels and not case.skip]

    chosen = [case for case in acceptable(load_cases(find_file(name))) if case.expect == Expect.VALID]
    assert len(chosen) > 200
    op = Op.X_LADDER if name.startswith("x") else Op.ECDH
    report = run_vectors(Engine(Wrong(op, how)), find_file(name), lambda _: chosen)
    assert report.total.failed == len(chosen)


class Streaming:
    """The golden model with a stream that answers in reverse order. It records the length of each stream.

    `hangs` is an operand with which a job never ends.
    """

    def __init__(self, hangs: int = -1) -> None:
        self.inner, self.hangs, self.streams = GoldenTransport(), hangs, list[int]()

    def exchange(self, words: list[int]) -> Reply:
        return self.stream([words])[0]

    def stream(
        self, packets: Sequence[Sequence[int]], progress: Callable[[int], None] | None = None
    ) -> list[Reply]:
        self.streams.append(len(packets))
        if any(self.hangs in decode_request(words).operands for words in packets):
            raise TransportError("no complete response within 10 clocks")
        replies = [self.inner.exchange(list(words)) for words in reversed(packets)]
        return [Reply(reply.words, 100 * at) for at, reply in enumerate(replies, 1)]


def test_cases_of_a_curve_run_side_by_side() -> None:
    """A full batch is sent in one stream. Responses find their cases, and cycles are counted once."""
    transport = Streaming()
    name = find_file("KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init")
    total = run_vectors(Engine(transport), name, lambda cases: cases[:BATCH]).total
    assert (total.passed, total.failed) == (BATCH, 0)
    curves = 3
    assert max(transport.streams) >= BATCH // curves and sum(transport.streams) == total.jobs + curves
    assert total.cycles == 100 * total.jobs


def test_a_job_that_never_ends_fails_its_own_case_alone() -> None:
    cases = load_cases(find_file("KAS_ECC_CDH_PrimitiveTest"))[:9]
    assert isinstance(cases[4], EcdhCase)
    engine = Engine(Streaming(hangs=cases[4].private))
    verdicts = [outcome.verdict for outcome in run_cases(engine, cases)]
    assert verdicts == [Verdict.FAIL if i == 4 else Verdict.PASS for i in range(9)]


def test_an_operation_that_the_engine_lacks_is_skipped_with_the_reason() -> None:
    engine = open_engine(find_config("turbo-generic256"), "iss")
    cases = [case for case in load_cases(find_file("ecdsa_secp256r1_sha256_test")) if "valid" in case.labels]
    total = Report("valid").extend(run_cases(engine, cases[:4])).total
    reason = "turbo-generic256 has no operation ECDSA_VERIFY"
    assert (total.failed, total.on_engine, total.skip_reasons[reason]) == (0, 0, 4)
    assert not total.ok


def test_an_engine_that_accepts_points_off_the_curve_fails() -> None:
    path = next(path for path in NIST if path.name == "PKV.rsp")
    assert run_vectors(Engine(Wrong(Op.ON_CURVE, "accept")), path).total.failed > 0


@pytest.mark.parametrize(
    "path", [WYCHEPROOF[0], WYCHEPROOF[20], NIST[3], NIST[12]], ids=lambda path: path.name
)
def test_samples_cover_every_group_and_label_and_are_repeatable(path: Path) -> None:
    cases = load_cases(path)
    chosen = sample_cases(cases, SAMPLE, seed=3)
    every = {(case.group, label) for case in cases if not case.skip for label in case.labels}
    run = [case for case in chosen if not case.skip]
    assert {(case.group, label) for case in run for label in case.labels} == every
    assert [case.ident for case in chosen] == [case.ident for case in sample_cases(cases, SAMPLE, seed=3)]
    assert len(run) >= SAMPLE
    assert [case for case in chosen if case.skip] == [case for case in cases if case.skip]
    assert sample_cases(cases, 10**6) == cases


def test_only_known_hashes_have_names() -> None:
    known = ("SHA-1", "SHA-224", "SHA256", "SHA-512", "SHA3-384", "SHA-512224", "SHA-512/256", "SHAKE128")
    assert [hash_name(name) for name in known] == [
        "sha1", "sha224", "sha256", "sha512", "sha3_384", "sha512_224", "sha512_256", "shake_128",
    ]  # fmt: skip
    assert hash_name("KECCAK-7") is None


def test_long_hashes_are_cut_to_the_bits_of_n() -> None:
    case = load_cases(find_file("ecdsa_secp224r1_sha512_test"))[0]
    assert case.curve is not None
    assert message_to_e(b"", "sha512", case.curve).bit_length() <= 224


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(VectorFileError, match=r"broken\.json is not a vector file"):
        load_cases(broken)
    empty = tmp_path / "empty.rsp"
    empty.write_text("# nothing\n")
    with pytest.raises(VectorFileError, match="no records"):
        load_cases(empty)
    with pytest.raises(VectorFileError, match="cannot read"):
        load_cases(tmp_path / "absent.rsp")
    with pytest.raises(VectorFileError, match="ambiguous"):
        find_file("PKV")
    with pytest.raises(VectorFileError, match="no vector file"):
        find_file("nowhere")


def test_unknown_curves_and_hashes_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "odd.rsp"
    path.write_text("[P-999,SHA-1]\n\nMsg = 00\nR = 1\nS = 1\n\n[P-256,MD7]\n\nMsg = 00\nR = 1\nS = 1\n\n")
    cases = load_cases(path)
    assert all(isinstance(case, SkippedCase) for case in cases)
    assert [case.skip for case in cases] == ["curve P-999 is not in the catalogue", "hash MD7 is unknown"]
    assert not run_vectors(golden(), path).ok


def test_an_engine_for_one_prime_skips_the_curves_over_others() -> None:
    engine = open_engine(find_config("turbo-p224"), "golden")
    total = run_vectors(engine, next(path for path in NIST if path.name == "PKV.rsp")).total
    assert total.failed == 0 < total.passed
    assert total.skip_reasons["turbo-p224 computes modulo the prime of P-224 only"] > 0
