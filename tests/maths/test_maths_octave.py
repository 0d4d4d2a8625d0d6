"""The same script of Octave, in Octave's own numbers and on an engine."""

from __future__ import annotations

from pathlib import Path

from eccelerate.external import maths_packages
from eccelerate.external.maths_packages import KINDS
from eccelerate.model.jobs import Op
from tests.driver.fake_device import FakeDevice
from tests.driver.misbehaviour import only
from tests.maths import lab
from tests.maths.lab import P256, STRICT, Calculation
from tests.maths.test_maths_core import silent

KERNEL = """
calculations = {DATA};
for i = 1 : numel (calculations)
  each = calculations{i};
  try
    if (strncmp (each{1}, "point", 5))
      [x, y] = eccel_kernel (each{:});
      printf ("%s\\n", ifelse_infinity (x, y));
    else
      printf ("%s\\n", eccel_kernel (each{:}));
    endif
  catch problem
    printf ("error %s\\n", problem.message);
  end_try_catch
endfor
"""
INFINITY = """1;
function text = ifelse_infinity (x, y)
  text = [x, " ", y];
  if (isempty (x))
    text = "infinity";
  endif
endfunction
"""
CLASSES = f"""
p = "{P256.p:x}";
x = modint (-5, p);
disp (x); disp (x + 7); disp (7 + x); disp (x - 1); disp (1 - x); disp (x * x); disp (2 * x); disp (x / 3);
disp (1 / x); disp (x ^ 3); disp (x ^ -1); disp (x ^ bigint ("-10000000000000000")); disp (-x); disp (x .* x);
disp (x == -5); disp (x != modint (p, p)); disp (x == modint ("{P256.p - 5:x}", p));
disp (modint ("{P256.p**3 + 2:x}", p));
b = bigint ("-000FFfffffffffffffffffffff"); disp (b); disp (b * b); disp (b * 0); disp (3 * bigint (4));
disp (b * "10000000000000000000000000" == bigint ("-fffffffffffffffffffffff0000000000000000000000000"));
disp (bigint ("-0")); disp (bigint (-12));
E = ellcurve (p, -3, "{P256.b:x}");
G = E.point ("{P256.gx:x}", "{P256.gy:x}");
disp (G + G == 2 * G); disp (G - G); disp (0 * G); disp (-1 * G == -G); disp (bigint ("7") * G);
disp (G + E.infinity () == G); disp (5 * E.infinity ()); disp ("10001" * G == 65537 * G);
disp (-E.infinity ());
function fails (f)
  try
    disp (f ());
  catch problem
    disp (problem.message);
  end_try_catch
endfunction
fails (@() x / 0); fails (@() modint (5, 15) ^ -1); fails (@() x + modint (1, 7)); fails (@() modint (1, 8));
fails (@() modint (1, 0)); fails (@() bigint ("xyz")); fails (@() bigint (1.5)); fails (@() bigint (2^60));
fails (@() 2 * E.point (1, 1)); fails (@() G * 2); fails (@() G + ellpoint (ellcurve (23, 1, 1), 3, 10));
fails (@() ellcurve (1, 2)); disp (3 * ellpoint (ellcurve (23, 1, 1), 3, 10)); fails (@() bigint (""));
small = modint (3, 45); disp (small ^ 4 * 7); disp (modint (7, 45) ^ -2);
"""


def test_the_example_runs_on_the_rtl_unchanged() -> None:
    package = lab.needed("octave")
    script = lab.EXAMPLES / "maths.m"
    own = maths_packages.run_script(package, script, None)
    done = maths_packages.run_script(package, script, lab.model(), STRICT)
    results, times = maths_packages.split_times(done.outcome.text)
    assert results == maths_packages.split_times(own.outcome.text)[0]
    assert len(results) == 14 and len(times) == 6
    for kind in KINDS:
        assert done.jobs(kind) >= (kind != "mod_add"), (kind, done.report)
        assert done.report[kind]["declined"] == 0


def kernel_script(calculations: list[Calculation]) -> str:
    rows = [
        "{" + ", ".join(f'"{text}"' for text in (name, *operands)) + "}" for name, operands, _ in calculations
    ]
    return INFINITY + KERNEL.replace("DATA", ", ...\n".join(rows))


def test_both_kernels_are_right(tmp_path: Path) -> None:
    package = lab.needed("octave")
    modular, points = lab.modular_calculations(3), lab.point_calculations()
    few = modular[::12] + [c for c in modular if c[0] == "product"]
    few += [c for c in points if c[0] == "point_add" or len(c[1][6]) < 3]  # Octave needs seconds for a long k
    own = lab.run(package, tmp_path, kernel_script(few), None)
    assert own.outcome.text.splitlines() == [each[2] for each in few], own.outcome.errors
    calculations = modular[::3] + points
    text, right = kernel_script(calculations), [each[2] for each in calculations]
    with lab.golden(tmp_path) as device:
        done = lab.run(package, tmp_path, text, device.uri, STRICT)
        assert done.outcome.text.splitlines() == right, done.outcome.errors
        jobs = [op for op, _ in device.jobs if op != Op.CURVE_LOAD]
    assert sum(done.jobs(kind) for kind in KINDS) == len(jobs)
    assert sum(done.report[kind]["calls"] for kind in KINDS) == len(calculations)


def test_the_classes_give_the_same_on_both_kernels(tmp_path: Path) -> None:
    """Results and errors, also where the engine declines: moduli that are small or no primes."""
    package = lab.needed("octave")
    own = lab.run(package, tmp_path, "1;\n" + CLASSES, None)
    with lab.golden(tmp_path) as device:
        done = lab.run(package, tmp_path, "1;\n" + CLASSES, device.uri, STRICT)
    lines = own.outcome.text.splitlines()
    assert lines == done.outcome.text.splitlines(), done.outcome.errors
    assert lines[:3] == [f"{P256.p - 5:x} mod {P256.p:x}", f"2 mod {P256.p:x}", f"2 mod {P256.p:x}"]
    assert f"2 mod {P256.p:x}" in lines and "-fffffffffffffffffffffff" in lines
    assert "there is no inverse: the number and the modulus have a common factor" in lines
    assert "the point is not on the curve" in lines and "infinity" in lines
    assert lines[-2:] == [f"{3**4 * 7 % 45:x} mod 2d", f"{pow(7, -2, 45):x} mod 2d"]
    for kind in KINDS:
        assert done.jobs(kind) > 0
    assert done.report["mod_exp"]["declined"] > 0


def test_a_device_that_fails_is_a_warning_or_an_error(tmp_path: Path) -> None:
    package = lab.needed("octave")
    case = ("mod_mul", (f"{P256.p:x}", "3", "5"), "f")
    with FakeDevice(tmp_path / "device", hook=only(Op.MOD_MUL, silent)) as device:
        limit = {"ECCEL_TIMEOUT_MS": "300"}
        done = lab.run(package, tmp_path, kernel_script([case, case]), device.uri, limit)
        failed = lab.run(package, tmp_path, kernel_script([case]), device.uri, limit | STRICT)
    assert done.outcome.text == "f\nf\n"
    assert done.outcome.errors.count("a device failed (ERROR_TIMEOUT)") == 1
    assert failed.outcome.text == "error eccel_mex: eccel: ERROR_TIMEOUT\n"
    absent = lab.run(package, tmp_path, kernel_script([case]), f"unix:{tmp_path}/absent")
    assert absent.outcome.text == "f\n" and "absent: connect" in absent.outcome.errors
