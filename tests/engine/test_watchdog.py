"""A job that does not end is ended by the watchdog of the engine; then the engine takes the next job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eccelerate import isa
from eccelerate.configs.config import find_config
from eccelerate.configs.images import load_program
from eccelerate.curves import Curve, find_curve
from eccelerate.curves.small import small_curves
from eccelerate.driver.packet import Request
from eccelerate.model import point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.rtlsim.rtl import Entropy, Plan, RtlTransport, Watchdog
from eccelerate.rtlsim.verilate import ModelSource
from eccelerate.ucode.program import image
from tests.module import Module
from tests.verilated import Patch

ISA = isa.load()
UNIT = ("engine/eccel_watchdog.sv",)
SHORT = 16
"""WatchdogBits of the engine that is built for these tests."""


# ---------------------------------------------------------------------- eccel_watchdog


class Unit:
    """eccel_watchdog of 12 bits, a clock at a time."""

    def __init__(self, bits: int = 12, patches: list[Patch] | None = None) -> None:
        self.module = Module("engine", "eccel_watchdog", UNIT, {"Bits": bits}, patches or [])
        self.module.clock(rst_ni=0, run_i=0, begin_i=0, count_i=1)
        self.module.clock(rst_ni=1)

    def clocks_until_fire(self, limit: int, **inputs: int) -> int | None:
        for clock in range(limit):
            self.module.clock(**inputs)
            if self.module["fire_o"]:
                return clock
        return None


def bounded(unit: Unit, bits: int = 12) -> None:
    """It fires after 2^bits clocks, keeps the fact until the next job, and counts anew."""
    for _ in range(2):
        unit.module.clock(run_i=0, begin_i=1)
        unit.module.clock(begin_i=0)
        assert not unit.module["fired_o"]
        late = unit.clocks_until_fire(2 << bits, run_i=1)
        assert late is not None and abs(late - (1 << bits)) <= 3
        unit.module.clock()
        assert unit.module["fired_o"] and not unit.module["fire_o"]
        unit.module.clock(run_i=0)
        assert unit.module["fired_o"]
    # A job that ends in time, and one that waits for entropy.
    unit.module.clock(begin_i=1)
    unit.module.clock(begin_i=0)
    assert unit.clocks_until_fire((1 << bits) - 10, run_i=1) is None
    unit.module.clock(run_i=0)
    assert unit.clocks_until_fire((1 << bits) - 10, run_i=1) is None
    assert unit.clocks_until_fire(3 << bits, count_i=0) is None
    assert unit.clocks_until_fire(30, count_i=1) is not None


def test_the_limit_is_a_power_of_two() -> None:
    bounded(Unit())


@pytest.mark.parametrize(
    "bits", [13, 14, *(pytest.param(bits, marks=pytest.mark.soak) for bits in range(15, 21))]
)
def test_the_shift_register_has_its_full_length(bits: int) -> None:
    bounded(Unit(bits), bits)


def test_no_watchdog_never_fires() -> None:
    assert Unit(0).clocks_until_fire(20_000, run_i=1) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [("28'h829", "28'h809"), ("if (!run_i) shift_q", "if (!rst_ni) shift_q"), ("else if (count_i)", "else")],
    ids=["a shorter sequence", "not cleared between jobs", "waiting counts"],
)
def test_a_wrong_watchdog_is_noticed(old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        bounded(Unit(patches=[("eccel_watchdog.sv", old, new)]))


# ---------------------------------------------------------------------- engines


def endless(name: str, op: Op, folder: Path) -> Path:
    """The microcode of a configuration in which a job jumps to itself."""
    words = list(load_program(find_config(name)).words)
    words[op] = ISA.encode("jmp", target=int(op))
    path = folder / "endless.hex"
    path.write_text(image(words))
    return path


class Endless:
    """An engine whose MOD_ADD does not end, with a curve and a key."""

    def __init__(self, name: str, curve: Curve, folder: Path, bits: int | None = None) -> None:
        source = ModelSource.of(find_config(name))
        if bits is not None:
            source = replace(source, parameters=(*source.parameters, ("WatchdogBits", bits)))
        self.rtl = RtlTransport(source, program=endless(name, Op.MOD_ADD, folder))
        self.rtl.entropy(Entropy.SEED, 1)
        self.curve = curve
        self.ok(Op.CURVE_LOAD, curve_load_operands(curve))
        self.ok(Op.KEY_LOAD, (3,))

    def answer(self, op: int, operands: tuple[int, ...] = (), flags: int = 0) -> list[int]:
        words = Request(op, 1, 7, int(flags), self.curve.element_words, operands).words()
        return self.rtl.exchange(words).words

    def ok(self, op: int, operands: tuple[int, ...] = (), flags: int = 0) -> list[int]:
        answer = self.answer(op, operands, flags)
        assert answer[0] & 0xFF == Status.OK
        return answer

    def times_out(self, limit: int) -> None:
        """The endless job ends after `limit` clocks, the key is gone, and the next job is right."""
        assert self.answer(Op.MOD_ADD, (1, 2)) == [Status.TIMEOUT | Op.MOD_ADD << 8 | 7 << 16, 0]
        assert abs(self.rtl.last_total - limit) < 20_000
        key_job = self.answer(Op.ECDH, self.curve.generator, Flag.KEY)
        assert key_job[0] & 0xFF == Status.NO_KEY
        double = point.add(self.curve, self.curve.generator, self.curve.generator)
        assert double is not None
        width = self.curve.element_words
        x, y = (
            sum(w << 32 * i for i, w in enumerate(self.ok(Op.BASE_MUL, (2,))[at : at + width]))
            for at in (2, 2 + width)
        )
        assert (x, y) == double
        # The fact is forgotten with the next job: the zeroise input has its own status.
        self.rtl.plan = Plan(zeroise_at=300)
        assert self.answer(Op.BASE_MUL, (2,))[0] & 0xFF == Status.ZEROISED


def test_an_endless_job_of_a_compact_engine_ends_with_timeout(tmp_path: Path) -> None:
    engine = Endless("compact-w32", small_curves()[0], tmp_path, SHORT)
    for _ in range(2):
        engine.times_out(1 << SHORT)
        engine.rtl.plan = Plan()
        engine.ok(Op.KEY_LOAD, (3,))


@pytest.mark.parametrize(
    ("name", "curve"),
    [pytest.param("binary-163-d64", "B-163", marks=pytest.mark.soak), ("turbo-p256", "P-256")],
    ids=["binary", "turbo"],
)
def test_an_endless_job_ends_with_timeout(name: str, curve: str, tmp_path: Path) -> None:
    Endless(name, find_curve(curve), tmp_path).times_out(1 << 22)


def test_without_the_watchdog_the_engine_hangs(tmp_path: Path) -> None:
    engine = Endless("compact-w32", small_curves()[0], tmp_path, 0)
    engine.rtl.plan = Plan(watchdog=1 << 18)
    with pytest.raises(Watchdog):
        engine.answer(Op.MOD_ADD, (1, 2))
