"""Job port of the simulated engines: header checks, operands into the mailbox, the response packet."""

from __future__ import annotations

from collections.abc import Sequence

from eccelerate import isa
from eccelerate.machine.thread_state import ThreadState

ISA = isa.load()
STATUS, JOB = ISA.status, ISA.job
WITH_RESULTS = (STATUS["OK"], STATUS["INFINITY"])
MASK32 = 0xFFFFFFFF


def require_packet(words: Sequence[int]) -> None:
    """ValueError for words that no bus can carry: an empty packet, or a number that is not a 32-bit word."""
    if not words or any(not 0 <= w <= MASK32 for w in words):
        raise ValueError("a packet is at least one word, each 0..2^32-1")


def admit(state: ThreadState, words: Sequence[int], widths: range, table: isa.Isa = ISA) -> int | None:
    """The checks before microcode starts; they also fill the mailbox. Returns a status that is answered at
    once, or None.

    `widths` are the element sizes in words that this port accepts. `table` is the ISA table of the engine's
    field unit, which knows the flags.
    """
    header = words[1] if len(words) > 1 else 0
    count, flags, width = header & 0xFFFF, header >> 16 & 0xFF, header >> 24
    op, curve = words[0] & 0xFF, words[0] >> 8 & 0xFF
    limits = ISA.machine
    # The port checks word 1 when it arrives: first its framing, then operation and flags, then the curve.
    if len(words) < 2 or (count == 0) != (len(words) == 2) or count > 0xFF:
        return STATUS["BAD_LENGTH"]
    if width not in widths:
        return STATUS["BAD_LENGTH"]
    wants_curve = op not in (JOB["CURVE_LOAD"], JOB["ZEROISE"])
    if wants_curve and state.loaded and width != state.curve_width:
        return STATUS["BAD_LENGTH"]
    if flags >> len(table.job_flag) or not 0 < op < limits["jobs"]:
        return STATUS["BAD_OP"]
    if wants_curve and not (state.loaded and curve == state.curve_id):
        return STATUS["BAD_CURVE"]
    # Then it checks the operands.
    if count != len(words) - 2 or count % width or count // width > limits["max_elements"]:
        return STATUS["BAD_LENGTH"]
    state.width, state.operands, state.flags, state.header_curve = width, count // width, flags, curve
    low = (1 << 32 * width) - 1
    for element in range(state.operands):
        base = 2 + element * width
        value = sum(w << 32 * i for i, w in enumerate(words[base : base + width]))
        state.slots[element] = (state.slots[element] & ~low) | value
    return None


def respond(state: ThreadState, first: int, status: int, results: int) -> list[int]:
    """The response to the packet that began with word `first`, with results from slots 0 and 1."""
    body: list[int] = []
    if status in WITH_RESULTS:
        for slot in range(results):
            body += [(state.slots[slot] >> 32 * i) & MASK32 for i in range(state.width)]
    return [status | (first & 0xFF) << 8 | (first >> 16) << 16, len(body), *body]
