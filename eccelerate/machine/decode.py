"""Pre-decode a program image to closures over one simulated machine, one per address.

Entry: (kind, mnemonic, action, rd, ra, rb, rb is indexed by X); the registers are the fields of the word,
used or not. A field action takes nothing; a control action takes its address and returns the next one
(negative: job ended).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eccelerate import isa
from eccelerate.machine.binary_datapath import BinaryDatapath
from eccelerate.machine.datapath import Datapath
from eccelerate.machine.iss_state import FREE, IssTrap, Machine, Recoder
from eccelerate.machine.turbo_datapath import TurboDatapath

# What an instruction is for those who count cycles: ASK is a branch on FREE, DRAIN waits for an idle field
# unit, and so does LOAD, ld of an engine with two of them.
FIELD, CONTROL, ASK, DRAIN, LOAD, ILLEGAL = 0, 1, 2, 3, 4, -1
B, C, Z, P, X = range(5)
ISA = isa.load()
Entry = tuple[int, str, Callable[..., Any], int, int, int, bool]


def decode_program(words: list[int], machine: Machine, data: Datapath | TurboDatapath) -> list[Entry]:
    """Closures for all words; illegal words trap when they are reached."""
    table = unit_of(data)
    return [_decode(word, machine, data, table) for word in words]


def unit_of(data: Datapath | TurboDatapath) -> isa.Isa:
    """The instruction set of an engine with this datapath."""
    if isinstance(data, TurboDatapath):
        return isa.load("turbo")
    return isa.load("binary" if isinstance(data, BinaryDatapath) else "compact")


def _decode(word: int, machine: Machine, data: Datapath | TurboDatapath, table: isa.Isa) -> Entry:
    try:
        form, v = table.decode(word)
    except isa.IsaError:
        return (ILLEGAL, "", int, 0, 0, 0, False)
    if form.is_field:
        rd, ra, rb = (table.operands[name].extract(word) for name in ("rd", "ra", "rb"))
        if isinstance(data, TurboDatapath):
            act = data.action(form.mnemonic, v, machine)
        elif isinstance(data, BinaryDatapath):
            both = table.only.get(form.mnemonic, 1) == 1
            act = data.either(
                form.mnemonic,
                v,
                machine,
                _refreshing(_field(form.mnemonic, v, machine, data), data) if both else None,
            )
        else:
            act = _field(form.mnemonic, v, machine, data)
            if rd < 4:
                act = _refreshing(act, data)
        return (FIELD, form.mnemonic, act, rd, ra, rb, form.indexed)
    kind = DRAIN if table.waits(form, v) else CONTROL
    if isinstance(data, BinaryDatapath):
        kind = LOAD if form.mnemonic == "ld" else ASK if v.get("cond") == FREE else kind
    return (kind, form.mnemonic, _control(form.mnemonic, v, machine, data), 0, 0, 0, False)


def _refreshing(act: Callable[[], None], data: Datapath) -> Callable[[], None]:
    """Registers 0..3 are mirrored in the modulus memory."""

    def run() -> None:
        act()
        data.refresh()

    return run


def _field(name: str, v: dict[str, int], machine: Machine, data: Datapath) -> Callable[[], None]:
    """Action of a field operation."""
    r, ctx, f = data.lo, data.ctx, machine.f
    rd, ra, rb = v["rd"], v.get("ra", 0), v.get("rb", 0)

    def mul() -> None:
        m, bits, mask, prime = ctx
        t = r[ra] * r[rb]
        if prime < 0:
            t = data.reduce(t)
        else:
            t = (t + ((t & mask) * prime & mask) * m) >> bits
            if t >= m:
                t = (t - m) & mask
        r[rd] = t
        f[Z] = t == 0

    def mulx() -> None:
        r[rd] = t = data.reduce(r[ra] * r[rb | f[X]])
        f[Z] = t == 0

    def add() -> None:
        t = r[ra] + r[rb]
        if t >= ctx[0]:
            t -= ctx[0]
        r[rd] = t = t & ctx[2]
        f[Z] = t == 0

    def sub() -> None:
        t = r[ra] - r[rb]
        if t < 0:
            t = (t + ctx[0]) & ctx[2]
        r[rd] = t
        f[Z] = t == 0

    def half() -> None:
        t = r[ra]
        r[rd] = t = (t + ctx[0] if t & 1 else t) >> 1
        f[Z] = t == 0

    def mov() -> None:
        r[rd] = t = r[ra]
        f[Z] = t == 0

    def movx() -> None:
        r[rd] = t = r[rb | f[X]]
        f[Z] = t == 0

    def csel() -> None:
        r[rd] = t = r[rb] if f[B] else r[ra]
        f[Z] = t == 0

    def iadd() -> None:
        t = r[ra] + r[rb]
        f[C] = t >> ctx[1]
        r[rd] = t = t & ctx[2]
        f[Z] = t == 0

    def isub() -> None:
        t = r[ra] - r[rb]
        f[C] = t < 0
        r[rd] = t = t & ctx[2]
        f[Z] = t == 0

    def cadd() -> None:
        t = r[ra] + (r[rb] if f[B] else 0)
        f[C] = t >> ctx[1]
        r[rd] = t = t & ctx[2]
        f[Z] = t == 0

    def long_sum(addend: int) -> None:
        t = data.read_long(ra) + addend
        f[C] = t >> data.long_bits
        t &= (1 << data.long_bits) - 1
        data.write_long(rd, t)
        f[Z] = t == 0

    def iaddl() -> None:
        long_sum(data.read_long(rb))

    def caddl() -> None:
        long_sum(data.read_long(rb) if f[B] else 0)

    def movl() -> None:
        t = data.read_long(ra)
        data.write_long(rd, t)
        f[Z] = t == 0

    return {
        "mul": mul, "mulx": mulx, "add": add, "sub": sub, "half": half, "mov": mov, "movx": movx,
        "csel": csel, "iadd": iadd, "isub": isub, "cadd": cadd, "iaddl": iaddl, "caddl": caddl, "movl": movl,
    }[name]  # fmt: skip


def _setb(code: int, match: int, f: list[int]) -> Callable[[], int] | None:
    """New value of B (or P, codes 14 and 15)."""
    return {
        0: lambda: 0, 1: lambda: 1, 2: lambda: f[C], 3: lambda: not f[C], 4: lambda: f[Z],
        5: lambda: not f[Z], 6: lambda: f[P], 7: lambda: not f[P], 8: lambda: not f[B],
        9: lambda: f[B] or f[C], 10: lambda: f[B] or f[Z], 11: lambda: f[B] and f[C],
        12: lambda: f[B] and f[Z], 13: lambda: f[X] == match,
        14: lambda: 0, 15: lambda: 1,
    }.get(code)  # fmt: skip


def _branch(v: dict[str, int], m: Machine) -> Callable[[int], int]:
    cond, wanted, target, f = v["cond"], not v["invert"], v["target"], m.f

    def on_flag(pc: int) -> int:
        m.jumped = bool(f[index]) == wanted
        return target if m.jumped else pc + 1

    def on_x(pc: int) -> int:
        m.jumped = (f[X] == 0) == wanted
        return target if m.jumped else pc + 1

    def on_state(pc: int) -> int:
        m.jumped = bool(m.condition(cond)) == wanted
        return target if m.jumped else pc + 1

    index = (Z, C, B)[cond] if cond < 3 else 0
    return on_flag if cond < 3 else on_x if cond == 3 else on_state


def _control(
    name: str, v: dict[str, int], m: Machine, data: Datapath | TurboDatapath
) -> Callable[[int], int]:
    """Action of a control instruction."""
    f, slots, counters = m.f, m.slots, m.counters
    target, slot, c = v.get("target", 0), v.get("slot", 0), v.get("counter", 0)

    def call(pc: int) -> int:
        if len(m.stack) == ISA.machine["stack"]:
            raise IssTrap(f"at {pc:03x}: call stack overflow (depth {ISA.machine['stack']})")
        m.stack.append(pc + 1)
        return target

    def ret(pc: int) -> int:
        if not m.stack:
            raise IssTrap(f"at {pc:03x}: ret with an empty stack")
        return m.stack.pop()

    def setc(pc: int) -> int:
        columns = data.columns if isinstance(data, TurboDatapath) else 0
        count = (0, columns, m.bits_p, 0, m.bits_n, 0, data.bits)[v["base"]] + v["imm"]
        if v["base"]:
            # A size of 0 bits in a curve's parameters wraps, as in the engine: the curve is refused later.
            count %= 1 << ISA.machine["counter_bits"]
        if not 0 <= count < 1 << ISA.machine["counter_bits"]:
            raise IssTrap(f"at {pc:03x}: counter {c} set to {count}")
        counters[c] = count
        return pc + 1

    def loop(pc: int) -> int:
        if not counters[c]:
            return pc + 1
        counters[c] -= 1
        m.jumped = True
        return target

    def bit(pc: int) -> int:
        if counters[c] >= ISA.machine["slot_bits"]:
            raise IssTrap(f"at {pc:03x}: bit {counters[c]} of a slot")
        return slots[slot] >> counters[c] & 1

    def ldb(pc: int) -> int:
        f[B] = bit(pc)
        return pc + 1

    def ldbx(pc: int) -> int:
        new = bit(pc)
        f[B], f[P] = new ^ f[P], new
        return pc + 1

    def ldbn(pc: int) -> int:
        f[B] = 1 - bit(pc)
        return pc + 1

    def ldx(pc: int) -> int:
        bit(pc)
        f[X] = slots[slot] >> (counters[c] & ~3) & 15
        return pc + 1

    def ldw(pc: int) -> int:
        bit(pc)
        u = slots[slot] >> (counters[c] & ~3) & 15
        f[P], f[X] = int(u < 8), (u if u >= 8 else ~u) & 7
        return pc + 1

    def fail(pc: int) -> int:
        if m.verdict is None and bool(f[(Z, C, B)[v["cond"]]]) != v["invert"]:
            m.verdict = v["verdict"]
        return pc + 1

    def ldd(pc: int) -> int:
        f[B], f[P], f[X] = m.recode(bit(pc))
        return pc + 1

    def setb(pc: int) -> int:
        source = _setb(v["src"], v["match"], f)
        if source is None or (v["src"] == 13 and isinstance(data, Datapath)):
            raise IssTrap(f"at {pc:03x}: setb source {v['src']} does not exist")
        f[P if v["src"] >= 14 else B] = int(source())
        return pc + 1

    def ld(pc: int) -> int:
        value = slots[slot] & ((1 << 32 * m.width) - 1)
        if isinstance(data, BinaryDatapath) and data.in_field:
            f[C] = data.load(v["rd"], value, m.bits_p, counters[3])
        else:
            data.write_long(v["rd"], value)
        return pc + 1

    def st(pc: int) -> int:
        words = -(-data.long_bits // 32) * 32
        slots[slot] = (slots[slot] >> words << words) | data.read_long(v["ra"])
        return pc + 1

    def rnd(pc: int) -> int:
        for i in range(m.width + 3):
            word = m.entropy()
            if word is None:
                return ISA.trap["ENTROPY"]
            slots[slot] = slots[slot] & ~(0xFFFFFFFF << 32 * i) | (word & 0xFFFFFFFF) << 32 * i
        return pc + 1

    def mod(pc: int) -> int:
        assert isinstance(data, Datapath)
        data.select(v["modulus"])
        return pc + 1

    def chk(pc: int) -> int:
        return pc + 1 if m.operands == v["n"] else ISA.trap["LENGTH"]

    def done(_pc: int) -> int:
        return m.end(v["status"], v["n"])

    def wipe(pc: int) -> int:
        slots[slot] = 0
        return pc + 1

    def put1(pc: int) -> int:
        slots[slot] = 1
        return pc + 1

    def keyv(pc: int) -> int:
        m.key_valid = v["arg"] & 1
        return pc + 1

    def par(pc: int) -> int:
        m.bits_p, m.bits_n = slots[0] & 0x3FF, slots[0] >> 16 & 0x3FF
        m.kind, m.curve_width, m.loaded = slots[0] >> 32 & 0xFFFFFFFF, m.width, 0
        m.comb_loaded = 0
        m.field_known = isinstance(data, BinaryDatapath) and data.knows(m.bits_p)
        return pc + 1

    def loaded(pc: int) -> int:
        m.loaded, m.curve_id = v["arg"] & 1, m.header_curve
        m.comb_loaded = v["arg"] >> 1 & 1
        return pc + 1

    def scan(pc: int) -> int:
        if m.comb:
            f[P] = m.comb.scan(slots[slot])
        return pc + 1

    def caught(pc: int) -> int:
        if m.comb:
            m.comb.passing = False
        return pc + 1

    def rewind(pc: int) -> int:
        if m.comb:
            m.comb.rewind()
        return pc + 1

    def setx(pc: int) -> int:
        f[X] = v["arg"]
        m.recoders = [Recoder(), Recoder()]
        return pc + 1

    if name == "jmp":
        return lambda _pc: target
    if name == "br":
        return _branch(v, m)
    return {
        "call": call, "ret": ret, "setc": setc, "loop": loop, "ldb": ldb, "ldbx": ldbx, "ldbn": ldbn,
        "ldd": ldd, "ldx": ldx, "ldw": ldw, "setb": setb, "ld": ld, "st": st, "rnd": rnd, "mod": mod,
        "chk": chk, "fail": fail, "done": done, "wipe": wipe, "put1": put1,
        "keyv": keyv, "par": par, "loaded": loaded, "setx": setx, "scan": scan, "caught": caught,
        "rewind": rewind,
    }[name]  # fmt: skip
