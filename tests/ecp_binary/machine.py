"""Random instructions for an engine of two field units, and their effect on its registers and slots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from eccelerate import isa
from eccelerate.curves import gf2m
from eccelerate.timing.binary_cycles import BinaryBuild
from eccelerate.timing.gf2m_schedule import inversion
from eccelerate.ucode.program import SIZE
from eccelerate.ucode.program import image as guarded_image
from tests.gf2m.multiplier import degree
from tests.gf2m.unit import INV, POLYNOMIAL, REGISTERS, ladder_step

ISA = isa.load()
MUL, ADD, SUB, MULA, MOV, CSEL, ISUB, SQR, STEP = 0, 1, 2, 3, 4, 5, 7, 14, 15
STEPS, RECIP, BESIDE = 1, 2, 4
"""Bits that turn `step` into steps or recip, and these into begin_steps or begin_recip."""
FREE = 13
"""Code of the condition FREE."""
SCALAR, ADDED = 47, 44
"""Registers into which the bits of `steps` are loaded, and what is added to them."""
ELEMENTS = (1, 2, 3, 10, 11, INV, *range(48, 64))
"""Registers of GF(2^m) that the stream uses. `step` works on the upper ones."""
NUMBERS = (16, 17, 18, 19)
N, PAR = 1, 2
BITS, SPARE = 8, 9
"""Slots for the bits of the stream, and for values that are moved."""
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
    """Writes a stream of instructions, and executes each instruction as it is written.

    f: polynomial of the field.
    n: modulus of the integers.
    width: W.
    values: operands 2 to 7 of the stream's packet.
    build: the unit for GF(2^m).
    waits: places in `words` of branches on FREE. The target of each is its own address plus the number given.
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
        self.added = 0
        self.values = values
        self.b = self.p = self.modulus = 0
        self.zero = -1  # Z, or -1 while the program must not read it
        self.words = [control("mod", modulus=0), control("setb", src=14)]
        self.words += [control("setb", src=0), control("wipe", slot=SPARE), control("wipe", slot=BITS)]
        self.words += [control("ld", rd=ADDED, slot=SPARE)]
        self.words += [control("ld", rd=ELEMENTS[0], slot=1), control("st", slot=BITS, ra=ELEMENTS[0])]
        self.elements[ELEMENTS[0]] = self.bits

    # ---- one instruction each

    def either(self) -> None:
        """Add an instruction of the selected unit, or one of the sequencer."""
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
        """Add an operation in GF(2^m)."""
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
                # The scalar has been cleared, so its bits are 0.
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
        """Add an inversion of the register that it works on."""
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
        """Go on with integers while the operation that has begun continues. Sometimes, read its state or wait
        for its end.
        """
        self.modulus = 1
        self.words.append(control("mod", modulus=1))
        for _ in range(self.rng.randrange(3)):
            self.number()
            self.waits[len(self.words)] = more = self.rng.randrange(2)
            self.words.append(control("br", cond=FREE, invert=int(not more), target=0))

    def stream(self) -> list[int]:
        """Load the bits of some steps, and return them. Sometimes, also read whether the scalar has as many
        bits, or set what is added to it.
        """
        count = self.rng.randrange(2, 100)
        if self.rng.randrange(3) == 0:
            slot = self.rng.randrange(2, 8)
            self.words.append(control("ld", rd=ADDED, slot=slot))
            # The stream has as many words as the unit's registers, and one bit more.
            self.added = self.values[slot - 2] % (1 << 32 * -(-self.build.width // 32))
        self.words.append(control("setc", counter=3, base=0, imm=count - 1))
        self.words.append(control("ld", rd=SCALAR, slot=BITS))
        if self.rng.randrange(2):
            self.words.append(control("setb", src=2))
            self.b = int(self.bits >> count - 1 > 0)
        scalar = self.bits + self.added & (1 << count) - 1
        return [(scalar ^ scalar >> 1) >> i & 1 for i in reversed(range(count))]

    def number(self) -> None:
        """Add an operation on integers modulo n."""
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
        """Read the secret bit, alone or combined with the bit before it."""
        mode, at = self.rng.randrange(2), self.rng.randrange(32 * self.width)
        self.words.append(control("setc", counter=0, base=0, imm=at))
        self.words.append(control("ldb", mode=mode, slot=BITS, counter=0))
        bit = self.bits >> at & 1
        self.b = bit ^ (self.p if mode else 0)
        if mode:
            self.p = bit

    def flag(self) -> None:
        """Read Z."""
        if self.zero >= 0:
            self.words.append(control("setb", src=4))
            self.b = self.zero

    def move_element(self) -> None:
        """Store an element and load it again, or load one from a value of the packet. C then says whether the
        value has more bits.
        """
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
        """Store a number and load it again."""
        rd, ra = self.rng.choice(NUMBERS), self.rng.choice(NUMBERS)
        self.words += [control("st", slot=SPARE, ra=ra), control("ld", rd=rd, slot=SPARE)]
        self.numbers[rd] = self.numbers[ra]


class Image:
    """A microcode image around a stream. It has jobs that set registers, the stream, and jobs that show
    registers.
    """

    def __init__(self, stream: list[int], waits: dict[int, int]) -> None:
        self.words = [control("done", status=0x10, n=0)] * SIZE
        self.free = 64
        # Each entry has job code, unit and registers.
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
        # Steps that may still be running end before the job does.
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
        """Write the image as the RTL reads it."""
        path.write_text(guarded_image(self.words))
        return path
