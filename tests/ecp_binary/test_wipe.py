"""After zeroise, nothing is left in any register, in the mailbox, or of the bits of a ladder in the RTL."""

from __future__ import annotations

import random
from pathlib import Path

from eccelerate.configs.config import find_config
from eccelerate.configs.images import load_program
from eccelerate.curves import Curve, find_curve, gf2m
from eccelerate.driver.packet import Request
from eccelerate.model import ecdsa, point
from eccelerate.model.jobs import Flag, Op, Status, curve_load_operands
from eccelerate.model.lopez_dahab import multiple
from eccelerate.rtlsim.rtl import Plan, RtlTransport
from eccelerate.ucode.program import image as guarded_image
from tests.ecp_binary.bench import program
from tests.ecp_binary.machine import ISA, MOV, STEP, control, operation
from tests.ecp_compact.bench import CURVE_ID
from tests.gf2m.unit import REGISTERS, T2, XD, XS, ZD, ZS, C, X, ladder_step
from tests.sampled import sampled

# Operations that no job of the program has: fill the bits of a ladder, run a ladder on the bits that are
# there, and look for a bit that is not 0.
FILL, RUN, LOOK = 0x2D, 0x2E, 0x2F
FOUND = 0x40
"""Status of LOOK: this plus the place that is not 0: a register of GF(2^m), one of integers, or a slot."""
INTEGERS, SLOTS = REGISTERS, 2 * REGISTERS
CURVE = find_curve("B-163")
CONFIGS = ("binary-163-d64", "binary-163-fast")
ONE, ZERO, GX, SCALAR = (program().registers[name] for name in ("one_p", "zero_p", "gx", "scalar"))
KEY = program().slots["KEY"]
MOVL = ISA.forms["movl"].code


def is_public(place: int) -> bool:
    """Whether a place holds a constant of the curve."""
    kept, register = program(), place % REGISTERS
    if place >= SLOTS:
        return register in {kept.slots[name] for name in ("DEGREE",)}
    return register in kept.ranges and (kept.ranges[register] == "modp") == (place < INTEGERS)


class Image:
    """The engine's program with changes, and jobs that look for what is left in the slots and in the
    registers of one unit: there is no room for both.
    """

    def __init__(self, changes: dict[int, int], unit: int) -> None:
        self.words = list(load_program(find_config(CONFIGS[0])).words)
        for address, word in changes.items():
            self.words[address] = word
        # The self-test is the end of the program, and no other job uses it.
        self.free = program().labels["job_self_test"]
        select = control("mod", modulus=0)
        bits = control("setc", counter=3, base=0, imm=CURVE.p_bits - 1)
        self.job(FILL, [select, bits, control("ld", rd=SCALAR, slot=0), self.done(0)])
        start = {X: GX, T2: ZERO, XS: ONE, ZS: ZERO, XD: GX, ZD: ONE}
        moves = [operation(MOV, rd, ra, ra) for rd, ra in start.items()]
        results = [control("st", slot=slot, ra=ra) for slot, ra in enumerate((XS, ZS))]
        self.job(RUN, [select, *moves, bits, operation(STEP, rd=1), *results, self.done(2)])
        self.job(LOOK, [])
        self.add(control("mod", modulus=unit))
        for place in (*range(REGISTERS * unit, REGISTERS * (unit + 1)), *range(SLOTS, SLOTS + 16)):
            if not is_public(place):
                self.look(place)
        self.add(self.done(0))

    @staticmethod
    def done(results: int, status: int = Status.OK) -> int:
        return control("done", status=status, n=results)

    def add(self, *words: int) -> None:
        self.words[self.free : self.free + len(words)] = words
        self.free += len(words)

    def job(self, code: int, words: list[int]) -> None:
        self.words[code] = control("jmp", target=self.free)
        self.add(*words)

    def branch(self, condition: str, *, invert: int) -> int:
        """Add a branch over the next word."""
        return control("br", cond=ISA.conditions[condition].code, invert=invert, target=self.free + 2)

    def look(self, place: int) -> None:
        """End the job if a place is not 0."""
        register, found = place % REGISTERS, self.done(0, FOUND + place)
        if place < SLOTS:
            move = MOVL if place >= INTEGERS else MOV
            self.add(operation(move, register, register))
            self.add(self.branch("Z", invert=0), found)
        else:
            self.add(control("setc", counter=0, base=0, imm=ISA.machine["slot_bits"] - 1))
            again = self.free
            self.add(control("ldb", mode=0, slot=register, counter=0))
            self.add(self.branch("B", invert=1), found)
            self.add(control("loop", counter=0, target=again))


class Engine:
    """The RTL with such a program, and with the curve loaded."""

    def __init__(
        self, config: str, folder: Path, changes: dict[int, int] | None = None, unit: int = 0
    ) -> None:
        image = folder / "program.hex"
        image.write_text(guarded_image(Image(changes or {}, unit).words))
        self.rtl = RtlTransport(find_config(config), program=image)
        self.wide = config.endswith("fast")
        assert self.status(Op.CURVE_LOAD, curve_load_operands(CURVE)) == Status.OK

    def send(
        self, op: int, operands: tuple[int, ...] = (), flags: int = 0, at: int | None = None
    ) -> list[int]:
        """The status of a job. In clock `at` of the job the zeroise input is pulsed."""
        words = Request(op, CURVE_ID, 1, int(flags), CURVE.element_words, operands).words()
        self.rtl.idle(4)
        self.rtl.plan = Plan(watchdog=2_000_000, zeroise_at=at)
        return self.rtl.exchange(words).words

    def status(self, op: int, operands: tuple[int, ...] = (), flags: int = 0, at: int | None = None) -> int:
        return self.send(op, operands, flags, at)[0] & 0xFF

    def found(self) -> int | None:
        """The first place that is not 0."""
        status = self.status(LOOK)
        return None if status == Status.OK else status - FOUND

    def ladder_has_bits(self) -> bool:
        """Whether bits of a scalar are left for a ladder. What is left else is 0, or what is added to each
        scalar, and the results of ladders on these are known.
        """
        words = self.send(RUN)[2:]
        width = CURVE.element_words
        results = [sum(w << 32 * i for i, w in enumerate(words[at : at + width])) for at in (0, width)]
        added = multiple(CURVE.order) - (2 << CURVE.order_bits)
        return results not in (self.ladder(0), self.ladder(added))

    def ladder(self, scalar: int) -> list[int]:
        """The results of RUN for a scalar."""
        registers = [0] * REGISTERS
        load = curve_load_operands(CURVE)
        registers[X] = registers[XD] = load[4]
        registers[XS] = registers[ZD] = 1
        registers[C] = fourth_root(CURVE)
        last = 0
        for place in reversed(range(CURVE.p_bits)):
            bit = scalar >> place & 1
            ladder_step(CURVE.p, registers, bit ^ last, wide=self.wide)
            last = bit
        return [registers[XS], registers[ZS]]


def fourth_root(curve: Curve) -> int:
    """The fourth root of b, which the first curve register of the ladder holds."""
    c = curve.b
    for _ in range(curve.p_bits - 2):
        c = gf2m.square(c, curve.p)
    return c


def jobs(rng: random.Random) -> list[tuple[Op, tuple[int, ...], int]]:
    """Jobs that run after a key is loaded: ladders by `steps` and step by step, in parallel with an inversion
    modulo n, and joint ones.
    """
    d, k = rng.randrange(1, CURVE.n), rng.randrange(1, CURVE.n)
    public, signature = point.base_mul(CURVE, d), ecdsa.sign(CURVE, d, 5, k)
    assert public and signature
    return [
        (Op.MUL, (k, *public), 0),
        (Op.MUL, (k, *public), Flag.BLIND),
        (Op.ECDH, public, Flag.KEY),
        (Op.ECDSA_SIGN, (5, k), Flag.KEY),
        (Op.ECDSA_SIGN, (5,), Flag.KEY | Flag.RANDOM | Flag.BLIND),
        (Op.ECDSA_VERIFY, (5, *signature, *public), 0),
        (Op.MOD_EXP, (d, k), Flag.MOD_N),
    ]


@sampled(("config", "unit"), [(CONFIGS[0], 0), (CONFIGS[0], 1), (CONFIGS[1], 0)], now=1)
def test_zeroise_leaves_nothing(config: str, unit: int, tmp_path: Path) -> None:
    """Zeroise comes by its packet after a job, and by the input when a job comes in, runs, or ends."""
    engine, rng = Engine(config, tmp_path, unit=unit), random.Random(config)
    for op, operands, flags in jobs(rng):
        assert engine.status(Op.KEY_LOAD, (77,), Flag.HOST_NONCE) == Status.OK
        assert engine.status(op, operands, flags) == Status.OK
        clocks = engine.rtl.last_total
        assert engine.found() is not None
        assert engine.status(FILL, (CURVE.n - 2,)) == Status.OK
        assert engine.status(Op.ZEROISE) == Status.OK
        assert engine.found() is None
        assert not engine.ladder_has_bits()
        for share in (0.01, rng.uniform(0.05, 0.5), rng.uniform(0.5, 0.9)):
            assert engine.status(Op.KEY_LOAD, (77,), Flag.HOST_NONCE) == Status.OK
            assert engine.status(op, operands, flags, int(clocks * share)) == Status.ZEROISED
            assert engine.found() is None, (op, flags, share)
            assert not engine.ladder_has_bits()
    assert engine.status(Op.BASE_MUL, (5,)) == Status.OK  # the curve is still there


def test_what_is_there_is_found(tmp_path: Path) -> None:
    """The bits of a ladder stay until a ladder has used them. A wipe that leaves out a place is noticed."""
    engine = Engine(CONFIGS[0], tmp_path)
    assert engine.status(FILL, (CURVE.n - 2,)) == Status.OK
    assert engine.ladder_has_bits()
    assert not engine.ladder_has_bits()

    registers = program().registers
    start = program().labels["wipe_all"]
    words = load_program(find_config(CONFIGS[0])).words
    power, xs = (
        operation(code, rd, zero)
        for code, rd, zero in ((MOVL, registers["power"], registers["zero"]), (MOV, registers["xs"], ZERO))
    )
    key, other = control("wipe", slot=KEY), control("wipe", slot=0)
    left_out = {
        INTEGERS + registers["power"]: (power, operation(MOVL, registers["zero"], registers["zero"])),
        registers["xs"]: (xs, operation(MOV, ZERO, ZERO)),
        SLOTS + KEY: (key, other),
    }
    op, operands, flags = jobs(random.Random(1))[5]  # a verification leaves public values
    for place, (word, nothing) in left_out.items():
        change = {words.index(word, start): nothing}
        mutant = Engine(CONFIGS[0], tmp_path, change, int(INTEGERS <= place < SLOTS))
        assert mutant.status(Op.KEY_LOAD, (77,), Flag.HOST_NONCE) == Status.OK
        assert mutant.status(op, operands, flags) == Status.OK
        assert mutant.status(Op.ZEROISE) == Status.OK
        assert mutant.found() == place
