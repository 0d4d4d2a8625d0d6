"""Disassembler: turns a program image into source that assembles to the same image.

Registers appear as rN, labels as L_<address>.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eccelerate import isa
from eccelerate.ucode.program import ENTRIES

ISA = isa.load()


def disassemble_word(word: int, labels: Mapping[int, str] | None = None, unit: str = "compact") -> str:
    """Source text of one instruction word. IsaError if the word is illegal."""
    table = isa.load(unit)
    form, fields = table.decode(word)
    if form.mnemonic == "setb":
        source = table.setb_source(fields["src"])
        if source is None:
            raise isa.IsaError(f"setb source {fields['src']} does not exist")
        return source.text + (str(fields["match"]) if source.text.endswith("==") else "")
    texts = [_operand(name, fields, labels or {}) for name in form.operands]
    return f"{form.mnemonic} {', '.join(texts)}".strip()


def _operand(name: str, fields: dict[str, int], labels: Mapping[int, str]) -> str:
    value = fields[name]
    match ISA.operands[name].kind:
        case "reg":
            return f"r{value}"
        case "label":
            return labels.get(value, f"L_{value:03x}")
        case "cond":
            return ("!" if fields["invert"] else "") + ISA.condition(value).name
        case "counter":
            return f"c{value}"
        case "count":
            base = next((n for n, code in ISA.base.items() if code == fields["base"]), None)
            if base is None:
                raise isa.IsaError(f"counter base {fields['base']} does not exist")
            return f"{value}" if base == "ZERO" else f"{base}{value:+d}"
        case "status":
            return next((n for n, code in ISA.status.items() if code == value), f"0x{value:02x}")
        case _:
            return str(value)


def disassemble(words: Sequence[int], unit: str = "compact") -> str:
    """Source of a whole image for the engine of a field unit.

    The jump table becomes .entry lines. The code follows, without the fill words at its end.
    """
    table = isa.load(unit)
    fill = table.encode("done", status=ISA.status["BAD_OP"], n=0)
    end = max((a for a, w in enumerate(words) if w != fill and a >= ENTRIES), default=ENTRIES - 1) + 1
    # A routine may end in words that look like fill: keep those that control can reach.
    decoded = {a: table.decode(words[a]) for a in range(end)}
    targets = {f["target"] for _, f in decoded.values() if "target" in f}
    last = [
        *(targets - set(range(end))),
        *([end] if end > ENTRIES and decoded[end - 1][0].falls_through else []),
    ]
    end = max([end, *(t + 1 for t in last)])
    labels = {t: f"L_{t:03x}" for t in targets}
    called = {f["target"] for form, f in decoded.values() if form.mnemonic == "call"}
    lines = [
        f".entry {code} {labels[decoded[code][1]['target']]}"
        for code in range(ENTRIES)
        if decoded[code][0].mnemonic == "jmp"
    ]
    for address in range(ENTRIES, end):
        if address in called:
            lines.append(f".routine {labels[address]}")
        elif address in labels:
            lines.append(f"{labels[address]}:")
        lines.append(f"    {disassemble_word(words[address], labels, unit)}")
    return "\n".join(lines) + "\n"
