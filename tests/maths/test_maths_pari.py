"""The same script of PARI/GP, with PARI's routines and on an engine."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from eccelerate.external import maths_packages
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.driver.misbehaviour import only
from tests.maths import lab
from tests.maths.lab import P256, STRICT
from tests.maths.test_maths_core import silent

CURVE = f"""
p = {P256.p};
E = ellinit([{P256.a}, {P256.b}], p);
G = [{P256.gx}, {P256.gy}];
"""
OPERATORS = f"""
p = {P256.p}; q = 2^127 - 1; m = p * {P256.n}; r = 2^61 - 1;
try(f) = iferr(print(f()), error, print(error));
{{
foreach([p, q, m, r, 1000], m,
  foreach([[3^200, 5^300], [0, 7], [m - 1, m - 1], [-1, 2^500]], c,
    a = Mod(c[1], m); b = Mod(c[2], m);
    try(() -> a * b); try(() -> a + b); try(() -> a - b); try(() -> a / b);
    try(() -> a^-1); try(() -> a^2); try(() -> a^c[2]); try(() -> a^-5); try(() -> sqr(a)); try(() -> a^0);
    try(() -> 7 * a); try(() -> a * -7); try(() -> 1 / a); try(() -> c[1] * c[2]); try(() -> sqr(c[2]));
    try(() -> c[2]^2); try(() -> c[1] + c[2])));
}}
x = Mod(3, p); x *= 2^200; x += 5; x -= 2; x /= 7; print(x);
n = 3^90; n *= -5^80; print(n);
print(prod(i = 1, 3, Mod(i, p)), vecsum([Mod(1, p), Mod(2, p)]), [1, Mod(2, p); 3, 4]^2, Mod(x, y^2 + 1) * y);
try(() -> Mod(1, p) * Mod(1, q)); try(() -> 1.5 * Mod(1, p)); try(() -> "a" * 2); try(() -> 2^0.5);
"""
POINTS = (
    CURVE
    + f"""
n = {P256.n}; P = ellmul(E, G, 7);
print(P);
{{
foreach([0, 1, 2, -1, n, n - 1, n + 1, -2 * n - 3, 2^300], k, print(ellmul(E, G, k)); print(ellpow(E, P, k)));
}}
print(elladd(E, P, P), elladd(E, P, ellneg(E, P)), elladd(E, [0], P), elladd(E, P, [0]), elladd(E, [0], [0]));
print(ellsub(E, P, G), ellsub(E, P, P), ellmul(E, [0], 5), ellmul(E, [Mod(G[1], p), G[2]], 2^70));
try(f) = iferr(print(f()), error, print(error));
try(() -> ellmul(E, [1], 2)); try(() -> ellmul(E, ["a", 2], 2)); try(() -> elladd(E, G, [1, 2, 3]));
try(() -> ellmul(E, [Mod(1, 7), 2], 2)); try(() -> ellmul(E, [1, 2], 3));
try(() -> ellmul(E, [Mod(1, p), 2], 1));
try(() -> ellmul(E, "a", 2)); try(() -> ellmul(E, G, 1/2));
Q = ellinit([0, 0, 1, -1, 0]); print(ellmul(Q, [0, 0], 10));
F = ellinit([1, 2, 3, 4, 5], nextprime(2^70)); R = ellmul(F, random(F), 1); print(ellmul(F, R, 10^20));
T = ellinit([1, 3], 101); print(ellmul(T, random(T), 55));
B = ellinit([ffgen(2^8, 't), 0, 0, 0, 1]); print(#random(B));
"""
)


def both(tmp_path: Path, text: str, devices: str) -> maths_packages.ScriptRun:
    """The run on the engine, which prints what PARI prints."""
    package = lab.needed("pari")
    own = lab.run(package, tmp_path, text, None)
    done = lab.run(package, tmp_path, text, devices, STRICT)
    assert own.outcome.text and not own.report
    assert done.outcome.text == own.outcome.text, done.outcome.errors
    return done


def test_the_example_runs_on_the_rtl_unchanged() -> None:
    package = lab.needed("pari")
    script = lab.EXAMPLES / "maths.gp"
    own = maths_packages.run_script(package, script, None)
    done = maths_packages.run_script(package, script, lab.model(), STRICT)
    results, times = maths_packages.split_times(done.outcome.text)
    assert results == maths_packages.split_times(own.outcome.text)[0]
    assert len(results) == 14 and len(times) == 6
    for kind, jobs in {"product": 2, "mod_mul": 2, "mod_inv": 2, "mod_exp": 4, "point_add": 4}.items():
        assert done.jobs(kind) >= jobs, (kind, done.report)
    assert done.jobs("point_mul") >= 7 and done.report["point_mul"]["declined"] == 0


def test_operators_give_what_pari_gives(tmp_path: Path) -> None:
    """Also for moduli that are no primes or too small, and for operands that are no integers."""
    with lab.golden(tmp_path) as device:
        done = both(tmp_path, OPERATORS, device.uri)
    for kind in ("product", "mod_mul", "mod_add", "mod_inv", "mod_exp"):
        assert done.jobs(kind) > 5 and done.report[kind]["failed"] == 0
    assert "not a prime" in done.report["mod_mul"]["why"]


def test_points_give_what_pari_gives(tmp_path: Path) -> None:
    """Also at infinity, on curves over Q and GF(2^m), on small curves and those of unknown order."""
    with lab.golden(tmp_path) as device:
        done = both(tmp_path, POINTS, device.uri)
        assert device.count(Op.MUL) + device.count(Op.BASE_MUL) == done.jobs("point_mul") >= 20
        assert device.count(Op.POINT_ADD) == done.jobs("point_add") == 7
    assert done.report["point_mul"]["why"] == "the order of the curve is not known"


def test_a_curve_of_ones_own_in_any_form_once_its_points_are_counted(tmp_path: Path) -> None:
    """y^2 = x^3 + a x + b with another x and y: x = u^2 x' + r, y = u^3 y' + s u^2 x' + t."""
    text = """
    default(parisizemax, "1G");
    p = 1208925819614629174706189;
    E = ellinit([173175366191126242765961, 772203695115862198742177], p);
    F = ellinit(ellchangecurve(E, [7, 11, 13, 17])[1..5], p);
    P = ellchangepoint(Mod(1, p) * [765353772991136980593624, 460268340589389559736871], [7, 11, 13, 17]);
    print(ellisoncurve(F, P), ellmul(F, P, 10^20));
    print(ellcard(F));
    print(ellmul(F, P, 10^20), ellmul(F, P, -1), ellmul(F, P, ellcard(F)), elladd(F, P, P));
    """
    with lab.golden(tmp_path) as device:
        done = both(tmp_path, text, device.uri)
        assert device.count(Op.MUL) == done.jobs("point_mul") == 3
    assert done.report["point_mul"]["declined"] == 1 and done.jobs("point_add") == 1


def test_threads_of_parapply_use_the_engine_at_the_same_time(tmp_path: Path) -> None:
    text = CURVE + (
        "export(E, G); default(nbthreads, 4); print(parapply(k -> ellmul(E, G, 2^200 + k), [1..8]));\n"
    )
    with FakeDevice(tmp_path / "device", delay=0.05) as device:
        done = both(tmp_path, text, device.uri)
    assert done.jobs("point_mul") == 8


def test_start_stop_and_jobs(tmp_path: Path) -> None:
    text = CURVE + (
        "print(ellmul(E, G, 5) == elladd(E, ellmul(E, G, 2), ellmul(E, G, 3)));\n"
        'print(eccel_jobs("point_mul"), " ", eccel_jobs("point_add"), " ", eccel_jobs());\n'
        "eccel_stop(); print(ellmul(E, G, 5) == ellmul(E, ellmul(E, G, 5), 1)); print(eccel_jobs());\n"
        "eccel_start(); eccel_start(); P = ellmul(E, G, 5); print(eccel_jobs());\n"
        'iferr(eccel_jobs("sin"), error, print(error));\n'
    )
    with lab.golden(tmp_path) as device:
        done = lab.run(lab.needed("pari"), tmp_path, text, device.uri, STRICT)
    assert done.outcome.text.splitlines() == [
        "1", "3 1 4", "1", "4", "5", 'error("eccel_jobs: there is no calculation sin.")',
    ]  # fmt: skip


def test_without_a_device_the_message_says_so_and_pari_computes(tmp_path: Path) -> None:
    text = CURVE + "print(#ellmul(E, G, 5));\n"
    for devices, why in ((f"unix:{tmp_path}/absent", "absent: connect"), ("", "ECCEL_DEVICES is not set")):
        done = lab.run(lab.needed("pari"), tmp_path, text, devices)
        assert why in done.outcome.errors and done.outcome.text == "2\n"


def test_a_device_that_fails_is_a_warning_or_an_error(tmp_path: Path) -> None:
    text = CURVE + "print(ellmul(E, G, 1) == G, ellmul(E, G, 2) == 0);\n"
    with FakeDevice(tmp_path / "device", hook=only(Op.BASE_MUL, silent)) as device:
        done = lab.run(lab.needed("pari"), tmp_path, text, device.uri, {"ECCEL_TIMEOUT_MS": "300"})
        assert done.outcome.text == "10\n"
        assert done.outcome.errors.count("a device failed (ERROR_TIMEOUT)") == 1
        failed = lab.run(lab.needed("pari"), tmp_path, text, device.uri, {"ECCEL_TIMEOUT_MS": "300"} | STRICT)
    assert failed.outcome.text == "" and "eccel: ERROR_TIMEOUT" in failed.outcome.errors


@pytest.mark.parametrize("own_gprc", [False, True])
def test_the_report_for_people(tmp_path: Path, own_gprc: bool) -> None:
    """With GPRC, or with the file before the script on the command line."""
    package = lab.needed("pari")
    script = tmp_path / "script.gp"
    script.write_text(CURVE + "P = ellmul(E, G, 5); Q = ellmul(ellinit([1, 3], nextprime(2^90)), [0], 5);\n")
    with lab.golden(tmp_path) as device:
        env = os.environ | {
            "ECCEL_DEVICES": device.uri,
            "ECCEL_REPORT": "1",
            "GPRC": str(package.folder / "gprc"),
        }
        before = [] if own_gprc else ["-f", str(package.folder / "eccel.gp")]
        done = subprocess.run(
            ["gp", "-q", *before, str(script)],
            env=env,
            input=b"",
            capture_output=True,
            timeout=60,
            check=True,
        )
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("eccel: ")]
    assert lines[0] == "eccel: on fake, placed for 123.0 MHz"
    assert lines[1].startswith("eccel: point_mul 1") and "(the order of the curve is not known)" in lines[1]


def test_an_interrupt_ends_the_script(tmp_path: Path) -> None:
    """The handler of PARI jumps out of what runs. Out of libeccel it must not: gp would hang at its end."""
    package = lab.needed("pari")
    script = tmp_path / "script.gp"
    script.write_text(CURVE + "for(i = 1, 100, P = ellmul(E, G, i));\n")
    with FakeDevice(tmp_path / "device", delay=0.2) as device:
        env = os.environ | {
            "ECCEL_DEVICES": device.uri,
            "GPRC": str(package.folder / "gprc"),
            "ECCEL_STRICT": "1",
        }
        gp = subprocess.Popen(
            ["gp", "-q", "-D", "breakloop=0", str(script)], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            end = time.monotonic() + 30
            while device.count(Op.BASE_MUL) < 2 and time.monotonic() < end:
                time.sleep(0.02)
            gp.send_signal(signal.SIGINT)
            out, errors = gp.communicate(timeout=30)
        finally:
            gp.kill()
    assert b"user interrupt" in out + errors, (out, errors)
