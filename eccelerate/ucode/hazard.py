"""The dep bit: set on a field operation that touches a register one of the previous two field operations
writes.

Forward dataflow over the whole program, through jumps, loops, calls and returns: the state is the sets of
registers that the last and the last but one field operation may write. A returning routine is joined over
all its callers, which can only set dep too often, never too rarely.
"""

from __future__ import annotations

from eccelerate.ucode import isa
from eccelerate.ucode.program import Instr

State = tuple[frozenset[int], frozenset[int]]
IDLE: State = (frozenset(), frozenset())


def return_sites(instrs: dict[int, Instr]) -> dict[int, set[int]]:
    """For each `ret`, the addresses it can continue at."""
    sites: dict[int, set[int]] = {}
    callers: dict[int, set[int]] = {}
    for instr in instrs.values():
        if instr.form.mnemonic == "call":
            callers.setdefault(instr.fields["target"], set()).add(instr.address + 1)
    for target, after in callers.items():
        seen: set[int] = set()
        todo = [target]
        while todo:
            address = todo.pop()
            if address in seen or address not in instrs:
                continue
            seen.add(address)
            instr = instrs[address]
            if instr.form.mnemonic == "ret":
                sites.setdefault(address, set()).update(after)
            if instr.form.falls_through:
                todo.append(address + 1)
            if "target" in instr.fields and instr.form.mnemonic != "call":
                todo.append(instr.fields["target"])
    return sites


def set_dep_bits(instrs: dict[int, Instr], entries: set[int]) -> None:
    """Write the dep field of every field operation. `entries`: where a job starts, with an idle unit."""
    table = isa.load()
    sites = return_sites(instrs)
    state: dict[int, State] = {}
    todo = [(address, IDLE) for address in sorted(entries)]
    while todo:
        address, incoming = todo.pop()
        old = state.get(address)
        new = incoming if old is None else (old[0] | incoming[0], old[1] | incoming[1])
        if new == old or address not in instrs:
            continue
        state[address] = new
        instr = instrs[address]
        if instr.form.is_field:
            new = (frozenset({instr.fields["rd"]}), new[0])
        elif table.drains(instr.form, instr.fields):
            new = IDLE
        following = set(sites.get(address, ())) if instr.form.mnemonic == "ret" else set()
        if instr.form.falls_through and instr.form.mnemonic != "call":
            following.add(address + 1)
        if "target" in instr.fields:
            following.add(instr.fields["target"])
        todo += [(f, new) for f in following]
    for address, instr in instrs.items():
        if instr.form.is_field:
            last, before = state.get(address, IDLE)
            touched = instr.sources() | {instr.fields["rd"]}
            instr.fields["dep"] = int(bool(touched & (last | before)))
