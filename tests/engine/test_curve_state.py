"""eccel_curve_state: what each sys function keeps of the curve and the key, what forgets it, and which jobs
may use the key."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from eccelerate import isa
from tests.engine.units import PACKAGES
from tests.module import Module, Struct
from tests.sampled import sampled
from tests.verilated import Patch

SOURCES = (*PACKAGES, "engine/eccel_curve_state.sv")
FACTS = Struct("engine/eccel_engine_pkg.sv", "curve_facts_t")
FN_LSB = 16
JOB_FIELDS = Struct("engine/eccel_engine_pkg.sv", "job_t")
JOB, FLAG = isa.load().job, isa.load().job_flag
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
        self.attributes = -1  # not yet known

    def cycle(self, **inputs: int) -> None:
        rng = self.rng
        unknown = {
            "execute_i": 0, "first_i": 0, "instr_i": rng.getrandbits(24), "rdata_i": rng.getrandbits(32),
            "job_i": rng.getrandbits(JOB_FIELDS.width),
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
        job = self.rng.getrandbits(JOB_FIELDS.width)
        fields = JOB_FIELDS.unpack(job)
        words, curve = fields["words"], fields["curve"]
        self.cycle(execute_i=1, instr_i=instr, job_i=job)
        if function == KEYV:
            self.facts.key, self.attributes = argument & 1, fields["flags"]
        elif function == PAR:
            self.facts.loaded, self.facts.words = 0, words
        elif function == LOADED:
            self.facts.loaded, self.facts.curve = argument & 1, curve
            self.facts.comb = self.lockstep and argument >> 1
            if not self.lockstep and argument >> 1:
                self.facts.am3 = 1
            self.cycle()  # a = -3 is set a cycle later
        self.check()

    def word(self, number: int, cycles: int) -> None:
        """Word 0 or 1 of the slot of par, after first_i was 1 for some cycles."""
        rng = self.rng
        edge = rng.choice(
            (0, 0xFFFFFFFF, rng.getrandbits(32), rng.getrandbits(32), 1 << rng.randrange(32), 0x101)
        )
        for cycle in range(cycles + 1):
            inputs = {"rdata_i": edge} if cycle == cycles else {}
            self.cycle(first_i=int(cycle < cycles) << number, **inputs)
        if number:
            self.facts.montgomery, self.facts.am3 = edge & 1, edge >> 8 & 1
        else:
            self.facts.pbits, self.facts.nbits = edge & 1023, edge >> 16 & 1023
        self.check()

    def use(self, op: str) -> None:
        """Whether a job may use the key, for all flags that count."""
        for random_nonce in (0, 1):
            flags = self.rng.getrandbits(8) & ~(1 << FLAG["RANDOM"]) | random_nonce << FLAG["RANDOM"]
            job = self.rng.getrandbits(JOB_FIELDS.width)
            job = JOB_FIELDS.pack(**JOB_FIELDS.unpack(job) | {"op": JOB[op], "flags": flags})
            self.cycle(job_i=job)
            self.cycle(job_i=job)
            no_sign, no_agree, host_nonce = (
                self.attributes >> FLAG[name] & 1 for name in ("NO_SIGN", "NO_AGREE", "HOST_NONCE")
            )
            expected = not no_agree if op == "ECDH" else not no_sign and (random_nonce or host_nonce)
            assert FACTS.unpack(self.module["facts_o"])["permit"] == bool(expected), (op, random_nonce)

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
            case 5 | 6 if state.attributes >= 0:
                state.use(state.rng.choice(("ECDH", "ECDSA_SIGN")))
            case _:
                state.sys(state.rng.randrange(8), state.rng.randrange(4))


@pytest.mark.parametrize("lockstep", [0, 1])
def test_curve_and_key_are_those_of_the_last_sys_function(lockstep: int) -> None:
    jobs(State(lockstep))


@sampled(
    ("lockstep", "old", "new"),
    [
        (0, "<= Lockstep && instr_i[1]", "<= instr_i[1]"),
        (1, "!Lockstep && instr_i[1]", "instr_i[1]"),
        (1, "par_q <= first_i;", "par_q[1] <= first_i[1];"),
        (0, "host_nonce_q || job_i.flags[JOB_FLAG_RANDOM]", "1'b1"),
        (1, "!no_sign_q && (", "("),
        (0, ": !no_agree_q;", ": 1'b1;"),
        (1, "host_nonce_q <= job_i.flags[JOB_FLAG_HOST_NONCE]", "host_nonce_q <= job_i.flags[0]"),
    ],
    ids=[
        "a table of the base point in an engine without one",
        "a fact that the program must not set",
        "the sizes are not stored",
        "every key accepts a nonce of the host",
        "every key signs",
        "every key agrees",
        "another flag lets the nonce in",
    ],
    now=2,
)
def test_a_mutant_keeps_something_else(lockstep: int, old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        jobs(State(lockstep, [("eccel_curve_state.sv", old, new)]))
