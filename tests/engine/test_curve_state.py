"""eccel_curve_state: what each sys function keeps of the curve and the key, and what forgets it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.verilated import Patch

SOURCES = (*PACKAGES, "engine/eccel_curve_state.sv")
FACTS = Struct("engine/eccel_engine_pkg.sv", "curve_facts_t")
FN_LSB = 16
KEYV, PAR, LOADED = 1, 2, 3


@dataclass
class Facts:
    """What the outputs have to be; None: not yet known."""

    pbits: int | None = None
    nbits: int | None = None
    words: int | None = None
    curve: int | None = None
    loaded: int = 0
    am3: int | None = None
    montgomery: int | None = None
    key: int = 0
    comb: int | None = None


class State:
    """The module and its facts; all inputs that are not used have random values."""

    def __init__(self, lockstep: int, patches: Sequence[Patch] = ()) -> None:
        parameters = {"Lockstep": f"1'd{lockstep}"}
        self.module = Module("engine", "eccel_curve_state", SOURCES, parameters, patches)
        self.rng, self.lockstep, self.facts = random.Random(lockstep), lockstep, Facts()

    def cycle(self, **inputs: int) -> None:
        rng = self.rng
        unknown = {
            "execute_i": 0, "first_i": 0, "instr_i": rng.getrandbits(24), "words_i": rng.getrandbits(5),
            "curve_i": rng.getrandbits(8), "rdata_i": rng.getrandbits(32),
        }  # fmt: skip
        self.module.clock(**(unknown | inputs))

    def check(self) -> None:
        """All facts in the next cycle."""
        self.cycle()
        found = {name: self.module[f"{name}_o"] for name in ("pbits", "nbits", "words", "curve")}
        found |= FACTS.unpack(self.module["facts_o"])
        for name, expected in vars(self.facts).items():
            if expected is not None and (name != "comb" or self.facts.loaded):
                assert found[name] == expected, name

    def sys(self, function: int, argument: int) -> None:
        """One sys instruction."""
        instr = self.rng.getrandbits(24) & ~(7 << FN_LSB | 3) | function << FN_LSB | argument
        words, curve = self.rng.randrange(32), self.rng.randrange(256)
        self.cycle(execute_i=1, instr_i=instr, words_i=words, curve_i=curve)
        if function == KEYV:
            self.facts.key = argument & 1
        elif function == PAR:
            self.facts.loaded, self.facts.words = 0, words
        elif function == LOADED:
            self.facts.loaded, self.facts.curve = argument & 1, curve
            self.facts.comb = self.lockstep and argument >> 1
        self.check()

    def word(self, number: int, cycles: int) -> None:
        """Word 0 or 1 of the slot of par, after first_i was 1 for some cycles."""
        edge = self.rng.choice((0, 0xFFFFFFFF, self.rng.getrandbits(32), self.rng.getrandbits(32)))
        for cycle in range(cycles + 1):
            inputs = {"rdata_i": edge} if cycle == cycles else {}
            self.cycle(first_i=int(cycle < cycles) << number, **inputs)
        if number:
            self.facts.montgomery, self.facts.am3 = edge & 1, edge >> 8 & 1
        else:
            self.facts.pbits, self.facts.nbits = edge & 1023, edge >> 16 & 1023
        self.check()

    def reset(self) -> None:
        self.cycle(rst_ni=0)
        self.cycle(rst_ni=1)
        self.facts.loaded = self.facts.key = 0
        self.check()


def jobs(state: State) -> None:
    """Random sys functions, words of par and resets."""
    state.check()
    for _ in range(3000):
        match state.rng.randrange(20):
            case 0:
                state.reset()
            case 1 | 2 | 3 | 4:
                state.word(state.rng.randrange(2), state.rng.choice((1, 2, 3, 9)))
            case _:
                state.sys(state.rng.randrange(8), state.rng.randrange(4))


@pytest.mark.parametrize("lockstep", [0, 1])
def test_curve_and_key_are_those_of_the_last_sys_function(lockstep: int) -> None:
    jobs(State(lockstep))


@pytest.mark.parametrize(
    ("lockstep", "old", "new"),
    [(0, "Lockstep && instr_i[1]", "instr_i[1]"), (1, "par_q <= first_i;", "par_q[1] <= first_i[1];")],
    ids=["a table of the base point in an engine without one", "the sizes are not stored"],
)
def test_a_mutant_keeps_something_else(lockstep: int, old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        jobs(State(lockstep, [("eccel_curve_state.sv", old, new)]))
