"""The same script of Python, on the engine and without it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from eccelerate import external
from eccelerate.configs.config import ROOT
from eccelerate.external import maths_packages
from eccelerate.external.maths_packages import KINDS
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.maths import lab
from tests.maths.lab import P256, STRICT
from tests.serve.serve_running import serving

CLASSES = f"""
from fractions import Fraction
from eccel_maths import EllipticCurve, Integer, Mod, Point, accelerated, elladd, ellmul, ellpow
def shown(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)
p, n = {P256.p}, {P256.n}
for m in (p, n, 2**127 - 1, p * n, 2**61 - 1, 1000, 1):
    x, y = Mod(3, m) ** 900, Mod(-5, m) ** 700
    for f in (lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / y, lambda: x ** -7, lambda: 1 / x,
              lambda: 7 * x, lambda: 7 - x, lambda: x + 7, lambda: -x, lambda: x == int(x), lambda: x ** 0,
              lambda: Mod(0, m).inverse(), lambda: Mod(0, m) ** -1, lambda: Mod(0, m) ** 0,
              lambda: hash(x) == 0, lambda: pow(Integer(5), 10**80, m), lambda: pow(Integer(5), -3, m),
              lambda: x * 1.5):
        shown(f)
a, b = Integer(3) ** 200, Integer(-7) ** 150
for value in (a * b, 5 * a, a * 5, a + b, 5 - a, -a, a % 1000, a // 7, a * 1.5, a * Fraction(1, 3), a ** -1):
    print(type(value).__name__, value)
shown(lambda: a * "x" if False else Integer(2) * "x")
shown(lambda: pow(a, 2, 0))
shown(lambda: pow(Integer(6), -1, 2 * 3**50))
E = EllipticCurve(p, -3, {P256.b}, n, ({P256.gx}, {P256.gy}))
F = EllipticCurve(p, {P256.a} * 5**4, {P256.b} * 5**6, n, ({P256.gx} * 25 % p, {P256.gy} * 125 % p))
for curve in (E, F, EllipticCurve(23, 1, 1)):
    G = curve.base if curve.base_xy else curve.point(3, 10)
    P = 7 * G
    for k in (0, 1, 2, -1, n, n - 1, -n - 3, 2**300):
        print(k * G, k * P, k * curve.infinity)
    print(G + P, P + P, P - P, P + curve.infinity, curve.infinity + P, -P, -curve.infinity)
    print(G == P, ellpow(curve, P, 3))
    print(elladd(curve, G, P) == 8 * G, ellmul(curve, G, 9), hash(8 * G) == hash(G + P))
for f in (lambda: E.point(1, 1), lambda: E.base + F.base, lambda: E.infinity.x, lambda: 1.5 * E.base,
          lambda: EllipticCurve(p, -3, 2), lambda: EllipticCurve(23, 1, 1).base,
          lambda: ellmul(F, E.base, 2)):
    shown(f)
with accelerated():
    print(pow(3, 10**70, p), pow(3, -1, p), pow(2, 10), pow(2.0, 3), pow(3, 4, -5), pow(base=2, exp=5, mod=7))
print(pow(3, 10**70, p))
"""


def test_the_example_runs_on_the_rtl_unchanged() -> None:
    package = lab.needed("python")
    script = lab.EXAMPLES / "maths.py"
    own = maths_packages.run_script(package, script, None)
    done = maths_packages.run_script(package, script, lab.model(), STRICT)
    results, times = maths_packages.split_times(done.outcome.text)
    assert results == maths_packages.split_times(own.outcome.text)[0], done.outcome.errors
    assert len(results) == 14 and len(times) == 6
    for kind in KINDS:
        assert done.jobs(kind) >= (kind != "mod_add"), (kind, done.report)
        assert done.report[kind]["declined"] == 0


def test_a_server_counts_the_same_jobs(tmp_path: Path) -> None:
    """The counters of another process agree with those of the library, but for the jobs of its greeting."""
    package = lab.needed("python")
    text = f"from eccel_maths import Mod\nprint(Mod(3, {P256.p}) ** 2**200 * 5 + 1)\n"
    with serving("--device", lab.model()) as server:
        lab.run(package, tmp_path, f"from eccel_maths import Mod\nMod(3, {P256.p}) ** 2\n", server.uri)
        greeting = server.counters()["jobs"] - 1
        done = lab.run(package, tmp_path, text, server.uri, STRICT)
        counters = server.counters()
    assert done.outcome.text == f"Mod({(pow(3, 2**200, P256.p) * 5 + 1) % P256.p}, {P256.p})\n"
    assert [done.jobs(kind) for kind in ("mod_exp", "mod_mul", "mod_add")] == [1, 1, 1]
    assert counters["jobs"] == 1 + 3 + 2 * greeting and greeting <= 1 and counters["failed"] == 0


def test_the_examples_of_all_packages_print_the_same_results(tmp_path: Path) -> None:
    with lab.golden(tmp_path) as device:
        texts = []
        for name in ("pari", "octave", "python"):
            package = lab.needed(name)
            done = maths_packages.run_script(
                package, lab.EXAMPLES / f"maths{package.suffix}", device.uri, STRICT
            )
            texts.append(maths_packages.split_times(done.outcome.text)[0])
    assert texts[0] == texts[1] == texts[2]
    results = dict(line.split(" ", 1) for line in texts[0])
    assert results["shared_a"] == results["shared_b"] and results["point_order"] == "infinity"


def test_the_classes_give_the_same_with_and_without_the_engine(tmp_path: Path) -> None:
    """Results and errors, also where the engine declines."""
    package = lab.needed("python")
    own = lab.run(package, tmp_path, CLASSES, None)
    assert own.outcome.code == 0, own.outcome.errors
    with lab.golden(tmp_path) as device:
        done = lab.run(package, tmp_path, CLASSES, device.uri, STRICT)
        assert done.outcome.text == own.outcome.text, done.outcome.errors
        jobs = [op for op, _ in device.jobs if op != Op.CURVE_LOAD]
    assert sum(done.jobs(kind) for kind in KINDS) == len(jobs)
    for kind in KINDS:
        assert done.jobs(kind) > 0 and done.report[kind]["failed"] == 0
    lines = own.outcome.text.splitlines()
    assert lines[-1] == str(pow(3, 10**70, P256.p)) and lines[-2].startswith(lines[-1] + " ")


def test_a_script_with_pow_runs_unchanged(tmp_path: Path) -> None:
    package = lab.needed("python")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nassert __name__ == '__main__'\n"
        f"print(pow(3, 2**200, {P256.p}), sys.argv[1:], sys.path[0])\n"
    )
    with lab.golden(tmp_path) as device:
        env = os.environ | {"ECCEL_DEVICES": device.uri, "PYTHONPATH": str(package.folder)}
        command = [sys.executable, "-m", "eccel_maths", str(script), "one"]
        done = external.run(command, env=env, cwd=ROOT, timeout=60)
        assert done.text == f"{pow(3, 2**200, P256.p)} ['one'] {tmp_path}\n", done.errors
        assert device.count(Op.MOD_EXP) == 1
    usage = external.run(command[:3], env=env, cwd=ROOT, timeout=60)
    assert usage.code == 1 and "usage: " in usage.errors


def test_threads_share_a_session(tmp_path: Path) -> None:
    text = f"""
from concurrent.futures import ThreadPoolExecutor
from eccel_maths import EllipticCurve, Mod
E = EllipticCurve({P256.p}, -3, {P256.b})
G = E.point({P256.gx}, {P256.gy})
def work(k):
    return (k * G).x, int(Mod(k, 2**(80 + k % 9) - 1) ** 5), int(Mod(k, 2**127 - 1) * 3)
with ThreadPoolExecutor(8) as pool:
    print(list(pool.map(work, range(1, 41))))
"""
    package = lab.needed("python")
    own = lab.run(package, tmp_path, text, None)
    with FakeDevice(tmp_path / "device", delay=0.002) as device:
        done = lab.run(package, tmp_path, text, device.uri, STRICT)
    assert done.outcome.text == own.outcome.text != "", done.outcome.errors
    assert done.jobs("point_mul") == 40 and done.jobs("mod_mul") == 40
    assert done.report["mod_exp"]["calls"] + done.report["mod_exp"]["declined"] == 40


def test_a_library_that_is_not_built_is_an_error(tmp_path: Path) -> None:
    package = lab.needed("python")
    absent = {"ECCEL_MATHS_LIBRARY": str(tmp_path / "absent.so")}
    done = lab.run(package, tmp_path, "import eccel_maths\neccel_maths.Mod(1, 5) * 2\n", "unix:x", absent)
    assert done.outcome.code and "absent.so does not exist: `eccel maths` builds it" in done.outcome.errors
