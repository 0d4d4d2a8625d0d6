"""eccel_scalar_stream gives the bits of a scalar plus a constant in the clocks of its header, and leaves
nothing of the scalar; mutants.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from eccelerate.configs.config import RTL_DIR
from tests.sampled import sampled
from tests.verilated import Patch, Unit, patched

HARNESS = Path(__file__).with_name("stream_harness.cpp")
NEVER = 0


class Stream:
    """One eccel_scalar_stream."""

    def __init__(self, patches: Sequence[Patch] = ()) -> None:
        files = [RTL_DIR / "prim" / "eccel_ram.sv", RTL_DIR / "engines" / "binary" / "eccel_scalar_stream.sv"]
        texts = {path.name: path.read_text() for path in files}
        self.lib = Unit(
            room="ecp_binary", name="stream", top="eccel_scalar_stream", harness=HARNESS,
            texts=patched(texts, patches), parameters=[], settings=[], unknown="unique",
        ).load()  # fmt: skip
        self.lib.unit_open.restype = ctypes.c_void_p
        self.unit = ctypes.c_void_p(self.lib.unit_open())

    def __del__(self) -> None:
        if hasattr(self, "unit"):
            self.lib.unit_close(self.unit)

    def load(self, number: int, words: int, *, constant: bool = False, gap: int = 0) -> int:
        """Load all words of a scalar, or of the constant, each `gap` clocks after it may come. Returns the
        clocks for which the first one had to wait.
        """
        values = (ctypes.c_uint32 * words)(*(number >> 32 * at & 0xFFFFFFFF for at in range(words)))
        return int(self.lib.unit_load(self.unit, constant, values, words, gap))

    def run(self, count: int, gap: int = 6, zeroise: int = NEVER) -> tuple[list[int], int]:
        """Get the bits for steps from number `count` down, and the clocks from the first to the last."""
        bits, clocks = (ctypes.c_uint8 * 1024)(), ctypes.c_int()
        came = self.lib.unit_run(self.unit, count, gap, zeroise, bits, ctypes.byref(clocks))
        assert came >= 0, "the stream hangs"
        return list(bits[:came]), clocks.value

    def zeroise(self) -> None:
        """Pulse zeroise_i while no bits are requested."""
        self.lib.unit_zeroise(self.unit)

    def reset(self) -> None:
        """Pulse rst_ni."""
        self.lib.unit_reset(self.unit)


def expected(scalar: int, count: int) -> list[int]:
    """Each bit XOR the bit above it, 0 for the first."""
    scalar &= (2 << count) - 1
    return [(scalar ^ scalar >> 1) >> i & 1 for i in range(count, -1, -1)]


def check(stream: Stream, rounds: int = 80) -> None:
    """Scalars of any length follow each other, and each one is cleared. The consumer sets the pace, which is
    at most one bit in 4 clocks. The constant stays for several scalars. The sum may have a word more.
    """
    rng, added = random.Random(1), 0
    stream.load(added, 18, constant=True)
    for _ in range(rounds):
        count, gap = rng.choice([0, 31, 32, 63, 162, 571, 576, rng.randrange(577)]), rng.choice([1, 4, 6, 18])
        scalar = rng.choice([rng.getrandbits(576), 1, (1 << 576) - 1])
        if rng.randrange(4) == 0:
            added = rng.choice([rng.getrandbits(576), 1, (1 << 576) - 1, (1 << 96) - 1 << 64])
            stream.load(added, 18, constant=True, gap=rng.randrange(3))
        assert stream.load(scalar, 18, gap=rng.randrange(3)) <= 32
        bits, clocks = stream.run(count, gap)
        assert bits == expected(scalar + added, count)
        assert clocks == count * max(4, gap)
        if rng.randrange(2):
            assert not any(stream.run(575)[0])


def check_wiping(stream: Stream) -> None:
    """Nothing is left after zeroise_i, which ends the stream with the bit that waits, or after a reset. The
    constant is not a secret.
    """
    stream.load(0, 18, constant=True)
    for zeroise in (1, 2, 20, 162, 163):
        stream.load((1 << 576) - 1, 18)
        bits, _ = stream.run(162, zeroise=zeroise)
        assert len(bits) == min(zeroise + 1, 163)
        assert not any(stream.run(575)[0])
    for wipe in (stream.zeroise, stream.reset):
        stream.load((1 << 576) - 1, 18)
        wipe()
        assert not any(stream.run(575)[0])


def test_bits_come_in_time_and_are_forgotten() -> None:
    stream = Stream()
    check(stream)
    check_wiping(stream)


@sampled(
    "patch",
    [
        ("clear_q   <= last_o ||", "clear_q   <="),
        ("bit_q ^ before_q", "bit_q"),
        ("if (!running_q) before_q <= 1'b0;\n    else if", "if"),
        ("clear_at_q != '1", "clear_at_q != 5'd16"),
        ("wait_q  <= '1;\n", "wait_q  <= 3'b011;\n"),
        ("clearing_o = clear_q", "clearing_o = 1'b0"),
        ("valid_q   <= start_i && !clear_q ||", "valid_q   <= start_i ||"),
        ("if (add_q) carry_q <= carry;", "carry_q <= carry;"),
        ("if (came_q && came_at_q == '0) carry_q <= 1'b0;", ""),
        ("add_q || after_q || clear_q", "add_q || clear_q"),
        ("constant_i ? '0 : word", "word"),
        ("{constant_i, add_at_q}", "{1'b0, add_at_q}"),
    ],
    now=2,
)
def test_mutants_fail(patch: tuple[str, str]) -> None:
    with pytest.raises(AssertionError):
        check(Stream([("eccel_scalar_stream.sv", *patch)]))


@pytest.mark.parametrize(
    "patch",
    [
        ("clear_q   <= last_o || zeroise_i ||", "clear_q   <= last_o ||"),
        ("clear_q   <= 1'b1", "clear_q   <= 1'b0"),
        ("(stop_q || zeroise_i)", "stop_q"),
    ],
)
def test_mutants_of_wiping_fail(patch: tuple[str, str]) -> None:
    with pytest.raises(AssertionError):
        check_wiping(Stream([("eccel_scalar_stream.sv", *patch)]))
