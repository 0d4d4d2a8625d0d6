"""The queue of the UART bridge against a model, with the contents of its memory: what was read or dropped is
overwritten.
"""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path

import pytest

from tests.module import Module
from tests.sampled import sampled
from tests.verilated import Patch

STRICT_RAM = Path(__file__).with_name("eccel_ram_1p.sv")
SOURCES = ("isa/eccel_packet_pkg.sv", "prim/eccel_ram.sv", STRICT_RAM, "bus/uart/eccel_uart_queue.sv")
QUEUE = "eccel_uart_queue.sv"
VALID, LAST = 1 << 33, 1 << 32


def look_inside(single: bool) -> tuple[Patch, ...]:
    """An output that is 1 while a word of the memory is not 0."""
    ram = "gen_one_port.u_ram" if single else "gen_two_ports.u_ram"
    check = f"""
  always_comb begin
    residue_o = 1'b0;
    for (int i = 0; i < 2 ** AddrBits; i++) residue_o |= |{ram}.mem[i];
  end
endmodule"""
    return (
        (
            QUEUE,
            "    output logic    wiped_o,",
            "    output logic    wiped_o,\n    output logic residue_o,",
        ),
        (QUEUE, "\nendmodule", check),
    )


class Queue:
    """The queue and its model: committed words, words of the packet under way."""

    def __init__(self, single: bool, patches: tuple[Patch, ...] = ()) -> None:
        values = {"AddrBits": 8, "SinglePort": int(single), "KeepLast": 1}
        self.module = Module("boards", "eccel_uart_queue", SOURCES, values, (*look_inside(single), *patches))
        self.ready: deque[int] = deque()
        self.under_way: list[int] = []
        self.taken: list[int] = []
        self.expected: list[int] = []
        self.single = single

    def wait(self, clocks: int, accept: float, rng: random.Random) -> None:
        shown = 0
        for _ in range(clocks):
            ready = rng.random() < accept
            out = self.module.clock(1, out_ready_i=int(ready), in_i=0, commit_i=0, drop_i=0)["out_o"]
            if shown and not self.single:
                assert out == shown, "a shown word has changed"
            shown = out if out & VALID and not ready else 0
            if out & VALID and ready:
                self.taken.append(out & (VALID - 1))
                if self.ready:
                    self.ready.popleft()

    def input(self, **inputs: int) -> None:
        self.module.clock(1, out_ready_i=0, **({"in_i": 0, "commit_i": 0, "drop_i": 0} | inputs))


def exercise(queue: Queue, rounds: int = 250) -> None:
    rng = random.Random(3)
    queue.wait(270, 0, rng)
    assert queue.module["wiped_o"] and not queue.module["residue_o"]
    for _ in range(rounds):
        accept = rng.choice([0, 0.05, 0.5, 1])
        for _ in range(rng.choice([1, 2, 3, 40, 160])):
            queue.wait(4, 0, rng)  # the queue sees a word leave some clocks later
            word = rng.getrandbits(33) | 1
            full = len(queue.ready) + len(queue.under_way) >= 255
            queue.input(in_i=VALID | word)
            assert full or queue.module["in_ready_o"], "there is room for the word"
            if queue.module["in_ready_o"]:
                queue.under_way.append(word)
            queue.wait(8, accept, rng)
            assert len(queue.ready) + len(queue.under_way) <= 255
        if rng.random() < 0.5:
            queue.input(commit_i=1)
            queue.expected += queue.under_way
            queue.ready += queue.under_way
        else:
            queue.input(drop_i=1)
            queue.wait(2 * len(queue.under_way) + 4, accept, rng)
        queue.under_way = []
        queue.wait(12, accept, rng)
        room = queue.module["room_o"]
        assert room == (255 - len(queue.ready) >= 64) or accept
    queue.wait(1500, 1, rng)
    assert queue.taken == queue.expected
    assert not queue.module["residue_o"] and queue.module["empty_o"] and queue.module["room_o"]


@pytest.mark.parametrize("single", [False, True])
def test_packets_come_out_whole_or_not_at_all_and_leave_no_trace(single: bool) -> None:
    exercise(Queue(single))


@pytest.mark.parametrize("single", [False, True])
def test_reset_in_any_state_overwrites_the_memory(single: bool) -> None:
    queue, rng = Queue(single), random.Random(5)
    queue.wait(270, 0, rng)
    for round_ in range(60):
        for _ in range(rng.randrange(1, 40)):
            queue.input(in_i=VALID | rng.getrandbits(33))
            queue.wait(8, 0.1, rng)
        if rng.random() < 0.6:
            queue.input(**{rng.choice(["commit_i", "drop_i"]): 1})
        queue.wait(rng.randrange(12), rng.random(), rng)
        last = round_ % 3 == 0  # a word comes in the cycle of the reset
        queue.input(rst_ni=0, in_i=(VALID | LAST | 5) if last else 0)
        queue.input(rst_ni=1, commit_i=int(round_ % 4 == 0))
        queue.wait(260, 0, rng)
        assert queue.module["wiped_o"] and not queue.module["residue_o"]
        assert not queue.module["out_o"] & VALID and queue.module["in_ready_o"]


MUTANTS: dict[str, Patch] = {
    "read words stay": (QUEUE, "|| drops || clean_q;", "|| drops;"),
    "dropped words stay": (QUEUE, "we_q || wipe_q || drops || clean_q", "we_q || wipe_q || clean_q"),
    "shown too early": (QUEUE, "valid: age_q[1]", "valid: age_q[0]"),
    "a write disturbs the output": (QUEUE, "SinglePort && we)", "1'b0)"),
}


@sampled("mutant", MUTANTS, now=2)
def test_a_fault_is_noticed(mutant: str) -> None:
    queue = Queue("disturbs" in mutant, (MUTANTS[mutant],))
    with pytest.raises(AssertionError):
        exercise(queue)
