"""Job port of the simulated engines: header checks, operands into the mailbox, the response packet."""

from __future__ import annotations

from collections.abc import Sequence

from eccelerate import isa
from eccelerate.machine.thread_state import ThreadState

ISA = isa.load()
STATUS, JOB, FLAG = ISA.status, ISA.job, ISA.job_flag
WITH_RESULTS = (STATUS["OK"], STATUS["INFINITY"])
MASK32 = 0xFFFFFFFF


def require_packet(words: Sequence[int]) -> None:
    """ValueError for words that no bus can carry: an empty packet, or a number that is not a 32-bit word."""
    if not words or any(not 0 <= w <= MASK32 for w in words):
        raise ValueError("a packet is at least one word, each 0..2^32-1")


def reserved(op: int, flags: int) -> bool:
    """Whether the operation must not have these flags: attributes of a key without a key, or HOST_NONCE for a
    key that the engine draws.
    """
    sets_key = op in (JOB["KEY_LOAD"], JOB["KEYGEN"])
    host_nonce, drawn = flags >> FLAG["HOST_NONCE"] & 1, flags >> FLAG["RANDOM"] & 1
    return bool((flags >> FLAG["NO_SIGN"] and not sets_key) or (host_nonce and drawn))


def admit(state: ThreadState, words: Sequence[int], widths: range) -> int | None:
    """The checks before microcode starts; they also fill the mailbox. Returns a status that is answered at
    once, or None. `state.malformed` then says that the operands are framed wrongly: the trap of `chk` runs.

    `widths` are the element sizes in words that this port accepts.
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
    if reserved(op, flags) or not 0 < op < limits["jobs"]:
        return STATUS["BAD_OP"]
    if wants_curve and not (state.loaded and curve == state.curve_id):
        return STATUS["BAD_CURVE"]
    # Then it checks the operands.
    state.malformed = (
        count != len(words) - 2 or bool(count % width) or count // width > limits["max_elements"]
    )
    state.early = len(words) - 2 <= min(count, limits["max_elements"] * width)
    state.width, state.operands, state.header_curve = width, count // width, curve
    state.op, state.flags = op, flags
    for number, word in enumerate(words[2:][: min(count, limits["max_elements"] * width)]):
        element, place = divmod(number, width)
        state.slots[element] = state.slots[element] & ~(MASK32 << 32 * place) | word << 32 * place
    return None


def respond(state: ThreadState, first: int, status: int, results: int) -> list[int]:
    """The response to the packet that began with word `first`, with results from slots 0 and 1."""
    body: list[int] = []
    if status in WITH_RESULTS:
        for slot in range(results):
            body += [(state.slots[slot] >> 32 * i) & MASK32 for i in range(state.width)]
    return [status | (first & 0xFF) << 8 | (first >> 16) << 16, len(body), *body]
