"""Settings, fallback, strict mode, counters."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from eccelerate.external import openssl_provider
from eccelerate.external.c_software import build_software
from tests.provider.lab import ROOT, STRICT, Lab, call

SIGN = ("dgst", "-sha256", "-sign")


def _sign(lab: Lab, key: Path, *, stock: bool = False) -> None:
    signature = lab.path("signature")
    lab.openssl(*SIGN, key, "-out", signature, lab.conf)
    lab.openssl(
        "dgst", "-sha256", "-verify", key.with_suffix(".pub"), "-signature", signature, lab.conf, stock=True
    )


def test_without_a_device_software_does_the_work_and_is_counted(
    lab: Callable[..., Lab], tmp_path: Path
) -> None:
    absent = lab(f"soft:off={tmp_path}")
    key = absent.make_key("key", "P-256")
    _sign(absent, key)
    done = absent.counters()
    assert done.software["sign"] == 1 and done.software["public"] == 1 and not any(done.hardware.values())
    assert done.device_errors > 0


def test_strict_mode_fails_with_a_reason_in_place_of_software(
    lab: Callable[..., Lab], tmp_path: Path
) -> None:
    absent = lab(f"soft:off={tmp_path}", fallback="no")
    key = absent.make_key("key", "P-256", stock=True)
    text = absent.refused(*SIGN, key, absent.conf)
    assert "no device can be reached" in text and "soft:off" in text
    assert absent.counters().failed["sign"] == 1 and not any(absent.counters().software.values())
    none = lab("", fallback="no")
    assert "no device can be reached" in none.refused(*SIGN, key, none.conf)


@pytest.mark.parametrize("status", [-3, -4, -5, -6, -7, -8, 0x10, 0x12, 0x16, 0x19, 0x1D, 0x3B])
def test_software_takes_over_whatever_keeps_the_device_from_working(
    lab: Callable[..., Lab], status: int
) -> None:
    sick = lab(f"soft:status={status}")
    _sign(sick, sick.make_key("key", "sect233k1"))
    assert sick.counters().software["sign"] == 1
    strict = lab(f"soft:status={status}", fallback="no")
    text = strict.refused(*SIGN, sick.path("key.pem"), strict.conf)
    assert f"STUB_{status}" in text or status == -3
    assert strict.counters().failed["sign"] == 1


def test_the_answer_of_a_device_is_not_asked_again_in_software(lab: Callable[..., Lab]) -> None:
    wrong = lab("soft:status=2")
    key, signature = wrong.make_key("key", "P-256", stock=True), wrong.path("signature")
    wrong.openssl(*SIGN, key, "-out", signature, wrong.conf, stock=True)
    wrong.refused("dgst", "-sha256", "-verify", wrong.path("key.pub"), "-signature", signature, wrong.conf)
    assert wrong.counters().hardware["verify"] == 1 and wrong.counters().software["verify"] == 0


def test_a_route_sends_curves_and_operations_where_it_says(lab: Callable[..., Lab]) -> None:
    routed = lab("soft:", route="*=software, P-256=hardware, P-256:keygen=software")
    for group in ("P-256", "P-384"):
        _sign(routed, routed.make_key(group, group))
    done = routed.counters()
    assert done.hardware["sign"] == 1 and done.software["sign"] == 1
    assert done.hardware["public"] == 0 and done.software["public"] == 2


@pytest.mark.parametrize(
    "setting",
    [
        "route = P-256", "route = P-256=gpu", "route = nonsense=software", "route = P-256:mul=hardware",
        "fallback = maybe", "timeout-ms = soon", "timeout-ms = -1", "software-below = 99999999999",
        "software = no-such-provider",
    ],
)  # fmt: skip
def test_a_malformed_setting_is_refused_with_its_name(lab: Callable[..., Lab], setting: str) -> None:
    name, _, value = setting.partition(" = ")
    bad = lab("soft:", **{name: value})
    key = bad.make_key("key", "P-256", stock=True)
    for words in ([*SIGN, key, bad.conf], ["genpkey", "-algorithm", "EC", "-pkeyopt", "group:P-256"]):
        assert setting in bad.refused(*words)
    assert "inactive" in bad.openssl("list", "-providers").decode()


def test_few_jobs_go_to_software_and_many_to_the_device(
    lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    slow = lab("soft:delay_us=5000&workers=64", software_below=8)
    slow.make_key("key", "P-256")
    before = slow.counters()
    _sign(slow, slow.path("key.pem"))  # the first job measures the latency of the device
    found = slow.run_json(program("many"), "P-256", "400", "1")
    assert found["good"] == 400
    many = slow.counters() - before
    assert many.hardware["sign"] > 0
    few = lab("soft:delay_us=2000", software_below=8)
    found = few.run_json(program("many"), "P-256", "1", "30")
    assert found["good"] == 30 and few.counters().software["sign"] > few.counters().hardware["sign"]


def test_the_counters_are_a_file_of_the_user_alone(stub: Lab) -> None:
    stub.make_key("key", "P-256")
    status = stub.path("counters").stat()
    assert stat.S_IMODE(status.st_mode) == 0o600 and status.st_uid == os.geteuid()
    assert stub.counters().hardware["public"] == 1


def test_a_file_that_others_may_write_or_a_link_is_not_used_for_counters(stub: Lab) -> None:
    file, target = stub.path("counters"), stub.path("target")
    file.write_bytes(b"")
    file.chmod(0o666)
    stub.make_key("key", "P-256")
    assert file.read_bytes() == b""
    file.unlink()
    target.write_bytes(b"")
    file.symlink_to(target)
    stub.make_key("other", "P-256")
    assert target.read_bytes() == b""


def test_counters_survive_a_process_that_is_killed(stub: Lab) -> None:
    key = stub.make_key("key", "P-256")
    script = f"openssl dgst -sha256 -sign {key} -out /dev/null {stub.conf}; kill -9 $$"
    with pytest.raises(AssertionError):
        call("sh", "-c", script, env=stub.env)
    assert stub.counters().hardware["sign"] == 1


def test_the_command_prints_the_counters(stub: Lab) -> None:
    stub.make_key("key", "P-256")
    eccel = Path(__file__).resolve().parents[2] / "eccel"
    text = call(eccel, "provider", "--counters", "--counters-file", stub.path("counters")).decode()
    assert "public keys of new keys" in text
    with pytest.raises(AssertionError, match="does not hold counters"):
        call(eccel, "provider", "--counters", "--counters-file", stub.conf)


def test_foreign_files_are_no_counters(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(1000))
    with pytest.raises(ValueError, match="does not hold counters"):
        openssl_provider.read_counters(file)
    assert openssl_provider.read_counters(tmp_path / "absent").paused == 0


def test_values_with_special_signs_reach_the_provider(lab: Callable[..., Lab], tmp_path: Path) -> None:
    odd = tmp_path / "a $odd # name"
    odd.mkdir()
    counters = odd / "counters"
    strange = lab("soft:", counters=str(counters), **STRICT)
    strange.make_key("key", "P-256")
    assert counters.exists()


def test_an_installed_provider_is_found_by_its_name(module: Path, tmp_path: Path) -> None:
    options = [f"DESTDIR={tmp_path}", "MODULESDIR=/modules"]
    call("make", "-s", "-C", ROOT / "sw", "install-provider", *options)
    lab = Lab(tmp_path / "lab", module, "")
    lab.conf.write_text(lab.conf.read_text().replace(f"module = {module}\n", ""))
    env = {**lab.env, "OPENSSL_MODULES": str(tmp_path / "modules")}
    assert b"name: eccelerate" in call("openssl", "list", "-providers", env=env)
    call("make", "-s", "-C", ROOT / "sw", "uninstall-provider", *options)
    assert not list((tmp_path / "modules").iterdir())


def test_the_devices_pass_their_self_test(
    hardware: Lab, lab: Callable[..., Lab], program: Callable[[str], Path]
) -> None:
    def answer(tested: Lab) -> bytes:
        return call(program("vectors"), env=tested.env, given=b"self-test\n").strip()

    assert answer(hardware) == b"passed"
    assert answer(lab("soft:status=26")) == b"failed"
    assert answer(lab("")) == b"failed"


def test_one_signature_costs_the_provider_five_microseconds_at_most(
    tmp_path: Path, program: Callable[[str], Path]
) -> None:
    null = Lab(
        tmp_path / "null", build_software("null-provider") / "bench" / "null" / "eccel.so", "null:", STRICT
    )
    # Other work on the machine makes a run slower, never faster.
    measured = min(float(call(program("cost"), "P-256", "5000", env=null.env)) for _ in range(5))
    stock = float(call(program("cost"), "P-256", "2000", env=null.stock))
    assert measured < stock
    # Nearly all of it is OpenSSL's own. Where OpenSSL needs more than 25 us to sign, the machine is slow.
    assert measured < 5.0 * max(1.0, stock / 25)
