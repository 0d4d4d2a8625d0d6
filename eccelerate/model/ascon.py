"""The permutation of Ascon, its hash function (NIST SP 800-232), and the sponge of the hedged draws."""

from __future__ import annotations

from collections.abc import Sequence

MASK = (1 << 64) - 1
ROUNDS = 12
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
"""Rotations of the linear layer, for each word of the state."""
HASH_IV = 0x0000080100CC0002
XOF_IV = 0x0000080000CC0003


def permute(state: Sequence[int]) -> list[int]:
    """Ascon-p[12]: the next state, five words of 64 bits."""
    x = list(state)
    for number in range(ROUNDS):
        x[2] ^= (15 - number) << 4 | number
        x[0] ^= x[4]
        x[4] ^= x[3]
        x[2] ^= x[1]
        x = [x[i] ^ (~x[(i + 1) % 5] & x[(i + 2) % 5]) for i in range(5)]
        x[1] ^= x[0]
        x[0] ^= x[4]
        x[3] ^= x[2]
        x[2] ^= MASK
        x = [v ^ _right(v, a) ^ _right(v, b) for v, (a, b) in zip(x, ROTATIONS, strict=True)]
    return x


def _right(value: int, bits: int) -> int:
    return (value >> bits | value << 64 - bits) & MASK


def hash256(message: bytes) -> bytes:
    """Ascon-Hash256 of a message."""
    state = permute([HASH_IV, 0, 0, 0, 0])
    padded = message + b"\x01"
    padded += bytes(-len(padded) % 8)
    for at in range(0, len(padded), 8):
        state[0] ^= int.from_bytes(padded[at : at + 8], "little")
        state = permute(state)
    digest = b""
    for _ in range(4):
        digest += state[0].to_bytes(8, "little")
        state = permute(state)
    return digest


class HedgeSponge:
    """What the hedged engine draws from: a duplex sponge (Bertoni et al. 2011) with a rate of 64 bits."""

    def __init__(self) -> None:
        self.state = [XOF_IV, 0, 0, 0, 0]

    def draw(self, entropy: int, old: int) -> int:
        """The next word of 32 bits. entropy: a word of the entropy port; old: what the mailbox had in the
        place of the new word.
        """
        self.state[0] ^= old << 32 | entropy
        self.state = permute(self.state)
        return self.state[0] & 0xFFFFFFFF
