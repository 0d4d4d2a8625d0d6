"""The energy of a unit: from its RTL to a record."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eccelerate.cli.app import app
from eccelerate.configs.config import RTL_DIR, ConfigError
from eccelerate.energy.activity import replay
from eccelerate.energy.cell_mapping import map_cells
from eccelerate.energy.energy_store import EnergyStore
from eccelerate.energy.unit_energy import measure_unit, recorded
from eccelerate.energy.unit_operands import find_unit, operands
from eccelerate.flow.design import Design
from eccelerate.flow.errors import FlowError
from tests.energy.small_netlists import write_trace

UNIT = "booth-8"


def test_command_prints_the_energy_of_a_unit() -> None:
    """With another seed than that of records, so that nothing is stored."""
    done = CliRunner().invoke(app, ["energy", UNIT, "--library", "sky130", "--seed", "2", "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    parts = [said[name] for name in ("switching_w", "internal_w", "leakage_w")]
    assert said["total_w"] == pytest.approx(sum(parts), rel=1e-3) and min(parts) > 0
    assert said["unit"] == UNIT and said["library"] == "sky130" and "pre-layout" in said["caution"]
    # The power at 100 MHz for the interval of an operation is its energy.
    assert said["energy_pj"] == pytest.approx(said["total_w"] * said["interval"] * 1e4, rel=1e-3)


def test_clock_gates_save_energy_of_a_unit_that_waits() -> None:
    """The operands of a multiplier do not change while it works: their registers need no clock then."""
    free, gated = (measure_unit(find_unit(UNIT), "sg13g2", clock_gates=gates) for gates in (False, True))
    assert gated["clock_pj"] < free["clock_pj"] and gated["energy_pj"] < free["energy_pj"]
    assert gated["unit"] != free["unit"] and EnergyStore.key(gated) != EnergyStore.key(free)


def test_same_seed_gives_the_same_record() -> None:
    moving = {"date", "commit"}
    one, two = (measure_unit(find_unit(UNIT), "sg13g2", seed=seed) for seed in (3, 3))
    assert {k: v for k, v in one.items() if k not in moving} == {
        k: v for k, v in two.items() if k not in moving
    }
    assert measure_unit(find_unit(UNIT), "sg13g2", seed=4)["energy_pj"] != one["energy_pj"]


def test_long_operation_is_sampled_and_says_so() -> None:
    unit = find_unit(UNIT)
    with recorded(unit, 1000) as run:
        assert run.sampled is None and run.operations > 1
        whole = run.window.clocks / run.operations
    with recorded(unit, 4) as run:
        assert run.sampled == {"clocks": 4, "of": run.cycles} and run.window.clocks == 4
        assert run.operations == pytest.approx(4 / run.cycles) and run.cycles >= whole
        assert len(run.trace.read_text().splitlines()) > 4


def test_operands_are_valid() -> None:
    rsa = find_unit("rsa-1024-l2r")
    for vector in operands(rsa, 2, 1).vectors:
        assert vector["modulus_i"] % 2 == 1 and vector["base_i"] < vector["modulus_i"]
        assert set(vector) == set(rsa.operand_bits)
    given = operands(find_unit("aes-128"), 3, 1)
    assert [v["load_i"] for v in given.vectors] == [1, 0, 0, 0] and given.setup == 1
    for name in (
        "comba-64-x2-montgomery",
        "tate-256",
        "ecc-256-affine",
        "gf163-lopez-dahab-montgomery-d16-m1",
    ):
        unit = find_unit(name)
        assert all(set(v) == set(unit.operand_bits) for v in operands(unit, 2, 1).vectors)
    with pytest.raises(ConfigError, match="yardsticks"):
        find_unit("no-such-unit")


WORDS, WIDTH, CLOCKS = 16, 5, 400


@pytest.fixture(scope="module")
def ram_trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random writes and reads of the block RAM of rtl/prim, which gives a word two clocks later. No word is
    read in the clock of its write.
    """
    chance = random.Random(5)
    words, pipe, rows = dict.fromkeys(range(WORDS), 0), [0, 0], []
    for clock in range(CLOCKS):
        we = int(clock < WORDS or chance.random() < 0.5)
        write = clock if clock < WORDS else chance.randrange(WORDS)
        data = chance.getrandbits(WIDTH)
        others = [a for a in range(WORDS) if a != write]
        read = chance.choice(others)
        rows.append((((we << 4 | write) << WIDTH | data) << 4 | read, pipe[1]))
        pipe = [words[read], pipe[0]]
        if we:
            words[write] = data
    inputs = [("clr_i", 1), ("we_i", 1), ("waddr_i", 4), ("wdata_i", WIDTH), ("raddr_i", 4)]
    path = tmp_path_factory.mktemp("ram") / "trace"
    return write_trace(path, inputs, [("rdata_o", WIDTH)], rows)


def ram_design(depth: int = WORDS) -> Design:
    return Design("ram", "eccel_ram", [RTL_DIR / "prim" / "eccel_ram.sv"], {"Width": WIDTH, "Depth": depth})


@pytest.mark.parametrize(("limit", "outside"), [(WORDS * WIDTH - 1, WORDS * WIDTH), (WORDS * WIDTH, 0)])
def test_memory_in_cells_and_outside_does_the_same(ram_trace: Path, limit: int, outside: int) -> None:
    mapped = map_cells(ram_design(), "sg13g2", memory_bits=limit)
    assert mapped.memory_bits == outside
    activity = replay(mapped.netlist, ram_trace, mapped.library, settle=WORDS + 2)
    assert activity.clocks == CLOCKS - 1 and activity.total > CLOCKS


def test_memory_of_another_depth_is_noticed(ram_trace: Path, tmp_path: Path) -> None:
    """The control: a trace in which one word that is read is wrong."""
    lines = ram_trace.read_text().splitlines()
    place = next(i for i in range(100, CLOCKS) if lines[i].split()[1] != "00")
    lines[place] = f"{lines[place].split()[0]} 00"
    wrong = tmp_path / "trace"
    wrong.write_text("\n".join(lines) + "\n")
    mapped = map_cells(ram_design(), "sg13g2", memory_bits=WORDS * WIDTH - 1)
    with pytest.raises(FlowError, match="in 1 clocks"):
        replay(mapped.netlist, wrong, mapped.library, settle=WORDS + 2)


@pytest.mark.soak
def test_engine_is_measured_from_a_recorded_job() -> None:
    from eccelerate.energy.engine_energy import measure_engine

    found = measure_engine("binary-163-d64", "sg13g2")
    assert found["memory_bits"] > 0 and found["energy_pj"] > 0 and found["sampled"] is None
