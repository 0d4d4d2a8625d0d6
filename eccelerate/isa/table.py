"""The instruction set, loaded from `isa.toml`: encode, decode and look up everything the tools need to know.

Words are 24-bit unsigned integers. A *form* is a mnemonic as written in source (`ldbx`, `wipe`); several
forms may share one instruction code with different fixed fields.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("isa.toml")
FLAGS = ("B", "C", "Z", "P", "X", "E")
UNITS: tuple[str, ...] = tuple(tomllib.loads(TABLE.read_text())["units"])
MODULI = {"p": 0, "n": 1}


class IsaError(ValueError):
    """A field value that does not fit, or a word that is no instruction."""


@dataclass(frozen=True)
class Operand:
    """A bit field of the instruction word, bits `high` downto `low`."""

    name: str
    high: int
    low: int
    kind: str
    signed: bool = False

    @property
    def width(self) -> int:
        """Number of bits."""
        return self.high - self.low + 1

    def insert(self, value: int) -> int:
        """`value` at its place in the word. IsaError if it does not fit."""
        low, high = (-(1 << self.width - 1), 1 << self.width - 1) if self.signed else (0, 1 << self.width)
        if not low <= value < high:
            raise IsaError(f"{self.name} = {value} does not fit: it must be in {low}..{high - 1}")
        return (value & ((1 << self.width) - 1)) << self.low

    def extract(self, word: int) -> int:
        """Value of the field in a word, sign-extended if the field is signed."""
        value = (word >> self.low) & ((1 << self.width) - 1)
        if self.signed and value >> (self.width - 1):
            value -= 1 << self.width
        return value


@dataclass(frozen=True)
class Form:
    """One mnemonic: its code, its fixed fields, the operands written after it, and its static effects."""

    mnemonic: str
    code: int
    instruction: str
    kind: str
    operands: tuple[str, ...]
    hidden: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    also_reads: tuple[int, ...]
    also_writes: tuple[int, ...]
    uses: frozenset[str]
    sets: frozenset[str]
    range: str
    pair: bool
    long: bool
    drains: bool
    indexed: bool
    public: tuple[str, ...]
    units: tuple[str, ...]
    effect: str

    @property
    def is_field(self) -> bool:
        """Whether it is an operation of the field unit."""
        return self.kind == "field"

    @property
    def fields(self) -> tuple[str, ...]:
        """Every bit field other than the operation code."""
        return (*self.operands, *self.hidden)

    @property
    def falls_through(self) -> bool:
        """Whether the next address can be reached directly."""
        return self.mnemonic not in ("jmp", "ret", "done")


@dataclass(frozen=True)
class Named:
    """A condition or a setb source: name, code, flags that it reads, and the flag that setb writes."""

    name: str
    code: int
    flags: frozenset[str]
    text: str
    dest: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Isa:
    """The table of one field unit's engine. Limits, bit fields and codes are the same for all engines.

    An engine with two field units has separate registers in each. `only` then gives the modulus (0 or 1) of
    the instructions that one of the units lacks; it is empty for other engines.
    """

    unit: str
    machine: dict[str, int]
    operands: dict[str, Operand]
    forms: dict[str, Form]
    conditions: dict[str, Named]
    setb: dict[str, Named]
    base: dict[str, int]
    status: dict[str, int]
    job: dict[str, int]
    trap: dict[str, int]
    job_flag: dict[str, int]
    secret_operands: dict[str, tuple[int, ...]]
    only: dict[str, int]

    @property
    def two_units(self) -> bool:
        """Whether the modulus selects one of two field units."""
        return bool(self.only)

    def encode(self, mnemonic: str, **fields: int) -> int:
        """The word of `mnemonic` with its operand and hidden fields. IsaError if a field is missing or does
        not fit.
        """
        return self.encode_form(self.forms[mnemonic], **fields)

    def encode_form(self, form: Form, **fields: int) -> int:
        """As `encode`, for a form of any field unit."""
        word = self.operands["op"].insert(form.code)
        known = form.fields
        for name, value in (dict(form.fixed) | fields).items():
            if name not in known:
                raise IsaError(f"{form.mnemonic} has no field {name}: it has {' '.join(known) or 'none'}")
            word |= self.operands[name].insert(value)
        return word

    def decode(self, word: int) -> tuple[Form, dict[str, int]]:
        """The form of a word, and its fields. IsaError if the word is illegal."""
        code = self.operands["op"].extract(word)
        for form in self.forms.values():
            if form.code == code and all(self.operands[n].extract(word) == v for n, v in form.fixed):
                return form, {n: self.operands[n].extract(word) for n in form.fields}
        raise IsaError(f"illegal instruction word {word:06x}")

    def condition(self, code: int) -> Named:
        """The branch condition with this code, 0..15."""
        return next(c for c in self.conditions.values() if c.code == code)

    def setb_source(self, code: int) -> Named | None:
        """The source of setb with this code. None if the code is unused."""
        return next((s for s in self.setb.values() if s.code == code), None)

    def flags_read(self, form: Form, fields: dict[str, int]) -> frozenset[str]:
        """The flags on which the instruction depends."""
        if form.mnemonic in ("br", "fail"):
            return self.condition(fields["cond"]).flags
        if form.mnemonic == "setb":
            source = self.setb_source(fields["src"])
            return source.flags if source else frozenset()
        return form.uses

    def waits(self, form: Form, fields: dict[str, int]) -> bool:
        """Whether the instruction waits until the field unit is idle."""
        if form.mnemonic in ("br", "setb"):
            return bool(self.flags_read(form, fields) & {"C", "Z"})
        return form.drains

    def indexed_registers(self, rb: int, size: int) -> frozenset[int]:
        """The registers that rb OR X can select, for X in 0..size-1."""
        return frozenset(rb | x for x in range(size))


def _forms(entry: dict[str, Any]) -> list[Form]:
    variants = entry.get("form", [{"mnemonic": entry["mnemonic"]}])
    return [
        Form(
            mnemonic=v["mnemonic"],
            code=entry["code"],
            instruction=entry["mnemonic"],
            kind=entry["kind"],
            operands=tuple(v.get("operands", entry["operands"])),
            hidden=tuple(dict.fromkeys((*entry.get("hidden", ()), *v.get("fixed", {})))),
            fixed=tuple(v.get("fixed", {}).items()),
            reads=tuple(entry.get("reads", ())),
            writes=tuple(entry.get("writes", ())),
            also_reads=tuple(v.get("also_reads", entry.get("also_reads", ()))),
            also_writes=tuple(v.get("also_writes", entry.get("also_writes", ()))),
            uses=frozenset((*entry.get("uses", ()), *v.get("uses", ()))),
            sets=frozenset((*entry.get("sets", ()), *v.get("sets", ()))),
            range=entry.get("range", ""),
            pair=entry.get("pair", False),
            long=entry.get("long", False),
            drains=entry.get("drains", False),
            indexed=entry.get("indexed", False),
            public=tuple(v.get("public", entry.get("public", ()))),
            units=tuple(v.get("units", entry.get("units", UNITS))),
            effect=v.get("effect", entry["effect"]),
        )
        for v in variants
    ]


@cache
def load(unit: str = "compact", path: Path = TABLE) -> Isa:
    """Read and check the table. IsaError if two entries collide, or for an unknown field unit."""
    if unit not in UNITS:
        raise IsaError(f"no field unit {unit!r}: {', '.join(UNITS)}")
    raw = tomllib.loads(path.read_text())
    forms = [f for entry in raw["instruction"] for f in _forms(entry) if unit in f.units]
    keys = [(f.code, f.fixed) for f in forms]
    if len({f.mnemonic for f in forms}) != len(forms) or len(set(keys)) != len(keys):
        raise IsaError(f"{path}: two instructions share a mnemonic or a code")
    operands = {
        name: Operand(name, o["bits"][0], o["bits"][1], o["kind"], o.get("signed", False))
        for name, o in raw["operand"].items()
    }
    conditions = {
        c["name"]: Named(
            c["name"], c["code"], frozenset(c.get("flags", ())), c["effect"], "", tuple(c.get("aliases", ()))
        )
        for c in raw["condition"]
    }
    setb = {
        s["text"]: Named(s["name"], s["code"], frozenset(s.get("flags", ())), s["text"], s["dest"])
        for s in raw["setb"]
        if unit in s.get("units", UNITS)
    }
    return Isa(
        unit=unit,
        machine=raw["machine"],
        operands=operands,
        forms={f.mnemonic: f for f in forms},
        conditions=conditions,
        setb=setb,
        base=raw["base"],
        status=raw["status"],
        job=raw["job"],
        trap=raw["trap"],
        job_flag=raw["job_flag"],
        secret_operands={job: tuple(numbers) for job, numbers in raw["secret_operands"].items()},
        only={name: MODULI[m] for m, names in raw["only"].get(unit, {}).items() for name in names},
    )
