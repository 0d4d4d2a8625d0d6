"""The mapped netlist of a whole engine with its microcode answers as the RTL does, in the same cycles."""

import re
from collections.abc import Callable
from pathlib import Path

import pyosys
import pytest

from eccelerate.configs.config import ROOT, Config, find_config
from eccelerate.curves import Curve, find_curve
from eccelerate.driver import Engine, JobResult
from eccelerate.driver.transport import TransportError
from eccelerate.explore.designs import config_design
from eccelerate.flow import synthesise
from eccelerate.model.jobs import Op
from eccelerate.rtlsim.rtl import RtlTransport
from eccelerate.rtlsim.verilate import ModelSource

CONFIG = find_config("compact-w32")
SECP256K1 = find_config("turbo-secp256k1")
P256 = find_curve("P-256")
CELLS = Path(pyosys.__file__).parent / "share" / "lattice"
MODELS = ROOT / "tests" / "prim" / "models" / "ecp5.v"


def inlined(path: Path) -> str:
    """The text of a Verilog file with the text of its includes."""
    include = re.compile(r'^\s*`include "(?:.*/)?(\w+\.\w+)"', re.M)
    return include.sub(lambda match: inlined(path.parent / match[1]), path.read_text())


def gates(folder: Path, mutate: Callable[[str], str] = str, config: Config = CONFIG) -> RtlTransport:
    """The model of the netlist. The program is in the block RAMs of the netlist, not in a file."""
    mapped = synthesise(config_design(config, shell=False), "ecp5-25f-6")
    (folder / "netlist.v").write_text(mutate(mapped.verilog.read_text()))
    (folder / "cells.v").write_text(inlined(CELLS / "cells_sim_ecp5.v"))
    return RtlTransport(ModelSource(config.top, (folder / "netlist.v", MODELS, folder / "cells.v")))


def answers(transport: RtlTransport, curve: Curve = P256) -> list[tuple[int, tuple[int, ...], int | None]]:
    """Status, results and cycles of some jobs: short ones, refusals, and a signature."""
    transport.plan = type(transport.plan)(watchdog=2_000_000)
    engine = Engine(transport)
    d, k, e = curve.n - 3, 0xABCDEF << 200, (1 << 256) - 7
    jobs: list[JobResult] = [
        engine.load_curve(curve),
        engine.submit(Op.MOD_MUL, (curve.gx, curve.p - 1)),
        engine.submit(Op.MOD_INV, (curve.gy,)),
        engine.submit(Op.ON_CURVE, curve.generator),
        engine.submit(Op.ON_CURVE, (curve.gx, curve.gx)),
        engine.submit(Op.MOD_ADD, (curve.p, 1)),
        engine.submit(Op.ECDSA_SIGN, (e, d, k)),
    ]
    return [(job.status, job.values, job.cycles) for job in jobs]


@pytest.mark.soak
def test_netlist_of_the_engine_equals_its_rtl(tmp_path: Path) -> None:
    assert answers(gates(tmp_path)) == answers(RtlTransport(CONFIG))


@pytest.mark.soak
def test_netlist_with_carries_that_have_a_second_load(tmp_path: Path) -> None:
    """ABC warns about these carries (logcheck.py)."""
    curve = find_curve("secp256k1")
    mapped = gates(tmp_path, config=SECP256K1)
    assert answers(mapped, curve) == answers(RtlTransport(SECP256K1), curve)


def row_multiplier_one_cycle_faster(netlist: str) -> str:
    """The netlist in which one multiplier of the row has no output register.

    The multiplier of the quotient does not serve: its operands stay for several cycles, so that
    an earlier product changes nothing.
    """
    multiplier = netlist.index(r") \u_field.u_row.u_mul_ab.gen_a[0].gen_b[0].u_mul.u_mult ")
    register = netlist.rindex(".REG_OUTPUT_CLK(", 0, multiplier)
    before, after = netlist[:register], netlist[register:]
    assert after.startswith('.REG_OUTPUT_CLK("CLK0")')
    return before + after.replace("CLK0", "NONE", 1)


@pytest.mark.soak
def test_a_multiplier_of_other_latency_is_noticed(tmp_path: Path) -> None:
    mutant = gates(tmp_path, row_multiplier_one_cycle_faster)
    try:
        found = answers(mutant)
    except (TransportError, RuntimeError):
        return
    assert found != answers(RtlTransport(CONFIG))
