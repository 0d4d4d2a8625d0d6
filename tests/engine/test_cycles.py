"""The simulator counts the cycles of every P-256 job exactly as the RTL takes them, at every digit size."""

import pytest

from eccelerate.configs.config import find_config
from eccelerate.curves import find_curve
from eccelerate.rtlsim.backend import open_engine
from eccelerate.rtlsim.probes import probes

P256 = find_curve("P-256")


@pytest.mark.parametrize("name", ["compact-w16", "compact-w32", "compact-w64", "compact-w16-up5k"])
def test_simulated_cycles_are_those_of_the_rtl(name: str) -> None:
    rtl, iss = (open_engine(find_config(name), backend) for backend in ("rtl", "iss"))
    spent, counted = {}, {}
    spent["load"], counted["load"] = rtl.load_curve(P256).cycles, iss.load_curve(P256).cycles
    for probe in probes(P256):
        spent[probe.name] = rtl.submit(probe.op, probe.operands, probe.flags).cycles
        counted[probe.name] = iss.submit(probe.op, probe.operands, probe.flags).cycles
    # Jobs that the job port refuses, and jobs that the program's checks end.
    for engine, cycles in ((rtl, spent), (iss, counted)):
        cycles["refused"] = engine.submit(0x3F, ()).cycles
        cycles["arity"] = engine.submit(probes(P256)[0].op, (1,)).cycles
    assert counted == spent
