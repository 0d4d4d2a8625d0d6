"""Decodes a program image in advance: one closure over the state of a thread for each address.

An entry is (kind, mnemonic, action, rd, ra, rb, rb is indexed by X). The registers are the fields of the
word, whether or not the instruction uses them. A field action has no argument. A control action has its
address as argument and returns the next address, which is negative if the job has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eccelerate import isa
from eccelerate.machine.datapath import Datapath
from eccelerate.machine.thread_state import FREE, B, C, P, ProgramError, Recoder, ThreadState, X, Z
from eccelerate.model.entropy_health import FAILED

# The kinds of instruction that the cycle count distinguishes. ASK is a branch on FREE. DRAIN waits for an
# idle field unit, and so does LOAD, the ld of an engine with two units.
FIELD, CONTROL, ASK, DRAIN, LOAD, ILLEGAL = 0, 1, 2, 3, 4, -1
ISA = isa.load()
MONTGOMERY, A_IS_MINUS_3, UNDEFINED_KIND_BITS = 1, 1 << 8, 0xFFFFFEFC
Entry = tuple[int, str, Callable[..., Any], int, int, int, bool]


def decode_program(words: list[int], state: ThreadState, data: Datapath) -> list[Entry]:
    """Closures for all words. An illegal word traps when it is reached."""
    table = isa.load(data.unit)
    return [_decode(word, state, data, table) for word in words]


def _decode(word: int, state: ThreadState, data: Datapath, table: isa.Isa) -> Entry:
    try:
        form, v = table.decode(word)
    except isa.IsaError:
        return (ILLEGAL, "", int, 0, 0, 0, False)
    if form.is_field:
        rd, ra, rb = (table.operands[name].extract(word) for name in ("rd", "ra", "rb"))
        return (FIELD, form.mnemonic, data.action(form.mnemonic, v, state), rd, ra, rb, form.indexed)
    kind = DRAIN if table.waits(form, v) else CONTROL
    if table.two_units:
        kind = LOAD if form.mnemonic == "ld" else ASK if v.get("cond") == FREE else kind
    if form.mnemonic == "setb" and table.setb_source(v["src"]) is None:
        return (kind, form.mnemonic, _no_source(v["src"]), 0, 0, 0, False)
    return (kind, form.mnemonic, _control(form.mnemonic, v, state, data), 0, 0, 0, False)


def _no_source(code: int) -> Callable[[int], int]:
    def trap(pc: int) -> int:
        raise ProgramError(f"at {pc:03x}: setb source {code} does not exist")

    return trap


def _setb(code: int, match: int, f: list[int]) -> Callable[[int], int]:
    """The action of setb: it sets B, or P for the codes 14 and 15."""
    place = P if code >= 14 else B
    source: Callable[[], int] = {
        0: lambda: 0, 1: lambda: 1, 2: lambda: f[C], 3: lambda: not f[C], 4: lambda: f[Z],
        5: lambda: not f[Z], 6: lambda: f[P], 7: lambda: not f[P], 8: lambda: not f[B],
        9: lambda: f[B] or f[C], 10: lambda: f[B] or f[Z], 11: lambda: f[B] and f[C],
        12: lambda: f[B] and f[Z], 13: lambda: f[X] == match,
        14: lambda: 0, 15: lambda: 1,
    }[code]  # fmt: skip

    def setb(pc: int) -> int:
        f[place] = int(source())
        return pc + 1

    return setb


def _branch(v: dict[str, int], state: ThreadState) -> Callable[[int], int]:
    cond, wanted, target, f = v["cond"], not v["invert"], v["target"], state.f

    def on_flag(pc: int) -> int:
        state.jumped = bool(f[index]) == wanted
        return target if state.jumped else pc + 1

    def on_x(pc: int) -> int:
        state.jumped = (f[X] == 0) == wanted
        return target if state.jumped else pc + 1

    def on_state(pc: int) -> int:
        state.jumped = bool(state.condition(cond)) == wanted
        return target if state.jumped else pc + 1

    index = (Z, C, B)[cond] if cond < 3 else 0
    return on_flag if cond < 3 else on_x if cond == 3 else on_state


def _control(name: str, v: dict[str, int], state: ThreadState, data: Datapath) -> Callable[[int], int]:
    """The action of a control instruction."""
    f, slots, counters = state.f, state.slots, state.counters
    target, slot, c = v.get("target", 0), v.get("slot", 0), v.get("counter", 0)

    def call(pc: int) -> int:
        if len(state.stack) == ISA.machine["stack"]:
            raise ProgramError(f"at {pc:03x}: call stack overflow (depth {ISA.machine['stack']})")
        state.stack.append(pc + 1)
        return target

    def ret(pc: int) -> int:
        if not state.stack:
            raise ProgramError(f"at {pc:03x}: ret with an empty stack")
        return state.stack.pop()

    def setc(pc: int) -> int:
        count = (0, data.columns, state.bits_p, 0, state.bits_n, 0, data.bits)[v["base"]] + v["imm"]
        if v["base"]:
            # A size of 0 bits in a curve's parameters wraps, as in the engine. The curve is refused later.
            count %= 1 << ISA.machine["counter_bits"]
        if not 0 <= count < 1 << ISA.machine["counter_bits"]:
            raise ProgramError(f"at {pc:03x}: counter {c} set to {count}")
        counters[c] = count
        return pc + 1

    def loop(pc: int) -> int:
        if not counters[c]:
            return pc + 1
        counters[c] -= 1
        state.jumped = True
        return target

    def bit(pc: int) -> int:
        if counters[c] >= ISA.machine["slot_bits"]:
            raise ProgramError(f"at {pc:03x}: bit {counters[c]} of a slot")
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
        if state.verdict is None and bool(f[(Z, C, B)[v["cond"]]]) != v["invert"]:
            state.verdict = v["verdict"]
        return pc + 1

    def ldd(pc: int) -> int:
        f[B], f[P], f[X] = state.recode(bit(pc))
        return pc + 1

    def ld(pc: int) -> int:
        data.load(v["rd"], slots[slot] & ((1 << 32 * state.width) - 1), state)
        return pc + 1

    def st(pc: int) -> int:
        words = -(-data.long_bits // 32) * 32
        slots[slot] = (slots[slot] >> words << words) | data.read_long(v["ra"])
        return pc + 1

    def rnd(pc: int) -> int:
        for i in range(state.width + 3):
            word = state.entropy()
            if word is None:
                return ISA.trap["ENTROPY"]
            if word is FAILED:
                return ISA.trap["HEALTH"]
            drawn = state.hedge(word & 0xFFFFFFFF, slots[slot] >> 32 * i & 0xFFFFFFFF)
            slots[slot] = slots[slot] & ~(0xFFFFFFFF << 32 * i) | drawn << 32 * i
        return pc + 1

    def mod(pc: int) -> int:
        data.select(v["modulus"])
        return pc + 1

    def chk(pc: int) -> int:
        return pc + 1 if state.operands == v["n"] else ISA.trap["LENGTH"]

    def done(_pc: int) -> int:
        return state.end(v["status"], v["n"])

    def wipe(pc: int) -> int:
        slots[slot] = 0
        return pc + 1

    def put1(pc: int) -> int:
        slots[slot] = 1
        return pc + 1

    def keyv(pc: int) -> int:
        state.key_valid, state.key_flags = v["arg"] & 1, state.flags
        return pc + 1

    def par(pc: int) -> int:
        state.bits_p, state.bits_n = slots[0] & 0x3FF, slots[0] >> 16 & 0x3FF
        state.kind, state.curve_width, state.loaded = slots[0] >> 32 & 0xFFFFFFFF, state.width, 0
        if state.kind & UNDEFINED_KIND_BITS:
            state.kind |= MONTGOMERY | A_IS_MINUS_3
        state.comb_loaded = 0
        state.field_known = data.knows(state.bits_p)
        return pc + 1

    def loaded(pc: int) -> int:
        state.loaded, state.curve_id = v["arg"] & 1, state.header_curve
        if data.unit == "turbo":
            state.comb_loaded = v["arg"] >> 1 & 1
        elif v["arg"] >> 1:
            state.kind |= 1 << 8  # AM3
        return pc + 1

    def scan(pc: int) -> int:
        if state.comb:
            f[P] = state.comb.scan(slots[slot])
        return pc + 1

    def caught(pc: int) -> int:
        if state.comb:
            state.comb.passing = False
        return pc + 1

    def rewind(pc: int) -> int:
        if state.comb:
            state.comb.rewind()
        return pc + 1

    def setx(pc: int) -> int:
        f[X] = v["arg"]
        state.recoders = [Recoder(), Recoder()]
        return pc + 1

    def jmp(_pc: int) -> int:
        state.jumped = True  # also to the next address
        return target

    if name == "br":
        return _branch(v, state)
    if name == "setb":
        return _setb(v["src"], v["match"], f)
    return {
        "jmp": jmp, "call": call, "ret": ret, "setc": setc, "loop": loop, "ldb": ldb, "ldbx": ldbx,
        "ldbn": ldbn, "ldd": ldd, "ldx": ldx, "ldw": ldw, "ld": ld, "st": st, "rnd": rnd, "mod": mod,
        "chk": chk, "fail": fail, "done": done, "wipe": wipe, "put1": put1,
        "keyv": keyv, "par": par, "loaded": loaded, "setx": setx, "scan": scan, "caught": caught,
        "rewind": rewind,
    }[name]  # fmt: skip
