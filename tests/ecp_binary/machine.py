"""Random instructions for an engine of two field units, and what they make of its registers and slots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from eccelerate import isa
from eccelerate.curves import gf2m
from eccelerate.timing.binary_cycles import BinaryBuild
from eccelerate.timing.gf2m_schedule import inversion
from eccelerate.ucode.program import SIZE
from tests.gf2m.multiplier import degree
from tests.gf2m.unit import INV, POLYNOMIAL, REGISTERS, ladder_step

ISA = isa.load()
MUL, ADD, SUB, MULA, MOV, CSEL, ISUB, SQR, STEP = 0, 1, 2, 3, 4, 5, 7, 14, 15
STEPS, RECIP, BESIDE = 1, 2, 4
"""What makes steps, recip, and with those begin_steps or begin_recip of a step."""
FREE = 13
"""The condition."""
SCALAR = 47
"""Where the bits of `steps` are loaded."""
ELEMENTS = (1, 2, 3, 10, 11, INV, *range(48, 64))
"""Registers of GF(2^m) in use; `step` works on the upper ones."""
NUMBERS = (16, 17, 18, 19)
N, PAR = 1, 2
BITS, SPARE = 8, 9
"""Slots: bits of the stream, values on their way."""
STREAM = 0x2F
PER_JOB = 8
DIGIT = 64


def control(mnemonic: str, **fields: int) -> int:
    """The word of a control instruction."""
    return ISA.encode(mnemonic, **fields)


def operation(code: int, rd: int = 0, ra: int = 0, rb: int = 0) -> int:
    """The word of a field instruction."""
    return code << 19 | rd << 12 | ra << 6 | rb


class Machine:
    """Writes a stream of instructions and executes each as it is written.

    f: polynomial of the field;   n: modulus;   width: W;   values: operands 2 to 7 of the stream's packet.
    build: of the unit for GF(2^m).
    waits: places in `words` of branches on FREE, whose target is their own address and so much more.
    """

    def __init__(
        self,
        f: int,
        n: int,
        width: int,
        values: list[int],
        rng: random.Random,
        build: BinaryBuild,
    ) -> None:
        self.build = build
        self.waits: dict[int, int] = {}
        self.f, self.n, self.rng, self.width = f, n, rng, width
        self.m, self.r = degree(f), 1 << DIGIT * -(-32 * width // DIGIT)
        self.elements = {r: rng.getrandbits(self.m) for r in ELEMENTS}
        self.numbers = {r: rng.randrange(n) for r in NUMBERS}
        inverse = pow(-n, -1, 1 << 64) << 128
        self.constants = {N: n, PAR: self.m | inverse}
        self.bits = rng.getrandbits(self.m)
        self.values = values
        self.b = self.p = self.modulus = 0
        self.zero = -1  # Z; -1: not to be looked at
        self.words = [control("mod", modulus=0), control("setb", src=14)]
        self.words += [control("setb", src=0), control("wipe", slot=SPARE), control("wipe", slot=BITS)]
        self.words += [control("ld", rd=ELEMENTS[0], slot=1), control("st", slot=BITS, ra=ELEMENTS[0])]
        self.elements[ELEMENTS[0]] = self.bits

    # ---- one instruction each

    def either(self) -> None:
        """An instruction of the selected unit, or of the sequencer."""
        kind = self.rng.choices(["field", "bit", "flag", "move", "mod"], [12, 3, 2, 2, 1])[0]
        if kind == "field":
            (self.number if self.modulus else self.element)()
        elif kind == "bit":
            self.bit()
        elif kind == "flag":
            self.flag()
        elif kind == "move":
            (self.move_number if self.modulus else self.move_element)()
        else:
            self.modulus = self.rng.randrange(2)
            self.words.append(control("mod", modulus=self.modulus))
            self.zero = -1

    def element(self) -> None:
        """GF(2^m)."""
        few, f, r = self.rng.choice([ELEMENTS[:4], ELEMENTS]), self.f, self.elements
        code = self.rng.choice([MUL, MUL, ADD, MULA, MOV, CSEL, SQR, STEP])
        rd, ra, rb = (self.rng.choice(few) for _ in range(3))
        if code == SQR:
            count = self.rng.randrange(12)
            self.words.append(control("setc", counter=3, base=0, imm=count))
        if code == STEP:
            self.zero = -1
            if self.rng.randrange(4) == 0:
                self.recip()
                return
            bits = self.stream() if self.rng.randrange(2) else [self.b]
            aside = len(bits) > 1 and self.rng.randrange(2)
            self.words.append(operation(code, rd=STEPS * (len(bits) > 1) | BESIDE * aside))
            if aside:
                self.turn_aside()
            elif len(bits) > 1 and self.rng.randrange(4) == 0:
                # The scalar is forgotten: bits are 0.
                self.words.append(operation(code, rd=STEPS))
                bits += [0] * len(bits)
            registers = [r.get(i, 0) for i in range(REGISTERS)]
            for bit in bits:
                ladder_step(f, registers, bit, wide=self.build.wide)
            self.elements = {i: registers[i] for i in ELEMENTS}
            return
        self.words.append(operation(code, rd, ra, rb))
        if code == MUL:
            value = gf2m.mul(r[ra], r[rb], f)
        elif code == ADD:
            value = r[ra] ^ r[rb]
        elif code == MULA:
            value = gf2m.mul(r[ra], r[rb], f) ^ r[rd]
        elif code == MOV:
            value = r[ra]
        elif code == CSEL:
            value = r[rb] if self.b else r[ra]
        else:
            value = r[ra]
            for _ in range(self.m - 1 >> count + 1):
                value = gf2m.square(value, f)
        r[rd], self.zero = value, int(value == 0)

    def recip(self) -> None:
        """Of the register that it takes."""
        aside = self.rng.randrange(2)
        self.words.append(operation(STEP, rd=RECIP | BESIDE * aside))
        if aside:
            self.turn_aside()
        r, f = self.elements, self.f
        if self.build.divider:
            r[INV] = gf2m.inverse(r[INV], f) if r[INV] else 0
            return
        for each in inversion(self.m, squarer=not self.build.generic_degree):
            product = r[each.a[0]] if not each.b else gf2m.mul(r[each.a[0]], r[each.b[0]], f)
            value = product
            for _ in range(each.squares):
                value = gf2m.square(value, f)
            r |= {each.plain: product} if each.plain in r else {}
            r |= {each.after: value} if each.after in r else {}

    def turn_aside(self) -> None:
        """Integers are next, while what has begun goes on; sometimes it is looked at, or waited for."""
        self.modulus = 1
        self.words.append(control("mod", modulus=1))
        for _ in range(self.rng.randrange(3)):
            self.number()
            self.waits[len(self.words)] = more = self.rng.randrange(2)
            self.words.append(control("br", cond=FREE, invert=int(not more), target=0))

    def stream(self) -> list[int]:
        """The bits of some steps, which are loaded; sometimes, whether the scalar has more."""
        count = self.rng.randrange(2, 100)
        self.words.append(control("setc", counter=3, base=0, imm=count - 1))
        self.words.append(control("ld", rd=SCALAR, slot=BITS))
        if self.rng.randrange(2):
            self.words.append(control("setb", src=2))
            self.b = int(self.bits >> count > 0)
        scalar = self.bits & (1 << count) - 1
        return [(scalar ^ scalar >> 1) >> i & 1 for i in reversed(range(count))]

    def number(self) -> None:
        """Integers modulo n."""
        r, n = self.numbers, self.n
        code = self.rng.choice([MUL, MUL, ADD, SUB, MOV, CSEL, ISUB])
        rd, ra, rb = (self.rng.choice(NUMBERS) for _ in range(3))
        if code == ISUB and r[ra] < r[rb]:
            ra, rb = rb, ra
        self.words.append(operation(code, rd, ra, rb))
        value = {
            MUL: r[ra] * r[rb] * pow(self.r, -1, n) % n, ADD: (r[ra] + r[rb]) % n, SUB: (r[ra] - r[rb]) % n,
            MOV: r[ra], CSEL: r[rb] if self.b else r[ra], ISUB: r[ra] - r[rb],
        }[code]  # fmt: skip
        r[rd], self.zero = value, int(value == 0)

    def bit(self) -> None:
        """The secret bit, plain or with the one before."""
        mode, at = self.rng.randrange(2), self.rng.randrange(32 * self.width)
        self.words.append(control("setc", counter=0, base=0, imm=at))
        self.words.append(control("ldb", mode=mode, slot=BITS, counter=0))
        bit = self.bits >> at & 1
        self.b = bit ^ (self.p if mode else 0)
        if mode:
            self.p = bit

    def flag(self) -> None:
        """Z, or C."""
        if self.zero >= 0:
            self.words.append(control("setb", src=4))
            self.b = self.zero

    def move_element(self) -> None:
        """Out and in again; or the element in a value of the packet; C tells whether that has more."""
        rd, ra = self.rng.choice(ELEMENTS), self.rng.choice(ELEMENTS)
        if self.rng.randrange(2):
            self.words += [control("st", slot=SPARE, ra=ra), control("ld", rd=rd, slot=SPARE)]
            self.elements[rd] = self.elements[ra]
            return
        slot = self.rng.randrange(2, 8)
        self.words += [control("ld", rd=rd, slot=slot), control("setb", src=2)]
        above, self.elements[rd] = divmod(self.values[slot - 2], 1 << self.m)
        self.b = int(above > 0)

    def move_number(self) -> None:
        """Out and in again."""
        rd, ra = self.rng.choice(NUMBERS), self.rng.choice(NUMBERS)
        self.words += [control("st", slot=SPARE, ra=ra), control("ld", rd=rd, slot=SPARE)]
        self.numbers[rd] = self.numbers[ra]


class Image:
    """A microcode image around a stream: jobs that set registers, the stream, jobs that show registers."""

    def __init__(self, stream: list[int], waits: dict[int, int]) -> None:
        self.words = [control("done", status=0x10, n=0)] * SIZE
        self.free = 64
        # Job code, unit, registers.
        self.setters: list[tuple[int, int, Sequence[int]]] = []
        self.getters: list[tuple[int, int, Sequence[int]]] = []
        self.code = 1
        self._job(0x20, [control("par"), control("loaded", arg=1), control("done", status=0, n=0)])
        for modulus, registers in ((0, (POLYNOMIAL, *ELEMENTS)), (1, (N, PAR, *NUMBERS))):
            for at in range(0, len(registers), PER_JOB):
                group = registers[at : at + PER_JOB]
                loads = [control("ld", rd=rd, slot=slot) for slot, rd in enumerate(group)]
                self.setters.append((self._next(modulus, loads, 0), modulus, group))
        for modulus, registers in ((0, ELEMENTS), (1, NUMBERS)):
            for pair in zip(registers[::2], registers[1::2], strict=True):
                stores = [control("st", slot=slot, ra=ra) for slot, ra in enumerate(pair)]
                self.getters.append((self._next(modulus, stores, 2), modulus, pair))
        stream = [
            word + self.free + at + waits[at] if at in waits else word for at, word in enumerate(stream)
        ]
        # The steps that may go on end before the job.
        self._job(STREAM, [*stream, control("mod", modulus=0), control("done", status=0, n=0)])

    def _next(self, modulus: int, body: list[int], results: int) -> int:
        code, self.code = self.code, self.code + 1
        self._job(code, [control("mod", modulus=modulus), *body, control("done", status=0, n=results)])
        return code

    def _job(self, code: int, body: list[int]) -> None:
        self.words[code] = control("jmp", target=self.free)
        self.words[self.free : self.free + len(body)] = body
        self.free += len(body)
        assert len(self.words) == SIZE, "the stream is too long"

    def write(self, path: Path) -> Path:
        """As the RTL reads it."""
        path.write_text("".join(f"{word:06x}\n" for word in self.words))
        return path
