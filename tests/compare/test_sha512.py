"""eccel_sha512 compresses blocks as FIPS 180-4 says: NIST's known answers and Monte Carlo test.

It is made of eccel_sha512_round and eccel_sha512_schedule, whose additions are eccel_sum. The vectors are in
the package cryptography-vectors. The RTL makes all chaining values itself: messages are hashed side by side,
the first blocks of all of them, then the second ones, and so on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick
from eccelerate.rtlsim import yardstick_bench
from tests.compare.rsp import records

UNITS = {find_yardstick(name): cycles for name, cycles in (("sha-512", 81), ("sha-512-x4", 21))}
FOLDER = "hashes/SHA2"
BLOCK, DIGEST = 128, 64
INITIAL = bytes.fromhex(  # FIPS 180-4, 5.3.5
    "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1"
    "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179"
)


def padded(message: bytes) -> list[bytes]:
    """The blocks of a message."""
    zeros = -(len(message) + 17) % BLOCK
    text = message + b"\x80" + bytes(zeros) + (8 * len(message)).to_bytes(16, "big")
    return [text[at : at + BLOCK] for at in range(0, len(text), BLOCK)]


def hashes(
    unit: Yardstick,
    messages: Sequence[bytes],
    mutant: yardstick_bench.Mutant | None = None,
    gaps: bool = False,
) -> list[bytes]:
    """The digests of messages on the RTL. Cycles are checked."""
    blocks = [padded(message) for message in messages]
    chains = [INITIAL] * len(messages)
    for step in range(max(map(len, blocks))):
        active = [i for i, of in enumerate(blocks) if step < len(of)]
        numbers = [(int.from_bytes(blocks[i][step], "big"), int.from_bytes(chains[i], "big")) for i in active]
        vectors = [{"block_i": block, "chain_i": chain} for block, chain in numbers]
        done = yardstick_bench.run(unit, vectors, mutant=mutant, gaps=gaps)
        assert set(done.cycles) == {UNITS[find_yardstick(unit.name)]}
        assert gaps or done.intervals == done.cycles[:-1]
        for i, result in zip(active, done.results, strict=True):
            chains[i] = result["chain_o"].to_bytes(DIGEST, "big")
    return chains


def known_answers(name: str) -> tuple[list[bytes], list[bytes]]:
    """Messages and digests of a file."""
    fields = [f for _, f in records("cryptography_vectors", f"{FOLDER}/{name}") if "MD" in f]
    messages = [bytes.fromhex(f["Msg"])[: int(f["Len"]) // 8] for f in fields]
    return messages, [bytes.fromhex(f["MD"]) for f in fields]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_short_messages(unit: Yardstick) -> None:
    messages, digests = known_answers("SHA512ShortMsg.rsp")
    assert {len(message) for message in messages} == set(range(129))
    assert hashes(unit, messages) == digests


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_messages_of_several_blocks(unit: Yardstick) -> None:
    messages, digests = known_answers("SHA512LongMsg.rsp")
    assert hashes(unit, messages[:4]) == digests[:4]


@pytest.mark.soak
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_all_long_messages(unit: Yardstick) -> None:
    messages, digests = known_answers("SHA512LongMsg.rsp")
    assert len(messages) == 128 and max(map(len, messages)) > 10_000
    assert hashes(unit, messages) == digests


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_monte_carlo(unit: Yardstick) -> None:
    """SHAVS 6.4: 100 chains of 1,000 hashes. All run side by side, since the file has the seed of each."""
    (_, first), *rest = records("cryptography_vectors", f"{FOLDER}/SHA512Monte.rsp")
    digests = [bytes.fromhex(fields["MD"]) for _, fields in rest]
    seeds = [bytes.fromhex(first["Seed"]), *digests[:-1]]
    assert len(digests) == 100
    last = [[seed] * 3 for seed in seeds]
    for _ in range(1000):
        results = hashes(unit, [b"".join(three) for three in last])
        last = [[*three[1:], result] for three, result in zip(last, results, strict=True)]
    assert [three[2] for three in last] == digests


def test_pauses_change_nothing() -> None:
    messages = [bytes([n]) * n for n in (3, 111, 112, 127, 128, 200)]
    for unit in UNITS:
        assert hashes(unit, messages, gaps=True) == [hashlib.sha512(m).digest() for m in messages]


@pytest.mark.parametrize(
    "mutant",
    [
        ("eccel_sha512_pkg", "rotate(x, 41)", "rotate(x, 40)"),
        ("eccel_sha512_schedule", ".b_i  (w16_i)", ".b_i  (w7_i)"),
    ],
    ids=lambda mutant: mutant[0],
)
def test_a_mutant_gives_other_digests(mutant: yardstick_bench.Mutant) -> None:
    unit, *_ = UNITS
    assert hashes(unit, [b"abc"], mutant) != [hashlib.sha512(b"abc").digest()]
